"""What a session of an ACP agent is set to before its first prompt: mode, model and effort."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.acp_rpc import Object
from core.wire.acp_shapes import Opened, Option


@dataclass(frozen=True, slots=True)
class Manner:
    """How one agent differs from the others.

    *modes*: for each access the modes that mean it, best first; the first that the session offers is taken.
    *asking* takes its place for an access where a person is asked.
    *asks_mode_again*: the mode is set though the session has it, for Gemini goes on replaying a session's
    history after it said that it is loaded, and is done when it answers this. *by_argv*: the model was chosen
    on the command line. *harmless*: beginnings of the ids of tool calls that need nobody's permission.
    *compact*: the prompt that makes the context smaller. *keeps_failed*: a prompt that the model's service
    refused stays in the session. *raw_links*: it takes the address of a file for its path (Gemini).

    *loads_apart*: a session is loaded by its name after a blank. Gemini (0.61.0) begins a file at each load,
    named after the minute and the first eight characters of the name that it was given. In the minute when
    the session was begun that is its own file, whose messages are void from then on; later it is an empty one
    beside it, and the next Gemini in the project clears empty ones away, and all that have the same eight
    characters with them. The session itself is looked for by its name without blanks."""

    modes: Mapping[Access, tuple[str, ...]] = field(default_factory=dict)
    asking: Mapping[Access, tuple[str, ...]] = field(default_factory=dict)
    asks_mode_again: bool = False
    by_argv: bool = False
    harmless: tuple[str, ...] = ()
    compact: str = ""
    keeps_failed: bool = False
    raw_links: bool = False
    loads_apart: bool = False

    def loads(self, session: SessionId) -> SessionId:
        """The name by which *session* is loaded; the process knows it by that from then on."""
        return SessionId(f" {session.strip()}") if self.loads_apart else session

    def modes_for(self, request: TurnRequest) -> tuple[str, ...]:
        modes = self.modes.get(request.access, ())
        return self.asking.get(request.access, modes) if request.approvals else modes


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a turn wants of its session; empty is what the session has."""

    modes: tuple[str, ...] = ()
    model: str = ""
    effort: str = ""
    asks_mode_again: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """One request that is still to be made: a *name* for it, its method, its parameters but the session."""

    name: str
    method: str
    params: Object


def settings(offer: Opened, wishes: Wishes, done: frozenset[str]) -> Iterator[Setting]:
    """What is to be set, apart from what was *done*. The model comes before the effort: other models have
    other efforts, so *offer* is what the answer before this said."""
    options = {option.category or option.id: option for option in offer.config_options or ()}
    wanted = (
        ("mode", _mode(offer, options.get("mode"), wishes)),
        ("model", _model(offer, options.get("model"), wishes.model)),
        ("effort", _option("effort", options.get("thought_level"), wishes.effort)),
    )
    return (setting for name, setting in wanted if setting and name not in done)


def _mode(offer: Opened, option: Option | None, wishes: Wishes) -> Setting | None:
    if not offer.modes:
        return _option("mode", option, _first(wishes.modes, option.values if option else ()))
    mode = _first(wishes.modes, (mode.id for mode in offer.modes.available_modes))
    is_set = mode == offer.modes.current_mode_id and not wishes.asks_mode_again
    return Setting("mode", "session/set_mode", {"modeId": mode}) if mode and not is_set else None


def _first(wanted: Iterable[str], offered: Iterable[str]) -> str:
    there = set(offered)
    return next((one for one in wanted if one in there), "")


def _model(offer: Opened, option: Option | None, model: str) -> Setting | None:
    if option or not offer.models:
        return _option("model", option, model)
    if not model or model == offer.models.current_model_id:
        return None
    return Setting("model", "session/set_model", {"modelId": model})


def _option(name: str, option: Option | None, value: str) -> Setting | None:
    """A value that is not on offer is asked for all the same: the agent's own words about it are the best."""
    if option is None or not value or value == option.current_value:
        return None
    return Setting(name, "session/set_config_option", {"configId": option.id, "value": value})
