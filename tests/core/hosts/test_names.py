"""Names that agents and people come up with."""

from __future__ import annotations

from itertools import islice

import pytest

from core.hosts.names import numbered, readings, safe, secret


@pytest.mark.parametrize(
    ("ref", "meant"),
    [
        ("a.png", ("a.png",)),
        ("a%20b.png", ("a%20b.png", "a b.png")),
        ("100%25.png", ("100%25.png", "100%.png")),
        ("plot.png?v=2", ("plot.png?v=2", "plot.png")),
        ("plot.png#f", ("plot.png#f", "plot.png")),
        (
            "a%23b.png#f?x",
            ("a%23b.png#f?x", "a#b.png#f?x", "a%23b.png", "a#b.png", "a%23b.png#f", "a#b.png#f"),
        ),
        ("file:///tmp/a%20b", ("/tmp/a%20b", "/tmp/a b")),
        ("file://localhost/tmp/a", ("/tmp/a",)),
        ("FILE:/tmp/a", ("/tmp/a",)),
        ("file:a", ("a",)),
        ("file://output/a.png", ("output/a.png",)),
        ("", ()),
        ("#top", ("#top",)),
        ("a\0b", ()),
        ("a%00b", ("a%00b",)),
        ("\ud83d.png", ()),
    ],
)
def test_what_a_reference_can_mean(ref: str, meant: tuple[str, ...]) -> None:
    assert readings(ref) == meant


@pytest.mark.parametrize(
    "path",
    [
        *(".env", ".env.local", "production.env", ".config/roost/roost.toml", ".roost-remote"),
        *("deploy/server.pem", "tls.key", "AuthKey.p8", "a.p12", "a.pfx", "app.keystore", "putty.ppk"),
        *("id_rsa", "keys/ID_ED25519.pub", "id_ecdsa_sk", "pass.kdbx", "wallet.dat", ".ssh/config"),
        *(".git/config", "sub/.git/HEAD", ".hg/hgrc", ".gitconfig", ".git-credentials"),
        *(".netrc", "_netrc", ".pgpass", ".my.cnf", ".bash_history", ".psql_history"),
        *("web/.npmrc", ".yarnrc.yml", ".pypirc", ".config/pip/pip.conf", ".cargo/credentials.toml"),
        *("Credentials.json", "auth.json", "token.json", "bot.token", ".vault-token"),
        *(".docker/config.json", ".dockercfg", ".kube/config", "kubeconfig", "prod.kubeconfig"),
        *(".aws/config", ".config/gcloud/access_tokens.db", "infra/terraform.tfstate", "prod.tfvars"),
        *("terraform.tfstate.backup", ".config/gh/hosts.yml", "gh/hosts.yml", ".m2/settings.xml"),
        *(".claude/.credentials.json", ".claude.json", ".claude/settings.local.json", ".mcp.json"),
        *(".cursor/mcp.json", ".codex/auth.json", ".codex/config.toml", ".gemini/oauth_creds.json"),
        *(".local/share/opencode/mcp-auth.json", ".config/github-copilot/apps.json"),
    ],
)
def test_what_looks_secret(path: str) -> None:
    assert secret(path)


@pytest.mark.parametrize(
    "path",
    [
        *(
            "plot.png",
            "environment.yml",
            ".github/ci.yml",
            ".gitignore",
            "keyboard.md",
            "a/b/author.json",
            "",
        ),
        *("id_mapping.csv", "id_card.png", "token.py", "monkey.py", "settings.json", "config.toml"),
        *(".claude/settings.json", "src/mcp.py", "history.md", "package.json", "pip.py", "env.py"),
        *("ansible/hosts.yml", "hosts.yml", "gh/readme.yml", "wallet.py", "kubeconfig.md"),
    ],
)
def test_what_does_not(path: str) -> None:
    assert not secret(path)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("notes.txt", "notes.txt"),
        ("größe 1.png", "größe 1.png"),
        ("../../etc/passwd", "etc_passwd"),
        ("-rf", "rf"),
        (".env", "env"),
        ("a\nb\u202egnp.exe", "abgnp.exe"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("", "file"),
        ("...", "file"),
        ("/", "file"),
        ("x" * 300 + ".jpeg", "x" * 95 + ".jpeg"),
    ],
)
def test_a_kept_name_is_harmless(given: str, kept: str) -> None:
    assert safe(given) == kept


def test_a_kept_name_fits_the_file_system() -> None:
    assert len(safe("𒀀" * 90 + ".png").encode()) <= 200
    assert safe("𒀀" * 90 + ".png").endswith("𒀀.png")


def test_names_that_are_taken() -> None:
    assert list(islice(numbered("a.tar.gz"), 3)) == ["a.tar.gz", "a.tar-2.gz", "a.tar-3.gz"]
