"""The service and the commands beside it: one dispatcher, whoever comes and goes."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from tests.support.agents import runs
from tests.support.roost import Roost, stop, until


def test_the_service_answers_what_is_asked_beside_it(shop: Roost) -> None:
    with shop.service():
        assert shop("ask", "shop", "Go").out == "Hi.\n"
        assert shop("status", "--json").json["service"] is True
    assert shop("status", "--json").json["service"] is False


def test_a_second_service_is_turned_away(shop: Roost) -> None:
    with shop.service():
        ran = shop("run")
        assert ran.status == 75
        assert f"Roost already runs for {shop.data_dir}. Stop that one first" in ran.err
        assert shop("ask", "shop", "Go").status == 0


def test_a_stopped_service_leaves_its_agent_and_the_next_one_hears_it_out(shop: Roost) -> None:
    go = shop.holds()
    with shop.started("ask", "shop", "Go") as ask:
        with shop.service() as service:
            until(lambda: shop.agents)
            ask.kill()
            assert stop(service) < 5
            assert service.returncode == 0
        (agent,) = shop.agents
        assert runs(agent)
        with shop.service() as service:
            assert service.stderr
            assert "1 prompt was at work when Roost stopped." in service.stderr.readline()
            go.touch()
            until(lambda: not shop("status", "--json").json["running"])
    assert shop.agents == [agent]
    assert '"status":"done"' in shop("events", "1").out.splitlines()[-1].replace(" ", "")


def test_a_service_that_starts_in_the_middle_takes_over(shop: Roost) -> None:
    go = shop.holds()
    with shop.started("ask", "shop", "Go") as ask:
        until(lambda: shop.agents)
        with shop.service():
            go.touch()
            assert ask.wait(30) == 0
            assert ask.stdout
            assert ask.stdout.read() == "Hi.\n"
    assert len(shop.agents) == 1


def test_a_service_that_stops_in_the_middle_hands_over(shop: Roost) -> None:
    go = shop.holds()
    with shop.service() as service, shop.started("ask", "shop", "Go") as ask:
        until(lambda: shop.agents)
        stop(service)
        go.touch()
        assert ask.wait(30) == 0
    assert len(shop.agents) == 1


def _folder(shop: Roost, name: str) -> str:
    folder = shop.home / name
    folder.mkdir()
    return str(folder)


def test_ctrl_c_ends_the_service_like_a_signal_to_stop(shop: Roost) -> None:
    with shop.service() as service:
        assert stop(service, signal.SIGINT) < 5
        assert service.returncode == 0


def test_the_service_says_which_chats_it_has_and_which_it_cannot_reach(shop: Roost) -> None:
    with shop.service() as service:
        assert service.stderr
        line = "info: No chat is configured. roost ask and roost chat work with this service.\n"
        assert service.stderr.readline() == line
    shop.configure('[matrix]\nhomeserver = "http://127.0.0.1:9"\naccess_token = "abcdefghijkl"\n')
    with shop.service() as service:
        assert service.stderr
        line = service.stderr.readline()
        assert "error: The Matrix homeserver can’t be reached. Nothing is lost; I keep trying." in line
        assert "abcdef" not in line


def test_cancel_stops_what_another_process_runs(shop: Roost) -> None:
    shop.holds()
    with shop.started("ask", "shop", "Go", "--json") as ask:
        until(lambda: shop.agents)
        ran = shop("cancel", "1")
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.startswith("Stopped after 0:0")
        assert not runs(shop.agents[0])
        assert ask.wait(30) == 130
    assert shop("cancel", "1").out == "That had already ended.\n"


def test_cancel_without_a_dispatcher_ends_the_agent_and_begins_no_other(shop: Roost) -> None:
    shop.holds()
    with shop.started("ask", "shop", "One") as first, shop.started("ask", "shop", "Two") as second:
        until(lambda: shop.agents and shop("status", "--json").json["queued"])
        first.kill()
        second.kill()
        first.wait()
        second.wait()
    (running,) = shop("status", "--json").json["running"]
    assert shop("cancel", str(running["prompt"])).out.startswith("Stopped after")
    state = shop("status", "--json").json
    assert (len(state["running"]), len(state["queued"])) == (0, 1)
    assert not any(runs(agent) for agent in shop.agents)
    assert len(shop.agents) == 1


def test_the_service_stops_in_time_while_an_agent_refuses_to_end(shop: Roost) -> None:
    shop.says("Hi.", {"ignore": ["TERM", "INT"]}, {"wait_for": str(shop.home / "never")})
    with shop.started("ask", "shop", "Go") as ask, shop.service() as service:
        until(lambda: shop.agents)
        with shop.started("cancel", "--all") as cancel:
            until(lambda: "Stopping" in line(ask))
            assert stop(service) < 5
            assert cancel.wait(30) == 0
        assert ask.wait(30) == 130
    assert not runs(shop.agents[0])


def line(process: subprocess.Popen[str]) -> str:
    assert process.stderr
    return process.stderr.readline()


def test_cancel_of_a_conversation_or_of_everything(shop: Roost) -> None:
    shop.holds()
    with shop.started("ask", "shop", "One") as first:
        until(lambda: shop.agents)
        with shop.started("ask", "shop", "Two") as second:
            until(lambda: shop("status", "--json").json["queued"])
            said = shop("cancel", "--conversation", "1").out.splitlines()
            assert said[0] == "Removed before it began: Two."
            assert said[1].startswith("Stopped after")
            assert (first.wait(30), second.wait(30)) == (130, 130)
    assert shop("cancel", "--all").out == "Nothing is running here.\n"
    assert shop("cancel", "99").status == 2
    assert shop("cancel", "--conversation", "99").status == 2
    assert shop("cancel").status == 2
    assert shop("cancel", "1", "--all").status == 2


def test_status_tells_what_runs_and_what_waits_for_what(shop: Roost) -> None:
    go = shop.holds()
    with shop.started("ask", "shop", "One") as first:
        until(lambda: shop.agents)
        with shop.started("ask", "shop", "Two", "--new") as second:
            until(lambda: shop("status", "--json").json["queued"])
            state = shop("status", "--json").json
            shown = shop("status").out.splitlines()
            go.touch()
            assert (first.wait(30), second.wait(30)) == (0, 0)
    assert state.keys() == {"service", "running", "queued", "projects"}
    wanted = {"prompt", "conversation", "project", "engine", "host", "since"}
    assert all(entry.keys() >= wanted for key in ("running", "queued", "projects") for entry in state[key])
    assert (state["running"][0]["prompt"], state["queued"][0]["prompt"]) == (1, 2)
    assert shown[1].startswith("▸ 1 shop · Codex · 0:")
    assert shown[2] == "⏳ 2 shop · Codex · Two · Waits for shop: One is at work there."
    assert "Nothing runs or waits." in shop("status").out


def test_status_tells_a_newcomer_how_things_stand(roost: Roost) -> None:
    nothing = roost("status").out.splitlines()
    assert nothing == [
        "The service isn’t running; roost run starts it. roost ask and roost chat work without it.",
        "Nothing runs or waits.",
        "There is no project yet: roost project add NAME PATH.",
    ]
    roost.with_shop().configure(command=["/nowhere/codex"])
    roost("ask", "shop", "fix it")
    _, idle, failed, way_on = roost("status").out.splitlines()
    assert idle == "Nothing runs or waits."
    assert failed.startswith("✗ 1 shop · Codex · fix it · Codex is not installed on ")
    assert way_on.startswith("roost check says how things stand here")


def test_status_says_that_nobody_takes_up_what_waits(shop: Roost) -> None:
    shop.holds()
    rests = "Until somebody starts it, what waits stays where it is"
    with shop.started("ask", "shop", "One"):
        until(lambda: shop.agents)
        assert rests not in shop("status").out
    assert rests in shop("status").out
    shop("cancel", "--all")
    assert rests not in shop("status").out


def test_projects_change_while_the_service_runs(shop: Roost, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(_folder(shop, "till"))
    with shop.service():
        assert shop("project", "add", "linked", str(link), "--group", "tv", "--group", "tv").status == 0
        assert shop("ask", "linked", "Go").out == "Hi.\n"
        assert shop("project", "set", "linked", "--access", "read-only", "--group", "salon").status == 0
        shop("ask", "linked", "Go")
    assert "read-only" in shop.play.starts[-1].argv
    linked, _ = shop("project", "list", "--json").json
    assert linked == {
        "name": "linked",
        "path": str(link),
        "engine": "codex",
        "access": "read-only",
        "groups": ["salon"],
        "host": "local",
        "archived": False,
    }


def test_a_project_gets_the_agent_that_is_here_and_hears_of_one_that_is_not(shop: Roost) -> None:
    host = os.uname().nodename
    shop.configure(command=["/nowhere/codex"])
    added = shop("project", "add", "blog", _folder(shop, "blog"))
    assert "Demo · writes in its folder" in added.out
    assert added.err == (
        f"No agent program is on {host} yet, so demo answers here."
        " Once one is: roost project set blog --engine codex, for example.\n"
    )
    wanted = shop("project", "add", "tv", _folder(shop, "tv"), "--engine", "codex")
    assert (wanted.status, "Codex · " in wanted.out) == (0, True)
    assert wanted.err == f"Codex isn’t on {host}. What is asked in tv fails until it is.\n"
    warned = [one for one in shop("check", "--json").json if one["name"] == "project tv"]
    assert [one["state"] for one in warned] == ["warning"]
    assert "has no program on this machine" in warned[0]["message"]


def test_with_another_engine_a_project_begins_a_new_conversation(shop: Roost) -> None:
    shop.says("Hi.")
    before = shop("ask", "shop", "Go", "--json").json["conversation"]
    changed = shop("project", "set", "shop", "--engine", "demo")
    assert "Demo works in shop from now on, and begins a new conversation" in changed.err
    after = shop("ask", "shop", "echo two", "--json").json
    assert (after["conversation"] != before, after["text"]) == (True, "two")
    assert shop("project", "set", "shop", "--access", "read-only").err == ""


def test_what_cannot_be_a_project_is_refused(shop: Roost) -> None:
    def refused(*words: str) -> str:
        ran = shop("project", *words)
        assert (ran.status, ran.out) == (2, "")
        return ran.err

    file = shop.home / "file"
    file.touch()
    assert "There is already a project called shop." in refused("add", "shop", _folder(shop, "till"))
    assert "That folder is project shop already." in refused("add", "x", str(shop.shop))
    assert "can’t be a project’s name" in refused("add", "a b", str(shop.shop))
    assert "There is nothing at" in refused("add", "x", str(shop.home / "none"))
    assert "is not a folder" in refused("add", "x", str(file))
    assert "contains Roost’s own data" in refused("add", "x", str(shop.home))
    assert "move that data out of it: data_dir" in refused("add", "x", str(shop.home), "--whole-home")
    assert "lies in Roost’s own data" in refused("add", "x", str(shop.data_dir / "media"))
    assert "There is no engine called codec" in refused("set", "shop", "--engine", "codec")
    assert "There is no host called desk. This machine is local" in refused("set", "shop", "--host", "desk")
    assert "A group has a name." in refused("set", "shop", "--group", "")
    assert "There is no project called x" in refused("show", "x")
    nothing = refused("set", "shop")
    assert "can be set: --path, --engine, --access, --group, --host, --no-groups" in nothing
    assert "There is no project called x" in refused("set", "x")
    assert "There is no command rename" in refused("rename", "x")


def test_a_project_with_a_history_is_put_away_and_one_without_removed(shop: Roost) -> None:
    shop("project", "add", "empty", _folder(shop, "empty"))
    shop("ask", "shop", "Go")
    assert shop("project", "remove", "empty").status == 0
    refused = shop("project", "remove", "shop")
    assert refused.status == 2
    assert "its conversations (1) would be lost" in refused.err
    assert "roost project archive shop" in refused.err
    assert shop("project", "archive", "shop").status == 0
    way_back = "roost project unarchive shop"
    assert way_back in shop("project", "list").out
    for words in (
        ("ask", "shop", "Go"),
        ("chat", "--project", "shop"),
        ("chat", "--project", str(shop.shop)),
        ("project", "add", "shop", _folder(shop, "till")),
        ("project", "add", "till", str(shop.shop)),
        ("project", "remove", "shop"),
    ):
        ran = shop(*words)
        assert (ran.status, ran.out, way_back in ran.err) == (2, "", True), words
    (project,) = shop("project", "list", "--json").json
    assert project["archived"] is True
    assert "put away" in shop("project", "show", "shop").out
    assert shop("project", "unarchive", "shop").status == 0
    assert shop("ask", "shop", "Go").status == 0
    assert shop("project", "set", "shop", "--archived").status == 0
    assert "put away" not in shop("project", "set", "shop", "--no-archived").out


def test_an_access_that_the_engine_is_only_asked_to_keep_to_is_shown_as_that(shop: Roost) -> None:
    assert "enforced" not in shop("project", "show", "shop").out
    assert shop("project", "set", "shop", "--engine", "claude").status == 0
    assert "writes in its folder (asked, not enforced)" in shop("project", "show", "shop").out
    assert shop("project", "set", "shop", "--access", "full").status == 0
    assert "enforced" not in shop("project", "show", "shop").out


def test_agents_are_given_the_umask_of_whoever_started_roost(shop: Roost) -> None:
    shop.says("Hi.", {"write_file": {"path": "made.txt", "text": "x"}})
    before = os.umask(0o027)
    try:
        shop("ask", "shop", "Go")
    finally:
        os.umask(before)
    assert (shop.shop / "made.txt").stat().st_mode & 0o777 == 0o640
    assert (shop.data_dir / "roost.db").stat().st_mode & 0o777 == 0o600
