"""Who may start: keys, caps, reservations, each by a small line of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dispatch.queue import decide
from core.model.ids import ConversationId, ProjectId, PromptId
from core.model.project import HOST_AGENT_GROUP, Project
from core.model.prompt import Slot
from core.model.slots import (
    BlockedByCap,
    BlockedByKey,
    Caps,
    Holder,
    HostAway,
    NotReady,
    Start,
    Verdict,
    Waiting,
    keys_of,
)

WIDE = Caps(per_engine=99)


def waits(number: int, *groups: str, engine: str = "codex", project: int = 0) -> Waiting:
    """Prompt *number*, of a conversation and (unless told) a project of its own."""
    here, owner = ConversationId(number), ProjectId(project or number)
    keys = keys_of(here, Project(owner, "", "", engine, groups=groups))
    return Waiting(PromptId(number), here, owner, keys, engine, "local")


def holds(number: int, *groups: str, engine: str = "codex", project: int = 0) -> Holder:
    asked = waits(number, *groups, engine=engine, project=project)
    return Holder(asked.prompt, asked.conversation, asked.project, asked.keys, engine, "local")


def aside(number: int, *groups: str, slot: Slot = Slot.GIVEN, project: int = 0) -> Holder:
    """Its agent waits for a person, and others have its place."""
    return replace(holds(number, *groups, project=project), slot=slot)


def without_agent(number: int, *groups: str, project: int = 0) -> tuple[Holder, Waiting]:
    """It has kept the order of its conversation alone; and so it waits for the rest, once it could go on."""
    own = frozenset({f"c:{number}"})
    wanted = waits(number, *groups, project=project)
    return replace(aside(number, slot=Slot.WANTED), keys=own), replace(wanted, keys=wanted.keys - own)


def started(waiting: list[Waiting], holders: list[Holder], caps: Caps = WIDE) -> list[int]:
    verdicts = decide(waiting, holders, caps)
    return [prompt for prompt, verdict in verdicts.items() if isinstance(verdict, Start)]


def verdict(waiting: list[Waiting], holders: list[Holder], number: int, caps: Caps = WIDE) -> Verdict:
    return decide(waiting, holders, caps)[PromptId(number)]


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (("salon", "tv"), ("media", "tv"), False),
        (("salon",), ("tv",), True),
        ((), (), True),
        ((HOST_AGENT_GROUP,), (HOST_AGENT_GROUP,), True),
        ((HOST_AGENT_GROUP, "tv"), (HOST_AGENT_GROUP, "tv"), False),
    ],
)
@pytest.mark.parametrize("engine", ["codex", "claude"])
def test_an_overlap_of_groups_excludes_whatever_the_engines(
    one: tuple[str, ...], other: tuple[str, ...], together: bool, engine: str
) -> None:
    assert started([waits(1, *one), waits(2, *other, engine=engine)], []) == ([1, 2] if together else [1])
    assert started([waits(2, *other, engine=engine)], [holds(1, *one)]) == ([2] if together else [])


def test_conversations_of_one_project_never_run_together() -> None:
    assert started([waits(1, project=7), waits(2, project=7), waits(3)], []) == [1, 3]
    assert verdict([waits(2, project=7)], [holds(1, project=7)], 2) == BlockedByKey("p:7", PromptId(1))


def test_a_group_is_never_taken_for_a_project_or_a_conversation_of_that_name() -> None:
    assert started([waits(1), waits(2, "1", "p:1", "c:1")], []) == [1, 2]


def test_a_fourth_codex_waits_and_claude_is_not_held_back() -> None:
    line = [waits(4), waits(5, engine="claude"), waits(6)]
    three = [holds(number) for number in (1, 2, 3)]
    assert started(line, three, Caps(per_engine=3)) == [5]
    by = tuple(holder.prompt for holder in three)
    assert verdict(line, three, 4, Caps(per_engine=3)) == BlockedByCap(3, "codex", by)
    assert started(line, three, Caps(per_engine=4)) == [4, 5]


def test_a_cap_over_all_engines_and_a_cap_on_each_host() -> None:
    line = [waits(3, engine="claude"), waits(4)]
    two = [holds(1), holds(2)]
    both = Caps(per_engine=3, total=2)
    assert verdict(line, two, 3, both) == BlockedByCap(2, "", (PromptId(1), PromptId(2)))
    assert started(line, two, Caps(per_engine=3, total=3)) == [3]
    desk = [replace(holder, host="desk") for holder in two]
    assert started([waits(4)], desk, Caps(per_engine=2)) == [4]


def test_what_cannot_run_for_its_own_reasons_says_so_and_reserves_nothing() -> None:
    loading, away = replace(waits(1, "tv"), claimable=False), replace(waits(2, "tv"), host_up=False)
    line = [loading, away, waits(3, "tv")]
    assert list(decide(line, [], WIDE).values()) == [NotReady(), HostAway("local"), Start()]


def test_one_holder_away_from_its_keys_a_prompt_keeps_younger_ones_off_the_others() -> None:
    line = [waits(2, "salon", "tv"), waits(3, "tv")]
    assert verdict(line, [holds(1, "salon")], 3) == BlockedByKey("g:tv", PromptId(2), reserved=True)


def test_a_long_turn_in_one_group_does_not_freeze_a_convoy() -> None:
    """2 waits for the long turn and reserves b; 3 waits for 2, so it keeps nobody off c."""
    line = [waits(2, "long", "b"), waits(3, "b", "c"), waits(4, "c"), waits(5)]
    assert started(line, [holds(1, "long")]) == [4, 5]


def test_two_holders_away_only_the_oldest_reserves() -> None:
    holders = [holds(1, "a"), holds(2, "b")]
    assert started([waits(3, "a", "b", "c"), waits(4, "c")], holders) == []
    line = [waits(3, "a"), waits(4, "a", "b", "c"), waits(5, "c")]
    assert started(line, holders) == [5]


def test_a_place_under_a_cap_does_not_stand_idle_for_one_that_waits_for_a_key() -> None:
    assert started([waits(3, "tv"), waits(4)], [holds(1, "tv")], Caps(per_engine=2)) == [4]


def test_one_that_waits_for_a_person_keeps_its_keys_and_takes_no_place() -> None:
    one = Caps(per_engine=1, total=1)
    line = [waits(2, project=1), waits(3, "tv"), waits(4), waits(5)]
    assert started(line, [aside(1, "tv")], one) == [4]
    assert verdict(line, [aside(1, "tv")], 5, one) == BlockedByCap(1, "codex", (PromptId(4),))
    assert verdict(line, [aside(1, "tv")], 3, one) == BlockedByKey("g:tv", PromptId(1))


def test_who_waits_for_one_without_a_place_keeps_nobody_off_the_rest_of_his_keys() -> None:
    """That may take days; not even the oldest reserves anything, and nobody behind its own conversation."""
    line = [waits(2, "tv", "salon"), waits(3, "salon"), waits(4, project=9)]
    assert started(line, [aside(1, "tv")]) == [3, 4]
    away, _ = without_agent(1, project=9)
    behind = replace(waits(2, project=9), keys=frozenset({"c:1", "p:9"}))
    assert started([behind, waits(4, project=9)], [away]) == [4]


def test_who_wants_his_place_again_has_it_in_his_turn() -> None:
    back, one = replace(waits(1), keys=frozenset()), Caps(per_engine=1)
    line, asked = [back, waits(2)], aside(1, slot=Slot.WANTED)
    assert started(line, [asked], one) == [1]
    assert started(line, [asked, holds(3)], one) == []
    assert verdict(line, [asked, holds(3)], 1, one) == BlockedByCap(1, "codex", (PromptId(3),))


def test_without_an_agent_it_claims_its_project_and_groups_again_as_anybody_does() -> None:
    away, back = without_agent(1, "tv", project=9)
    assert started([back, waits(2, project=9), waits(3, "tv")], [away]) == [1]
    line = [back, waits(2, "tv")]
    assert verdict(line, [away, holds(5, project=9)], 1) == BlockedByKey("p:9", PromptId(5))
    assert verdict(line, [away, holds(5, project=9)], 2) == BlockedByKey("g:tv", PromptId(1), reserved=True)


GROUPS = st.lists(st.sampled_from("abcd"), max_size=3, unique=True)
LINE = st.lists(st.tuples(GROUPS, st.sampled_from(["codex", "claude"])), min_size=1, max_size=9)
CAPS = st.builds(Caps, st.integers(1, 4), st.integers(0, 4))


def seated(line: list[tuple[list[str], str]], caps: Caps, first: int) -> tuple[list[Waiting], list[Holder]]:
    """A line of which as many run as may run together."""
    line_up = [waits(first + at, *groups, engine=engine) for at, (groups, engine) in enumerate(line)]
    return moved_up(line_up, [], caps)


def moved_up(waiting: list[Waiting], holders: list[Holder], caps: Caps) -> tuple[list[Waiting], list[Holder]]:
    """Whoever may start has started: who waits and who holds then."""
    begun = set(started(waiting, holders, caps))
    new = [
        Holder(w.prompt, w.conversation, w.project, w.keys, w.engine, w.host)
        for w in waiting
        if w.prompt in begun
    ]
    return [w for w in waiting if w.prompt not in begun], holders + new


@given(LINE, LINE, CAPS, st.data())
def test_who_takes_no_place_keeps_his_keys_and_comes_back_in_order(
    sitting: list[tuple[list[str], str]],
    line: list[tuple[list[str], str]],
    caps: Caps,
    data: st.DataObject,
) -> None:
    """Never two with one key, never more places than there are, but for those who have them already."""
    _, holders = seated(sitting, Caps(99), 1)
    holders = [replace(one, slot=data.draw(st.sampled_from(Slot))) for one in holders]
    back = [
        Waiting(h.prompt, h.conversation, h.project, frozenset(), h.engine, h.host)
        for h in holders
        if h.slot is Slot.WANTED
    ]
    younger = [waits(100 + at, *groups, engine=engine) for at, (groups, engine) in enumerate(line)]
    verdicts = decide([*back, *younger], holders, caps)
    begun = [w for w in [*back, *younger] if isinstance(verdicts[w.prompt], Start)]
    busy: list[Holder | Waiting] = [*(h for h in holders if h.seated), *begun]
    keys = [key for h in holders for key in h.keys] + [key for w in begun for key in w.keys]
    assert len(keys) == len(set(keys))
    for w in begun:
        assert sum(one.engine == w.engine for one in busy) <= caps.per_engine
        assert not caps.total or len(busy) <= caps.total
    first = {engine: next((w for w in back if w.engine == engine), None) for engine in ("codex", "claude")}
    for w in begun:
        earlier = first[w.engine]
        assert w in back or earlier is None or isinstance(verdicts[earlier.prompt], Start)


@given(LINE, LINE, CAPS)
def test_what_is_started_excludes_nobody_and_what_waits_has_its_reason(
    sitting: list[tuple[list[str], str]], line: list[tuple[list[str], str]], caps: Caps
) -> None:
    _, holders = seated(sitting, caps, 1)
    waiting = [waits(100 + at, *groups, engine=engine) for at, (groups, engine) in enumerate(line)]
    verdicts = decide(waiting, holders, caps)
    begun = [w for w in waiting if isinstance(verdicts[w.prompt], Start)]
    busy: list[Holder | Waiting] = [*holders, *begun]
    keys = [key for one in busy for key in one.keys]
    assert len(keys) == len(set(keys))
    engines = [one.engine for one in busy]
    assert all(engines.count(engine) <= caps.per_engine for engine in engines)
    assert not caps.total or len(engines) <= caps.total
    everybody: list[Holder | Waiting] = [*holders, *waiting]
    known = {one.prompt: one for one in everybody}
    for candidate in waiting:
        assert_reason(candidate, verdicts[candidate.prompt], known)
    assert isinstance(verdicts[waiting[0].prompt], Start) or holders


def assert_reason(candidate: Waiting, told: Verdict, known: dict[PromptId, Holder | Waiting]) -> None:
    """What keeps it waiting is really there."""
    match told:
        case BlockedByKey(key, by, reserved):
            assert key in candidate.keys & known[by].keys
            assert by < candidate.prompt or not reserved
        case BlockedByCap(cap, engine, by_all):
            assert len(by_all) >= cap
            assert all(known[by].engine == (engine or known[by].engine) for by in by_all)


def test_holders_of_three_groups_that_overlap_in_time_starve_nobody() -> None:
    """One of three ends each round and a younger one wants its group at once: without a reservation by
    the oldest there are always two holders in its way."""
    patient, holders = waits(10, "a", "b", "c"), [holds(1, "a"), holds(2, "b"), holds(3, "c")]
    for number, group in enumerate("abc", start=11):
        holders.pop(0)
        assert patient.prompt not in {holder.prompt for holder in holders}
        if number in started([patient, waits(number, group)], holders):
            holders.append(holds(number, group))
    assert started([patient, waits(20, "a")], holders) == [10]


@given(LINE, CAPS, st.data())
def test_nobody_starves_whoever_keeps_coming(
    sitting: list[tuple[list[str], str]], caps: Caps, data: st.DataObject
) -> None:
    """Each round one holder ends, whichever; each round younger ones arrive for every group there is, so
    that holders of all of them overlap in time. Each of the old ones gets its turn."""
    old, holders = seated(sitting, caps, 1)
    waiting, rounds, number = list(old), 0, 1_000
    limit = (len(old) + 1) * (len(holders) + caps.per_engine * 2 + 5)
    while {w.prompt for w in old} & {w.prompt for w in waiting}:
        rounds += 1
        assert rounds <= limit
        if holders:
            holders.pop(data.draw(st.integers(0, len(holders) - 1), label="ends"))
        for groups in ("a", "b", "c", "d", "ab"):
            number += 1
            waiting.append(waits(number, *groups, engine=data.draw(st.sampled_from(["codex", "claude"]))))
        waiting, holders = moved_up(waiting, holders, caps)
