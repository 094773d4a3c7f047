"""For hand trials: `python -m tests.telegram.server --port N`; lines typed here are Ann's, `!X` presses X."""

from __future__ import annotations

import argparse
import asyncio
import sys

from tests.telegram.server import TOKEN, BotApi, Person

LOOK_SECONDS = 0.2


async def serve(port: int) -> None:
    async with BotApi(port=port) as api:
        ann = api.person()
        say(f"base_url  {api.base_url}\nfile_url  {api.base_file_url}\ntoken     {TOKEN}\nAnn       1001")
        await asyncio.gather(show(ann), asyncio.to_thread(type_lines, ann, asyncio.get_running_loop()))


def type_lines(ann: Person, loop: asyncio.AbstractEventLoop) -> None:
    for line in map(str.strip, sys.stdin):
        if line.startswith("!"):
            loop.call_soon_threadsafe(ann.presses, line[1:])
        elif line:
            loop.call_soon_threadsafe(ann.writes, line)


async def show(ann: Person) -> None:
    """Every change in Ann's chat, as it comes."""
    seen = 0
    while True:
        for change in ann.chat.log[seen:]:
            message = change.message
            words = f"{message.words}  {message.buttons or ''}" if message else ""
            say(f"{change.at:.2f} {change.kind:8} {words}")
        seen = len(ann.chat.log)
        await asyncio.sleep(LOOK_SECONDS)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    asyncio.run(serve(parser.parse_args().port))
