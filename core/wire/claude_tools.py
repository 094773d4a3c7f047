"""Claude Code's tools as steps: what each does, what it is called, and what came of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from core.model.events import OUTPUT_KEPT, SPARE, Progress, ToolCall, ToolKind
from core.model.ids import ItemId

Input = dict[str, Any]

TOOLS: dict[str, tuple[ToolKind, str]] = {
    "Bash": (ToolKind.EXECUTE, "command"),
    "Read": (ToolKind.READ, "file_path"),
    "Edit": (ToolKind.EDIT, "file_path"),
    "MultiEdit": (ToolKind.EDIT, "file_path"),
    "Write": (ToolKind.EDIT, "file_path"),
    "NotebookEdit": (ToolKind.EDIT, "notebook_path"),
    "NotebookRead": (ToolKind.READ, "notebook_path"),
    "LS": (ToolKind.READ, "path"),
    "Glob": (ToolKind.SEARCH, "pattern"),
    "Grep": (ToolKind.SEARCH, "pattern"),
    "WebSearch": (ToolKind.SEARCH, "query"),
    "ToolSearch": (ToolKind.SEARCH, "query"),
    "WebFetch": (ToolKind.FETCH, "url"),
    "Task": (ToolKind.OTHER, "description"),
    "Agent": (ToolKind.OTHER, "description"),
    "Skill": (ToolKind.OTHER, "skill"),
}
"""Each tool's kind, and the argument that says best what it is about."""
PATHS = ("file_path", "notebook_path")

_INPUT = msgspec.json.Decoder(Input)
_EXIT = re.compile(r"(?:Error: )?Exit code (\d+)\n?")
_WRAPPER = re.compile(r"</?tool_use_error>")
SILENT = "(Bash completed with no output)"


def arguments(raw: msgspec.Raw) -> Input:
    """A call's arguments; none where they are no object."""
    try:
        return _INPUT.decode(raw)
    except msgspec.DecodeError:
        return {}


def step(item: str, name: str, given: Input) -> ToolCall:
    """The call as it begins."""
    kind, about = TOOLS.get(name, (ToolKind.OTHER, ""))
    paths = tuple(path for path in (given.get(word) for word in PATHS) if isinstance(path, str))
    return ToolCall(ItemId(item), kind, _title(name, given.get(about)), Progress.IN_PROGRESS, paths=paths)


def _title(name: str, about: object) -> str:
    """An MCP tool is called `mcp__SERVER__TOOL`."""
    if isinstance(about, str) and about:
        return about
    return name.removeprefix("mcp__").replace("__", ".") if name.startswith("mcp__") else name


def ended(call: ToolCall, said: str, *, failed: bool) -> ToolCall:
    """The same call with what its tool said. A failed command tells its exit status in the first words."""
    output, code = _WRAPPER.sub("", said), None
    if call.kind is ToolKind.EXECUTE:
        found = _EXIT.match(output) if failed else None
        code = int(found[1]) if found else None if failed else 0
        output = "" if output == SILENT else output[found.end() :] if found else output
    progress = Progress.FAILED if failed else Progress.COMPLETED
    return replace(call, progress=progress, output=output[-OUTPUT_KEPT - SPARE :], exit_code=code)


@dataclass(frozen=True, slots=True)
class Change:
    """What an edit would put in the place of what."""

    old: str
    new: str

    def __str__(self) -> str:
        gone = [f"-{line}" for line in self.old.splitlines()]
        return "\n".join([*gone, *(f"+{line}" for line in self.new.splitlines())])


def detail(name: str, given: Input) -> str:
    """What a person has to see of a call before allowing it: the change, or all arguments but the title's."""
    if TOOLS.get(name, (None, ""))[0] is ToolKind.EDIT:
        edits = given.get("edits")
        pairs = edits if isinstance(edits, list) else [given]
        return "\n".join(str(_change(pair)) for pair in pairs if isinstance(pair, dict))
    about = TOOLS.get(name, (None, ""))[1]
    rest = {key: value for key, value in given.items() if key not in (about, "description")}
    return msgspec.json.format(msgspec.json.encode(rest).decode(), indent=1) if rest else ""


def _change(pair: Input) -> Change:
    new = next((pair[word] for word in ("new_string", "new_source", "content") if word in pair), "")
    return Change(str(pair.get("old_string", "")), str(new))
