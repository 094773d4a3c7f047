"""An agent gets what is on the list, and no secret of ours."""

from __future__ import annotations

from core.engines.environment import agent_environment

OWN = {
    "HOME": "/home/pi",
    "PATH": "/usr/bin",
    "LC_ALL": "C.UTF-8",
    "XDG_STATE_HOME": "/state",
    "https_proxy": "http://proxy",
    "SSL_CERT_FILE": "/ca.pem",
    "OPENAI_API_KEY": "key",
    "GITHUB_TOKEN": "token",
    "ROOST_TELEGRAM_TOKEN": "secret",
    "TELEGRAM_TOKEN": "secret",
    "LD_PRELOAD": "/x.so",
    "PYTHONPATH": "/y",
}
ALWAYS = {
    name: OWN[name] for name in ("HOME", "PATH", "LC_ALL", "XDG_STATE_HOME", "https_proxy", "SSL_CERT_FILE")
}


def test_only_what_is_listed_goes_on() -> None:
    assert agent_environment(OWN) == ALWAYS


def test_what_the_engine_needs_goes_on_where_it_is_set() -> None:
    assert agent_environment(OWN, engine_names=["OPENAI_API_KEY", "CODEX_HOME"]) == {
        **ALWAYS,
        "OPENAI_API_KEY": "key",
    }


def test_the_settings_pass_on_and_set() -> None:
    made = agent_environment(OWN, env={"PATH": "/agents/bin", "A": "b"}, pass_env=["GITHUB_TOKEN"])
    assert made == {**ALWAYS, "PATH": "/agents/bin", "GITHUB_TOKEN": "token", "A": "b"}


def test_our_own_never_go_whoever_asks() -> None:
    asked = ["ROOST_TELEGRAM_TOKEN"]
    made = agent_environment(OWN, engine_names=asked, pass_env=asked, env={"ROOST_DATA_DIR": "/data"})
    assert made == ALWAYS


def test_roosts_own_environment_stays_as_it_is() -> None:
    own = dict(OWN)
    agent_environment(own, env={"HOME": "/elsewhere"})["PATH"] = ""
    assert own == OWN
