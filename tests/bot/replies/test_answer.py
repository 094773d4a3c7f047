"""An answer as a person gets it."""

from __future__ import annotations

from bot.chat import Button, MessageRef
from bot.replies.answer import answer
from bot.texts import Texts
from core.model.answer import Placed, StoredMessage
from core.model.ids import ConversationId, MessageId, PromptId
from tests.support.fake_chat import visible

EN, FR = Texts("en", strict=True), Texts("fr", strict=True)


def stored(text: str, *placed: Placed, partial: bool = False) -> StoredMessage:
    return StoredMessage(MessageId(3), ConversationId(2), PromptId(7), "assistant", text, placed, partial)


def test_an_answer_rings_in_reply_to_its_prompt() -> None:
    said = answer(stored("**Done.** See `a.py`."), EN, reply_to=MessageRef("55"))
    assert (said.markdown, said.reply_to, said.silent) == ("**Done.** See `a.py`.", "55", False)


def test_pictures_stay_where_the_text_has_them() -> None:
    photo = Placed("out/c.png", "photo", "ab12.webp", name="c.png")
    said = answer(stored("Before.\n\n![c](out/c.png)\n\nAfter.", photo), EN)
    assert said.placed == (photo,)
    assert visible(said.markdown, ("out/c.png",)) == "Before.\n[out/c.png]\nAfter."


def test_a_refused_picture_stays_text_with_a_note() -> None:
    refused = Placed("../x y.png", "refused", reason="file.outside")
    said = answer(stored("See ![x](<../x y.png>).", refused), EN)
    assert said.placed == ()
    assert visible(said.markdown).endswith("(../x y.png: not in the project’s folder)")
    assert answer(stored("x", refused), FR).markdown.endswith("(`../x y.png` : hors du dossier du projet)")


def test_what_was_said_before_a_cancel_is_marked() -> None:
    assert answer(stored("The first half", partial=True), EN).markdown == "The first half\n\n*Stopped here.*"


def test_marks_stand_on_lines_of_their_own() -> None:
    said = answer(stored("שלום"), EN, late="02:14", repeat=True)
    assert said.markdown.split("\n\n") == ["(from 02:14)", "(may be a repeat)", "שלום"]


def test_code_at_the_edges_stays_code() -> None:
    fenced = "```py\nx = 1\n```"
    assert answer(stored(f"\n{fenced}\n", partial=True), EN).markdown.startswith(fenced + "\n\n")


def test_an_answer_without_words_says_so() -> None:
    assert answer(stored("\n"), EN).markdown == "Done, without a word."


def test_a_file_to_which_it_links_is_a_button_and_one_that_was_made_is_sent() -> None:
    made = Placed("output/report.pdf", "made", "ab12.pdf", name="report.pdf")
    linked = Placed("src/a very long name of a module.py", "linked", name="a very long name of a module.py")
    said = answer(stored("[r](output/report.pdf)", made, linked), EN)
    assert said.placed == (made,)
    assert said.buttons == (Button("a very long name of a modul…", "/get #3 1"),)


def test_the_original_of_a_picture_that_was_made_smaller_is_a_button() -> None:
    wide = Placed("wide.png", "photo", "ab12.png", "cd34.png", "wide.png")
    assert answer(stored("![w](wide.png)", wide), EN).buttons == (Button("wide.png, full size", "/get #3 0"),)
    assert answer(stored("![w](wide.png)", wide), FR).buttons == (
        Button("wide.png, taille réelle", "/get #3 0"),
    )


def test_of_very_many_files_the_first_are_buttons() -> None:
    many = (Placed(f"{n}.py", "linked", name=f"{n}.py") for n in range(20))
    assert [one.label for one in answer(stored("x", *many), EN).buttons] == [f"{n}.py" for n in range(8)]
