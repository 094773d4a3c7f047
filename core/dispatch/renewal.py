"""Whether a turn waits for its account to be renewed, or goes by the table of every other failure."""

from __future__ import annotations

from core.dispatch.means import Means
from core.dispatch.retry import COMPACTABLE, Again, GiveUp, after_failure, after_limit, is_limit
from core.engines.port import Engine, Failure
from core.model.prompt import Kind
from core.store import turns
from core.store.limits import used_up_until
from core.store.queue import Work


async def after(
    means: Means, work: Work, engine: Engine, failure: Failure, until: float, *, taken: bool
) -> Again | GiveUp:
    """What follows a failed turn of *engine*; *until* and *taken* as in `after_limit`."""
    compacts = engine.capabilities.compact and work.prompt.kind is Kind.WORDS
    if failure is Failure.CONTEXT_FULL and compacts:
        return GiveUp(COMPACTABLE)
    outcomes, now = await means.store.glance(turns.outcomes, work.prompt.id), means.clock.now()
    waits = means.limits.renewal and is_limit(failure, until, now=now)
    again = after_limit(until, outcomes, taken=taken, now=now) if waits else None
    return again or after_failure(failure, outcomes, taken=taken)


async def known(means: Means, work: Work, *, taken: bool) -> Again | None:
    """Another prompt waits for the same account already: this one waits too, and starts no agent. So when a
    renewal was none, only as many find that out as have a place."""
    outcomes, now = await means.store.glance(turns.outcomes, work.prompt.id), means.clock.now()
    if not means.limits.renewal:
        return None
    until = await means.store.glance(used_up_until, work.prompt.id, work.conversation, now=now)
    return after_limit(until, outcomes, taken=taken, now=now)
