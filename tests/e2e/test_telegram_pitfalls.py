"""What went wrong for others on Telegram (pitfalls, by number): which test shows that it doesn't here."""

from __future__ import annotations

import signal

import pytest

from tests.support.phone import phone
from tests.support.roost import Roost
from tests.support.tree import ROOT
from tests.telegram.client import picture
from tests.telegram.server import Rule

HERE = "e2e/test_telegram_pitfalls.py"
CASES = "e2e/test_telegram_cases.py"
ROOMS = "e2e/test_telegram_rooms.py"
SENT = "e2e/test_telegram_sent.py"
TOPICS, GROUPS = "e2e/test_telegram_topics.py", "e2e/test_telegram_groups.py"
SEEN = "e2e/test_telegram.py::test_what_is_seen_and_what_rings"
OUTBOX, PROGRESS = "bot/test_outbox.py", "bot/test_outbox_progress.py"
COVERED: dict[int | str, tuple[str, ...]] = {
    1: (SEEN, "bot/test_showing.py::test_a_short_turn_is_its_answer_alone_in_reply_and_rings_once"),
    2: (
        f"{HERE}::test_told_to_stop_it_waits_for_what_is_on_its_way",
        "e2e/test_telegram.py::test_killed_between_the_answer_and_its_sending",
        f"{OUTBOX}::test_only_what_may_be_there_already_says_so",
        "campaign/test_campaign.py::test_every_phone_gets_its_answer_once",
    ),
    3: (
        f"{CASES}::test_case_08_edits_that_fail_end_no_progress",
        f"{OUTBOX}::test_nothing_goes_into_a_closed_room_and_no_other_waits",
        f"{OUTBOX}::test_a_sign_never_goes_into_a_closed_room_and_its_own_flood_closes_it",
    ),
    4: (
        f"{CASES}::test_case_08_edits_that_fail_end_no_progress",
        f"{PROGRESS}::test_progress_that_may_be_there_never_becomes_a_second_message",
    ),
    5: (
        f"{CASES}::test_case_08_edits_that_fail_end_no_progress",
        f"{PROGRESS}::test_a_flood_makes_this_turn_slower_and_a_dead_network_does_not",
    ),
    6: (
        f"{HERE}::test_a_long_wait_truncates_no_answer",
        f"{OUTBOX}::test_half_an_hour_without_a_network_is_survived",
    ),
    7: (
        "e2e/test_telegram.py::test_stop_is_a_button_and_a_word_and_the_conversation_goes_on",
        "bot/test_receiving.py::test_a_cancel_acts_before_the_older_messages_of_its_batch_start",
    ),
    8: (
        f"{ROOMS}::test_case_33_another_poller_is_told_of_once_and_waited_for",
        f"{ROOMS}::test_case_33_a_second_service_here_leaves_the_bot_alone",
        "bot/telegram/test_poller.py::test_two_pollers_are_told_of_once_while_they_take_turns",
    ),
    9: (
        "cases/test_75_deaf_after_outage.py::test_a_black_hole",
        f"{ROOMS}::test_case_75_a_turn_that_ends_in_an_outage_is_answered_once",
        "bot/telegram/test_poller.py::test_health_is_the_time_of_the_last_poll",
    ),
    10: (
        "bot/test_receiving.py::test_the_same_update_seen_twice_is_one_prompt",
        "bot/test_receiving.py::test_words_that_came_before_a_kill_are_acted_on_once",
        f"{HERE}::test_what_was_said_while_it_was_away_runs_once_and_in_order",
    ),
    11: (
        f"{HERE}::test_what_was_said_while_it_was_away_runs_once_and_in_order",
        "bot/test_receiving.py::test_a_backlog_is_told_in_one_word_and_runs_in_order",
    ),
    12: (
        f"{TOPICS}::test_case_27_general_and_a_topic_are_two_conversations",
        f"{TOPICS}::test_topics_in_a_private_chat_are_conversations_of_its_project",
    ),
    13: (
        f"{TOPICS}::test_case_27_general_and_a_topic_are_two_conversations",
        "bot/telegram/test_translate.py::test_a_thread_is_one_in_a_topic_only",
    ),
    14: (
        f"{TOPICS}::test_case_28_an_answer_to_a_dead_topic_arrives_once",
        f"{TOPICS}::test_case_28_a_private_answer_whose_topic_is_gone_comes_without_it",
    ),
    15: (
        f"{TOPICS}::test_a_topic_that_a_person_makes_is_a_conversation_without_asking",
        "bot/telegram/test_translate.py::test_the_beginning_of_a_topic_is_nothing_that_was_replied_to",
    ),
    16: (f"{SENT}::test_pitfall_16_a_long_paste_is_one_turn_and_a_command_does_not_wait",),
    17: (f"{SENT}::test_pitfall_17_an_album_is_one_turn_with_all_of_its_pictures_and_captions",),
    18: (f"{SENT}::test_pitfall_18_a_batch_of_forwards_is_one_turn",),
    19: ("bot/telegram/test_adapter.py::test_marks_that_are_refused_cost_no_text",),
    20: (
        f"{CASES}::test_a_message_of_nothing_but_emoji_comes_back_whole",
        "bot/markup/test_properties.py::test_telegram_takes_every_prefix_whole",
        "bot/markup/test_telegram.py::test_more_than_the_parser_of_markup_would_take_is_no_matter",
    ),
    21: (
        f"{HERE}::test_a_picture_of_an_odd_shape_comes_as_a_document",
        f"{CASES}::test_case_13_what_cannot_be_sent_is_told",
        "bot/telegram/test_adapter.py::test_a_photo_that_is_none_goes_as_a_document",
    ),
    22: (
        f"{HERE}::test_the_menu_is_there_and_nothing_was_deleted_for_it",
        "bot/telegram/test_small.py::test_a_menu_is_cut_before_telegram_refuses_all_of_it",
    ),
    23: (SEEN, "bot/test_showing.py::test_typing_is_shown_while_it_works_and_never_after"),
    24: (
        f"{CASES}::test_a_button_from_last_year_says_what_became_of_it",
        f"{HERE}::test_a_button_pressed_twice_acts_once",
        "bot/test_receiving.py::test_a_stranger_cannot_press_what_was_said_to_others",
        "bot/telegram/test_adapter.py::test_a_press_that_is_too_old_is_no_error",
    ),
    25: (
        f"{GROUPS}::test_taken_in_it_asks_what_the_group_is_about_and_how_to_hear_more",
        f"{GROUPS}::test_pitfall_25_an_admin_answers_what_the_room_says",
    ),
    "+1": (f"{HERE}::test_no_message_is_rich_where_nobody_wished_for_it",),
    "+2": (
        f"{GROUPS}::test_pitfall_plus_2_a_forum_that_was_a_group_keeps_its_project_and_its_rules",
        f"{ROOMS}::test_a_group_that_becomes_a_supergroup_keeps_its_talk",
    ),
    "+3": (SEEN, "e2e/test_telegram_answers.py::test_an_answer_grows_in_the_progress_and_comes_once"),
    "+4": (
        "bot/telegram/test_adapter.py::test_pitfall_plus_4_the_bigger_a_file_the_longer_it_may_be_on_its_way",
    ),
    "+5": (f"{TOPICS}::test_pitfall_plus_5_a_busy_topic_holds_up_no_other_and_no_other_chat",),
    "case 21": (
        f"{SENT}::test_case_21_prompts_that_follow_quickly_stay_apart_and_in_order",
        f"{TOPICS}::test_case_21_a_topic_keeps_its_order_and_waits_for_no_other",
    ),
    "case 23": (f"{SENT}::test_case_23_a_forward_and_its_comment_are_one_turn",),
    "case 26": (
        f"{SENT}::test_case_26_a_quote_is_the_chosen_words_and_no_more",
        f"{SENT}::test_case_26_a_picture_that_is_replied_to_is_handed_over_with_its_caption",
        f"{SENT}::test_case_26_words_of_another_chat_are_told",
        f"{SENT}::test_case_26_what_is_quoted_is_no_command",
    ),
    "case 27": (f"{TOPICS}::test_case_27_general_and_a_topic_are_two_conversations",),
    "case 28": (
        f"{TOPICS}::test_case_28_an_answer_to_a_dead_topic_arrives_once",
        f"{TOPICS}::test_case_28_a_private_answer_whose_topic_is_gone_comes_without_it",
    ),
}


