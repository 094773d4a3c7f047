"""Which engines there are here, and why one that was named is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from core.engines.environment import agent_environment
from core.engines.port import Capabilities, Engine
from core.errors import Refused
from core.model.project import Access

if TYPE_CHECKING:
    from core.engines.acp import Acp

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """One `[engines.NAME]` of the settings; what is empty is the engine's own default. *env* is set in
    the agent's environment, *pass_env* names what is passed on from Roost's."""

    name: str
    kind: str = ""
    command: tuple[str, ...] = ()
    transport: str = AUTO
    model: str = ""
    effort: str = ""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    pass_env: tuple[str, ...] = ()


# Each is imported when it is asked for: an engine that nobody works with costs nothing.


def _codex(config: EngineConfig) -> Engine:
    from core.engines.codex import Codex

    once = Codex(config.name, config.command, config.model, config.effort)
    if config.transport == "exec":
        return once
    from core.engines.codex_app import CodexApp

    fallback = once if config.transport == AUTO else None
    return CodexApp(config.name, config.command, config.model, config.effort, fallback=fallback)


def _claude(config: EngineConfig) -> Engine:
    from core.engines.claude import Claude, ClaudeSpoken

    once = Claude(config.name, config.command, config.model, config.effort)
    return once if config.transport == "exec" else ClaudeSpoken(once)


def _opencode(config: EngineConfig) -> Engine:
    if config.transport == "exec":
        from core.engines.opencode_run import OpenCodeRun

        return OpenCodeRun(config.name, config.command, config.model, config.effort)
    from core.engines.acp import OPENCODE

    return _spoken_to(OPENCODE, config)


def _gemini(config: EngineConfig) -> Engine:
    if config.transport == "exec":
        from core.engines.gemini_stream import GeminiStream

        return GeminiStream(config.name, config.command, config.model)
    from core.engines.acp import GEMINI

    return _spoken_to(GEMINI, config)


def _cursor(config: EngineConfig) -> Engine:
    from core.engines.cursor import Cursor

    return Cursor(config.name, config.command, config.model)


def _acp(config: EngineConfig) -> Engine:
    from core.engines.acp import Acp

    return replace(_spoken_to(Acp(), config), label=config.name)


def _demo(config: EngineConfig) -> Engine:
    from core.engines.demo import Demo

    return Demo(config.name, config.command or Demo().command)


def _spoken_to(engine: Acp, config: EngineConfig) -> Acp:
    return replace(engine, name=config.name, command=config.command, model=config.model, effort=config.effort)


@dataclass(frozen=True, slots=True)
class Kind:
    """*command* starts its program unless the settings say otherwise. *transports* beside `auto`."""

    make: Callable[[EngineConfig], Engine]
    command: tuple[str, ...] = ()
    transports: tuple[str, ...] = ()


KINDS: dict[str, Kind] = {
    "codex": Kind(_codex, ("codex",), ("app-server", "exec")),
    "claude": Kind(_claude, ("claude",), ("stream-json", "exec")),
    "opencode": Kind(_opencode, ("opencode",), ("acp", "exec")),
    "gemini": Kind(_gemini, ("gemini",), ("acp", "exec")),
    "cursor": Kind(_cursor, ("cursor-agent",), ("exec",)),
    "acp": Kind(_acp, transports=("acp",)),
    "demo": Kind(_demo),
}


class Catalogue:
    """The engines by name: those of the settings, and every kind under its own name."""

    def __init__(self, configs: Iterable[EngineConfig] = ()) -> None:
        self._configs = {name: EngineConfig(name) for name in KINDS if name != "acp"}
        self._configs |= {config.name: config for config in configs}

    @property
    def names(self) -> tuple[str, ...]:
        """The engines that can be worked with, as far as that is known without looking for their programs."""
        return tuple(name for name in self._configs if self._is_there(name))

    def command(self, name: str) -> tuple[str, ...]:
        """The words that start its program. Errors: as `engine`."""
        config = self._config(name)
        return config.command or KINDS[_kind(config)].command

    def model(self, name: str) -> str:
        """The one of the settings, empty where they leave it to the engine. Errors: as `engine`."""
        return self._config(name).model

    def engine(self, name: str) -> Engine:
        """Refused `engine.unknown` for one that is not there, `engine.transport` for one that can't be
        reached as its settings say, `engine.no_command` where they don't say how it is started."""
        config = self._config(name)
        kind = KINDS[_kind(config)]
        if config.transport not in (AUTO, *kind.transports):
            known = ", ".join((AUTO, *kind.transports))
            raise Refused("engine.transport", engine=name, transport=config.transport, known=known)
        command = self.command(name)
        if not command and _kind(config) != "demo":
            raise Refused("engine.no_command", engine=name)
        return kind.make(replace(config, command=command))

    def label(self, name: str) -> str:
        """The engine's name as people know it; of one that cannot be driven, the name it was given."""
        try:
            return self.engine(name).label
        except Refused:
            return name

    def only_asked(self, name: str, access: Access) -> bool:
        """Whether that engine is asked to keep to *access*, and not made to; so too for one that can't be
        driven here."""
        try:
            return self.engine(name).capabilities.only_asked(access)
        except Refused:
            return Capabilities().only_asked(access)

    def environment(self, name: str, own: Mapping[str, str]) -> dict[str, str]:
        """What an agent of this engine gets of Roost's *own* environment, and what the settings add."""
        config, engine = self._config(name), self.engine(name)
        return agent_environment(own, engine_names=engine.env_names, env=config.env, pass_env=config.pass_env)

    def _is_there(self, name: str) -> bool:
        config = self._configs[name]
        kind = KINDS.get(_kind(config))
        return kind is not None and config.transport in (AUTO, *kind.transports)

    def _config(self, name: str) -> EngineConfig:
        config = self._configs.get(name, EngineConfig(name))
        if name in self._configs and _kind(config) in KINDS:
            return config
        known = [name for name, config in self._configs.items() if _kind(config) in KINDS]
        raise Refused("engine.unknown", engine=name, engines=", ".join(known))


def _kind(config: EngineConfig) -> str:
    return config.kind or config.name
