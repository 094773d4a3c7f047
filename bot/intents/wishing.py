"""The words after `/settings`, and what each wish can be."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.intents.values import Command, Listen, SetListen, ShowListen
from bot.intents.wishes import AgreeMirror, RefuseMirror, SetWish, ShowWish, ShowWishes, Wish
from bot.limits import Limits
from core.model.preferences import Theme, View

AS_USUAL = "default"
"""The word that takes a setting back to what the project or the settings say."""

Reader = Callable[[str], Command | None]
"""The words after a command's name → what they ask for, None where they make no sense there."""


def settings(rest: str) -> Command | None:
    """`/settings NAME VALUE`; a name alone shows what there is to choose."""
    if not rest:
        return ShowWishes()
    name, _, value = rest.casefold().partition(" ")
    return _SETTINGS[name](value.strip()) if name in _SETTINGS else None


def _listen(value: str) -> Command | None:
    if not value:
        return ShowListen()
    return SetListen(Listen(value)) if value in list(Listen) else None


def _wish(wish: Wish) -> Reader:
    def read(value: str) -> Command | None:
        if not value:
            return ShowWish(wish)
        return SetWish(wish, value) if re.fullmatch(WISHES[wish], value) else None

    return read


_HOUR = r"([01]?[0-9]|2[0-3])(:[0-5][0-9])?"
WISHES: dict[Wish, str] = {
    Wish.AUTO_COMPACT: "on|off",
    Wish.VIEW: "|".join(View),
    Wish.DASHBOARD: "on|off",
    Wish.THEME: "|".join(Theme),
    Wish.LANGUAGE: rf"{AS_USUAL}|[a-z]{{2,3}}([_-][a-z]{{2,4}})?",
    Wish.NOTIFICATIONS: rf"on|off|{_HOUR}-{_HOUR}",
    Wish.DRAFTS: "on|off",
    Wish.RICH: "on|off",
    Wish.MIRROR: "on|off",
}
"""What each of them may be; `off` and hours are when nobody is called."""
LISTEN = "listen"
AGREE, REFUSE = "agree", "refuse"


NEEDS: dict[str, Callable[[Limits], bool]] = {
    Wish.VIEW: lambda limits: limits.workbench,
    Wish.DASHBOARD: lambda limits: limits.pins,
    Wish.THEME: lambda limits: limits.drawn,
    Wish.DRAFTS: lambda limits: limits.drafts,
    Wish.RICH: lambda limits: limits.rich,
    Wish.MIRROR: lambda limits: limits.company,
    LISTEN: lambda limits: limits.company,
}
"""What a chat must have for a setting to mean anything there."""


def lacking(limits: Limits) -> frozenset[str]:
    """The names of the settings that mean nothing in a chat of these *limits*."""
    return frozenset(str(name) for name, there in NEEDS.items() if not there(limits))


def _mirror(value: str) -> Command | None:
    if found := re.fullmatch(rf"({AGREE}|{REFUSE}) ([0-9]{{1,18}})", value):
        return (AgreeMirror if found[1] == AGREE else RefuseMirror)(int(found[2]))
    return _wish(Wish.MIRROR)(value)


_SETTINGS: dict[str, Reader] = {
    LISTEN: _listen,
    **{wish: _wish(wish) for wish in Wish},
    Wish.MIRROR: _mirror,
}
