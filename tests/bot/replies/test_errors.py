"""Trouble in one sentence, and the way on."""

from __future__ import annotations

import pytest

from bot.access import NotAllowed
from bot.chat import Button, Text
from bot.replies.errors import About, failed, no_sandbox, not_allowed, refused
from bot.texts import Texts
from core.errors import ConfigError, ConfigFault, CoreError, DiskFull, ProjectGone, StoreError, UnknownProject
from core.model.events import Progress, ToolCall, ToolKind
from core.model.ids import ConversationId, ItemId, PromptId
from core.model.prompt import Prompt, Status
from core.model.turn import Turn, advance
from tests.support.fake_chat import visible

EN, FR = Texts("en", strict=True), Texts("fr", strict=True)
ABOUT = About("pi5", "Codex", "~/shop", "codex login", "shop")


def ended(reason: str, detail: str = "", texts: Texts = EN) -> Text:
    prompt = Prompt(
        PromptId(7), ConversationId(2), "Fix it.", Status.FAILED, 1.0, 0.0, reason=reason, detail=detail
    )
    return failed(prompt, ABOUT, texts)


def every_kind(kind: type[CoreError]) -> list[type[CoreError]]:
    return [kind, *(one for child in kind.__subclasses__() for one in every_kind(child))]


def test_a_login_that_is_missing_names_the_place_and_the_command() -> None:
    said = ended("engine.login", "401 Unauthorized")
    assert visible(said.markdown).split("\n")[0] == (
        "Codex isn’t logged in on pi5. There: codex login. Your message is kept."
    )
    assert "401 Unauthorized" in visible(said.markdown)
    assert said.buttons == (Button("Try again", "/queue again 7"),)
    assert not said.silent


def test_a_folder_that_is_gone_and_a_full_disk() -> None:
    gone = refused(ProjectGone(path="~/shop"), ABOUT, EN)
    assert visible(gone.markdown) == ("The project’s folder is gone: ~/shop. /project picks another."), (
        "nobody had written a message"
    )
    full = refused(DiskFull(), ABOUT, EN)
    assert visible(full.markdown) == (
        "The disk of pi5 is full. Nothing was lost; free some space, then try again."
    )


def test_a_folder_that_was_gone_is_named_as_it_was_then() -> None:
    """The project has another one by now, which is there."""
    assert "`/old/shop`" in ended("error.project_gone", "/old/shop").markdown
    assert "`~/shop`" in ended("error.project_gone").markdown, "nothing was kept of it"


@pytest.mark.parametrize("key", ["host.unknown", "engine.missing", "engine.login", "host.not_started"])
def test_a_message_is_kept_only_where_there_was_one(key: str) -> None:
    said = visible(refused(CoreError(key, host="moon", engine="Codex", project="shop"), ABOUT, EN).markdown)
    assert "kept" not in said
    assert visible(ended(key).markdown).endswith("Your message is kept.")


def test_killed_by_a_signal_is_said_with_its_number_once() -> None:
    said = visible(ended("prompt.killed", "9").markdown)
    assert said.startswith("Codex was killed (signal 9); probably memory ran out.")
    assert said.count("9") == 1


def test_set_aside_waits_for_a_person() -> None:
    said = ended("prompt.set_aside")
    assert said.markdown == "That went wrong twice. It waits for you."
    assert said.buttons == (Button("Carry on", "/queue again 7"), Button("Drop", "/queue drop 7"))


@pytest.mark.parametrize(
    "reason", ["prompt.stopped", "prompt.dropped", "prompt.dropped_elsewhere", "prompt.attachment"]
)
def test_what_a_person_ended_is_not_offered_again(reason: str) -> None:
    assert ended(reason).buttons == ()


@pytest.mark.parametrize("texts", [EN, FR])
@pytest.mark.parametrize(
    "reason",
    [
        "engine.rate_limit",
        "engine.thread_writer",
        "engine.busy",
        "engine.session_gone",
        "engine.usage_limit",
        "engine.context_full",
        "engine.failed",
        "engine.missing",
        "engine.malformed",
        "prompt.ended_early",
        "prompt.no_answer",
        "prompt.silent",
        "host.spool_full",
        "host.not_started",
    ],
)
def test_every_failure_is_worded_from_what_is_at_hand(reason: str, texts: Texts) -> None:
    said = ended(reason, "4", texts)
    assert said.markdown
    assert [button.intent for button in said.buttons] == ["/queue again 7"]


