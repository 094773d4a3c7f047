"""`/get` and the buttons under an answer: files of the project, and pictures as they were."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.access import Rights, Role
from bot.chat import File
from core.dispatch.answers import Media
from core.model.answer import Placed
from core.model.prompt import Status
from core.store import projects
from core.store.turns import Ending
from tests.support.fake_chat import ROOM
from tests.support.office import Office
from tests.support.post import OTHER

APP = Placed("app.py", "linked", name="app.py")
SECRET = Placed(".env", "linked", name=".env", reason="file.secret")
WIDE = Placed("wide.png", "photo", "small.png", "original.png", "wide.png")


@pytest.fixture
async def answered(office: Office) -> Office:
    """An answer that names all three, and a project that holds them."""
    project = await office.project()
    office.host.files = {f"{project.path}/{name}": data for name, data in FILES.items()}
    await office.says("Go")
    (work,) = await office.starts()
    await office.ends(work, Ending(Status.DONE, "Done.", (APP, SECRET, WIDE)))
    return office


FILES = {"app.py": b"print()", ".env": b"TOKEN=1", "empty.txt": b"", "b c/d.webp": b"RIFF....WEBPVP8 "}


async def sent(office: Office, text: str) -> bytes:
    """The content of the file that comes in return."""
    await office.says(text)
    newest = [*office.chat.shown.values()][-1].what
    assert isinstance(newest, File)
    assert newest.silent
    return Media(office.desk.data_dir).path(newest.media).read_bytes()


@pytest.mark.parametrize("name", ["app.py", "b c/d.webp", "b%20c/d.webp"])
async def test_a_file_is_got_by_its_path(answered: Office, name: str) -> None:
    answered.host.files = {**answered.host.files, name: b"here"}
    assert await sent(answered, f"/get {name}") in (*FILES.values(), b"here")


async def test_what_is_not_there_or_empty_says_so(answered: Office) -> None:
    assert await answered.says("/get gone.py") == ["gone.py: there is no such file."]
    (said,) = await answered.says("/get empty.txt")
    assert said.startswith("empty.txt: ")
    assert await answered.says("/get") == ["It is written like this: /get PATH"]


async def test_nothing_is_got_where_the_project_leads_elsewhere(answered: Office) -> None:
    project = await answered.project("till")
    real = replace(project, real="/srv/till")
    await answered.store.write(projects.change, real)
    answered.host.files, answered.host.leads_to = {f"{project.path}/app.py": b"x"}, "/etc"
    answered.host.diff_of = "diff --git a/a b/a\n"
    moved = f"{project.path} leads somewhere else than when the project was added: to /etc."
    for words in ("/get app.py", "/diff"):
        (said,) = await answered.says(words)
        assert said.startswith(moved)


async def test_a_linked_file_is_got_by_its_number(answered: Office) -> None:
    assert await sent(answered, "/get #2 0") == b"print()"


async def test_the_original_of_a_picture_is_sent_as_it_was(answered: Office) -> None:
    kept = Media(answered.desk.data_dir).path("original.png")
    kept.write_bytes(b"wide")
    assert await sent(answered, "/get #2 2") == b"wide"


@pytest.mark.parametrize("role", [Role.MEMBER, Role.VIEWER])
async def test_a_secret_that_an_answer_names_goes_to_an_owner_and_to_nobody_else(
    answered: Office, role: Role
) -> None:
    assert await sent(answered, "/get #2 1") == b"TOKEN=1"
    answered.desk = replace(answered.desk, rights=lambda person: Rights(role))
    assert await answered.says("/get #2 1") == [".env: looks like a secret, so it is not sent."]


async def test_an_owner_who_names_one_has_to_press_for_it(answered: Office) -> None:
    said = ".env looks like a secret. Sent, it is in this chat for good."
    assert await answered.says("/get .env") == [said]
    assert answered.chat.buttons() == ["Send it"]
    await answered.presses("Send it")
    newest = [*answered.chat.shown.values()][-1].what
    assert isinstance(newest, File)
    assert Media(answered.desk.data_dir).path(newest.media).read_bytes() == b"TOKEN=1"


async def test_others_who_name_one_are_offered_nothing(answered: Office) -> None:
    answered.desk = replace(answered.desk, rights=lambda person: Rights(Role.MEMBER))
    assert await answered.says("/get .env") == [".env: looks like a secret, so it is not sent."]
    assert answered.chat.buttons() == []
    assert await answered.says("/get #secret .env") == ["Only an owner can do that."]


@pytest.mark.parametrize("words", [".env", "#secret .env", "#2 1"])
async def test_where_others_read_along_no_secret_is_sent(answered: Office, words: str) -> None:
    answered.desk = replace(answered.desk, own=lambda room, person: False)
    (said,) = await answered.says(f"/get {words}")
    assert said == ".env looks like a secret: an owner gets it only in a chat of their own."
    assert answered.chat.buttons() == []


async def test_who_only_reads_gets_what_an_answer_names_and_no_other_file(answered: Office) -> None:
    answered.desk = replace(answered.desk, rights=lambda person: Rights(Role.VIEWER))
    assert await sent(answered, "/get #2 0") == b"print()"
    (said,) = await answered.says("/get app.py")
    assert "member" in said


@pytest.mark.parametrize("words", ["#99 0", "#2 9", "#1 0"])
async def test_a_button_of_no_answer_says_so(answered: Office, words: str) -> None:
    assert await answered.says(f"/get {words}") == ["That answer is not here any more."]


async def test_an_answer_of_another_room_is_none_here(answered: Office) -> None:
    answered.desk = replace(answered.desk, delivers=True)
    assert await answered.says("/get #2 0", room=OTHER) == ["That answer is not here any more."]
    assert ROOM != OTHER
