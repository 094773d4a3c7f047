"""What every engine does, whichever program it drives: its words, and how it reads its recordings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.port import Decoder, Engine, Failure
from core.model.events import (
    Compacted,
    EngineEvent,
    Malformed,
    Message,
    SessionStarted,
    ToolCall,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Unrecognised,
)
from core.model.ids import SessionId
from core.model.launch import Launch
from core.model.project import Access
from core.model.request import TurnRequest
from tests.support.engines import decoder_of

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
NAMES_SESSION = re.compile(rb'"(session_id|sessionID|thread_id|sessionId)": ?"|"type": ?"session"')
NOISE = (
    b"",
    b"\r",
    b"   ",
    b"\x1b[?25l\x1b[2K",
    b"\x1b[33m[WARN]\x1b[0m 12:00:01 something is slow",
    b"=== Welcome to the agent 1.2.3 ===",
    b"npm warn deprecated",
    b'{"type":"',
    b'"text":"half"}}',
    b"null",
    b"[]",
    b"{}",
    b"17",
    b'{"type":"of.another.version","id":1}',
    b'{"type":"error"}',
    b"\xff\xfe\x00",
)
SECRET = "sk-very-secret-0123456789"
ENV = {"HOME": "/h", "PATH": "/bin", "SOME_API_KEY": SECRET, "ODD": "a=b\nc"}
PROMPTS = (
    "--help",
    "-",
    "/compact",
    "@file $(id) `id`",
    "\n  äöü 😀 \r\n\t\n",
    "-" + "p" * 300_000,
)
SESSION = SessionId("01a22b60-cce2-7f23-9a62-3de2fc530894")


FAILURES = {
    "exceeded retry limit, last status: 429 Too Many Requests": Failure.RATE_LIMIT,
    "You've hit your usage limit. Try again at 1:00 PM.": Failure.USAGE_LIMIT,
    "unexpected status 401 Unauthorized": Failure.LOGIN,
    "connect ETIMEDOUT 10.0.0.1:443": Failure.OTHER,
    "529 Overloaded": Failure.SERVICE,
    "": Failure.OTHER,
}


@dataclass(frozen=True)
class Driven:
    """*engine* and the folder of its recordings. Those named in *unended* have no end: the program was
    killed, or ended without a word. *decoder*: one for the turn that was recorded, where it depends on what
    was said; *warm*: only recordings of turns whose process was there already, or of others."""

    engine: Engine
    transcripts: str
    unended: frozenset[str] = frozenset()
    decoder: Callable[[], Decoder] | None = None
    warm: bool | None = None

    @property
    def recordings(self) -> list[Path]:
        every = sorted((TRANSCRIPTS / self.transcripts).glob("*.jsonl"))
        return [path for path in every if self.warm in (None, path.stem.endswith("_warm"))]

    def read(self, chunks: Iterable[bytes]) -> list[EngineEvent]:
        decoder = self.new()
        return [event for chunk in chunks for event in decoder.feed(chunk)] + decoder.finish()

    def new(self) -> Decoder:
        return self.decoder() if self.decoder else decoder_of(self.engine)

    def launch(self, text: str = "x", **more: object) -> Launch:
        access = more.pop("access", Access.WORKSPACE)
        request = TurnRequest("/p", text, access, ENV, **more)  # type: ignore[arg-type]
        return self.engine.launch(("/usr/bin/program", "--own"), request)


def is_noise(event: EngineEvent) -> bool:
    return isinstance(event, Malformed | Unrecognised)


def is_end(event: EngineEvent) -> bool:
    return isinstance(event, TurnCompleted | TurnFailed)


def substance(events: Iterable[EngineEvent]) -> list[object]:
    """What may not be lost or doubled, without the numbers that a new decoder gives anew."""
    kept: list[object] = []
    for event in events:
        match event:
            case Message(_, text):
                kept.append(text)
            case ToolCall(item, _, _, progress):
                kept.append((item, progress))
            case TurnCompleted() | TurnFailed():
                kept.append(type(event))
    return kept


class HeardConformance:
    """What holds of every engine's words, whether it is spoken to or not. Give a subclass the fixture
    `driven`."""

    def test_it_was_recorded(self, driven: Driven) -> None:
        assert driven.recordings
        assert driven.unended <= {path.stem for path in driven.recordings}

    def test_a_turn_ends_once_and_that_is_its_last_word(self, driven: Driven) -> None:
        for path in driven.recordings:
            ends = [is_end(event) for event in driven.read([path.read_bytes()])]
            if path.stem in driven.unended:
                assert not any(ends), path
            else:
                assert ends[-1], path
                assert sum(ends) == 1, path

    def test_what_comes_after_its_end_ends_it_no_second_time(self, driven: Driven) -> None:
        for path in driven.recordings:
            decoder = driven.new()
            events = decoder.feed(path.read_bytes()) + decoder.finish()
            if any(is_end(event) for event in events):
                assert not [event for event in decoder.finish() if is_end(event)]

    def test_the_session_is_named_first(self, driven: Driven) -> None:
        for path in driven.recordings:
            events = [type(event) for event in driven.read([path.read_bytes()]) if not is_noise(event)]
            if SessionStarted in events:
                assert events.index(SessionStarted) == 0, path
            if TurnStarted in events:
                assert SessionStarted in events, path

    def test_a_turn_starts_once_at_most(self, driven: Driven) -> None:
        for path in driven.recordings:
            events = driven.read([path.read_bytes()])
            assert sum(isinstance(event, TurnStarted) for event in events) <= 1, path
            if isinstance(events[-1], TurnCompleted):
                compacts = any(isinstance(event, Compacted) for event in events)
                assert compacts or TurnStarted() in events, path

    @given(data=st.data())
    def test_the_cuts_of_the_bytes_make_no_difference(self, driven: Driven, data: st.DataObject) -> None:
        raw = data.draw(st.sampled_from(driven.recordings)).read_bytes()
        places = data.draw(st.lists(st.integers(0, len(raw)), max_size=20))
        chunks = [raw[start:end] for start, end in pairwise([0, *sorted(places), len(raw)])]
        assert driven.read(chunks) == driven.read([raw])

    @given(data=st.data())
    def test_noise_between_the_lines_changes_nothing(self, driven: Driven, data: st.DataObject) -> None:
        raw = data.draw(st.sampled_from(driven.recordings)).read_bytes()
        noisy: list[bytes] = []
        for line in raw.splitlines(keepends=True):
            noisy += [noise + b"\n" for noise in data.draw(st.lists(st.sampled_from(NOISE), max_size=2))]
            noisy.append(line)
        told = [event for event in driven.read([b"".join(noisy)]) if not is_noise(event)]
        assert told == [event for event in driven.read([raw]) if not is_noise(event)]

    @given(data=st.data())
    def test_a_spool_that_was_cut_off_ends_at_most_once(self, driven: Driven, data: st.DataObject) -> None:
        raw = data.draw(st.sampled_from(driven.recordings)).read_bytes()
        events = driven.read([raw[: data.draw(st.integers(0, len(raw)))]])
        assert sum(map(is_end, events)) <= 1

    @given(chunks=st.lists(st.binary(max_size=60), max_size=8))
    def test_nothing_escapes(self, driven: Driven, chunks: list[bytes]) -> None:
        assert all(map(is_noise, driven.read(chunks)))

    def test_common_failures_sort(self, driven: Driven) -> None:
        for resumed in (True, False):
            found = {text: driven.engine.sort(text, resumed=resumed) for text in FAILURES}
            assert found == FAILURES

    @pytest.mark.parametrize("text", PROMPTS, ids=lambda text: repr(text[:12]))
    def test_the_prompt_arrives_byte_for_byte_and_is_no_word(self, driven: Driven, text: str) -> None:
        launch = driven.launch(text)
        assert launch.argv == driven.launch("another prompt").argv
        if not launch.spoken:
            assert launch.input == text.encode()

    @pytest.mark.parametrize("access", list(Access))
    def test_the_environment_is_passed_whole(self, driven: Driven, access: Access) -> None:
        assert driven.launch(access=access).env.items() >= ENV.items()


class EngineConformance(HeardConformance):
    """And of engines that are told everything at once. A subclass has the same fixture."""

    def test_a_session_that_is_named_is_told(self, driven: Driven) -> None:
        for path in driven.recordings:
            data = path.read_bytes()
            events = map(type, driven.read([data]))
            assert (SessionStarted in events) == bool(NAMES_SESSION.search(data)), path

    @given(data=st.data())
    def test_a_restart_loses_nothing_and_doubles_nothing(self, driven: Driven, data: st.DataObject) -> None:
        raw = data.draw(st.sampled_from(driven.recordings)).read_bytes()
        first = driven.new()
        before = first.feed(raw[: data.draw(st.integers(0, len(raw)))])
        after = [] if any(map(is_end, before)) else driven.read([raw[first.consumed :]])
        assert substance(before + after) == substance(driven.read([raw]))

    @pytest.mark.parametrize("access", list(Access))
    @pytest.mark.parametrize("session", [None, SESSION])
    def test_the_words_begin_with_the_program_and_hold_no_secret(
        self, driven: Driven, access: Access, session: SessionId | None
    ) -> None:
        launch = driven.launch(
            access=access, session=session, model="m/x", effort="high", images=("/a b.png",)
        )
        assert launch.argv[:2] == ("/usr/bin/program", "--own")
        assert not [word for word in launch.argv if SECRET in word]
        assert SECRET.encode() not in launch.input
        assert launch.cwd == "/p"
        if session and not launch.spoken:
            assert session in launch.argv

    def test_less_access_is_other_words(self, driven: Driven) -> None:
        asked = [driven.launch(access=access) for access in Access]
        assert len({(launch.argv, tuple(sorted(launch.env.items()))) for launch in asked}) == len(Access)
