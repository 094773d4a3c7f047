"""No secret goes to a chat, wherever in a message it stands and whoever said it."""

from __future__ import annotations

import pytest

from bot.chat import Button, File, Outgoing, Picture, Text
from bot.masked import masked
from core.answers.secrets import MASK, Masker
from core.model.answer import Placed
from core.model.prompt import Status
from core.store.turns import Ending
from tests.support.at_work import SECRET, AtWork

mask = Masker([SECRET]).mask
BUTTON = Button(f"Open {SECRET}", f"/title {SECRET}")
SAID: list[Outgoing] = [
    Text(f"*{SECRET}*", (BUTTON,), placed=(Placed(f"output/{SECRET}.png", "refused", name=SECRET),)),
    Text(f"*{SECRET}*", (BUTTON,), shorter=(f"_{SECRET}_", SECRET)),
    Picture("kept.png", f"{SECRET}.png", f"_{SECRET}_", (BUTTON,)),
    File("kept.pdf", f"{SECRET}.pdf", f"[{SECRET}](https://{SECRET})", (BUTTON,)),
]


@pytest.mark.parametrize("what", SAID)
def test_no_part_of_a_message_holds_it(what: Outgoing) -> None:
    assert repr(what).count(SECRET) > 3
    seen = masked(what, mask)
    assert SECRET not in repr(seen)
    assert MASK in repr(seen)
    assert masked(seen, mask) == seen


COMMANDS = [
    f"/title {SECRET}",
    f"/titel {SECRET}",
    f"/new {SECRET}",
    f"/project {SECRET}",
    f"/project add {SECRET} /srv",
    f"/project add wiki /srv/{SECRET}",
    f"/allow {SECRET}",
    f"/model {SECRET}",
    f"/effort {SECRET}",
    f"/access {SECRET}",
    f"/{SECRET}",
]


def leaked(work: AtWork) -> list[str]:
    """What went over the network, or stands in the chat, with ten signs of it."""
    sent = [line.words for line in work.chat.lines if not line.call.startswith("Ann")]
    return [one for one in (*sent, *map(repr, work.chat.shown.values())) if SECRET[:10] in one]


async def test_no_reply_says_it(work: AtWork) -> None:
    await work.project()
    for command in (*COMMANDS, "/conversations", "/status", "/project", "/queue"):
        work.chat.writes(command)
        await work.passes(0.2, step=0.2)
    assert len(work.chat.reads()) >= len(COMMANDS)
    assert leaked(work) == []


async def test_nothing_that_is_shown_of_a_prompt_says_it(work: AtWork) -> None:
    await work.project()
    for number in range(4):
        work.chat.writes(f"{'use it ' * number}{SECRET}")
        await work.passes(0.1)
    work.chat.writes("/queue")
    (running,) = await work.starts()
    await work.passes(2)
    work.chat.writes("/queue drop 3")
    await work.passes(2)
    await work.ends(running, Ending(Status.FAILED, f"I saw {SECRET}", reason="engine.failed", detail=SECRET))
    await work.passes(2)
    assert len(work.chat.reads()) > 3
    assert leaked(work) == []
