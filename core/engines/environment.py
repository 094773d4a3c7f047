"""The environment of an agent: what is on the list, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
ALWAYS = frozenset(
    (
        *("HOME", "PATH", "USER", "SHELL", "LANG", "TZ", "TERM", "TMPDIR"),
        *PROXIES,
        *(name.lower() for name in PROXIES),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"),
        *("NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO"),
    )
)
FAMILIES = ("LC_", "XDG_")
OWN = "ROOST_"
"""Our own settings and secrets begin like this; they never go to an agent, whoever asks for it."""


def agent_environment(
    own: Mapping[str, str],
    *,
    engine_names: Iterable[str] = (),
    env: Mapping[str, str] | None = None,
    pass_env: Iterable[str] = (),
) -> dict[str, str]:
    """The whole environment of an agent, made from Roost's *own*: what is always let through, what the
    engine needs (*engine_names*), what the settings let through (*pass_env*) or set (*env*)."""
    wanted = ALWAYS.union(engine_names, pass_env)
    passed = {name: own[name] for name in own if name in wanted or name.startswith(FAMILIES)}
    return {name: value for name, value in {**passed, **(env or {})}.items() if not name.startswith(OWN)}
