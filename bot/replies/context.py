"""A conversation's context: how full it is, what was used, and what became of it."""

from __future__ import annotations

from bot.chat import Text
from bot.replies.conversations import title
from bot.replies.marks import literal, quiet
from bot.replies.progress import context_percent
from bot.texts import Texts
from core.model.conversation import Conversation
from core.model.events import Compacted, LimitsUpdated, LimitWindow, Usage


def no_compaction(engine: str, texts: Texts) -> Text:
    return quiet(texts.say("context.no_compaction", engine=literal(engine)))


def nothing_yet(texts: Texts) -> Text:
    return quiet(texts.say("context.nothing_yet"))


def compacted(sizes: Compacted | None, turns: int, texts: Texts, *, reset: bool) -> Text:
    """What a compaction came to. *reset*: the session was gone, the next message begins a new one."""
    if reset:
        return quiet(texts.say("context.reset"))
    if sizes is None or not (sizes.before and sizes.after):
        return quiet(texts.count("context.compacted", turns))
    before, after = texts.tokens(sizes.before), texts.tokens(sizes.after)
    return quiet(texts.count("context.compacted_sizes", turns, before=before, after=after))


def forked(parent: Conversation, fork: Conversation, texts: Texts) -> Text:
    called = f"**{literal(fork.title)}**" if fork.title else ""
    return quiet(called, texts.say("context.forked", title=literal(title(parent, texts))))


def usage(used: Usage | None, limits: LimitsUpdated | None, engine: str, texts: Texts, *, now: float) -> Text:
    """What the newest turn told; *now* in seconds since the epoch."""
    if used is None and limits is None:
        return quiet(texts.say("usage.nothing", engine=literal(engine)))
    lines = [_tokens(used, texts), _context(used, texts), _cost(used, texts)] if used else []
    windows = [_window(window, texts, now=now) for window in limits.windows] if limits else []
    return quiet(*lines, *windows)


def _tokens(used: Usage, texts: Texts) -> str:
    key = "usage.tokens_all" if used.cumulative else "usage.tokens"
    return texts.say(
        key,
        input=texts.tokens(used.input),
        cached=texts.tokens(used.cached),
        output=texts.tokens(used.output),
    )


def _context(used: Usage, texts: Texts) -> str:
    percent = context_percent(used)
    return "" if percent is None else texts.say("progress.context", percent=percent)


def _cost(used: Usage, texts: Texts) -> str:
    return texts.say("usage.cost", cost=f"{used.cost:.2f}") if used.cost else ""


def _window(window: LimitWindow, texts: Texts, *, now: float) -> str:
    left = window.resets_at - now
    if left <= 0:
        return texts.say("usage.limit", percent=round(window.percent))
    return texts.say("usage.limit_until", percent=round(window.percent), span=texts.span(left))
