"""Whether a folder may be a project's."""

from __future__ import annotations

import os
from pathlib import Path

MADE_UP = (Path("/proc"), Path("/sys"))
"""What lies here the system makes up anew for whoever looks: `/proc/self/cwd`."""
PROGRAMS = tuple(
    map(Path, ("/bin", "/boot", "/lib", "/lib32", "/lib64", "/sbin", "/usr/bin", "/usr/lib", "/usr/sbin"))
)
"""The system's own, with all that lies in them."""
OF_SYSTEM = frozenset(
    map(Path, ("/", "/dev", "/etc", "/home", "/run", "/usr", "/usr/local", "/usr/share", "/var", "/var/lib"))
)
"""The system's own, though a project may lie in them: `/etc/nixos`, `/var/www`."""
OF_SECRETS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store"})
"""Folders of keys and logins, wherever they lie."""


def path_fault(path: Path, data_dir: Path, *, whole_home: bool = False) -> str | None:
    """The key of what is wrong with *path* as a project's folder; none if nothing is. *whole_home*: somebody
    means it, should it be all of somebody's home.

    Symbolic links are followed: what counts is where an agent would work.
    """
    if not path.is_absolute():
        return "project.not_absolute"
    real = Path(os.path.realpath(path))
    if not _is_text(path) or not _is_text(real):
        return "project.no_text"
    if _is_made_up(Path(os.path.normpath(path))) or _is_made_up(real):
        return "project.of_system"
    wrong = _no_folder(path) or _not_for_agents(real) or _mixed_up(real, Path(os.path.realpath(data_dir)))
    return wrong or (None if whole_home else _all_of_a_home(real))


def _all_of_a_home(real: Path) -> str | None:
    own = Path(os.path.realpath(os.path.expanduser("~")))
    return "project.whole_home" if real in (own, Path("/root")) or real.parent == Path("/home") else None


def _is_text(path: Path) -> bool:
    """The store and the chats can only say what is."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_made_up(path: Path) -> bool:
    return any(path.is_relative_to(place) for place in MADE_UP)


def _no_folder(path: Path) -> str | None:
    if not os.path.exists(path):
        return "project.not_there"
    if not os.path.isdir(path):
        return "project.no_directory"
    if not os.access(path, os.R_OK | os.X_OK):
        return "project.closed"
    return None


def _not_for_agents(real: Path) -> str | None:
    """Whether it is the system's, or holds what opens other doors."""
    if real in OF_SYSTEM or any(real.is_relative_to(place) for place in PROGRAMS):
        return "project.system"
    return "project.secrets" if OF_SECRETS.intersection(real.parts) else None


def _mixed_up(real: Path, data: Path) -> str | None:
    """Whether an agent in *real* would reach our data, or our configuration where it usually lies."""
    config = _configuration()
    if real.is_relative_to(data):
        return "project.inside_data"
    if data.is_relative_to(real):
        return "project.holds_data"
    reached = config.is_relative_to(real) or real.is_relative_to(config)
    return "project.configuration" if reached and config.exists() else None


def _configuration() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(os.path.realpath(base)) / "roost"
