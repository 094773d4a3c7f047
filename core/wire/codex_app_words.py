"""What Codex's app server is told: the parameters of our requests."""

from __future__ import annotations

from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.jsonrpc import Params

SANDBOX = {
    Access.READ_ONLY: "read-only",
    Access.WORKSPACE: "workspace-write",
    Access.FULL: "danger-full-access",
}


def thread_params(request: TurnRequest) -> Params:
    """For `thread/start`, and for `thread/resume` and `thread/fork`: without its turns, which may be
    megabytes."""
    params: Params = {
        "cwd": request.cwd,
        "approvalPolicy": approval_policy(request),
        "sandbox": SANDBOX[request.access],
    }
    if request.model:
        params["model"] = request.model
    if known := request.session or request.fork:
        params |= {"threadId": known, "excludeTurns": True}
    return params


def turn_params(request: TurnRequest, thread: str) -> Params:
    """The sandbox is the thread's: one that is given here would lose what the person's own configuration
    says of it (networks, further directories). Reading only is said once more all the same."""
    pictures = [{"type": "localImage", "path": path} for path in request.images]
    params: Params = {
        "threadId": thread,
        "input": [text_input(request.text), *pictures],
        "approvalPolicy": approval_policy(request),
    }
    if request.access is Access.READ_ONLY:
        params["sandboxPolicy"] = {"type": "readOnly"}
    if request.model:
        params["model"] = request.model
    if request.effort:
        params["effort"] = request.effort
    return params


def steer_params(thread: str, turn: str, text: str) -> Params:
    return {"threadId": thread, "expectedTurnId": turn, "input": [text_input(text)]}


def interrupt_params(thread: str, turn: str) -> Params:
    return {"threadId": thread, "turnId": turn}


def approval_policy(request: TurnRequest) -> str:
    return "on-request" if request.approvals else "never"


def text_input(text: str) -> Params:
    """Half surrogates, which no JSON takes, become question marks."""
    return {"type": "text", "text": text.encode("utf-8", "replace").decode(), "text_elements": []}
