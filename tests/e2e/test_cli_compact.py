"""`roost compact` as a shell sees it, with the real Codex."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.codex import KEY_NAME, ScriptedCodex, scripted_codex
from tests.support.roost import Ran, Roost

__all__ = ["scripted_codex"]


@pytest.mark.codex
def test_the_context_is_compacted_by_the_agent_and_the_conversation_goes_on(
    scripted_codex: ScriptedCodex, tmp_path: Path
) -> None:
    roost = Roost(tmp_path / "home").with_shop()
    roost.configure(f'pass_env = ["{KEY_NAME}"]\n', command=[str(scripted_codex.program)])

    def say(*words: str) -> Ran:
        return roost(*words, stdin=b"", cwd=None, **scripted_codex.env)

    first = say("ask", "shop", "Hello", "--json").json
    ran = say("compact", str(first["conversation"]))
    assert (ran.status, ran.out) == (0, "")
    assert "Compacted: " in ran.err
    after = say("ask", "shop", "And on", "--json").json
    assert after["conversation"] == first["conversation"]
    assert "And on" in after["text"]


def test_what_has_no_context_is_refused_and_nothing_waits(shop: Roost) -> None:
    missing = shop("compact", "7")
    assert (missing.status, missing.out) == (2, "")
    assert "conversation" in missing.err


def test_an_agent_that_cannot_says_so(roost: Roost) -> None:
    roost.with_shop(engine="demo")
    told = roost("ask", "shop", "Look round", "--json").json
    ran = roost("compact", str(told["conversation"]))
    assert (ran.status, ran.out) == (2, "")
    assert "can’t compact its context here" in ran.err
    assert roost("status", "--json").json["queued"] == []
