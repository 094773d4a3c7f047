"""What a person sends is stored exactly as it came, with its files, before anybody is told."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import partial
from pathlib import PurePath

import pytest
from PIL import Image

from bot.chat import RoomAddress
from bot.handlers.act import answer
from bot.intents.parse import Here
from bot.texts import Texts
from core.model.events import Asked, AskKind, Choice, Grant
from core.model.prompt import Status
from core.store import prompts, said
from core.store.turns import Ending
from tests.support.fake_chat import take
from tests.support.office import Office

FAILED = Ending(Status.FAILED, reason="engine.failed", detail="429")
HTML = b"<!DOCTYPE html><html>not found</html>\n"


def picture(form: str = "PNG", size: tuple[int, int] = (32, 20)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, (230, 240, 250)).save(out, form)
    return out.getvalue()


async def test_a_prompt_is_stored_as_it_was_sent_and_nothing_is_said(office: Office) -> None:
    await office.project()
    assert await office.says("  Why does `checkout` take 3 s?\n") == []
    prompt = await office.prompt()
    assert (prompt.text, prompt.status) == ("  Why does `checkout` take 3 s?\n", Status.QUEUED)
    assert (await office.conversation()).id == prompt.conversation


async def test_the_next_one_goes_into_the_same_conversation(office: Office) -> None:
    await office.project()
    await office.says("one")
    await office.says("two")
    assert office.took[0].conversation == office.took[1].conversation


def texts_of(spoken: Texts, language: str) -> Texts:
    """Whatever language a room asks for."""
    return spoken


async def test_the_agent_speaks_the_language_of_who_wrote_last(office: Office) -> None:
    await office.project()
    for language in ("fr", "en"):
        spoken = Texts(language, strict=True)
        office.desk = replace(office.desk, words=partial(texts_of, spoken))
        await office.says("un")
        assert (await office.conversation()).language == language


async def test_an_update_that_comes_again_is_one_prompt(office: Office) -> None:
    await office.project()
    office.chat.writes("one")
    incoming = await take(office.chat.incoming())
    await answer(incoming, Here(), office.desk)
    await answer(incoming, Here(), office.desk)
    assert [prompt.text for prompt in await office.store.read(prompts.every_open)] == ["one"]
    assert len(office.took) == 1


async def test_without_a_project_one_is_asked_for(office: Office) -> None:
    assert await office.says("go") == [
        "Which project is this for? Your message waits, and runs once one is chosen."
    ]
    await office.project()
    assert await office.says("/project nothing") == [
        "There is no project called nothing. /project lists them."
    ]


async def test_a_project_that_was_put_away_takes_no_prompt(bureau: Office) -> None:
    await bureau.project(archived=True)
    (said,) = await bureau.says("vas-y")
    assert said.splitlines() == [
        "Le projet shop est mis de côté. Dans le terminal, roost project unarchive shop le ramène.",
        "Votre message attend, et part dès qu’il est de retour ou qu’un autre est choisi.",
    ]
    assert bureau.took == []


async def test_the_conversation_speaks_the_language_of_the_room(bureau: Office) -> None:
    await bureau.project()
    await bureau.says("vas-y")
    assert (await bureau.conversation()).language == "fr"


@pytest.mark.parametrize(
    ("name", "form", "kept"),
    [
        ("photo.png", "PNG", "photo.png"),
        ("photo.png", "JPEG", "photo.jpg"),
        ("scan.tiff", "TIFF", "scan.png"),
        ("pic.bmp", "BMP", "pic.png"),
        ("pic.webp", "WEBP", "pic.webp"),
    ],
)
async def test_a_picture_is_shown_to_the_agent_as_what_it_is(
    office: Office, name: str, form: str, kept: str
) -> None:
    await office.project()
    assert await office.says("look", {name: picture(form)}) == []
    (file,) = await office.attachments()
    assert (file.name, file.image, PurePath(file.path).name) == (name, True, kept)


async def test_a_large_photo_is_scaled_down_for_the_agent(office: Office) -> None:
    await office.project()
    await office.says("look", {"photo.jpg": picture("JPEG", (4000, 3000))})
    (file,) = await office.attachments()
    with Image.open(io.BytesIO(office.host.kept[file.path])) as image:
        assert image.width == 2048


@pytest.mark.parametrize(
    ("data", "why"),
    [(HTML, "not a picture"), (b"", "an empty file"), (picture()[:40], "damaged")],
)
async def test_what_only_looks_like_a_picture_goes_along_as_a_file(
    office: Office, data: bytes, why: str
) -> None:
    await office.project()
    assert await office.says("look", {"fake.png": data}) == [f"fake.png goes along as a plain file: {why}."]
    (file,) = await office.attachments()
    assert not file.image
    assert office.host.kept[file.path] == data
    assert await office.says("and now?") == []


async def test_the_word_about_a_bad_picture_in_french(bureau: Office) -> None:
    await bureau.project()
    assert await bureau.says("regarde", {"faux.png": HTML}) == [
        "faux.png part comme simple fichier : pas une image."
    ]


async def test_other_files_go_along_without_a_word(office: Office) -> None:
    await office.project()
    assert await office.says("", {"notes.txt": b"hello", "plan.pdf": b"%PDF-1.7"}) == []
    assert [(one.name, one.image) for one in await office.attachments()] == [
        ("notes.txt", False),
        ("plan.pdf", False),
    ]


async def test_what_failed_is_tried_again_with_its_words_and_files(office: Office) -> None:
    await office.project()
    await office.says("look", {"photo.png": picture()})
    (work,) = await office.starts()
    await office.ends(work, FAILED)
    assert await office.says(f"/queue again {work.prompt.id}") == ["Asked again: look."]
    again = await office.prompt()
    assert (again.text, again.attachments, again.retry_of) == (
        "look",
        work.prompt.attachments,
        work.prompt.id,
    )
    assert (await office.prompt(0)).status is Status.FAILED


async def test_trying_again_twice_makes_one_prompt(office: Office) -> None:
    await office.project()
    await office.says("go")
    (work,) = await office.starts()
    await office.ends(work, FAILED)
    await office.says(f"/queue again {work.prompt.id}")
    assert await office.says(f"/queue again {work.prompt.id}") == [
        "That is at work already. /cancel stops it."
    ]
    assert len(office.took) == 2


async def test_what_another_room_asked_in_another_project_is_unknown_here(office: Office) -> None:
    await office.project("shop")
    for words in ("/project shop", "go"):
        await office.says(words, room=RoomAddress("fake", "roost", "-7"))
    await office.project("blog")
    number = office.took[0].id
    unknown = ["There is no such message here. /queue shows what waits."]
    for command in ("/queue again", "/queue drop", "/queue up", "/cancel"):
        assert await office.says(f"{command} {number}") == unknown
    assert (await office.prompt()).status is Status.QUEUED


async def test_an_engine_that_was_asked_for_begins_every_conversation(office: Office) -> None:
    await office.project(engine="codex")
    office.desk = replace(office.desk, engine="demo", always=True)
    await office.says("go")
    assert (await office.conversation()).engine == "demo"


def question(name: str, kind: AskKind = AskKind.QUESTION) -> Asked:
    return Asked(name, kind, name, (Choice("no", Grant.DENY),), free=True)


async def test_where_there_are_no_replies_words_are_for_the_questions_that_wait_for_them(
    office: Office,
) -> None:
    office.desk = replace(office.desk, replies=False)
    await office.project()
    await office.says("Go")
    (work,) = await office.starts()
    await office.tells(work, question("step", AskKind.COMMAND), question("colour"), question("size"))
    for words in ("blue", "3", "and the docs"):
        assert await office.says(words) == []
    given = await office.store.read(said.of_prompt, work.prompt.id)
    assert {key: one.text for key, one in given.items()} == {"colour": "blue", "size": "3"}
    assert [one.text for one in office.took] == ["Go", "and the docs"]
