"""A fence with one endless line is cut within the line, at once and without a loss."""

from __future__ import annotations

import pytest

from bot.markup import matrix, telegram
from tests.support import telegram_rules

LINE = "{" + ",".join(f'"k{number:04}":{number:04}' for number in range(920)) + "}"
ANSWER = f"```json\n{LINE}\n```\n"


@pytest.mark.timeout(10)
def test_one_line_for_telegram() -> None:
    parts = [part for part in telegram.render(ANSWER) if isinstance(part, telegram.TextPart)]
    assert len(parts) in (3, 4)
    assert "".join(part.text for part in parts) == LINE
    for part in parts:
        (entity,) = part.entities
        assert (entity.type, entity.language) == ("pre", "json")
        assert telegram_rules.faults(part.text, part.entities) == []


@pytest.mark.timeout(10)
def test_one_line_for_matrix() -> None:
    parts = [part for part in matrix.render(ANSWER) if isinstance(part, matrix.TextPart)]
    assert "".join(part.body for part in parts) == LINE
    assert all('<code class="language-json">' in part.html for part in parts)
