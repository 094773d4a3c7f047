"""The machine: what Roost keeps, and the room, memory and clock it works with."""

from __future__ import annotations

import os
import shutil
import stat
from datetime import UTC, datetime
from pathlib import Path

import psutil

from bot.doctor.case import Case
from bot.doctor.finding import Finding, State, fault, ok, warning
from bot.texts import spoken
from core.store.health import Health, health

DISK_LOW = 1_000_000_000
DISK_FULL = 200_000_000
MEMORY_LOW = 400_000_000
"""Bytes free; what one agent needs to start (storyboard)."""
OTHERS = stat.S_IRWXG | stat.S_IRWXO

STATES = {
    Health.NEWER: State.FAULT,
    Health.DAMAGED: State.FAULT,
    Health.UNREADABLE: State.FAULT,
    Health.BUSY: State.WARNING,
}


def check_configuration(case: Case) -> list[Finding]:
    if case.config is None:
        return [ok("configuration", "check.configuration.none")]
    file = str(case.config)
    if case.secret and case.config.stat().st_mode & OTHERS:
        remedy = "check.configuration.close"
        return [warning("configuration", "check.configuration.open", remedy, path=file)]
    return [ok("configuration", "check.configuration.ok", path=file)]


def check_language(case: Case) -> list[Finding]:
    if spoken(case.language):
        return []
    return [warning("language", "check.language.unspoken", language=case.language)]


def check_database(case: Case) -> list[Finding]:
    path = case.data_dir / "roost.db"
    found = health(path)
    state = STATES.get(found, State.OK)
    remedy = "" if state is State.OK else f"check.database.{found}.remedy"
    return [Finding("database", state, f"check.database.{found}", remedy, {"path": str(path)})]


def check_data_dir(case: Case) -> list[Finding]:
    name, path = "data_dir", str(case.data_dir)
    if not os.path.lexists(path):
        return [_none_yet(case.data_dir)]
    if not case.data_dir.is_dir():
        return [fault(name, "check.data_dir.no_directory", "check.data_dir.choose", path=path)]
    kept = case.data_dir.stat()
    if kept.st_uid != os.geteuid() or not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        return [fault(name, "check.data_dir.foreign", "check.data_dir.own", path=path)]
    if kept.st_mode & OTHERS:
        return [fault(name, "check.data_dir.open", "check.data_dir.close", path=path)]
    return [ok(name, "check.data_dir.ok", path=path)]


def _none_yet(path: Path) -> Finding:
    name, parent = "data_dir", existing(path)
    if parent.is_dir() and os.access(parent, os.W_OK | os.X_OK):
        return ok(name, "check.data_dir.none_yet", path=str(path))
    fields = {"path": str(path), "parent": str(parent)}
    return fault(name, "check.data_dir.unmakeable", "check.data_dir.open_up", **fields)


def check_disk(case: Case) -> list[Finding]:
    free = shutil.disk_usage(existing(case.data_dir)).free
    return [_room("disk", free, low=DISK_LOW, full=DISK_FULL)]


def check_memory(case: Case) -> list[Finding]:
    return [_room("memory", psutil.virtual_memory().available, low=MEMORY_LOW)]


def check_clock(case: Case) -> list[Finding]:
    """A machine without a clock of its own may wake up in the past, where no certificate is valid yet."""
    now = datetime.fromtimestamp(case.now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    if case.now < case.built:
        return [fault("clock", "check.clock.behind", "check.clock.set", now=now)]
    return [ok("clock", "check.clock.ok", now=now)]


def existing(path: Path) -> Path:
    """*path*, or the nearest folder above it that is there."""
    return next(place for place in (path, *path.parents) if place.exists())


def _room(name: str, free: int, *, low: int, full: int = 0) -> Finding:
    if free < full:
        return fault(name, f"check.{name}.low", f"check.{name}.free", free=free)
    if free < low:
        return warning(name, f"check.{name}.low", f"check.{name}.free", free=free)
    return ok(name, f"check.{name}.ok", free=free)
