"""Case 39: a project may be reached through a link; what leads out of it is refused all the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.support.play_agent import Play
from tests.support.whole import configured, roost, says, turn


@pytest.mark.parametrize("deep", [False, True])
async def test_the_picture_arrives_and_nothing_from_outside(tmp_path: Path, deep: bool) -> None:
    real = tmp_path / "real" / ("project" if deep else "")
    (real / "output").mkdir(parents=True)
    Image.new("RGB", (320, 200), "navy").save(real / "output" / "plot.png")
    Image.new("RGB", (320, 200), "red").save(tmp_path / "outside.png")
    (real / "output" / "leak.png").symlink_to(tmp_path / "outside.png")
    (tmp_path / "workspace").symlink_to("real")
    workspace = tmp_path / "workspace" / ("project" if deep else "")
    good = ["output/plot.png", str(workspace / "output/plot.png"), str(real / "output/plot.png")]
    outside = ["output/leak.png", "../outside.png", str(tmp_path / "outside.png")]
    play = Play(tmp_path / "play")
    play.steps(*turn(says("\n".join(f"![picture]({src})" for src in good + outside))))
    async with roost(configured(tmp_path, play.command), workspace=workspace) as whole:
        answer = await whole.answer((await whole.ask()).id)
    by_src = {placed.src: placed for placed in answer.placed}
    assert {by_src[src].kind for src in good} == {"photo"}
    assert {(by_src[src].kind, by_src[src].media) for src in outside} == {("refused", "")}
