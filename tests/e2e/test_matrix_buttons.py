"""Commands and buttons in a Matrix room, however they are said."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.test_telegram_diff import committed
from tests.matrix.person import People, people
from tests.matrix.service import served
from tests.matrix.synapse import Synapse
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse


@pytest.fixture
def everybody(homeserver: Synapse, tmp_path: Path) -> Iterator[People]:
    with people(homeserver, tmp_path / "people") as everybody:
        yield everybody


def asked_last(shop: Roost) -> str:
    """What the agent that began last was asked."""
    starts = shop.play.starts
    return starts[-1].stdin.decode() if starts else ""


async def test_a_command_is_one_in_each_spelling_and_words_stay_words(shop: Roost, everybody: People) -> None:
    shop.says("Hi.", {"read_stdin": "eof"})
    async with served(shop, everybody) as held:
        held.start()
        room = await held.room()
        pill = f'<a href="https://matrix.to/#/{held.bot.id}">{held.bot.id}</a>: status'
        for spelling in ("!status", "/status", "//status", "!STATUS", f"{held.bot.id} status"):
            before = len(held.ann.seen(room))
            held.ann.says(room, spelling)
            await held.until(lambda before=before: len(held.ann.seen(room)) > before)
            assert held.ann.reads(room)[-1].startswith("shop")
        before = len(held.ann.seen(room))
        mentioned = {"m.mentions": {"user_ids": [held.bot.id]}}
        html = {"format": "org.matrix.custom.html", "formatted_body": pill}
        held.ann.says(room, f"{held.bot.id}: status", **html, **mentioned)
        await held.until(lambda: len(held.ann.seen(room)) > before)
        assert held.ann.reads(room)[-1].startswith("shop")
        for words in ("!important", "/etc/hosts is wrong", "//TODO fix", "cancel"):
            held.ann.says(room, words)
            await held.until(lambda words=words: asked_last(shop).startswith(words))


async def test_a_project_is_chosen_by_a_sign_once_also_after_a_restart(
    shop: Roost, everybody: People
) -> None:
    async with served(shop, everybody) as held:
        held.start()
        room = await held.room(project="")
        held.ann.says(room, "Go")
        asked = await held.answers(room, "Which project is this for?")
        held.restart()
        held.ann.reacts(room, asked.id, "1\u20e3")
        await held.answers(room, "This room works in shop")
        await held.answers(room, "Hi.")
        assert held.ann.reads(room) == ["This room works in shop from now on.", "Hi."]
        held.ann.reacts(room, asked.id, "1️⃣")
        await held.answers(room, "pressed here already, ")
    assert len(shop.play.starts) == 1


async def test_killed_between_the_choice_and_its_edit_it_is_decided_once(
    shop: Roost, everybody: People
) -> None:
    """The one that was chosen by a word, and not by a sign; of what there is no button for elsewhere too."""
    async with served(shop, everybody) as held:
        held.start()
        room = await held.room(encrypted=True)
        held.ann.says(room, "!settings theme")
        asked = await held.answers(room, "Theme: system")
        held.end(signal.SIGTERM)
        held.start(ROOST_CRASH_AT="delivering")
        held.ann.replies(room, asked.id, "dark")
        assert await held.died() == -signal.SIGKILL
        held.start()
        await held.answers(room, "Theme: dark, for")
        assert [read.partition(",")[0] for read in held.ann.reads(room)][-1] == "Theme: dark"
        assert not [read for read in held.ann.reads(room) if read.startswith("Theme: system")]


async def test_in_an_encrypted_room_a_sign_stops_and_chooses_nothing(shop: Roost, everybody: People) -> None:
    go = shop.holds()
    async with served(shop, everybody) as held:
        held.start()
        room = await held.room(encrypted=True, project="")
        held.ann.says(room, "Go")
        asked = await held.answers(room, "Which project is this for?")
        held.ann.reacts(room, asked.id, "1️⃣")
        await held.answers(room, "In an encrypted room a reaction can't choose")
        held.ann.says(room, "!projcet")
        await held.answers(room, "Did you mean")
        held.ann.says(room, "1")
        await held.answers(room, "This room works in shop")
        shown = await held.answers(room, "🛑 Stop: !cancel")
        held.ann.reacts(room, shown.id, "🛑")
        await held.answers(room, "Stopped after")
        go.touch()


async def test_what_stands_under_an_answer_elsewhere_is_said_in_reply_to_it(
    shop: Roost, everybody: People
) -> None:
    committed(shop.shop)
    (shop.shop / "app.py").write_text("print('new')\n")
    shop.says("Hi.", {"read_stdin": "eof"})
    async with served(shop, everybody) as held:
        held.start()
        room = await held.room(encrypted=True)
        held.ann.says(room, "Go")
        answer = await held.answers(room, "Hi.")
        assert answer.body == "Hi."  # nothing stands beneath it, and nobody reacts
        held.ann.replies(room, answer.id, "!diff")
        said = await held.answers(room, "shop: 1 file changed, +1 −1")
        assert "+print('new')" in said.body
        await held.answers(room, "shop.diff.png")
        held.ann.replies(room, answer.id, "!queue again")
        await held.until(lambda: len(shop.play.starts) == 2)
        assert asked_last(shop).startswith("Go")
        held.ann.replies(room, answer.id, "!fork A try")
        await held.answers(room, "A try")
        held.ann.says(room, "diff")  # a word stays a word
        await held.until(lambda: asked_last(shop).startswith("diff"))
