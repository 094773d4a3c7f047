"""What a person can want of what an agent made: its files, its changes, another way on."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.ids import MessageId, PromptId


@dataclass(frozen=True, slots=True)
class GetFile:
    """Send this file of the room's project."""

    path: str


@dataclass(frozen=True, slots=True)
class GetSecret:
    """Send it though it looks like a secret."""

    path: str


@dataclass(frozen=True, slots=True)
class GetPlaced:
    """Send what the answer *message* names as its number *at*, counted from 0: a file to which it links, or
    the original of a picture."""

    message: MessageId
    at: int


@dataclass(frozen=True, slots=True)
class ShowDiff:
    """What changed in the room's project since its last commit."""


@dataclass(frozen=True, slots=True)
class DiffOf:
    """The same of the project in which *prompt* was asked, whatever the room shows by now."""

    prompt: PromptId


@dataclass(frozen=True, slots=True)
class AskAgain:
    """Ask again what was asked last here, or what is replied to."""


@dataclass(frozen=True, slots=True)
class ForkFrom:
    """A new conversation that goes on from the answer to *prompt*, whatever was said after it."""

    prompt: PromptId
