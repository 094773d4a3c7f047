"""What came with a prompt, as rooms get it that show the same as its own."""

from __future__ import annotations

import asyncio

from bot.chat import File, Picture
from core.answers.pictures import Picture as Fitting
from core.answers.pictures import fit, named, sniff
from core.dispatch.answers import Media


async def copied(name: str, data: bytes, media: Media) -> Picture | File:
    """A picture that a chat can show is one, anything else a file as it was sent; on the disk when this
    returns. Errors: `DiskFull`, `HostError`."""
    shown = await asyncio.to_thread(fit, data)
    if isinstance(shown, Fitting):
        kept = await media.keep(shown.data, shown.kind)
        return Picture(kept, named(name, shown.data), silent=True)
    return File(await media.keep(data, sniff(data)), name, silent=True)
