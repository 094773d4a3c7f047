"""Failure texts of real engines, and how they sort."""

from __future__ import annotations

import pytest

from core.engines.failures import sort
from core.engines.port import Failure

REFRESH = "ERROR codex_core::auth: Failed to refresh token: 401 Unauthorized: Your access token was used"
LIMIT = "You’ve hit your usage limit. Visit https://chatgpt.com/settings/usage or try again at 9:13 AM."


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("exceeded retry limit, last status: 429 Too Many Requests", Failure.RATE_LIMIT),
        ("TOO MANY REQUESTS", Failure.RATE_LIMIT),
        ("API Error: Rate limit reached", Failure.RATE_LIMIT),
        ("Rate Limit Exceeded", Failure.RATE_LIMIT),
        ('{"code":"rate_limit_exceeded"}', Failure.RATE_LIMIT),
        ("HTTP429", Failure.RATE_LIMIT),
        ("thread 01a22b60-4291-7f23 at port 14290", Failure.OTHER),
        (LIMIT, Failure.USAGE_LIMIT),
        ("429: usage_limit_reached", Failure.USAGE_LIMIT),
        ("unexpected status 401 Unauthorized: Incorrect API key provided: x", Failure.LOGIN),
        ("Missing environment variable: `CODEX_ABSENT_KEY`.", Failure.LOGIN),
        ("Not logged in", Failure.LOGIN),
        (REFRESH, Failure.LOGIN),
        ("Codex ran out of room in the model's context window. Start a new thread", Failure.CONTEXT_FULL),
        ("context_length_exceeded", Failure.CONTEXT_FULL),
        ("The model `x` does not exist or you do not have access to it.", Failure.MODEL),
        ("models/x is not found for API version v1beta, or model is not supported", Failure.MODEL),
        ("Invalid value: unsupported reasoning effort 'huge'", Failure.MODEL),
        ("unexpected status 500 Internal Server Error: broken", Failure.SERVICE),
        ("AI_APICallError (HTTP 503)", Failure.SERVICE),
        ("API Error: 529 Overloaded", Failure.SERVICE),
        ("the file has 500 lines", Failure.OTHER),
        ("warning: x\nerror: unexpected argument '--ask-for-approval' found", Failure.VERSION),
        ("error: unrecognized subcommand 'app-server'", Failure.VERSION),
        ("Unknown arguments: acp", Failure.VERSION),
        ("", Failure.OTHER),
    ],
)
def test_a_failure_sorts_by_its_words(text: str, failure: Failure) -> None:
    assert sort(text) is failure
