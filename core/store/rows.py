"""Rows to nouns, and nouns to columns."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec

from core.model.answer import Placed, StoredMessage
from core.model.conversation import Approvals, Baseline, Conversation
from core.model.events import EVENT_TYPES, TYPE_NAMES, Event
from core.model.ids import ConversationId, MessageId, ProjectId, PromptId, RoomId, SessionId
from core.model.project import Access, Project
from core.model.prompt import Attachment, ChatPlace, Kind, Prompt, Slot, Status

Row = sqlite3.Row
Address = tuple[str, str, str, str]
"""Platform, account, chat and thread of a room."""


def project(row: Row) -> Project:
    return Project(
        ProjectId(row["id"]),
        row["name"],
        row["path"],
        row["engine"],
        Access(row["access"]),
        tuple(msgspec.json.decode(row["groups"], type=list[str])),
        row["host"],
        bool(row["archived"]),
        bool(row["background"]),
        row["real"],
    )


def conversation(row: Row) -> Conversation:
    return Conversation(
        ConversationId(row["id"]),
        ProjectId(row["project"]),
        row["engine"],
        SessionId(row["session"]) if row["session"] else None,
        row["model"],
        row["effort"],
        Access(row["access"]) if row["access"] else None,
        row["title"],
        row["title_by"],
        row["language"],
        bool(row["archived"]),
        Approvals(row["approvals"]),
        bool(row["auto_compact"]),
        _baseline(row),
        ConversationId(row["parent"]) if row["parent"] else None,
        SessionId(row["fork_of"]) if row["fork_of"] else None,
        row["handed"],
        bool(row["begun"]),
    )


def _baseline(row: Row) -> Baseline | None:
    if row["compacted_at"] is None:
        return None
    return Baseline(row["compacted_turns"], row["compacted_chars"], row["compacted_at"])


def prompt(row: Row) -> Prompt:
    return Prompt(
        PromptId(row["id"]),
        ConversationId(row["conversation"]),
        row["text"],
        Status(row["status"]),
        row["position"],
        row["created_at"],
        row["started_at"],
        row["ended_at"],
        tuple(msgspec.json.decode(row["attachments"], type=list[Attachment])),
        row["author"],
        bool(row["cancelling"]),
        row["interruptions"],
        row["reason"],
        row["detail"],
        PromptId(row["retry_of"]) if row["retry_of"] else None,
        Kind(row["kind"]),
        row["person"],
        bool(row["steers"]),
        Slot(row["slot"]),
        row["beside"],
    )


def chat_place(row: Row) -> ChatPlace:
    return ChatPlace(
        RoomId(row["room"]), row["message"], tuple(msgspec.json.decode(row["files"], type=list[str]))
    )


def message(row: Row) -> StoredMessage:
    return StoredMessage(
        MessageId(row["id"]),
        ConversationId(row["conversation"]),
        PromptId(row["prompt"]) if row["prompt"] else None,
        row["role"],
        row["text"],
        tuple(msgspec.json.decode(row["placed"], type=list[Placed])),
        bool(row["partial"]),
    )


def address(row: Row) -> Address:
    """Of a row of `rooms`."""
    return row["platform"], row["account"], row["chat"], row["thread"]


def event(row: Row) -> Event:
    kind: Any = EVENT_TYPES[row["type"]]
    decoded: Event = msgspec.json.decode(row["data"], type=kind)
    return decoded


def event_columns(happened: Event) -> tuple[str, str]:
    """The type and the data under which *happened* is stored."""
    return TYPE_NAMES[type(happened)], json(happened)


def json(value: object) -> str:
    return msgspec.json.encode(value).decode()
