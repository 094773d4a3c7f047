"""The files in which Claude Code keeps its sessions: `<config>/projects/<directory>/<session>.jsonl`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec

from core.model.ids import SessionId
from core.model.sessions import Said, SessionInfo
from core.wire.claude_lines import Block
from core.wire.shapes import Shape, mended

TITLE_KEPT = 200
OWN = re.compile(r"\s*<(command-|local-command-|system-reminder|task-notification)")
"""How messages begin that Claude Code adds in the person's name."""


class _Message(Shape, frozen=True, gc=False):
    content: str | tuple[Block, ...] = ""


class _Line(Shape, frozen=True, gc=False, rename="camel"):
    """*summary*, *ai_title*, *custom_title*: each stands on a line of its own type."""

    type: str = ""
    session_id: str = ""
    cwd: str = ""
    timestamp: str = ""
    message: _Message = _Message()
    is_sidechain: bool = False
    is_meta: bool = False
    is_compact_summary: bool = False
    summary: str = ""
    ai_title: str = ""
    custom_title: str = ""


_LINE = msgspec.json.Decoder(_Line)


def folder(cwd: str) -> str:
    """The name of the directory beneath `projects` that holds the sessions begun in *cwd*."""
    return re.sub(r"[^a-zA-Z0-9]", "-", cwd)


def info(lines: Iterable[bytes]) -> SessionInfo | None:
    """What the lines of one file tell; None where no prompt of a person is in it."""
    read = list(_read(lines))
    session = _first(line.session_id for line in read)
    prompt = _first(text for line in read for role, text in _said(line) if role == "user")
    if not session or not prompt:
        return None
    return SessionInfo(
        id=SessionId(session),
        title=" ".join((_title(read) or prompt).split())[:TITLE_KEPT],
        updated_at=max(_time(line.timestamp) for line in read),
        cwd=_first(line.cwd for line in read),
    )


def _first(words: Iterable[str]) -> str:
    return next(filter(None, words), "")


def _title(lines: list[_Line]) -> str:
    """The last one of the best kind: given by a person, made by the agent, or told by an old version."""
    for kind in ("custom_title", "ai_title", "summary"):
        if found := [title for line in lines if (title := getattr(line, kind))]:
            return str(found[-1])
    return ""


def history(lines: Iterable[bytes], last: int) -> list[Said]:
    """The *last* messages of both sides, oldest first."""
    return [said for line in _read(lines) for said in _said(line)][-last:] if last > 0 else []


def _read(lines: Iterable[bytes]) -> Iterator[_Line]:
    """The lines that can be read; those of sub-agents are left out."""
    for line in lines:
        try:
            read = _LINE.decode(mended(line))
        except (msgspec.DecodeError, RecursionError):
            continue
        if not read.is_sidechain:
            yield read


def _said(line: _Line) -> Iterator[Said]:
    role = line.type
    if (role != "user" and role != "assistant") or line.is_meta or line.is_compact_summary:
        return
    text = _text(line.message.content)
    if text and not (role == "user" and OWN.match(text)):
        yield ("user" if role == "user" else "assistant"), text


def _text(content: str | tuple[Block, ...]) -> str:
    if isinstance(content, str):
        return content.strip()
    return "\n".join(block.text for block in content if block.type == "text").strip()


def _time(stamp: str) -> float:
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except ValueError:
        return 0.0
