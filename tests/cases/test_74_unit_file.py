"""Case 74, the unit file: an agent out of memory ends alone, and a restart leaves agents running."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.support.tree import ROOT

UNIT = ROOT / "deploy" / "roost.service"

TAKES_FROM_AGENTS = {  # a setting → what an agent could not do any more
    "RestrictNamespaces": "start its own sandbox",
    "ProtectKernelTunables": "mount /proc in its own sandbox",
    "ProtectKernelLogs": "mount /proc in its own sandbox",
    "ProtectProc": "mount /proc in its own sandbox",
    "ProcSubset": "mount /proc in its own sandbox",
    "MemoryDenyWriteExecute": "run a just-in-time compiler: node, most of all",
    "PrivateTmp": "share /tmp with the service that adopts it",
    "PrivateNetwork": "reach its model",
    "ProtectHome": "work in a project at home",
    "DynamicUser": "keep its login",
    "SystemCallFilter": "run what a project needs",
    "UMask": "leave files that others in the project may read",
    "RestrictSUIDSGID": "work in a shared git repository",
}


def read_unit() -> dict[str, list[str]]:
    """`Section.Key` → its values, in order: a key may stand several times."""
    settings: dict[str, list[str]] = defaultdict(list)
    section = ""
    for line in UNIT.read_text("utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            settings[f"{section}.{key}"].append(value)
    return settings


@pytest.fixture(scope="module")
def unit() -> dict[str, list[str]]:
    return read_unit()


def test_an_agent_killed_for_memory_does_not_take_the_service_along(unit: dict[str, list[str]]) -> None:
    assert unit["Service.OOMPolicy"] == ["continue"]


def test_agents_outlive_a_restart_of_the_service(unit: dict[str, list[str]]) -> None:
    assert unit["Service.KillMode"] == ["process"]
    assert unit["Service.SendSIGKILL"] == []
    assert int(unit["Service.TimeoutStopSec"][0]) > 5


def test_the_service_comes_back_unless_only_a_person_can_help(unit: dict[str, list[str]]) -> None:
    assert unit["Service.Restart"] == ["on-failure"]
    assert unit["Service.RestartPreventExitStatus"] == ["2 75"]


@pytest.mark.parametrize("setting", TAKES_FROM_AGENTS)
def test_hardening_takes_nothing_that_agents_need(unit: dict[str, list[str]], setting: str) -> None:
    assert unit[f"Service.{setting}"] == [], f"an agent could not {TAKES_FROM_AGENTS[setting]}"


def test_it_runs_as_a_user_of_its_own_with_a_private_state(unit: dict[str, list[str]]) -> None:
    assert unit["Service.User"] == ["roost"]
    assert unit["Service.StateDirectory"] == ["roost"]
    assert unit["Service.StateDirectoryMode"] == ["0700"]
    assert "ROOST_DATA_DIR=/var/lib/roost" in unit["Service.Environment"]


def test_no_secret_stands_in_a_file_that_everybody_may_read(unit: dict[str, list[str]]) -> None:
    said = " ".join(unit["Service.Environment"]).upper()
    assert not [word for word in ("TOKEN", "PASSWORD", "API_KEY", "SECRET") if f"{word}=" in said]
