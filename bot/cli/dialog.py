"""Questions for whoever set the command off: asked on stderr, answered on stdin, a line each."""

from __future__ import annotations

import getpass
import sys
from typing import TextIO

import click

from bot.cli.screen import drawn, say
from bot.texts import Texts
from core.errors import Refused


class Dialog:
    """At a terminal a secret is not shown while it is typed. Errors: `Refused` where no answer comes any
    more."""

    def __init__(self, texts: Texts, answers: TextIO | None = None) -> None:
        self._texts = texts
        self._answers = answers or sys.stdin

    def tell(self, key: str, **fields: object) -> None:
        say(self._texts.say(key, **fields))

    def ask(self, key: str, *, secret: bool = False, **fields: object) -> str:
        """The answer, without the space around it."""
        prompt = f"{drawn(self._texts.say(key, **fields), terminal=sys.stderr.isatty())} "
        typed = self._answers.isatty()
        if secret and typed:
            return getpass.getpass(prompt).strip()
        click.echo(prompt, err=True, nl=not typed)
        if not (line := self._answers.readline()):
            raise Refused("setup.no_answers")
        return line.strip()
