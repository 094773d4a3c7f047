"""Before an agent starts in a project, people see what the project's files would have it run or obey."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from core.dispatch.means import Means
from core.hosts.port import Host
from core.repository.recognise import recognise
from core.store import repositories
from core.store.queue import Work
from core.store.turns import Step


async def look_round(means: Means, work: Work, step: Step, host: Host) -> None:
    """Keep what is new since the last turn in this project as an event; where nothing has changed, a few
    dozen files are looked at and none is read. The turn waits for nobody's word."""
    project = work.project
    known = await means.store.glance(repositories.mark, project.id)
    survey = await host.survey(project.path, known, real=project.real)
    if survey is None:
        return
    orders = await asyncio.to_thread(recognise, survey.files)
    found = {
        key: replace(one, file=means.mask(one.file), words=means.mask(one.words))
        for key, one in orders.items()
    }
    await means.store.insist(repositories.keep, step, project.id, survey.mark, found, now=means.clock.now())
