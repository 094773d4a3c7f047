"""Which engines there are here, and why one that was named is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from core.engines.codex import Codex
from core.engines.demo import Demo
from core.engines.environment import agent_environment
from core.engines.port import Engine
from core.errors import Refused


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """One `[engines.NAME]` of the settings; what is empty is the engine's own default. *env* is set in
    the agent's environment, *pass_env* names what is passed on from Roost's."""

    name: str
    kind: str = ""
    command: tuple[str, ...] = ()
    transport: str = "auto"
    model: str = ""
    effort: str = ""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    pass_env: tuple[str, ...] = ()


def _codex(config: EngineConfig) -> Engine:
    if config.transport == "app-server":
        raise Refused("engine.not_yet", engine=f"{config.name} (app-server)")
    command = config.command or Codex().command
    return Codex(config.name, command, config.model, config.effort)


def _demo(config: EngineConfig) -> Engine:
    return Demo(config.name, config.command or Demo().command)


KINDS: dict[str, Callable[[EngineConfig], Engine]] = {"codex": _codex, "demo": _demo}
NOT_YET = frozenset({"claude", "opencode", "gemini", "cursor", "acp"})
"""Known kinds that this version cannot drive."""


class Catalogue:
    """The engines by name: those of the settings, and every kind under its own name."""

    def __init__(self, configs: Iterable[EngineConfig] = ()) -> None:
        self._configs = {name: EngineConfig(name) for name in KINDS}
        self._configs |= {config.name: config for config in configs}

    @property
    def names(self) -> tuple[str, ...]:
        """The engines that can be worked with."""
        return tuple(name for name in self._configs if self._is_there(name))

    @property
    def _drivable(self) -> list[str]:
        return [name for name, config in self._configs.items() if _kind(config) in KINDS]

    def engine(self, name: str) -> Engine:
        """Refused `engine.not_yet` for one that this version cannot drive, `engine.unknown` for any other."""
        config = self._config(name)
        return KINDS[_kind(config)](config)

    def label(self, name: str) -> str:
        """The engine's name as people know it; of one that cannot be driven, the name it was given."""
        try:
            return self.engine(name).label
        except Refused:
            return name

    def environment(self, name: str, own: Mapping[str, str]) -> dict[str, str]:
        """What an agent of this engine gets of Roost's *own* environment, and what the settings add."""
        config, engine = self._config(name), self.engine(name)
        return agent_environment(own, engine_names=engine.env_names, env=config.env, pass_env=config.pass_env)

    def _is_there(self, name: str) -> bool:
        try:
            self.engine(name)
        except Refused:
            return False
        return True

    def _config(self, name: str) -> EngineConfig:
        config = self._configs.get(name, EngineConfig(name))
        kind = _kind(config)
        if kind in KINDS:
            return config
        if kind in NOT_YET:
            raise Refused("engine.not_yet", engine=name)
        raise Refused("engine.unknown", engine=name, engines=", ".join(self._drivable))


def _kind(config: EngineConfig) -> str:
    return config.kind or config.name
