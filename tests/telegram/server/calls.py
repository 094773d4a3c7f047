"""One call after another: found, hit by its fault, carried out, remembered."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from tests.telegram.server import about, drafts, editing, polling, sending, topics
from tests.telegram.server.account import Account
from tests.telegram.server.errors import ApiError, bad, not_found, too_large, unauthorized
from tests.telegram.server.faults import Fault, Faults
from tests.telegram.server.model import Json, Message
from tests.telegram.server.params import Params
from tests.telegram.server.wire import Answer, Request

FILE_SECONDS = 3600.0
"""How long a path from `getFile` is good for."""
DOWNLOAD = "file"
NOT_INTO_A_CHAT = ("get", "answer", "setmy")
"""Beginnings of calls that no shut chat stops."""
METHODS: dict[str, Callable[[Account, Params], Any]] = {
    **about.METHODS,
    **drafts.METHODS,
    **editing.METHODS,
    **polling.METHODS,
    **sending.METHODS,
    **topics.METHODS,
}


@dataclass(slots=True, eq=False)
class Call:
    """*status* is what it was answered with, 0 while it runs and where no answer ever came; *done*: it took
    effect, whatever was answered; *error*, *result*: what came of it. A download's method is `file`."""

    at: float
    bot: int
    method: str
    params: Json
    ended: float | None = None
    status: int = 0
    error: str = ""
    result: Any = None
    done: bool = False


@dataclass(slots=True)
class Calls:
    clock: Callable[[], float]
    accounts: dict[str, Account]
    faults: Faults
    log: list[Call] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def more(self) -> None:
        """Until another call began, took effect, or ended."""
        await self._news.wait()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def answer(self, request: Request) -> Answer | None:
        """None where the connection shall be dropped."""
        folder, _, rest = request.path.removeprefix("/").partition("/")
        download = folder == DOWNLOAD
        if download:
            folder, _, rest = rest.partition("/")
        if not folder.startswith("bot") or ":" not in folder or not rest:
            return _refusal(not_found())
        account = self.accounts.get(folder.removeprefix("bot"))
        params = Params({"path": rest} if download else request.fields, request.files)
        method = DOWNLOAD if download else rest
        call = Call(self.clock(), account.user.id if account else 0, method, params.told())
        self.log.append(call)
        self._tell()
        return await self._hit(account, call, self._work(account, call, params, too_big=request.too_big))

    async def _hit(
        self, account: Account | None, call: Call, work: Coroutine[Any, Any, Answer]
    ) -> Answer | None:
        fault = self.faults.next(call.method, call.params)
        try:
            answer = await _suffered(fault, work) if fault else await work
        finally:
            call.ended = self.clock()
            self._tell()
        call.status = answer.status if answer else 0
        if account and fault and fault.retry_after and isinstance(call.params.get("chat_id"), int):
            account.flood.shut(call.params["chat_id"], fault.retry_after)
        return answer

    async def _work(self, account: Account | None, call: Call, params: Params, *, too_big: bool) -> Answer:
        try:
            if account is None:
                raise unauthorized()
            if too_big:
                raise too_large()
            if call.method == DOWNLOAD:
                answer = self._file(account, params.text("path"))
            else:
                call.result = await _result(account, call.method.lower(), params)
                answer = Answer(200, json.dumps({"ok": True, "result": call.result}).encode())
        except ApiError as error:
            call.error = error.description
            return _refusal(error)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            assert account is not None
            account.note(f"{call.method} with parameters of another shape: {error!r}")
            return _refusal(bad("can't parse parameters"))
        call.done = True
        self._tell()
        return answer

    def _file(self, account: Account, path: str) -> Answer:
        found = [file for file in account.files.values() if file.path == path]
        if not found or self.clock() > account.file_times.get(path, 0.0) + FILE_SECONDS:
            raise not_found()
        return Answer(200, found[0].data, "application/octet-stream")


async def _result(account: Account, method: str, params: Params) -> Any:
    """The `result` as JSON. Errors: `ApiError`."""
    if method not in METHODS or method in account.lacks:
        raise not_found()
    chat = account.chats.get(params.number("chat_id")) if params.has("chat_id") else None
    if chat and not method.startswith(NOT_INTO_A_CHAT):
        account.flood.pass_or_refuse(chat.id, method, group=chat.is_group)
    result = METHODS[method](account, params)
    return _as_json(await result if inspect.isawaitable(result) else result)


def _as_json(result: Any) -> Any:
    if isinstance(result, Message):
        return result.json()
    return [_as_json(one) for one in result] if isinstance(result, list) else result


def _refusal(error: ApiError) -> Answer:
    return Answer(error.code, json.dumps(error.json()).encode())


async def _suffered(fault: Fault, work: Coroutine[Any, Any, Answer]) -> Answer | None:
    """The answer that the caller gets to see."""
    if not fault.store_anyway:
        work.close()
        await asyncio.sleep(fault.hang)
        return fault.answer
    right = await work
    await asyncio.sleep(fault.hang + fault.delay)
    return right if fault.delay else fault.answer
