"""Names of files, without looking at any disk: what a reference can mean, what looks secret, what is safe."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import count
from pathlib import PurePosixPath
from urllib.parse import unquote

NAME_MOST = 100
"""Characters of a kept name."""
NAME_BYTES = 200
"""A file system takes 255 bytes, and a temporary name is longer."""

_FILE_URL = re.compile(r"file:(?://(?:localhost(?=/))?)?(.*)", re.IGNORECASE | re.DOTALL)

SECRET_NAMES = (
    *(".env*", "*.env", "roost.toml", ".roost-remote*"),
    *("*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.keytab", "*.ppk", "*.ovpn"),
    *("id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "id_ed448*", "id_xmss*", "secring.*"),
    *("*.kdb", "*.kdbx", "*.keychain*", "wallet.dat"),
    *("credentials*", ".credentials*", ".git-credentials", ".gitconfig", "secrets.*", "auth.json"),
    *("*.token", ".token", "token.json", "tokens.json", ".vault-token"),
    *(".netrc", "_netrc", ".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".htpasswd", ".*_history"),
    *(".npmrc", ".yarnrc.yml", ".pypirc", "pip.conf", ".dockercfg", ".s3cfg", ".boto", "rclone.conf"),
    *("client_secret*.json", "service-account*.json", "service_account*.json", "oauth_creds.json"),
    *("kubeconfig", "*.kubeconfig", "*.tfstate*", "*.tfvars", "*.tfvars.json", ".terraformrc"),
    *(".mcp.json", "mcp.json", "mcp-auth.json", ".claude.json", ".aider.conf.yml", "local.settings.json"),
)
"""Patterns for a file's own name, in lower case: settings, keys, vaults, logins, histories, those of tools
for packages and clouds, and of agents, whose tool servers are told their tokens there."""

SECRET_FOLDERS = frozenset(
    {
        *(".git", ".hg", ".subversion", ".ssh", ".gnupg", ".password-store"),
        *(".aws", ".azure", ".gcloud", "gcloud", ".oci", ".kube", ".docker", "glab-cli", "github-copilot"),
    }
)
"""Everything in these is refused: a repository's own settings may hold a password in an address."""

SECRET_PLACES = frozenset(
    {
        *(("gh", "hosts.yml"), (".config", "hub")),
        *((".m2", "settings.xml"), (".gradle", "gradle.properties")),
        *((".codex", "config.toml"), (".claude", "settings.local.json"), (".gemini", "settings.json")),
    }
)
"""Files that are secret by the folder that they lie in, too."""

SECRET_GLOBS = (
    *(f"**/{name}" for name in SECRET_NAMES),
    *(f"**/{folder}/**" for folder in sorted(SECRET_FOLDERS)),
    *("**/" + "/".join(place) for place in sorted(SECRET_PLACES)),
)
"""The same as patterns for whole paths, in lower case."""

_PRIVATE_KEY = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")
_KEY_WITHIN = 4096


def secret(path: str) -> bool:
    """Whether *path*, relative to its project, looks like what only the owner of the machine should see."""
    parts = PurePosixPath(path.lower()).parts or ("",)
    return (
        not SECRET_FOLDERS.isdisjoint(parts)
        or parts[-2:] in SECRET_PLACES
        or any(fnmatchcase(parts[-1], pattern) for pattern in SECRET_NAMES)
    )


def private_key(data: bytes) -> bool:
    """Whether a file is one, whatever it is called."""
    return _PRIVATE_KEY.search(data, 0, _KEY_WITHIN) is not None


def readings(ref: str) -> tuple[str, ...]:
    """The paths that a reference in an answer can mean, the most literal first, each once.

    A file may have `%20`, `?` or `#` in its very name, hence the order. `file:` URLs lose their scheme.
    """
    found = _FILE_URL.fullmatch(ref)
    path = found[1] if found else ref
    plain = path.partition("#")[0]
    cuts = (path, plain, plain.partition("?")[0], path.partition("?")[0])
    both = (word for cut in cuts for word in (cut, unquote(cut)))
    return tuple(dict.fromkeys(word for word in both if word.strip() and _nameable(word)))


def safe(name: str) -> str:
    """*name* as a file may be called: one line, no separators, nothing hidden, nothing like an option,
    at most 100 characters and 200 bytes; its ending is kept."""
    visible = "".join("_" if letter in "/\\" else letter for letter in name if _shown(letter))
    stem, ending = os.path.splitext(visible.strip().lstrip(".-_ "))
    ending = ending[:20]
    stem = stem[: NAME_MOST - len(ending)] or "file"
    while len(os.fsencode(stem + ending)) > NAME_BYTES:
        stem = stem[:-1]
    return stem + ending


def numbered(name: str) -> Iterator[str]:
    """*name*, then what it may be called where that is taken: `a.png`, `a-2.png`, `a-3.png` …"""
    yield name
    stem, ending = os.path.splitext(name)
    for number in count(2):
        yield f"{stem}-{number}{ending}"


def _nameable(word: str) -> bool:
    """Whether a file can be called so: half a surrogate pair comes out of some agents' JSON."""
    try:
        return b"\0" not in os.fsencode(word)
    except UnicodeEncodeError:
        return False


def _shown(letter: str) -> bool:
    """No control characters, no marks that turn the direction of writing, no line separators."""
    return unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
