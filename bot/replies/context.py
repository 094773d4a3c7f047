"""A conversation's context: how full it is, what was used, and what became of it."""

from __future__ import annotations

from bot.chat import Text
from bot.replies.conversations import title
from bot.replies.marks import literal, quiet
from bot.replies.progress import context_percent
from bot.texts import Texts
from core.model.conversation import Conversation
from core.model.events import Compacted, LimitsUpdated, LimitWindow, Usage
from core.store.spent import Spent


def no_compaction(engine: str, texts: Texts) -> Text:
    return quiet(texts.say("context.no_compaction", engine=literal(engine)))


def nothing_yet(texts: Texts) -> Text:
    return quiet(texts.say("context.nothing_yet"))


def nothing_since_fork(texts: Texts) -> Text:
    """What was said before it is handed over with the first message."""
    return quiet(texts.say("context.nothing_since_fork"))


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


def usage(
    spent: Spent | None, limits: LimitsUpdated | None, engine: str, texts: Texts, *, now: float
) -> Text:
    """What the turns here have told; *now* in seconds since the epoch."""
    if spent is None and limits is None:
        return quiet(texts.say("usage.nothing", engine=literal(engine)))
    windows = [_window(window, texts, now=now) for window in limits.windows] if limits else []
    return quiet(*(_spent(spent, texts) if spent else ()), *windows)


def _spent(spent: Spent, texts: Texts) -> tuple[str, ...]:
    last, whole = spent.last, spent.whole
    more = spent.turns > 1
    return (
        texts.say("usage.tokens", **_tokens(last, texts)),
        texts.count("usage.tokens_all", spent.turns, **_tokens(whole, texts)) if more else "",
        _context(last, texts),
        texts.say("usage.cost", cost=f"{whole.cost:.2f}", last=f"{last.cost:.2f}") if whole.cost else "",
    )


def _tokens(used: Usage, texts: Texts) -> dict[str, str]:
    return {name: texts.tokens(getattr(used, name)) for name in ("input", "cached", "output")}


def _context(used: Usage, texts: Texts) -> str:
    percent = context_percent(used)
    if percent is None:
        return ""
    full = texts.tokens(used.context or used.input + used.output)
    return texts.say("usage.context", percent=percent, used=full, window=texts.tokens(used.window))


def _window(window: LimitWindow, texts: Texts, *, now: float) -> str:
    left, percent = window.resets_at - now, round(window.percent)
    name = (
        texts.say("usage.limit_of", span=texts.span(window.span)) if window.span else texts.say("usage.limit")
    )
    if not window.resets_at:
        return texts.say("usage.limit_used", limit=name, percent=percent)
    if left <= 0:
        return texts.say("usage.limit_renewed", limit=name)
    at = texts.moment(window.resets_at, left)
    return texts.say("usage.limit_until", limit=name, percent=percent, at=at)
