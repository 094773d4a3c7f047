"""The small rules that the nouns themselves keep."""

from __future__ import annotations

import pytest

from core.model.ids import ConversationId, ProjectId
from core.model.launch import Exited, Launch
from core.model.project import HOST_AGENT_GROUP, Access, Project
from core.model.prompt import Status
from core.model.slots import keys_of


def test_access_is_lowered_and_never_raised() -> None:
    assert list(Access) == [Access.READ_ONLY, Access.WORKSPACE, Access.FULL]
    for own in Access:
        for ceiling in Access:
            assert own.at_most(ceiling).rank == min(own.rank, ceiling.rank)


def test_the_marker_of_a_host_agent_excludes_nobody() -> None:
    project = Project(ProjectId(3), "shop", "/srv/shop", "codex", groups=("tv", HOST_AGENT_GROUP, "tv"))
    assert project.excluding_groups == {"tv"}
    assert keys_of(ConversationId(5), project) == {"c:5", "p:3", "g:tv"}


def test_three_states_are_for_ever() -> None:
    assert [status for status in Status if status.ended] == ["done", "failed", "cancelled"]


@pytest.mark.parametrize(("code", "signal"), [(0, None), (1, None), (127, None), (137, 9), (143, 15)])
def test_a_shells_code_tells_a_signal(code: int, signal: int | None) -> None:
    assert Exited(code).signal == signal


def test_a_launch_does_not_show_its_environment() -> None:
    assert "hunter22" not in repr(Launch(("codex",), "/", {"OPENAI_API_KEY": "hunter22"}))
