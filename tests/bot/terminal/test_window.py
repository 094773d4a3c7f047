"""The line that one types in: keys, paste, commands, and how one leaves."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from bot.terminal.draw import Paper
from bot.terminal.window import Commands, Window

CTRL_C, CTRL_D, ALT_ENTER, ENTER = "\x03", "\x04", "\x1b\r", "\r"
COMMANDS = {"status": "what runs", "stop": "stop what runs", "queue": "what waits"}


class Out(io.StringIO):
    encoding = "utf-8"


@contextmanager
def opened(stop: Callable[[], bool] = lambda: False) -> Iterator[tuple[Window, PipeInput, Out]]:
    out = Out()
    with create_pipe_input() as keys:
        output = Vt100_Output(out, lambda: Size(rows=24, columns=60), enable_cpr=False)
        paper = Paper(lambda name, called: Path(name))
        window = Window(paper, stop=stop, typing=keys, output=output)
        window.commands, window.hint = COMMANDS, "Write"
        yield window, keys, out


async def test_a_line_is_what_was_typed() -> None:
    with opened() as (window, keys, out):
        keys.send_text(f"Why *so* slow?{ENTER}")
        assert await window.read() == "Why *so* slow?"
        await window.echo("Why *so* slow?")
        assert "› Why *so* slow?" in out.getvalue()


async def test_what_is_echoed_drives_no_terminal() -> None:
    with opened() as (window, _, out):
        await window.echo("one\x1b[2J\rtwo\x9b")
        assert "\x1b[2J" not in out.getvalue()
        assert "\x9b" not in out.getvalue()


async def test_what_is_pasted_is_one_prompt_however_many_lines_it_has() -> None:
    with opened() as (window, keys, _):
        keys.send_text(f"\x1b[200~one\r\ntwo\r\nthree\x1b[201~{ENTER}")
        assert await window.read() == "one\ntwo\nthree"


async def test_a_line_can_be_broken() -> None:
    with opened() as (window, keys, _):
        keys.send_text(f"one{ALT_ENTER}two{ENTER}")
        assert await window.read() == "one\ntwo"


async def test_control_d_and_control_c_leave_an_empty_line() -> None:
    for key in (CTRL_C, CTRL_D):
        with opened() as (window, keys, _):
            keys.send_text(key)
            assert await window.read() is None


async def test_control_c_clears_a_line_first() -> None:
    with opened() as (window, keys, _):
        keys.send_text(f"not this{CTRL_C}but this{ENTER}")
        assert await window.read() == "but this"


async def test_control_c_stops_what_runs_and_keeps_the_line() -> None:
    stopped: list[bool] = []

    def stop() -> bool:
        stopped.append(True)
        return True

    with opened(stop) as (window, keys, _):
        keys.send_text(f"next{CTRL_C}{ENTER}")
        assert await window.read() == "next"
    assert stopped == [True]


async def test_what_is_said_stands_above_what_changes() -> None:
    with opened() as (window, keys, out):
        reading = asyncio.create_task(window.read())
        window.live(["⏳ Codex · shop · 0:12"])
        await asyncio.sleep(0)
        await window.put("Nothing waits here.", ring=False)
        keys.send_text(ENTER)
        await reading
        seen = out.getvalue()
        assert seen.index("Nothing waits here.") < seen.rindex("⏳ Codex · shop · 0:12")
        assert "\a" not in seen


async def test_progress_leaves_room_to_type() -> None:
    with opened() as (window, keys, out):
        window.live([f"line {number}" for number in range(100)])
        keys.send_text(ENTER)
        await window.read()
        assert "line 99" in out.getvalue()
        assert "line 79" not in out.getvalue()


def test_commands_are_completed_and_words_are_not() -> None:
    completer = Commands(lambda: COMMANDS)

    def offered(text: str) -> list[str]:
        return [one.text for one in completer.get_completions(Document(text), CompleteEvent())]

    assert offered("/st") == ["/status", "/stop"]
    assert offered("/QUE") == ["/queue"]
    assert offered("/stop now") == []
    assert offered("status") == []


async def test_odd_keys_are_no_letters() -> None:
    with opened() as (window, keys, _):
        keys.send_text(f"\x1a/sta\x1atus\x1bOP\x1c{ENTER}")
        assert await window.read() == "/status"
