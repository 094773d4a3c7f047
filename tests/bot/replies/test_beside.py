"""What is pointed at stands behind the words, marked as somebody's."""

from __future__ import annotations

import pytest

from bot.chat import How, Pointed
from bot.replies.beside import LONGEST, beside
from bot.texts import Texts

EN = Texts("en", strict=True)


@pytest.mark.parametrize(
    ("pointed", "said"),
    [
        (Pointed(How.REPLY, "a\nb", "Bob"), "This replies to a message of Bob:\n> a\n> b"),
        (Pointed(How.REPLY, "Done.", "x", ours=True), "This replies to what you said:\n> Done."),
        (Pointed(How.QUOTE, "6pm", ours=True), "This is about these words of yours:\n> 6pm"),
        (Pointed(How.QUOTE, "6pm", "News"), "This is about these words of News:\n> 6pm"),
        (Pointed(How.FORWARD, "x"), "Forwarded along with this, from somebody:\n> x"),
        (Pointed(How.REPLY, "", "Bob"), "This replies to a message of Bob without words."),
        (Pointed(How.ITSELF, author="Eve"), "This is forwarded, from Eve: the sender did not write it."),
    ],
)
def test_each_way_of_pointing(pointed: Pointed, said: str) -> None:
    assert beside([pointed], EN) == said


def test_several_stand_apart_and_none_is_endless() -> None:
    both = beside([Pointed(How.REPLY, "x" * 2 * LONGEST), Pointed(How.FORWARD, "y")], EN)
    reply, forward = both.split("\n\n")
    assert (reply.count("x"), forward) == (LONGEST, "Forwarded along with this, from somebody:\n> y")
