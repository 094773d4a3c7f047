"""All checks, each for a bounded time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping

from bot.doctor.agents import check_agents
from bot.doctor.case import Case
from bot.doctor.finding import Finding, fault, warning
from bot.doctor.machine import (
    check_clock,
    check_configuration,
    check_data_dir,
    check_database,
    check_disk,
    check_language,
    check_memory,
)
from bot.doctor.work import (
    check_chats,
    check_encryption,
    check_projects,
    check_separation,
    check_service,
)
from core.errors import CoreError

CHECK_SECONDS = 15.0

Check = Callable[[Case], list[Finding]]
CHECKS: Mapping[str, Check] = {
    "configuration": check_configuration,
    "language": check_language,
    "data_dir": check_data_dir,
    "database": check_database,
    "projects": check_projects,
    "chats": check_chats,
    "encryption": check_encryption,
    "service": check_service,
    "disk": check_disk,
    "memory": check_memory,
    "clock": check_clock,
    "separation": check_separation,
}
"""In the order in which they are told; each blocks, and has a thread for it."""


async def examine(case: Case, *, seconds: float = CHECK_SECONDS) -> list[Finding]:
    """What all checks found; one that takes longer than *seconds* says so in place of a finding."""
    found = await asyncio.gather(
        _bounded("agents", check_agents(case), seconds),
        *(_bounded(name, asyncio.to_thread(check, case), seconds) for name, check in CHECKS.items()),
    )
    return [finding for findings in found for finding in findings]


async def _bounded(
    name: str, looking: Coroutine[object, object, list[Finding]], seconds: float
) -> list[Finding]:
    try:
        async with asyncio.timeout(seconds):
            return await looking
    except TimeoutError:
        return [warning(name, "check.too_long", check=name)]
    except CoreError as error:
        return [fault(name, error.key, **error.fields)]
    except OSError as error:
        return [fault(name, "check.failed", check=name, why=error.strerror or type(error).__name__)]
