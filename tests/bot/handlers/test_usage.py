"""`/usage`: what a conversation has used, and what is left of the account."""

from __future__ import annotations

import time

from core.model.events import LimitsUpdated, LimitWindow, Usage
from tests.support.office import Office

HOUR = 3_600.0


async def turn(office: Office, *events: Usage | LimitsUpdated) -> None:
    await office.says("Go")
    (work,) = await office.starts()
    await office.tells(work, *events)
    await office.ends(work)


async def test_before_anything_was_told(office: Office) -> None:
    await office.project()
    assert await office.says("/usage") == ["Codex has told nothing about its use here yet."]
    await turn(office)
    assert await office.says("/usage") == ["Codex has told nothing about its use here yet."]


async def test_the_turn_the_conversation_and_the_limits(office: Office) -> None:
    await office.project()
    await turn(office, Usage(100_000, 80_000, 2_000, cost=0.5))
    at = office.clock.wall + 2 * HOUR
    limits = LimitsUpdated(
        (
            LimitWindow(42.4, 5 * HOUR, at),
            LimitWindow(7, 7 * 24 * HOUR, office.clock.wall - 1),
            LimitWindow(3),
        )
    )
    await turn(office, Usage(150_000, 9_000, 6_000, window=256_000, context=128_000, cost=0.25), limits)
    (told,) = await office.says("/usage")
    assert told.splitlines() == [
        "Last turn: 150k tokens read (9k of them cached), 6k written.",
        "This conversation, 2 turns: 250k tokens read (89k of them cached), 8k written.",
        "Context: 50 % full (128k of 256k).",
        "Cost as told: $0.75, the last turn $0.25.",
        f"Limit for 5 h: 42 % used, renewed at {time.strftime('%H:%M', time.localtime(at))}.",
        "Limit for 7 d: renewed since it was last told.",
        "Limit: 3 % used.",
    ]


async def test_each_conversation_has_its_own(office: Office) -> None:
    await office.project()
    await turn(office, Usage(150_000, 9_000, 6_000))
    await office.says("/new")
    assert await office.says("/usage") == ["Codex has told nothing about its use here yet."]


async def test_in_french(bureau: Office) -> None:
    await bureau.project()
    await turn(bureau, Usage(150, 9, 6, window=1_000, cost=0.25), LimitsUpdated((LimitWindow(42, 5 * HOUR),)))
    (told,) = await bureau.says("/usage")
    assert told.splitlines() == [
        "Dernier tour : 150 jetons lus (dont 9 en cache), 6 écrits.",
        "Contexte : plein à 16 % (156 sur 1k).",
        "Coût annoncé : 0.25 $, le dernier tour 0.25 $.",
        "Limite sur 5 h : utilisée à 42 %.",
    ]
