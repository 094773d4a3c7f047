"""One turn of the built-in agent: read the prompt, do what it asks for, answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from core.demo.memory import Memory, Session
from core.demo.report import report
from core.demo.speech import Speech
from core.demo.words import ENGLISH, LANGUAGES, Words

TITLE_WANTED = "roost-title"
"""Where this stands in the prompt, a title is to come first in the answer, as an HTML comment."""
LONGEST_SLEEP = 3600
ENDING = frozenset((signal.SIGTERM,))


@dataclass(frozen=True, slots=True)
class Turn:
    """*words* are the first line of the prompt, *titled* whether it asks for a title."""

    session: Session
    words: str
    titled: bool
    language: Words
    writable: bool

    @property
    def rest(self) -> str:
        """What follows the first word."""
        return self.words.partition(" ")[2].strip()

    def answer(self, text: str, title: str = "") -> str:
        """*text* with its title, if one was asked for."""
        title = (title or self.words)[:60].replace("--", "–").strip()
        return f"<!-- roost-title: {title} -->\n{text}" if self.titled else text


def main(arguments: Sequence[str]) -> int:
    """The exit status: 0 for an answer, 1 for a failure."""
    signal.signal(signal.SIGTERM, _ended)
    options = _options(arguments)
    speech = Speech(sys.stdout, float(os.environ.get("DEMO_PACE", "1")))
    language = LANGUAGES.get(options.language[:2], ENGLISH)
    memory = Memory.of(os.environ)
    session = _session(memory, options)
    if session is None:
        return _fail(speech, language.gone.format(session=options.session or options.fork))
    prompt = sys.stdin.buffer.read().decode("utf-8", "replace")
    words = next((line.strip() for line in prompt.splitlines() if line.strip()), "")
    turn = Turn(session, words, TITLE_WANTED in prompt, language, options.access != "read-only")
    try:
        memory.keep(session.heard(words))
        speech.say("session", id=session.id)
        speech.say("turn")
        return _command(words)(speech, turn)
    except OSError as error:  # a disk that is full, a directory that is not ours
        return _fail(speech, str(error))


def _options(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser("roost-demo", description=__doc__)
    parser.add_argument("--session", default="")
    parser.add_argument("--fork", default="")
    parser.add_argument("--language", default="en")
    parser.add_argument("--access", default="workspace")
    return parser.parse_args(arguments)


def _session(memory: Memory, options: Namespace) -> Session | None:
    """Another one that knows what was said in the one that it is forked from; None where that is not kept."""
    if options.session:
        return memory.recall(options.session)
    parent = memory.recall(options.fork) if options.fork else Session()
    return parent and parent.forked()


def _ended(_signal: int, _frame: FrameType | None) -> None:
    sys.exit(128 + signal.SIGTERM)


def _fail(speech: Speech, text: str) -> int:
    speech.say("failed", text=text)
    return 1


def _look(speech: Speech, turn: Turn) -> int:
    text, title = report(speech, turn.language, turn.session, writable=turn.writable)
    speech.answer(turn.answer(text, title))
    return 0


def _help(speech: Speech, turn: Turn) -> int:
    speech.answer(turn.answer(turn.language.help))
    return 0


def _echo(speech: Speech, turn: Turn) -> int:
    speech.answer(turn.answer(turn.rest))
    return 0


def _slow(speech: Speech, turn: Turn) -> int:
    asked = turn.rest.split()
    seconds = min(int(asked[0]), LONGEST_SLEEP) if asked and asked[0].isdecimal() else 30
    with (
        speech.step("execute", turn.language.slow.format(seconds=seconds)) as step,
        _sleeping(seconds) as child,
    ):
        for passed in range(1, seconds + 1):
            try:
                child.wait(1)
            except subprocess.TimeoutExpired:
                step.output += turn.language.tick.format(passed=passed, seconds=seconds)
                step.tell("in_progress")
        step.exit_code = child.wait()
    speech.answer(turn.answer(turn.language.slept.format(seconds=seconds)))
    return 0


@contextmanager
def _sleeping(seconds: int) -> Iterator[subprocess.Popen[bytes]]:
    """A program in a session of its own, as the large agents run theirs. SIGTERM is held back until its
    end is sure."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    words = ("sleep", str(seconds))
    quiet = subprocess.DEVNULL
    child = subprocess.Popen(words, stdin=quiet, stdout=quiet, start_new_session=True, preexec_fn=_heed)
    try:
        _heed()
        yield child
    finally:
        child.kill()


def _heed() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


COMMANDS: dict[str, Callable[[Speech, Turn], int]] = {
    "help": _help,
    "slow": _slow,
    "echo": _echo,
    "fail": lambda speech, turn: _fail(speech, turn.language.failure),
    "rate limit": lambda speech, _: _fail(speech, "429 Too Many Requests"),
}


def _command(words: str) -> Callable[[Speech, Turn], int]:
    said = words.lower()
    return next((run for name, run in COMMANDS.items() if said == name or said.startswith(f"{name} ")), _look)
