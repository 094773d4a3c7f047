"""Things in the data directory that are not what they should be: a sentence each, with the path of it."""

from __future__ import annotations

import pytest

from tests.support.roost import Roost


@pytest.mark.parametrize("command", [("ask", "shop", "Go"), ("run",)])
@pytest.mark.parametrize(("name", "folder"), [("dispatch.lock", True), ("bell", True), ("media", False)])
def test_what_is_in_the_way_is_named(shop: Roost, command: tuple[str, ...], name: str, folder: bool) -> None:
    place = shop.data_dir / name
    if folder:
        place.unlink(missing_ok=True)
        place.mkdir()
    else:
        place.touch()
    ran = shop(*command)
    assert (ran.status, ran.out) == (1, "")
    said = ran.err.splitlines()[-1]
    assert said.startswith(f"{place} can’t be used: ")
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("command", [("status",), ("project", "list")])
def test_a_data_directory_that_is_open_is_closed(shop: Roost, command: tuple[str, ...]) -> None:
    shop.data_dir.chmod(0o755)
    assert shop(*command).status == 0
    assert shop.data_dir.stat().st_mode & 0o777 == 0o700


def test_a_folder_for_everybody_is_not_taken_for_ours(roost: Roost) -> None:
    roost.data_dir.mkdir()
    roost.data_dir.chmod(0o1777)
    for command in (("status",), ("run",)):
        ran = roost(*command)
        assert (ran.status, ran.out) == (1, "")
        assert f"{roost.data_dir} isn’t Roost’s alone" in ran.err
    assert not list(roost.data_dir.iterdir())
