"""How an engine's own words about a failure sort (behaviour §3)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.engines.port import Failure

Rule = tuple[re.Pattern[str], Failure]


def _rule(pattern: str, failure: Failure) -> Rule:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE), failure


COMMON = (
    _rule(r"usage[ _]limit", Failure.USAGE_LIMIT),
    _rule(r"context[ _-](window|length)", Failure.CONTEXT_FULL),
    _rule(r"(?<!\d)429(?!\d)|too many requests", Failure.RATE_LIMIT),
    _rule(r"rate[ _-]limit[ _-](exceeded|reached|error)", Failure.RATE_LIMIT),
    _rule(r"(?<!\d)401(?!\d)|missing environment variable|not logged in", Failure.LOGIN),
    _rule(r"refresh token|(incorrect|invalid) api key", Failure.LOGIN),
    _rule(r"\bmodel\b[^\n]{0,80}(does not exist|not (found|supported|available))", Failure.MODEL),
    _rule(r"(unsupported|invalid|unknown)[^\n]{0,40}\beffort\b", Failure.MODEL),
    _rule(r"\beffort\b[^\n]{0,40}(unsupported|invalid|not supported)", Failure.MODEL),
    _rule(r"\b(status|http|api error:|error code:)\s*5\d\d(?!\d)", Failure.SERVICE),
    _rule(r"internal server error|service unavailable|bad gateway|gateway time-?out", Failure.SERVICE),
    _rule(r"\boverloaded(_error)?\b", Failure.SERVICE),
    _rule(r"^error: (unexpected argument|unrecognized subcommand|unknown (option|command))", Failure.VERSION),
    _rule(r"^unknown arguments?:", Failure.VERSION),
)
"""For every engine. A used-up account and a full context come before the rate limit: waiting seconds
does not cure them."""

CODEX_SESSION = (
    _rule(r"already has an active writer", Failure.THREAD_WRITER),
    _rule(r"no rollout found for thread id", Failure.SESSION_GONE),
)
"""For Codex, where a session was to be resumed or forked."""

CLAUDE = (
    _rule(r"hit your (\w+ )?limit|(hour|session|weekly|opus|sonnet) limit reached", Failure.USAGE_LIMIT),
    _rule(r"credit balance is too low", Failure.USAGE_LIMIT),
    _rule(r"prompt is too long|conversation (is )?too long", Failure.CONTEXT_FULL),
    _rule(r"issue with the selected model", Failure.MODEL),
    _rule(r"cannot be used with root/sudo", Failure.ROOT),
    _rule(r"please run /login|failed to authenticate|oauth token (has expired|revoked)", Failure.LOGIN),
)
"""For Claude Code, before what is common to all."""

CLAUDE_SESSION = (_rule(r"no conversation found with session id", Failure.SESSION_GONE),)
"""For Claude Code, where a session was to be resumed."""


OPENCODE_BUSY = _rule(r"^Failed query:|database is locked", Failure.BUSY)
"""Two that start for the first time at once both make its database, and one of them ends (1.18.33)."""
OPENCODE_SESSION = (_rule(r"session not found", Failure.SESSION_GONE),)
OPENCODE = (
    OPENCODE_BUSY,
    _rule(r"ContextOverflowError", Failure.CONTEXT_FULL),
    _rule(r"ProviderAuthError", Failure.LOGIN),
)

GEMINI_SESSION = (_rule(r"error resuming session|invalid session identifier", Failure.SESSION_GONE),)
GEMINI = (
    _rule(r"must specify the GEMINI_API_KEY|invalid auth method|set an auth method", Failure.LOGIN),
    _rule(r"api key not valid|API_KEY_INVALID|UNAUTHENTICATED", Failure.LOGIN),
    _rule(r"exceeded your (current|daily) quota|quota limit", Failure.USAGE_LIMIT),
    _rule(r"input token count .*exceeds|context window will overflow", Failure.CONTEXT_FULL),
    _rule(r"RESOURCE_EXHAUSTED|resource exhausted", Failure.RATE_LIMIT),
)
"""Recorded are the session, the missing key and the exhausted resource; the rest is what its sources say."""

CURSOR_SESSION = (_rule(r"\b(chat|session)\b[^\n]*\bnot found", Failure.SESSION_GONE),)
CURSOR = (_rule(r"authentication required|agent login|CURSOR_API_KEY", Failure.LOGIN),)
"""From public reports: the program could not be had."""

ACP_SESSION = (
    _rule(
        r"session/(load|resume|fork): .*(not found|no previous sessions|OpenCode service failure)",
        Failure.SESSION_GONE,
    ),
    _rule(r"invalid session identifier", Failure.SESSION_GONE),
)
"""For an agent that speaks ACP, where a session was to be resumed."""

ACP = (
    OPENCODE_BUSY,
    _rule(r"authentication (is )?required|API key is missing|auth[_ ]required", Failure.LOGIN),
    _rule(r"^max_tokens$|maximum context", Failure.CONTEXT_FULL),
)


def sort(text: str, rules: Iterable[Rule] = COMMON) -> Failure:
    """The first rule whose words are in *text*."""
    return next((failure for pattern, failure in rules if pattern.search(text)), Failure.OTHER)
