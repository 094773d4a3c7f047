"""One frozen value from all sources, or every fault that they hold."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from pathlib import Path

from pydantic import ValidationError

from core.errors import ConfigError, ConfigFault
from core.settings import sources
from core.settings.faults import engine_faults, unknown, worded
from core.settings.schema import Settings


def load(environ: Mapping[str, str], config: Path | None = None) -> Settings:
    """The settings of *environ* and of the file that *config* or *environ* names; environment beats
    credentials, credentials beat the file. Errors: `ConfigError` with all faults at once."""
    tree, faults = _gathered(environ, config)
    try:
        settings = Settings.model_validate(tree)
    except ValidationError as error:
        raise ConfigError(faults + worded(error, environ)) from None
    if faults:
        raise ConfigError(faults)
    data_dir = sources.expanded(settings.data_dir, home_of(environ))
    return settings.model_copy(update={"data_dir": data_dir})


def config_file(environ: Mapping[str, str], config: Path | None = None) -> tuple[Path, bool]:
    """The file that is read, and whether somebody named it: then it has to be there."""
    home = home_of(environ)
    named = str(config or environ.get("ROOST_CONFIG", ""))
    if named:
        return sources.expanded(Path(named), home), True
    base = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    return base / "roost" / "roost.toml", False


def home_of(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("HOME") or Path.home())


def _gathered(environ: Mapping[str, str], config: Path | None) -> tuple[sources.Tree, list[ConfigFault]]:
    """What all sources say together, and what the schema can't tell: faults of the sources themselves."""
    faults: list[ConfigFault] = []
    given, strange = sources.from_environment(environ)
    faults += [*sources.miscased(environ), *(unknown(path, environ) for path in strange)]
    layers = [_file_layer(environ, config, faults), sources.from_credentials(environ), given]
    for layer in layers:
        faults += sources.read_secrets(layer, home_of(environ))
    tree = reduce(sources.merged, layers)
    return tree, faults + engine_faults(tree)


def _file_layer(environ: Mapping[str, str], config: Path | None, faults: list[ConfigFault]) -> sources.Tree:
    file, named = config_file(environ, config)
    try:
        return sources.from_file(file, needed=named)
    except ConfigFault as fault:
        faults.append(fault)
        return {}
