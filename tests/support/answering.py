"""A host on which the Codex app server is a table: each question has its answer."""

from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from dataclasses import dataclass, field, replace

from core.dispatch.clock import Clock
from core.dispatch.offers import PATIENCE, Offers
from core.dispatch.progress import Mask
from core.engines.catalogue import Catalogue
from core.model.ids import AgentId
from core.model.launch import Chunk, Exited, Launch
from tests.support.office import KeepingHost, asker_on


def model(name: str, *efforts: str, default: bool = False) -> dict[str, object]:
    """A row of `model/list`."""
    rows = [{"reasoningEffort": effort} for effort in efforts]
    label = name.upper()
    return {
        "model": name,
        "displayName": label,
        "supportedReasoningEfforts": rows,
        "isDefault": default,
    }


def thread(session: str, title: str, cwd: str = "/srv/shop", *, at: float = 1.0) -> dict[str, object]:
    """A row of `thread/list`."""
    return {"id": session, "preview": title, "cwd": cwd, "updatedAt": at}


def turn(asked: str, *answers: str) -> dict[str, object]:
    """A turn as `thread/read` has it."""
    user = {"type": "userMessage", "content": [{"type": "text", "text": asked}, {"type": "image"}]}
    said = [{"type": "agentMessage", "text": answer} for answer in answers]
    return {"items": [user, {"type": "commandExecution", "command": "ls"}, *said]}


@dataclass
class AnsweringHost(KeepingHost):
    """*answers* by method; what has none is refused. *asked* counts the questions; nothing is said while
    *awake* isn't set."""

    answers: dict[str, object] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    awake: asyncio.Event = field(default_factory=asyncio.Event)
    launches: list[Launch] = field(default_factory=list)
    discarded: list[AgentId] = field(default_factory=list)
    _said: dict[AgentId, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.awake.set()

    async def start(self, agent: AgentId, launch: Launch) -> None:
        await super().start(agent, launch)
        self.launches.append(launch)
        await self.write(agent, launch.input)

    async def write(self, agent: AgentId, data: bytes) -> None:
        for line in data.splitlines():
            said = json.loads(line)
            if "id" in said:
                self._said[agent] = self._said.get(agent, b"") + self._answer(said["id"], said["method"])

    async def read(self, agent: AgentId, after: int, *, patience: float = math.inf) -> Chunk:
        await self.awake.wait()
        said = self._said.get(agent, b"")[after:]
        return Chunk(said, None if said else Exited(0))

    async def discard(self, agent: AgentId) -> None:
        await super().discard(agent)
        self.discarded.append(agent)

    def _answer(self, number: object, method: str) -> bytes:
        self.asked[method] += 1
        known = {"initialize": {}, **self.answers}
        answer = {"result": known[method]} if method in known else {"error": {"message": f"no {method}"}}
        return json.dumps({"id": number, **answer}).encode() + b"\n"


def offers_of(host: AnsweringHost, clock: Clock, *, patience: float = PATIENCE, mask: Mask = str) -> Offers:
    """What the engines of *host* offer."""
    return Offers(replace(asker_on(host, Catalogue()), mask=mask), clock, patience=patience)
