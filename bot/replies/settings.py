"""What a conversation uses: its model, its effort, its access."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat import Button, Text
from bot.intents.commands import AS_USUAL, encode
from bot.intents.values import Command, SetAccess, SetApprovals, SetEffort, SetEngine, SetModel, Setting
from bot.replies.marks import access_word, button, code, literal, quiet
from bot.texts import Texts
from core.model.conversation import Approvals
from core.model.project import Access

WITH_A_USUAL = (Setting.MODEL, Setting.EFFORT, Setting.ACCESS)
"""What the project or the settings say something of."""


def shown(
    setting: Setting,
    value: str,
    engine: str,
    texts: Texts,
    *,
    choices: Sequence[str] = (),
    asked: bool = False,
) -> Text:
    """*value* is empty where nobody set one; *choices* become buttons, with the way back behind them.
    *asked*: it is an access that the engine is asked to keep to, and not made to."""
    usual = texts.say("setting.as_usual", engine=literal(engine))
    said = texts.say(f"setting.{setting}", value=code(_called(setting, value, texts)) if value else usual)
    usual_again = value and choices and setting in WITH_A_USUAL
    back = [button(texts, "as_usual", setting_to(setting, None))] if usual_again else []
    picks = [
        Button(_called(setting, choice, texts), encode(setting_to(setting, choice)))
        for choice in choices
        if choice != value
    ]
    honest = texts.say("setting.access_asked", engine=literal(engine)) if asked else ""
    return quiet(said, honest, buttons=(*picks, *back))


def _called(setting: Setting, value: str, texts: Texts) -> str:
    match setting:
        case Setting.ACCESS:
            return access_word(Access(value), texts)
        case Setting.APPROVALS:
            return texts.say(f"approvals.word.{value}")
        case _:
            return value


def setting_to(setting: Setting, value: str | None) -> Command:
    """The command that sets *setting*; None: as usual."""
    match setting:
        case Setting.ENGINE:
            return SetEngine(value or AS_USUAL)
        case Setting.APPROVALS:
            return SetApprovals(Approvals(value or Approvals.NEVER))
        case Setting.MODEL:
            return SetModel(value)
        case Setting.EFFORT:
            return SetEffort(value)
        case Setting.ACCESS:
            return SetAccess(None if value is None else Access(value))


def no_effort(engine: str, efforts: Sequence[str], texts: Texts) -> Text:
    """The engine doesn't take that effort, or none at all."""
    if not efforts:
        return quiet(texts.say("setting.no_effort", engine=literal(engine)))
    known = ", ".join(code(effort) for effort in efforts)
    return quiet(texts.say("setting.effort_unknown", engine=literal(engine), efforts=known))


def no_approvals(engine: str, texts: Texts) -> Text:
    return quiet(texts.say("setting.no_approvals", engine=literal(engine)))


def new_with(engine: str, texts: Texts) -> Text:
    """A new conversation was begun for it."""
    return quiet(texts.say("setting.new_with", engine=literal(engine)))


def no_model(engine: str, texts: Texts) -> Text:
    return quiet(texts.say("setting.no_model", engine=literal(engine)))
