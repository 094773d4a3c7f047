"""Right-to-left answers arrive sign for sign; what turns the writing never gets from a name into a label."""

from __future__ import annotations

import pytest

from bot.markup import matrix, telegram, terminal
from core.answers.title import clean_title, plain_label

ANSWER = "السلام عليكم، شغّل `pytest -q` ثم افتح `a\u202egnp.txt`.\n\nשלום **עולם** (v1.2)!\n"
SHOWN = ANSWER.replace("`", "").replace("**", "").rstrip()
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u2028\u2029"


def test_the_answer_is_unchanged_and_nothing_stands_before_it() -> None:
    (message,) = telegram.render(ANSWER)
    (event,) = matrix.render(ANSWER)
    (lines,) = terminal.render(ANSWER, width=80)
    assert isinstance(message, telegram.TextPart)
    assert isinstance(event, matrix.TextPart)
    assert isinstance(lines, terminal.TextPart)
    assert message.text == event.body == lines.text == SHOWN
    assert "<code>a\u202egnp.txt</code>" in event.html


@pytest.mark.parametrize("label", [plain_label, clean_title])
def test_a_name_turns_nothing_behind_it(label: type[str]) -> None:
    assert label(f"תקן את main.py {TURNING}gnp.exe") == "תקן את main.py gnp.exe"
    assert not set(label("".join(f"a{sign}b" for sign in TURNING))) & set(TURNING)
