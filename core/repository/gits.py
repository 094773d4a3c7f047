"""git's own files: which programs a repository has git run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.model.repository import OrderKind

Finding = tuple[OrderKind, str]
SECTION = re.compile(r'\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)')
SETTING = re.compile(r"([A-Za-z][\w-]*)\s*(?:=\s*(.*))?")
PROGRAMS = frozenset(
    {
        *("core.hookspath", "core.sshcommand", "core.pager", "core.editor", "core.askpass", "core.gitproxy"),
        *("core.attributesfile", "core.worktree", "core.alternaterefscommand", "credential.helper"),
        *(
            "diff.external",
            "diff.command",
            "diff.textconv",
            "filter.clean",
            "filter.smudge",
            "filter.process",
        ),
        *("merge.driver", "gpg.program", "include.path", "includeif.path", "sequence.editor"),
        *("remote.uploadpack", "remote.receivepack", "remote.vcs", "uploadpack.packobjectshook"),
        *("trailer.command", "trailer.cmd", "interactive.difffilter", "difftool.cmd", "mergetool.cmd"),
        *("man.cmd", "browser.cmd", "protocol.allow", "gpg.defaultkeycommand", "ssh.variant"),
    }
)
"""Section and key without what stands between them; `include.path` is another file that is obeyed."""
FILTER = re.compile(r"(?:^|\s)filter=(\S+)")


def config(text: str) -> Iterator[Finding]:
    """The settings that name a program, or another file that does. A line that git could not read ends
    nothing: what stands after it counts."""
    section = sub = ""
    for line in text.replace("\\\n", " ").splitlines():
        rest = line.strip()
        if head := SECTION.match(rest):
            section, sub, rest = head[1].lower(), head[2] or "", head[3].strip()
        setting = SETTING.match(rest)
        if setting is None:
            continue
        key, value = setting[1], (setting[2] or "true").strip()
        if _runs(section.partition(".")[0], key.lower(), value.strip('"')):
            yield OrderKind.GIT, f"{'.'.join(filter(None, (section, sub, key)))} = {value}"


def _runs(section: str, key: str, value: str) -> bool:
    match section:
        case "core" if key == "fsmonitor":
            return value.lower() not in ("true", "false", "yes", "no", "on", "off", "1", "0", "")
        case "remote" if key in ("url", "pushurl"):
            return value.startswith("ext::")
        case "pager":
            return value.lower() not in ("true", "false")
        case "alias" | "submodule":
            return value.startswith("!")
        case _:
            return f"{section}.{key}" in PROGRAMS


def attributes(text: str) -> Iterator[Finding]:
    """The filters that files go through, each once; what one runs stands in somebody's configuration."""
    for name in dict.fromkeys(FILTER.findall(text)):
        yield OrderKind.GIT, f"filter={name}"


def link(text: str) -> Iterator[Finding]:
    """`.git` as a file: the repository, with its hooks and its configuration, lies elsewhere."""
    yield OrderKind.GIT, text.strip()