def test_the_engines_own_words_stay_words() -> None:
    said = ended("engine.failed", "model `gpt-9` *not* found\n```\nsee [docs](https://x.example)")
    assert visible(said.markdown).endswith("model `gpt-9` *not* found\n```\nsee [docs](https://x.example)")


def test_the_last_words_of_an_agent_that_died_are_shown() -> None:
    said = visible(ended("prompt.no_answer", "panic: no space").markdown)
    assert said.startswith("Codex ended without an answer.")
    assert said.endswith("panic: no space")
    said = visible(refused(StoreError(why="disk I/O error"), ABOUT, EN).markdown)
    assert said.endswith("disk I/O error")


def test_a_key_that_nobody_knows_is_named() -> None:
    assert "`engine.exploded`" in ended("engine.exploded").markdown


@pytest.mark.parametrize("kind", every_kind(CoreError))
def test_every_error_of_the_core_has_a_sentence(kind: type[CoreError]) -> None:
    assert EN.knows(kind.key)
    assert FR.knows(kind.key)


def test_fields_are_words_and_not_markup() -> None:
    said = refused(UnknownProject(name="*x* [a](b)"), ABOUT, EN)
    assert visible(said.markdown).startswith("There is no project called *x* [a](b).")
    said = refused(ProjectGone(path="a`b"), ABOUT, EN)
    assert "`a'b`" in said.markdown


def test_everything_wrong_with_the_configuration_is_said_at_once() -> None:
    error = ConfigError(
        [
            ConfigFault("config.bad.url", setting="telegram.base_url", value="ftp://*x*"),
            ConfigFault("config.bad.seconds", setting="silence_seconds", value="soon"),
            ConfigFault("config.unknown_key_near", setting="langage", value="…", near="language"),
        ]
    )
    said = visible(refused(error, ABOUT, EN).markdown)
    assert "telegram.base_url = ftp://*x*." in said
    assert "silence_seconds = soon. Expected: a number of seconds above 0." in said
    assert "Did you mean language?" in said


def test_somebody_without_the_right_is_told_who_has_it() -> None:
    assert not_allowed(NotAllowed("access.owner"), EN).markdown == "Only an owner can do that."
    ceiling = NotAllowed("access.ceiling", "workspace", "full")
    said = not_allowed(ceiling, EN, project="my_shop").markdown
    assert said.startswith("This project allows `workspace` at most.")
    assert "`roost project set my_shop --access full`" in said
    assert "`dossier du projet`" in not_allowed(ceiling, FR, project="shop").markdown


def a_turn(output: str, state: Progress = Progress.FAILED) -> Turn:
    return advance(Turn(), ToolCall(ItemId("1"), ToolKind.EXECUTE, "pwd", state, output=output))


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("bwrap: No permissions to create a new namespace", True),
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", True),
        ("error running landlock: Sandbox(LandlockRestrict)", True),
        ("bwrap: execvp nosuch: No such file or directory", False),
        ("grep: bwrap: No such file or directory", False),
    ],
)
def test_a_sandbox_that_cannot_be_set_up_is_told_beside_the_answer(output: str, *, told: bool) -> None:
    note = no_sandbox(a_turn(output), ABOUT, EN)
    assert (note is not None) is told
    assert no_sandbox(a_turn(output, Progress.COMPLETED), ABOUT, EN) is None


def test_the_words_about_a_sandbox_in_both_languages() -> None:
    turn = a_turn("bwrap: setting up uid map: Permission denied")
    said = [note for texts in (EN, FR) if (note := no_sandbox(turn, ABOUT, texts))]
    assert visible(said[0].markdown).startswith(
        "Commands of Codex failed because its sandbox can’t be set up on pi5."
    )
    assert said[0].markdown.endswith("`roost project set shop --access full`.")
    assert visible(said[1].markdown).startswith("Des commandes de Codex ont échoué")
    assert all(note.silent for note in said)
