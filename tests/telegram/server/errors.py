"""How a call is refused: Telegram's own codes and texts."""

from __future__ import annotations

from typing import Any

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as"
    " a current content and reply markup of the message"
)
TOO_OLD = "query is too old and response timeout expired or query ID is invalid"
TWO_POLLERS = "terminated by other getUpdates request; make sure that only one bot instance is running"
WEBHOOK_SET = (
    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
)


class ApiError(Exception):
    """The answer `{"ok": false, …}`."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def json(self) -> dict[str, Any]:
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        return {**body, "parameters": self.parameters} if self.parameters else body


def bad(why: str, **parameters: int) -> ApiError:
    return ApiError(400, f"Bad Request: {why}", **parameters)


def forbidden(why: str) -> ApiError:
    return ApiError(403, f"Forbidden: {why}")


def conflict(why: str) -> ApiError:
    return ApiError(409, f"Conflict: {why}")


def flood(seconds: int) -> ApiError:
    return ApiError(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


def unauthorized() -> ApiError:
    return ApiError(401, "Unauthorized")


def not_found() -> ApiError:
    return ApiError(404, "Not Found")


def too_large() -> ApiError:
    return ApiError(413, "Request Entity Too Large")
