"""`/diff`: what changed in the project, as text, as a picture, and as a file where it is long."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.access import Rights, Role
from bot.chat import File, Picture
from core.answers.pictures import Kind, sniff
from core.answers.secrets import Masker
from core.dispatch.answers import Media
from core.errors import CoreError, DiffUnreadable, HostError, NoGit, NoRepository, ProjectGone
from tests.support.fake_chat import ROOM
from tests.support.office import Office

SMALL = "diff --git a/app.py b/app.py\n@@ -1 +1,2 @@\n-old\n+new\n+```\n"
LARGE = "diff --git a/big.py b/big.py\n@@ -1 +1,900 @@\n" + "+a line of a large change\n" * 900
SECRET = "sk-secret_of-the-house/0123456789abcdef"


def media(office: Office) -> dict[str, bytes]:
    """What was sent as pictures and files, by name."""
    sent = [one.what for one in office.chat.shown.values() if isinstance(one.what, Picture | File)]
    return {one.name: Media(office.desk.data_dir).path(one.media).read_bytes() for one in sent}


async def test_a_small_change_is_shown_whole_and_drawn(office: Office) -> None:
    await office.project()
    office.host.diff_of = SMALL
    said, *_ = await office.says("/diff")
    assert said.startswith("shop: 1 file changed, +2 −1")
    assert said.endswith(SMALL.rstrip())
    (picture,) = media(office).items()
    assert (picture[0], sniff(picture[1])) == ("shop.diff.png", Kind.PNG)


async def test_where_a_picture_says_no_more_than_words_there_is_none(office: Office) -> None:
    office.desk = replace(office.desk, lacks=frozenset({"theme"}))
    await office.project()
    office.host.diff_of = SMALL
    assert len(await office.says("/diff")) == 1


async def test_a_large_change_is_a_head_a_picture_and_a_file(office: Office) -> None:
    await office.project()
    office.host.diff_of = LARGE
    said, *_ = await office.says("/diff")
    assert said.startswith("shop: 1 file changed, +900 −0")
    assert len(said) < 1_000
    assert [*media(office)] == ["shop.diff.png", "shop.diff"]
    assert media(office)["shop.diff"].decode() == LARGE


async def test_of_a_file_that_looks_like_a_secret_it_is_said_that_it_changed(office: Office) -> None:
    await office.project()
    office.host.diff_of = SMALL + "diff --git a/.env b/.env\ndiff --git a/id_rsa b/id_rsa\n"
    said, *_ = await office.says("/diff")
    assert said.startswith("shop: 3 files changed, +2 −1 · 2 of them look like secrets and aren’t shown")
    office.host.diff_of = "diff --git a/.env b/.env\n"
    said, *_ = await office.says("/diff")
    assert said.startswith("shop: 1 file changed, +0 −0 · 1 of them looks like a secret")


async def test_no_known_secret_is_in_the_file_or_the_picture(office: Office) -> None:
    await office.project()
    office.desk = replace(office.desk, mask=Masker([SECRET]).mask)
    office.host.diff_of = LARGE + f"+TOKEN={SECRET}\n"
    await office.says("/diff")
    assert SECRET not in media(office)["shop.diff"].decode()
    assert "+TOKEN=" in media(office)["shop.diff"].decode()
    pictures = []
    for end in (SECRET, office.desk.mask(SECRET)):
        office.host.diff_of = SMALL + f"+{end}\n"
        await office.says("/diff")
        pictures.append(media(office)["shop.diff.png"])
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ("", "Nothing has changed in shop since its last commit."),
        (
            NoRepository(),
            "This project’s folder is in no git repository, so what changed in it can’t be seen.",
        ),
        (DiffUnreadable(), "git on pi5 can’t read all of this project’s repository, so what changed can’t "),
        (NoGit(), "There is no git on pi5, so what changed can’t be seen. Install it there, then ask again."),
        (ProjectGone(path="/gone"), "The project’s folder is gone: "),
        (HostError(why="odd"), "pi5 could not do that. "),
    ],
)
async def test_where_nothing_can_be_shown_one_sentence_says_why(
    office: Office, found: str | CoreError, said: str
) -> None:
    await office.project()
    office.host.diff_of = found
    (read,) = await office.says("/diff")
    assert read.startswith(said)


async def test_a_prompt_stands_for_its_project_and_no_other_word_for_anything(office: Office) -> None:
    await office.project()
    await office.says("Go")
    prompt = await office.prompt()
    office.host.diff_of = SMALL
    said, *_ = await office.says(f"/diff {prompt.id}")
    assert said.startswith("shop: ")
    assert await office.says("/diff 999") == ["There is no such message here. /queue shows what waits."]
    assert await office.says("/diff app.py") == ["It is written like this: /diff"]


@pytest.mark.parametrize(("role", "reads"), [(Role.VIEWER, True), (Role.STRANGER, False)])
async def test_who_may_get_no_file_sees_no_change(office: Office, role: Role, reads: bool) -> None:
    await office.project()
    office.host.diff_of = SMALL
    office.desk = replace(office.desk, rights=lambda person: Rights(role))
    said = await office.says("/diff")
    assert [("member" in read) for read in said] == ([True] if reads else [])
    assert media(office) == {}


async def test_without_a_project_one_is_asked_for(office: Office) -> None:
    (said,) = await office.says("/diff", room=ROOM)
    assert "project" in said