def test_each_is_in_the_table() -> None:
    known = {*range(1, 26), *(f"+{number}" for number in range(1, 6))}
    assert known | {f"case {number}" for number in (21, 23, 26, 27, 28)} == COVERED.keys()


@pytest.mark.parametrize("number", COVERED)
def test_what_the_table_names_is_there(number: int | str) -> None:
    for name in COVERED[number]:
        module, _, test = name.partition("::")
        assert f"def {test}(" in (ROOT / "tests" / module).read_text(), name


async def test_a_long_wait_truncates_no_answer(shop: Roost) -> None:
    shop.says("\n\n".join(f"Paragraph {n}. " + "word " * 150 for n in range(20)))
    flood = {"ok": False, "error_code": 429, "description": "Too Many Requests: retry after 7"}
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        body = {**flood, "parameters": {"retry_after": 7}}
        held.api.faults.add(Rule("sendMessage", nth=2, times=1, status=429, body=body))
        held.ann.writes("Go")
        await held.until("Paragraph 19.")
        told = "\n".join(held.chat.reads())
        assert [told.count(f"Paragraph {n}.") for n in range(20)] == [1] * 20
        assert "may be a repeat" not in told
        assert len(held.rung) == 1
        assert held.api.violations == []


async def test_what_was_said_while_it_was_away_runs_once_and_in_order(shop: Roost) -> None:
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        await held.end(signal.SIGTERM)
        asked = [held.ann.writes(f"Question {number}") for number in range(3)]
        await held.start()
        await held.api.until(lambda: len(held.rung) == 3)
        await held.restart(signal.SIGTERM)
        held.ann.writes("Question 3")
        await held.api.until(lambda: len(held.rung) == 4)
        answers = [m for m in held.chat.screen() if m.sender.is_bot and m.text == "Hi."]
        assert [m.reply_to.id for m in answers[:3] if m.reply_to] == [message.id for message in asked]
    assert len(shop.play.starts) == 4


