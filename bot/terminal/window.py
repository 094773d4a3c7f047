"""A screen with a line to type in: what stays above it, what still changes right over it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from prompt_toolkit import PromptSession
from prompt_toolkit.application import in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import ANSI, FormattedText, merge_formatted_text
from prompt_toolkit.formatted_text.base import AnyFormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import Output
from prompt_toolkit.styles import Style

from bot.terminal.draw import DIM, RESET, Paper
from core.answers.markdown import clean

SIGN = "› "
LOOKS_AWAY = 10.0
"""Seconds after the last key from which on an answer rings the terminal's bell."""
LOOK = Style.from_dict(
    {
        "bottom-toolbar": "noreverse fg:ansibrightblack",
        "placeholder": "fg:ansibrightblack",
        "sign": "bold fg:ansicyan",
    }
)
KEPT_FREE = 4
"""Lines of the terminal that progress leaves for what is typed."""


class Commands(Completer):
    """Names of commands after a `/` at the beginning; *names* gives them with what each does."""

    def __init__(self, names: Callable[[], Mapping[str, str]]) -> None:
        self._names = names

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        word = document.text_before_cursor
        if not word.startswith("/") or " " in word:
            return
        for name, meaning in self._names().items():
            if name.startswith(word[1:].casefold()):
                yield Completion(f"/{name}", start_position=-len(word), display_meta=meaning)


class Window:
    """*stop* is Ctrl-C: it returns whether something was stopped; if not, the line or the chat is left.
    *commands* are offered after a `/`, each with what it does, *hint* stands in the empty line, and *colon*
    is as the reader's language writes it."""

    commands: Mapping[str, str] = MappingProxyType({})
    hint = ""
    colon = ": "

    def __init__(
        self,
        paper: Paper,
        *,
        stop: Callable[[], bool],
        typing: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self._paper = paper
        self._stop = stop
        self._live: list[str] = []
        self._touched = time.monotonic()
        self._writing = asyncio.Lock()
        self.footer = ""
        self._session: PromptSession[str] = PromptSession(
            self._message,
            multiline=False,
            history=InMemoryHistory(),
            completer=Commands(lambda: self.commands),
            complete_while_typing=True,
            reserve_space_for_menu=0,
            placeholder=lambda: FormattedText([("class:placeholder", self.hint)]),
            prompt_continuation="  ",
            bottom_toolbar=lambda: FormattedText([("", self.footer)]),
            key_bindings=self._keys(),
            erase_when_done=True,
            style=LOOK,
            input=typing,
            output=output,
        )

    @property
    def paper(self) -> Paper:
        size = self._session.output.get_size()
        return replace(self._paper, columns=size.columns, rows=size.rows, colon=self.colon)

    async def read(self) -> str | None:
        """What was typed and sent; None when the person leaves."""
        try:
            text = await self._session.prompt_async()
        except EOFError:
            return None
        self._touched = time.monotonic()
        return text

    def leave(self) -> None:
        """As if the person left."""
        if self._session.app.is_running:
            self._session.app.exit(exception=EOFError())

    async def put(self, text: str, *, ring: bool) -> None:
        bell = "\a" if ring and time.monotonic() - self._touched > LOOKS_AWAY else ""
        async with self._writing, in_terminal():
            output = self._session.output
            output.write_raw(f"{bell}{text}\n\n".replace("\n", "\r\n"))
            output.flush()

    async def echo(self, text: str) -> None:
        """What was sent stays where it was typed; pasted control characters drive no terminal."""
        first, *rest = clean(text).split("\n")
        lines = [f"{SIGN}{first}", *(f"  {line}" for line in rest)]
        await self.put("\n".join(f"{DIM}{line}{RESET}" for line in lines), ring=False)

    def live(self, lines: Sequence[str]) -> None:
        before, self._live = len(self._live), "\n".join(lines).split("\n") if lines else []
        app = self._session.app
        if app.is_running and len(self._live) < before:
            app.renderer.erase()  # what is drawn next is as tall as before, else
        app.invalidate()

    def _message(self) -> AnyFormattedText:
        most = max(1, self._session.output.get_size().rows - KEPT_FREE)
        shown = "".join(f"{line}\n" for line in self._live[-most:])
        return merge_formatted_text(
            [ANSI(f"{shown}\n" if shown else ""), FormattedText([("class:sign", SIGN)])]
        )

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            if self._stop():
                return
            if event.current_buffer.text:
                event.current_buffer.reset()
            else:
                self.leave()

        @keys.add("c-z")
        def _(event: KeyPressEvent) -> None:
            """No letter. Nor is the chat put aside by it: others may wait for what it dispatches."""

        @keys.add("escape", "enter")
        def _(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text("\n")

        return keys
