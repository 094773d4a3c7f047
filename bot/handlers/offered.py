"""What the engine here offers to choose from, as far as it has told by now."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.handlers.desk import Desk, Place
from bot.handlers.room import project_of
from core.dispatch.offers import Answer, Known, Pending, Unable
from core.engines.port import Capabilities
from core.model.offers import Model, chosen, takes


@dataclass(frozen=True, slots=True)
class Offer:
    """*usual* are the efforts of the engine where it doesn't say more, *model* is the one in use, empty where
    nobody chose one."""

    usual: tuple[str, ...] = ()
    model: str = ""
    answer: Answer[Model] = field(default_factory=Unable)

    @property
    def models(self) -> tuple[Model, ...]:
        return self.answer.values if isinstance(self.answer, Known) else ()

    @property
    def pending(self) -> bool:
        return isinstance(self.answer, Pending)

    def takes(self, model: str) -> bool:
        """Anything goes where the engine has told of none."""
        return not self.models or takes(self.models, model)

    def efforts(self, model: str) -> tuple[str, ...]:
        """Those of *model*, or of the one that is taken without any."""
        found = chosen(self.models, model)
        return self.usual if found is None or found.efforts is None else found.efforts


async def offer_of(engine: str, capabilities: Capabilities, place: Place, desk: Desk) -> Offer:
    """Waits no longer than `core.dispatch.offers.PATIENCE`. Errors: `NoProject`."""
    model = place.conversation.model if place.conversation else ""
    model = model or desk.catalogue.model(engine)
    if not capabilities.models:
        return Offer(capabilities.efforts, model)
    answer = await desk.offers.models(engine, project_of(place).host)
    return Offer(capabilities.efforts, model, answer)
