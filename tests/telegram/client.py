"""Calls as plain HTTP, without any library's help; pictures to send."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from PIL import Image

from tests.telegram.server import TOKEN, BotApi

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Client:
    """*call* gives the whole answer, *ok* the result, *refused* the description."""

    http: httpx.AsyncClient
    root: str

    async def call(
        self, method: str, files: dict[str, tuple[str, bytes]] | None = None, **params: Any
    ) -> Json:
        if not files:
            response = await self.http.post(self.root + method, json=params)
        else:
            form = {name: v if isinstance(v, str) else json.dumps(v) for name, v in params.items()}
            response = await self.http.post(self.root + method, data=form, files=files)
        told: Json = response.json()
        assert response.status_code == told.get("error_code", 200)
        return told

    async def ok(self, method: str, files: dict[str, tuple[str, bytes]] | None = None, **params: Any) -> Any:
        told = await self.call(method, files, **params)
        assert told["ok"], told
        return told["result"]

    async def refused(
        self, method: str, files: dict[str, tuple[str, bytes]] | None = None, **params: Any
    ) -> str:
        told = await self.call(method, files, **params)
        assert not told["ok"], told
        return str(told["description"])


@asynccontextmanager
async def client(api: BotApi, token: str = TOKEN, *, timeout: float = 20.0) -> AsyncIterator[Client]:
    async with httpx.AsyncClient(timeout=timeout, verify=False) as http:
        yield Client(http, f"{api.base_url}{token}/")


def picture(width: int = 40, height: int = 30, kind: str = "PNG") -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (width, height), "teal").save(held, kind)
    return held.getvalue()


@dataclass(slots=True)
class Clock:
    """Seconds that pass when a test says so."""

    now: float = 1_790_000_000.0

    def __call__(self) -> float:
        return self.now