async def test_told_to_stop_it_waits_for_what_is_on_its_way(shop: Roost) -> None:
    shop.says("Hi.", {"sleep": 1.7})
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.api.faults.add(Rule("sendMessage", times=2, delay=0.5))
        held.ann.writes("Go")
        await held.until("⏳")
        await held.restart(signal.SIGTERM)
        await held.until("Hi.")
        await held.restart(signal.SIGTERM)
        await held.until("✓ 0:0")
        assert held.chat.reads()[1:] == [held.one("✓ 0:0").text, "Hi."]
        assert held.rung == ["Hi."]


async def test_a_picture_of_an_odd_shape_comes_as_a_document(shop: Roost) -> None:
    (shop.shop / "output").mkdir()
    (shop.shop / "output/thin.png").write_bytes(picture(2100, 60))
    shop.says("Look:\n\n![thin](output/thin.png)")
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.api.until(lambda: any(message.media for message in held.chat.screen()))
        (sent,) = [message for message in held.chat.screen() if message.media]
        assert sent.document
        assert str(shop.home) not in "\n".join(held.chat.reads())


async def test_no_message_is_rich_where_nobody_wished_for_it(shop: Roost) -> None:
    """Some clients show nothing of one, and nobody learns which (telegram.md §1.3)."""
    shop.says("# Teas\n\n| tea | boxes |\n|---|---|\n| green | 12 |\n\n- [x] counted\n\n$a^2$")
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("counted")
        assert not any("rich" in call.method.lower() for call in held.api.called())
        assert not any("rich_message" in call.params for call in held.api.called())


async def test_the_menu_is_there_and_nothing_was_deleted_for_it(shop: Roost) -> None:
    async with phone(shop) as held:
        await held.start()
        await held.api.until(lambda: held.api.bot.commands)
        assert not held.api.called("deleteMyCommands")
        assert any(told["command"] == "cancel" for menu in held.api.bot.commands.values() for told in menu)


async def test_a_button_pressed_twice_acts_once(shop: Roost) -> None:
    shop.holds()
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("⏳")
        shown = held.one("⏳")
        presses = [held.ann.presses("Stop", shown) for _ in range(2)]
        await held.until("Stopped after 0:0")
        await held.api.until(lambda: all(press.answered for press in presses))
        assert sum(read.startswith("Stopped after") for read in held.chat.reads()) == 1
        assert held.rung == []
