"""A question outside any turn has its own agent, which is gone when there is an answer or none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.dispatch.queries import Unanswered
from core.engines.catalogue import Catalogue
from core.engines.port import Kept
from core.errors import EngineMissing
from core.wire import codex_queries
from tests.support.answering import AnsweringHost, model
from tests.support.office import asker_on


async def test_a_throw_away_agent_answers_and_is_gone() -> None:
    host = AnsweringHost(answers={"model/list": {"data": [model("m1", "low")]}})
    (found,) = await asker_on(host, Catalogue()).ask("codex", "local", codex_queries.models("q"))
    assert found.name == "m1"
    (launch,) = host.launches
    assert (launch.cwd, launch.spoken, launch.argv[0]) == ("", True, "/bin/codex")
    assert host.started == {}
    assert len(host.discarded) == 1


@pytest.mark.parametrize("answers", [{}, {"model/list": {"data": 5}}])
async def test_why_there_is_no_answer_is_told(answers: dict[str, object]) -> None:
    host = AnsweringHost(answers=answers)
    with pytest.raises(Unanswered) as failed:
        await asker_on(host, Catalogue()).ask("codex", "local", codex_queries.models("q"))
    assert "model/list" in failed.value.fields["why"]
    assert host.started == {}


async def test_a_program_that_ends_has_not_answered() -> None:
    host = AnsweringHost()
    asker = asker_on(host, Catalogue())
    with pytest.raises(Unanswered):
        await asker.ask("claude", "local", Catalogue().engine("claude").asking.models({}))  # type: ignore[union-attr]
    assert len(host.discarded) == 1


async def test_a_program_that_says_nothing_is_ended() -> None:
    host = AnsweringHost()
    host.awake.clear()
    with pytest.raises(Unanswered):
        await replace(asker_on(host, Catalogue()), bound=0.0).ask("codex", "local", codex_queries.models("q"))
    assert host.started == {}


async def test_a_program_that_is_not_there_is_named() -> None:
    host = AnsweringHost(missing=True)
    with pytest.raises(EngineMissing):
        await asker_on(host, Catalogue()).ask("codex", "local", codex_queries.models("q"))
    assert host.launches == []


async def test_what_is_kept_in_files_is_read_and_nothing_started() -> None:
    host = AnsweringHost(files={"/k/b.jsonl": b"1\n2\n", "/k/a.txt": b"3\n", "/else/c.jsonl": b"4\n"})
    kept = Kept("/k", "*.jsonl", lambda lines: [int(line) for line in lines])
    assert await asker_on(host, Catalogue()).ask("claude", "local", kept) == (1, 2)
    assert host.launches == []
