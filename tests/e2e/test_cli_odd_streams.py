"""Standard streams that are closed, full, or left early; what was accepted is kept."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass

import pytest

from tests.support.roost import COMMAND, Roost


@dataclass(frozen=True)
class Shown:
    status: int
    err: str


def shell(roost: Roost, words: str) -> Shown:
    """*words* after `roost` in a shell that tells of the status of the first of a pipe."""
    line = f"set -o pipefail; {' '.join(COMMAND)} {words}"
    ran = subprocess.run(
        ["bash", "-c", line], stdin=subprocess.DEVNULL, capture_output=True, timeout=30, env=roost.environ
    )
    err = ran.stderr.decode()
    assert "Traceback" not in err
    assert "Exception ignored" not in err
    assert "no word for" not in err
    return Shown(ran.returncode, err)


def answered(roost: Roost) -> bool:
    """Whether the first prompt was answered, and nothing of it is left to do."""
    state = roost("status", "--json").json
    types = [line for line in roost("events", "1").out.splitlines() if '"prompt.ended"' in line]
    return state["running"] == state["queued"] == [] and len(types) == 1 and '"done"' in types[0]


@pytest.mark.parametrize("words", ["status", "check", "project list", "--help"])
def test_what_nobody_hears_is_said_without_harm(shop: Roost, words: str) -> None:
    assert shell(shop, f"{words} >&-") == Shown(0, "")
    assert shell(shop, f"{words} >&- 2>&- <&-") == Shown(0, "")
    full = shell(shop, f"{words} >/dev/full")
    assert (full.status, len(full.err.splitlines())) == (1, 1)
    assert "No space left on device" in full.err


@pytest.mark.parametrize(
    ("streams", "status"),
    [(">&-", 0), (">&- 2>&-", 0), ("2>&-", 0), ("2>/dev/full", 0), (">/dev/full", 1), ("| true", 1)],
)
def test_an_accepted_prompt_is_answered_whoever_hears_it(shop: Roost, streams: str, status: int) -> None:
    shop.says("Hi." * 50_000)
    assert shell(shop, f"ask shop Go {streams}").status == status
    assert answered(shop)


def test_where_nothing_can_be_read_nothing_is_asked(shop: Roost) -> None:
    asked = shell(shop, "ask shop - <&-")
    assert asked.status == 2
    assert "There is nothing in that to ask." in asked.err
    assert shell(shop, "chat --project shop <&-").status == 0


@pytest.mark.parametrize("streams", [">/dev/full", "| true", ">&-"])
def test_a_chat_that_nobody_reads_ends_quietly(shop: Roost, streams: str) -> None:
    assert shell(shop, f"chat --project shop <<< Go {streams}").status in (0, 1)
    assert shop("ask", "shop", "More").status == 0
    assert answered(shop)
