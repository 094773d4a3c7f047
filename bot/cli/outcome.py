"""How a prompt ended: for a person, and for a script."""

from __future__ import annotations

import os
from dataclasses import dataclass

from bot.app import App
from bot.cli.screen import drawn
from bot.endings import compacted, is_compacted
from bot.live import Ended
from bot.replies import answer, cancelled, errors, progress
from core.model.answer import StoredMessage
from core.model.project import LOCAL, Project
from core.model.prompt import Prompt, Status
from core.model.reasons import SET_ASIDE

LONGEST_PATH = 4_096
"""`PATH_MAX`; a picture that came in the words themselves is longer."""

HERE = {
    "error.project_gone": "cli.failed.project_gone",
    "engine.context_full": "cli.failed.too_long",
    "engine.context_compact": "cli.failed.too_long",
    "engine.model": "cli.failed.model",
    "engine.session_gone": "cli.failed.session",
    SET_ASIDE: "cli.failed.twice",
}
"""Reasons whose sentences name a chat's command, and the sentences that name ours."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """*markdown* is the answer, with a word on what could not be shown; *pictures*: src → path on the disk,
    in the project where it is there.
    *closing* is what is said besides, *public* the same for `--json`."""

    markdown: str
    pictures: dict[str, str]
    closing: str
    public: dict[str, object]

    @property
    def drawn(self) -> str:
        """The answer for a terminal, each picture's path where it stands."""
        return drawn(self.markdown, terminal=True, pictures=self.pictures)

    @property
    def plain(self) -> str:
        """The answer as it was written, then where its pictures are."""
        return "\n".join([self.markdown, *self.pictures.values()])


def outcome(ended: Ended, app: App) -> Outcome:
    prompt, message = ended.prompt, ended.answer
    kept = _kept(message, app) if message else {}
    pictures = {src: _in_project(src, ended.project) or path for src, path in kept.items()}
    closing = _closing(ended, app)
    way_on = app.texts().say("cli.ask.again") if prompt.status is Status.FAILED else ""
    public: dict[str, object] = {
        "prompt": prompt.id,
        "conversation": prompt.conversation,
        "status": prompt.status,
        "text": message.text if message else "",
        "images": list(kept.values()),
        "error": None if prompt.status is Status.DONE else drawn(closing, terminal=False),
    }
    return Outcome(
        answer.answer(message, app.texts()).markdown if message else "",
        pictures,
        _joined(closing, way_on),
        public,
    )


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def _kept(message: StoredMessage, app: App) -> dict[str, str]:
    """As they were when the answer came."""
    shown = (one for one in message.placed if one.kind in answer.SHOWN)
    return {one.src: str(app.means.media.path(one.media)) for one in shown}


def _in_project(src: str, project: Project) -> str:
    """The file that the agent named; empty where it isn't, or is no longer, in the project."""
    path = os.path.abspath(os.path.join(project.path, src))
    return path if project.host == LOCAL and len(src) < LONGEST_PATH and os.path.isfile(path) else ""


def why_failed(prompt: Prompt, project: Project, engine: str, app: App) -> str:
    """Why it failed, and what to do about it on the command line."""
    return errors.why(prompt, app.about(project, engine), app.texts(), key=HERE.get(prompt.reason, ""))


def _closing(ended: Ended, app: App) -> str:
    texts, prompt = app.texts(), ended.prompt
    match prompt.status:
        case Status.FAILED:
            return why_failed(prompt, ended.project, ended.conversation.engine, app)
        case Status.CANCELLED if prompt.started_at is None:
            return cancelled.dropped(prompt.text, texts).markdown
        case Status.CANCELLED:
            return cancelled.stopped(ended.elapsed, ended.turn.done, texts).markdown
        case _ if is_compacted(ended):
            return compacted(ended, texts).markdown
        case _ if ended.answer is None:
            return texts.say("answer.empty", engine=app.catalogue.label(ended.conversation.engine))
        case _ if ended.turn.count:
            return progress.folded(ended.turn, prompt.status, ended.elapsed, texts).markdown
        case _:
            return ""
