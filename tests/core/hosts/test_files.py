"""Files of a project: what is opened, and what is refused however it is named."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import pytest

from core.errors import FileRefused
from core.hosts import files
from core.hosts.files import directory, find, open_beneath, open_walking


def refused(root: Path, ref: str) -> str:
    with pytest.raises(FileRefused) as refusal:
        find(str(root), ref)
    return refusal.value.key


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """What lies beside the project."""
    place = tmp_path / "outside"
    place.mkdir()
    (place / "tokens.txt").write_text("TOKEN")
    return place / "tokens.txt"


def test_the_literal_name_comes_first(project: Path) -> None:
    (project / "a%20b.png").write_bytes(b"literal")
    (project / "a b.png").write_bytes(b"escaped")
    assert find(str(project), "a%20b.png").data == b"literal"
    (project / "a%20b.png").unlink()
    assert find(str(project), "a%20b.png").data == b"escaped"


def test_a_way_round_that_stays_inside(project: Path) -> None:
    (project / "sub").mkdir()
    (project / "plot.png").write_bytes(b"x")
    (project / "link.png").symlink_to("sub/../plot.png")
    (project / "back.png").symlink_to(project / "plot.png")
    for ref in (
        "sub/../plot.png",
        "./plot.png",
        "link.png",
        "back.png",
        f"{project}//plot.png",
        f"file://{project}/plot.png",
    ):
        assert find(str(project), ref).data == b"x"


def test_a_path_from_home(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(project.parent))
    (project / "a.txt").write_text("here")
    assert find(str(project), f"~/{project.name}/a.txt").data == b"here"
    assert refused(project, "~/elsewhere.txt") == "file.outside"


@pytest.mark.parametrize(
    "ref", ["../outside/tokens.txt", "sub/../../outside/tokens.txt", "%2e%2e/outside/tokens.txt"]
)
def test_no_way_up(project: Path, secrets: Path, ref: str) -> None:
    (project / "sub").mkdir()
    assert refused(project, ref) == "file.outside"


def test_no_absolute_way_out(project: Path, secrets: Path) -> None:
    assert refused(project, str(secrets)) == "file.outside"
    assert refused(project, f"{project}/../outside/tokens.txt") == "file.outside"
    assert refused(project, f"{project}x") == "file.outside"
    assert refused(project, str(project.parent)) == "file.outside"


def test_no_link_leads_out(project: Path, secrets: Path) -> None:
    (project / "absolute.txt").symlink_to(secrets)
    (project / "relative.txt").symlink_to("../outside/tokens.txt")
    (project / "folder").symlink_to(secrets.parent)
    (project / "magic").symlink_to("/proc/self/cwd")
    (project / "round").symlink_to("round")
    for ref in ("absolute.txt", "relative.txt", "folder/tokens.txt", "magic/x", "round"):
        assert refused(project, ref) == "file.outside"


def test_no_second_name_of_a_file_elsewhere(project: Path, secrets: Path) -> None:
    os.link(secrets, project / "mine.txt")
    assert refused(project, "mine.txt") == "file.outside"


def test_only_regular_files_and_no_waiting(project: Path) -> None:
    os.mkfifo(project / "pipe.png")
    (project / "folder.png").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(project / "s.png"))
        for name in ("pipe.png", "folder.png", "s.png", "."):
            assert refused(project, name) == "file.not_regular"


def test_a_secret_under_an_innocent_name(project: Path) -> None:
    (project / ".env").write_text("KEY=1")
    (project / "plot.png").symlink_to(".env")
    (project / "back.png").symlink_to(project / ".env")
    assert refused(project, ".env") == "file.secret"
    assert refused(project, "back.png") == "file.secret"
    assert refused(project, "plot.png") == "file.secret"


def test_a_private_key_whatever_it_is_called(project: Path) -> None:
    (project / "id_work").write_text("# mine\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n")
    (project / "plain").write_text("-----BEGIN PUBLIC KEY-----\n")
    assert refused(project, "id_work") == "file.secret"
    assert find(str(project), "id_work", secrets=True).name == "id_work"
    assert find(str(project), "plain").name == "plain"


def test_what_is_not_there(project: Path) -> None:
    for ref in ("no.png", "no/such/plot.png", "", "x" * 5000, "https://example.org/x.png"):
        assert refused(project, ref) == "file.not_found"
    assert refused(project / "gone", "a.png") == "file.not_found"


def test_too_large(project: Path) -> None:
    with (project / "big.bin").open("wb") as file:
        file.truncate(50 * 1024 * 1024 + 1)
    assert refused(project, "big.bin") == "file.too_large"


def test_a_swap_between_check_and_open_wins_nothing(project: Path, secrets: Path) -> None:
    """A program of the agent changes a folder for a link to elsewhere, and back, as fast as it can."""
    (project / "real").mkdir()
    (project / "real/tokens.txt").write_text("mine")
    (project / "evil").symlink_to(secrets.parent)
    place = project / "output"
    place.symlink_to("real")
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            for target in ("evil", "real"):
                (project / "new").symlink_to(target)
                (project / "new").replace(place)

    swapper = threading.Thread(target=swap)
    swapper.start()
    read = set()
    try:
        for _ in range(500):
            try:
                read.add(find(str(project), "output/tokens.txt").data)
            except FileRefused as refusal:
                assert refusal.key == "file.outside"  # noqa: PT017
    finally:
        done.set()
        swapper.join()
    assert read == {b"mine"}


class TestWithoutOpenat2:
    """Old kernels, and containers that forbid the call."""

    @pytest.mark.parametrize("path", ["../x", "a/../../x", "folder/tokens.txt", "link.txt"])
    def test_no_link_and_no_way_up_at_all(self, project: Path, secrets: Path, path: str) -> None:
        (project / "a").mkdir()
        (project / "folder").symlink_to(secrets.parent)
        (project / "link.txt").symlink_to(secrets)
        with directory(str(project)) as top, pytest.raises(OSError):
            open_walking(top, path)

    def test_the_same_file_is_opened(self, project: Path) -> None:
        (project / "a/b").mkdir(parents=True)
        (project / "a/b/c.txt").write_text("x")
        with directory(str(project)) as top:
            for way in (open_walking, open_beneath):
                handle = way(top, "a/b/c.txt")
                assert os.read(handle, 10) == b"x"
                os.close(handle)

    def test_it_is_what_happens_there(self, project: Path) -> None:
        assert files.MISSING == (38, 1)
