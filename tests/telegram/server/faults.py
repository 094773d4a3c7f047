"""Faults on demand: rules as the cases write them, and chance."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from tests.telegram.server.params import Json
from tests.telegram.server.wire import Answer

GATEWAY = b"<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>502 Bad Gateway</body>\r\n</html>"
BAD_GATEWAY = Answer(502, GATEWAY, "text/html")
BROKEN = Answer(500, b'{"ok":false,"error_code":500,"description":"Internal Server Error"}')


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to one call. *store_anyway*: it is processed all the same. The connection is dropped where
    there is no *answer*, after *hang* seconds; *delay* seconds only hold the right answer up."""

    answer: Answer | None = None
    store_anyway: bool = False
    hang: float = 0.0
    delay: float = 0.0

    @property
    def retry_after(self) -> int:
        if self.answer is None or self.answer.status != 429:
            return 0
        told = json.loads(self.answer.body).get("parameters", {}).get("retry_after", 0)
        return told if isinstance(told, int) else 0


@dataclass(frozen=True, slots=True)
class Rule:
    """`api_faults.json`, key by key; besides: *hang*, *delay* (seconds), *html* (a 502 as a proxy words it).
    The count of *nth*, *times* and *every* is of the calls that the rule is about; *after_ms* runs from
    when the rule was set, *for_seconds* from its first hit. *method* `file` is a download."""

    method: str = ""
    any_method: bool = False
    nth: int = 0
    times: int = 0
    every: int = 0
    for_seconds: float = 0.0
    after_ms: float = 0.0
    when_text_contains: str = ""
    when_param: Json = field(default_factory=dict)
    when_param_present: str = ""
    status: int = 0
    body: object = field(default_factory=dict)
    drop_connection: bool = False
    store_anyway: bool = False
    hang: float = 0.0
    delay: float = 0.0
    html: bool = False

    def about(self, method: str, told: Json) -> bool:
        """Methods are told apart without their case."""
        words = f"{told.get('text', '')} {told.get('caption', '')}"
        return (
            (self.any_method or self.method.lower() == method.lower())
            and self.when_text_contains in words
            and all(told.get(name) == value for name, value in self.when_param.items())
            and (not self.when_param_present or self.when_param_present in told)
        )

    def hits(self, count: int) -> bool:
        """Whether the call of that number (from 1) is hit."""
        first = self.nth or 1
        if self.every:
            return count % self.every == 0 and not 0 < self.times < count // self.every
        times = self.times or (1 if self.nth else 0)
        return count >= first and (not times or count < first + times)

    def fault(self) -> Fault:
        if self.html:
            return Fault(BAD_GATEWAY, self.store_anyway)
        if self.status:
            return Fault(Answer(self.status, json.dumps(self.body).encode()), self.store_anyway)
        return Fault(None, self.store_anyway or bool(self.delay), self.hang, self.delay)


@dataclass(slots=True)
class Armed:
    rule: Rule
    since: float
    count: int = 0
    first_hit: float | None = None

    def hit(self, method: str, told: Json, now: float) -> bool:
        early = now < self.since + self.rule.after_ms / 1000
        if early or not self.rule.about(method, told):
            return False
        self.count += 1
        if not self.rule.hits(self.count):
            return False
        self.first_hit = now if self.first_hit is None else self.first_hit
        return not self.rule.for_seconds or now < self.first_hit + self.rule.for_seconds


@dataclass(slots=True)
class Faults:
    clock: Callable[[], float]
    _armed: list[Armed] = field(default_factory=list)
    _chance: random.Random | None = None
    _share: float = 0.0
    _longest_hang: float = 0.0

    def add(self, rule: Rule) -> Armed:
        """From now on; `remove` ends it. Its `count` tells how many calls it was about."""
        self._armed.append(Armed(rule, self.clock()))
        return self._armed[-1]

    def load(self, rules: Iterable[Json]) -> None:
        """The entries of an `api_faults.json`."""
        for rule in rules:
            self.add(Rule(**rule))

    def remove(self, armed: Armed) -> None:
        self._armed.remove(armed)

    def by_chance(self, seed: int, *, share: float = 0.03, longest_hang: float = 2.0) -> None:
        """That *share* of all calls fails, each in one of the seven ways a call can."""
        self._chance, self._share, self._longest_hang = random.Random(seed), share, longest_hang

    def clear(self) -> None:
        self._armed.clear()
        self._chance = None

    def next(self, method: str, told: Json) -> Fault | None:
        """What this call shall suffer; the oldest rule wins, and each one counts."""
        now = self.clock()
        hit = [armed.rule.fault() for armed in self._armed if armed.hit(method, told, now)]
        if hit:
            return hit[0]
        return self._drawn() if self._chance and self._chance.random() < self._share else None

    def _drawn(self) -> Fault:
        assert self._chance is not None
        flood = {"ok": False, "error_code": 429, "description": "Too Many Requests: retry after 1"}
        shut = Answer(429, json.dumps({**flood, "parameters": {"retry_after": 1}}).encode())
        ways = (
            Fault(),
            Fault(store_anyway=True),
            Fault(shut),
            Fault(BROKEN, store_anyway=self._chance.random() < 0.5),
            Fault(BAD_GATEWAY, store_anyway=self._chance.random() < 0.5),
            Fault(hang=1.0, store_anyway=self._chance.random() < 0.5),
            Fault(delay=1.0, store_anyway=True),
        )
        drawn = self._chance.choice(ways)
        seconds = self._chance.uniform(0.0, self._longest_hang)
        return replace(drawn, hang=drawn.hang * seconds, delay=drawn.delay * seconds)
