"""Names that agents and people come up with."""

from __future__ import annotations

from itertools import islice

import pytest

from core.hosts.names import numbered, readings, safe, secret


@pytest.mark.parametrize(
    ("ref", "meant"),
    [
        ("a.png", ("a.png",)),
        ("a%20b.png", ("a%20b.png", "a b.png")),
        ("100%25.png", ("100%25.png", "100%.png")),
        ("plot.png?v=2", ("plot.png?v=2", "plot.png")),
        ("plot.png#f", ("plot.png#f", "plot.png")),
        (
            "a%23b.png#f?x",
            ("a%23b.png#f?x", "a#b.png#f?x", "a%23b.png", "a#b.png", "a%23b.png#f", "a#b.png#f"),
        ),
        ("file:///tmp/a%20b", ("/tmp/a%20b", "/tmp/a b")),
        ("file://localhost/tmp/a", ("/tmp/a",)),
        ("FILE:/tmp/a", ("/tmp/a",)),
        ("file:a", ("a",)),
        ("file://output/a.png", ("output/a.png",)),
        ("", ()),
        ("#top", ("#top",)),
        ("a\0b", ()),
        ("a%00b", ("a%00b",)),
        ("\ud83d.png", ()),
    ],
)
def test_what_a_reference_can_mean(ref: str, meant: tuple[str, ...]) -> None:
    assert readings(ref) == meant


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        ".env.local",
        "production.env",
        "deploy/server.pem",
        "id_rsa",
        "keys/ID_ED25519.pub",
        ".git/config",
        "sub/.git/HEAD",
        ".ssh/config",
        ".netrc",
        "web/.npmrc",
        "Credentials.json",
        "pass.kdbx",
        "auth.json",
        "tls.key",
        "kubeconfig",
        "prod.kubeconfig",
        "infra/terraform.tfstate",
        "terraform.tfstate.backup",
        ".vault-token",
        "wallet.dat",
        ".config/gh/hosts.yml",
        "gh/hosts.yml",
        "a.p12",
        "a.pfx",
        ".pgpass",
        ".git-credentials",
    ],
)
def test_what_looks_secret(path: str) -> None:
    assert secret(path)


@pytest.mark.parametrize(
    "path",
    [
        *(
            "plot.png",
            "environment.yml",
            ".github/ci.yml",
            ".gitignore",
            "keyboard.md",
            "a/b/author.json",
            "",
        ),
        *("ansible/hosts.yml", "hosts.yml", "gh/readme.yml", "wallet.py", "kubeconfig.md"),
    ],
)
def test_what_does_not(path: str) -> None:
    assert not secret(path)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("notes.txt", "notes.txt"),
        ("größe 1.png", "größe 1.png"),
        ("../../etc/passwd", "etc_passwd"),
        ("-rf", "rf"),
        (".env", "env"),
        ("a\nb\u202egnp.exe", "abgnp.exe"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("", "file"),
        ("...", "file"),
        ("/", "file"),
        ("x" * 300 + ".jpeg", "x" * 95 + ".jpeg"),
    ],
)
def test_a_kept_name_is_harmless(given: str, kept: str) -> None:
    assert safe(given) == kept


def test_a_kept_name_fits_the_file_system() -> None:
    assert len(safe("𒀀" * 90 + ".png").encode()) <= 200
    assert safe("𒀀" * 90 + ".png").endswith("𒀀.png")


def test_names_that_are_taken() -> None:
    assert list(islice(numbered("a.tar.gz"), 3)) == ["a.tar.gz", "a.tar-2.gz", "a.tar-3.gz"]
