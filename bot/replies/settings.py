"""What a conversation uses: its model, its effort, its access."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from bot.chat import LONGEST_INTENT, Button, Text
from bot.intents.commands import encode
from bot.intents.values import Command, SetAccess, SetApprovals, SetEffort, SetEngine, SetModel, Setting
from bot.intents.wishing import AS_USUAL
from bot.replies.marks import access_word, button, code, cut, literal, quiet
from bot.texts import Texts
from core.answers.title import plain_label
from core.model.conversation import Approvals
from core.model.project import Access

MOST_BUTTONS = 20
LONGEST_LABEL = 28
WITH_A_USUAL = (Setting.MODEL, Setting.EFFORT, Setting.ACCESS)
"""What the project or the settings say something of."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What becomes buttons, as far as they have room there; *labels* where they are called otherwise.
    *pending*: the engine has not told yet."""

    values: Sequence[str] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    pending: bool = False


def shown(
    setting: Setting,
    value: str,
    engine: str,
    texts: Texts,
    *,
    choices: Choices = Choices(),
    asked: bool = False,
) -> Text:
    """*value* is empty where nobody set one; *choices* have the way back behind them. *asked*: it is an
    access that the engine is asked to keep to, and not made to."""
    usual = texts.say("setting.as_usual", engine=literal(engine))
    said = texts.say(f"setting.{setting}", value=code(_called(setting, value, texts)) if value else usual)
    usual_again = value and choices.values and setting in WITH_A_USUAL
    back = [button(texts, "as_usual", setting_to(setting, None))] if usual_again else []
    others = [choice for choice in choices.values if choice not in (value, AS_USUAL)]
    picks = _picks(setting, others, choices, texts)
    more = _more(setting, len(others) - len(picks), texts)
    asking = texts.say("setting.asking", engine=literal(engine)) if choices.pending else ""
    honest = texts.say("setting.access_asked", engine=literal(engine)) if asked else ""
    return quiet(said, honest, more, asking, buttons=(*picks, *back))


def _picks(setting: Setting, values: Sequence[str], choices: Choices, texts: Texts) -> list[Button]:
    buttons = (
        Button(_label(setting, value, choices, texts), encode(setting_to(setting, value))) for value in values
    )
    return [one for one in buttons if len(one.intent.encode()) <= LONGEST_INTENT][:MOST_BUTTONS]


def _more(setting: Setting, left: int, texts: Texts) -> str:
    """That there are *left* more than are shown."""
    return texts.count("setting.more", left, command=texts.spell(f"/{setting}")) if left > 0 else ""


def _label(setting: Setting, choice: str, choices: Choices, texts: Texts) -> str:
    named = plain_label(choices.labels.get(choice, ""))
    return cut(named, LONGEST_LABEL) if named else _called(setting, choice, texts)


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


def model_unknown(engine: str, models: Sequence[str], texts: Texts) -> Text:
    """The engine has told which models it knows, and that is none of them."""
    known = ", ".join(code(model) for model in models[:MOST_BUTTONS])
    more = _more(Setting.MODEL, len(models) - MOST_BUTTONS, texts)
    said = texts.say("setting.model_unknown", engine=literal(engine), models=known)
    return quiet(said, more)


def no_approvals(engine: str, texts: Texts) -> Text:
    return quiet(texts.say("setting.no_approvals", engine=literal(engine)))


def new_with(engine: str, texts: Texts) -> Text:
    """A new conversation was begun for it."""
    return quiet(texts.say("setting.new_with", engine=literal(engine)))


def without_program(said: Text, engine: str, back: Button | None, texts: Texts) -> Text:
    """What was *said* of the engine that works from now on, that it has no program here, and what leads
    *back* to the one before."""
    missing = texts.say("status.no_program", engine=literal(engine))
    if back is None:
        return quiet(said.markdown, missing)
    command = code(texts.spell(back.intent))
    return quiet(said.markdown, missing, texts.say("setting.back", command=command), buttons=(back,))


def engines(names: Sequence[str], absent: Collection[str], texts: Texts) -> Choices:
    """*names* to choose from; those without a program here are called that."""
    return Choices(names, {name: texts.say("setting.not_here", engine=name) for name in absent})


def no_model(engine: str, texts: Texts) -> Text:
    return quiet(texts.say("setting.no_model", engine=literal(engine)))
