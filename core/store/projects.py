"""Projects in the store."""

from __future__ import annotations

import sqlite3

from core.errors import Refused, UnknownProject
from core.model.ids import ProjectId
from core.model.project import Project
from core.store import inbox, rows
from core.store.database import Db


def add(db: Db, project: Project, *, now: float) -> Project:
    """Store *project*, whose id is none yet. Errors: `Refused` if its name is taken, in whatever case, or its
    folder: two projects in one would not exclude each other."""
    _alone(db, project)
    if alike := _called(db, project.name):
        raise _taken("name", alike[0])
    row = db.execute(
        "INSERT INTO projects (name, path, engine, access, groups, host, background, real, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (*_columns(project), now),
    ).fetchone()
    return get(db, ProjectId(row["id"]))


def _alone(db: Db, project: Project) -> None:
    """Errors: `Refused` where another one has its folder."""
    same = db.execute(
        "SELECT * FROM projects WHERE real <> '' AND (real, host) = (?, ?) AND id <> ?",
        (project.real, project.host, project.id),
    ).fetchone()
    if same is not None:
        raise _taken("folder", rows.project(same))


def _taken(what: str, other: Project) -> Refused:
    """Another project has it already."""
    state = "archived" if other.archived else "taken"
    return Refused(f"project.{what}_{state}", name=other.name, project=other.name)


def change(db: Db, project: Project) -> Project:
    """Write every field of *project* but its id and name. With another engine its rooms begin anew: nobody
    can carry on a session of another program's. Errors: `Refused` for a folder that another one has."""
    before = get(db, project.id)
    if (before.real, before.host) != (project.real, project.host):
        _alone(db, project)
    db.execute(
        "UPDATE rooms SET conversation = NULL"
        " WHERE project = ? AND ? <> (SELECT engine FROM projects WHERE id = rooms.project)",
        (project.id, project.engine),
    )
    db.execute(
        "UPDATE projects SET path = ?, engine = ?, access = ?, groups = ?, host = ?, background = ?,"
        " real = ?, archived = ? WHERE id = ?",
        (*_columns(project)[1:], project.archived, project.id),
    )
    if before.archived and not project.archived:
        _let_on(db, project.id)
    return get(db, project.id)


def _let_on(db: Db, project: ProjectId) -> None:
    """What was said in its rooms while it was put away can be acted on."""
    for row in db.execute("SELECT id FROM rooms WHERE project = ?", (project,)).fetchall():
        inbox.unpark(db, row["id"])


def remove(db: Db, project: ProjectId) -> None:
    """Forget a project that never had a conversation. Errors: `Refused` for any other: archive it."""
    try:
        db.execute("UPDATE rooms SET project = NULL WHERE project = ? AND conversation IS NULL", (project,))
        db.execute("DELETE FROM projects WHERE id = ?", (project,))
    except sqlite3.IntegrityError as error:
        (count,) = db.execute("SELECT count(*) FROM conversations WHERE project = ?", (project,)).fetchone()
        found = get(db, project)
        key = "project.has_history_archived" if found.archived else "project.has_history"
        raise Refused(key, project=found.name, count=count) from error


def get(db: Db, project: ProjectId) -> Project:
    row = db.execute("SELECT * FROM projects WHERE id = ?", (project,)).fetchone()
    if row is None:
        raise UnknownProject(name=project)
    return rows.project(row)


def named(db: Db, name: str) -> Project:
    """The project called *name*, else the only one that is in another case. Errors: `UnknownProject`;
    `UnicodeEncodeError` for what is no text, as of whatever the store is given."""
    name.encode()
    alike = _called(db, name)
    if not alike or (len(alike) > 1 and alike[0].name != name):
        raise UnknownProject(name=name)
    return alike[0]


def _called(db: Db, name: str) -> list[Project]:
    """Those called *name* in any case, that in this one first."""
    alike = [one for one in every(db) if one.name.lower() == name.lower()]
    return sorted(alike, key=lambda one: one.name != name)


def at_work(project: Project) -> Project:
    """*project* itself. Errors: `Refused` for one that was put away."""
    if project.archived:
        raise Refused("project.archived", name=project.name, project=project.name)
    return project


def every(db: Db, *, archived: bool = True) -> list[Project]:
    """All projects by name, those put away only if *archived*."""
    found = db.execute("SELECT * FROM projects WHERE archived <= ? ORDER BY name", (archived,))
    return [rows.project(row) for row in found]


def _columns(project: Project) -> tuple[object, ...]:
    return (
        project.name,
        project.path,
        project.engine,
        project.access,
        rows.json(project.groups),
        project.host,
        project.background,
        project.real,
    )
