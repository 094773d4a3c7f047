"""Words that nobody types on purpose: each is refused in a sentence, and nothing was done."""

from __future__ import annotations

import os

import pytest

from tests.support.roost import Roost


def refused(roost: Roost, *words: str) -> str:
    ran = roost(*words)
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert "Traceback" not in ran.err
    assert "no word for" not in ran.err
    return ran.err


@pytest.mark.parametrize("number", ["99999999999999999999", "-1", "9" * 5_000])
@pytest.mark.parametrize(
    "words",
    [
        ("cancel", "--", "N"),
        ("cancel", "--conversation", "N"),
        ("events", "--", "N"),
        ("events", "1", "--from", "N"),
        ("ask", "shop", "Go", "--conversation", "N"),
    ],
)
def test_a_number_that_can_be_none_is_a_slip(roost: Roost, words: tuple[str, ...], number: str) -> None:
    assert "Expected: a number." in refused(roost, *(word.replace("N", number) for word in words))


NO_TEXT = os.fsdecode(b"\xff")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("project", "add", "--", "--help", "."), "can’t be a project’s name"),
        (("project", "add", "--", "-x", "."), "can’t be a project’s name"),
        (("project", "add", NO_TEXT, "."), "can’t be a project’s name"),
        (("project", "add", "x", ""), "No folder was given."),
        (("project", "set", "shop", "--path", ""), "No folder was given."),
        (("project", "add", "x", "/proc/self/cwd"), "is made up by the system"),
        (("project", "add", "x", "/"), "is the system’s own folder"),
        (("project", "set", "shop", "--path", "/usr"), "is the system’s own folder"),
        (("project", "show", NO_TEXT), "is no text"),
        (("ask", NO_TEXT, "Go"), "is no text"),
        (("chat", "--project", NO_TEXT), "is no text"),
        (("project", "set", "shop", "--group", NO_TEXT), "is no text"),
    ],
)
def test_what_can_be_no_project_is_refused(shop: Roost, words: tuple[str, ...], said: str) -> None:
    assert said in refused(shop, *words)


def test_a_whole_home_is_a_project_for_who_says_that_it_is_meant(shop: Roost) -> None:
    home = shop.home / "ann"
    home.mkdir()
    for words in (("set", "shop", "--path", "~"), ("add", "all", "~")):
        ran = shop("project", *words, HOME=str(home))
        assert (ran.status, "is a whole home" in ran.err, "--whole-home" in ran.err) == (2, True, True)
    assert shop("project", "add", "all", "~", "--whole-home", HOME=str(home)).status == 0
    ran = shop("project", "set", "shop", "--path", "~", "--whole-home", HOME=str(home))
    assert "That folder is project all already." in ran.err
    assert "fault project" not in shop("check", HOME=str(home)).out


def test_a_folder_whose_name_is_no_text_is_refused(shop: Roost) -> None:
    odd = shop.home / f"shop{NO_TEXT}"
    odd.mkdir()
    assert "is no text" in refused(shop, "project", "add", "odd", str(odd))
    assert [one["name"] for one in shop("project", "list", "--json").json] == ["shop"]
