"""A thread beside the event loop, which does one thing after another."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar

T = TypeVar("T")
MOST_TOGETHER = 64
"""Jobs: whoever has the first of them done waits for the last."""


class _Job(Generic[T]):
    """Some work, and then what came of it."""

    def __init__(self, work: Callable[[], T], future: asyncio.Future[T], *, joins: bool) -> None:
        self.joins = joins
        self._work = work
        self._future = future
        self._error: BaseException | None = None
        self._result: T

    def do(self) -> None:
        """In the thread. Nothing where nobody waits for it any more."""
        if not self._future.cancelled():
            with self:
                self._result = self._work()

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, traceback: object) -> bool:
        """What is raised in here is not the thread's: whoever waits is told."""
        self._error = error
        return True

    def fail(self, error: BaseException) -> None:
        """What came of it came to nothing."""
        self._error = self._error or error

    def tell(self) -> None:
        """In the loop."""
        if self._future.done():
            return
        if self._error:
            self._future.set_exception(self._error)
        else:
            self._future.set_result(self._result)


class _Whole:
    """Where it fails, so have all *jobs* in it."""

    def __init__(self, jobs: list[_Job[Any]]) -> None:
        self._jobs = jobs

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, traceback: object) -> bool:
        if error:
            for job in self._jobs:
                job.fail(error)
        return True


class Worker:
    """For the loop that it was made in. What is cancelled before it begins is not done; what has begun is.

    Of what waits, jobs that *join* one another are done within one *together*, and nobody is told of any
    before that has ended: where it fails, all of them have.

    An executor of the standard library makes two futures and a lock for each call, and wakes the loop with
    each single answer: 41 µs of processor for one, 15 where 20 ask at once; here it is 33 and 3.
    """

    def __init__(self, name: str, together: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        self._loop = asyncio.get_running_loop()
        self._together = together
        self._jobs: SimpleQueue[_Job[Any] | None] = SimpleQueue()
        self._next: list[_Job[Any] | None] = []
        self._done: deque[_Job[Any]] = deque()
        Thread(target=self._run, name=name, daemon=True).start()

    def run(self, work: Callable[[], T], *, joins: bool = False) -> asyncio.Future[T]:
        """What *work* comes to."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(work, future, joins=joins))
        return future

    def close(self) -> None:
        """No more is to come; what is there is still done."""
        self._jobs.put(None)

    def _run(self) -> None:
        while jobs := self._take():
            self._do(jobs)
            self._done.extend(jobs)
            if len(self._done) == len(jobs):  # else the loop is on its way here already
                self._loop.call_soon_threadsafe(self._tell)

    def _take(self) -> list[_Job[Any]]:
        """The next job, and those behind it that join it; none where no more is to come."""
        taken: list[_Job[Any]] = []
        job = self._next.pop() if self._next else self._jobs.get()
        while job:
            taken.append(job)
            if not job.joins or len(taken) == MOST_TOGETHER or self._jobs.empty():
                return taken
            job = self._jobs.get()
            if job is None or not job.joins:
                break
        self._next += [job] if taken else []
        return taken

    def _do(self, jobs: list[_Job[Any]]) -> None:
        if len(jobs) == 1:
            jobs[0].do()
            return
        with _Whole(jobs), self._together():
            for job in jobs:
                job.do()

    def _tell(self) -> None:
        while self._done:
            self._done[0].tell()
            self._done.popleft()
