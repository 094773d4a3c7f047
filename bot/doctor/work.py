"""What is set up to work with: projects, chats, the service, and who can read what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bot.doctor.case import Case
from bot.doctor.finding import Finding, fault, ok, warning
from bot.paths import path_fault
from core.model.project import LOCAL, Access, Project


def check_projects(case: Case) -> list[Finding]:
    """One finding for each project that needs a look; one if none does."""
    here = [project for project in case.projects if project.host == LOCAL and not project.archived]
    findings = [finding for project in here for finding in _project(project, case)]
    if not here:
        return [ok("projects", "check.projects.none")]
    return findings or [ok("projects", "check.projects.ok", names=", ".join(sorted(p.name for p in here)))]


def _project(project: Project, case: Case) -> Iterator[Finding]:
    name, fields = (
        f"project {project.name}",
        {"project": project.name, "path": project.path, "engine": project.engine},
    )
    if project.engine in case.missing:
        yield warning(name, "check.project.no_program", "check.project.engine", **fields)
    if wrong := path_fault(Path(project.path), case.data_dir, whole_home=True):
        yield fault(name, wrong, "check.project.move", **fields)
    elif project.access is Access.FULL:
        yield warning(name, "check.project.full", "check.project.lower", **fields)
    elif label := _only_asked(project, case):
        yield warning(name, "check.project.asked", "check.project.enforce", agent=label, **fields)


def _only_asked(project: Project, case: Case) -> str:
    """The label of its engine, if that is only asked to keep to the project's access."""
    engines = {agent.engine.name: agent.engine for agent in case.agents}
    engine = engines.get(project.engine)
    return engine.label if engine and engine.capabilities.only_asked(project.access) else ""


def check_chats(case: Case) -> list[Finding]:
    """Those that are configured are asked for themselves."""
    return [] if case.chats else [ok("chats", "check.chats.none")]


def check_encryption(case: Case) -> list[Finding]:
    return [] if "matrix" in case.chats else [ok("encryption", "check.encryption.none")]


def check_separation(case: Case) -> list[Finding]:
    """Behaviour §14.3, in its words; so it stands until agents have an OS user of their own."""
    return [warning("separation", "check.separation", "check.separation.remedy")]


def check_service(case: Case) -> list[Finding]:
    return [ok("service", "check.service.running" if case.service else "check.service.stopped")]
