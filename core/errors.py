"""What can go wrong, sorted by whose move it is next."""

from __future__ import annotations

import errno
from collections.abc import Sequence

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""The system's numbers for `DiskFull`: no space, no quota, or no larger file."""


class CoreError(Exception):
    """A fault with a name: *key* is looked up in `locales/`, *fields* fill its sentence.

    Nobody reads `str(error)` to decide anything; the fields never hold a secret.
    """

    key = "error.unexpected"

    def __init__(self, key: str | None = None, **fields: object) -> None:
        self.key = key or self.key
        self.fields: dict[str, str] = {name: str(value) for name, value in fields.items()}
        super().__init__(f"{self.key} {self.fields}" if self.fields else self.key)


class Refused(CoreError):
    """The person can ask differently: nothing was changed."""


class UnknownProject(Refused):
    """There is no project of that name."""

    key = "error.project_unknown"


class UnknownConversation(Refused):
    """There is no conversation of that number."""

    key = "error.conversation_unknown"


class UnknownPrompt(Refused):
    """There is no prompt of that number."""

    key = "error.prompt_unknown"


class FileRefused(Refused):
    """A file that an answer or a person named is not ours to send; the key says why."""

    key = "file.not_found"


class EngineError(CoreError):
    """The agent's side: its program, its login, its words."""


class EngineMissing(EngineError):
    """The agent's program is not on this machine, or cannot be started."""

    key = "engine.missing"


class LoggedOut(EngineError):
    """The agent's makers would not let it in: nothing of a login is on this machine."""

    key = "engine.login"


class MalformedLine(EngineError):
    """A line under a known name whose shape is not the known one.

    *head* is at most 1,000 characters of the line, for the log.
    """

    key = "engine.malformed"

    def __init__(self, head: str, why: str) -> None:
        super().__init__(None, head=head[:1_000], why=why)


class HostError(CoreError):
    """The machine's side: disk, processes, directories."""

    key = "host.failed"


class ProjectGone(HostError):
    """The project's directory is not there any more."""

    key = "error.project_gone"


class ProjectMoved(HostError):
    """The project's path leads somewhere else than when it was chosen."""

    key = "error.project_moved"


class DiskFull(HostError):
    """No room is left where Roost keeps what was accepted."""

    key = "error.disk_full"


class NoRepository(Refused):
    """The project's directory is in no git repository, so nobody knows what changed in it."""

    key = "changes.no_repository"


class NoGit(HostError):
    """There is no git on that machine."""

    key = "changes.no_git"


class DiffUnreadable(HostError):
    """git can't read all of the project's repository."""

    key = "changes.unreadable"


class StoreError(CoreError):
    """The database's side: the operator has to act."""

    key = "store.failed"


class StoreBusy(StoreError):
    """Another program holds the database; nothing was written, the same call can be made again."""

    key = "store.busy"


class StoreFromFuture(StoreError):
    """The database was made by a newer Roost."""

    key = "store.newer"


class StoreCorrupt(StoreError):
    """The file is no database, or a damaged one."""

    key = "store.corrupt"


class ConfigFault(CoreError):
    """One thing that is wrong with the configuration; the fields never hold a secret."""

    key = "config.bad.table"


class ConfigError(CoreError):
    """The configuration cannot be used: everything that is wrong with it, at once."""

    key = "config.unusable"

    def __init__(self, faults: Sequence[ConfigFault]) -> None:
        super().__init__(None, count=len(faults))
        self.faults = tuple(faults)
