"""What a chat gets for each kind of picture, whole or broken."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from core.answers.pictures import Broken, FileInstead, Kind, Limits, Picture, Reason, data_url, fit, sniff

SVG = b'<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg" width="1"/>'
HTML = b"<!DOCTYPE html><html>not found</html>"
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")


def drawn(form: str, size: tuple[int, int] = (64, 40), *, mode: str = "RGB", **options: object) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size).save(out, form, **options)
    return out.getvalue()


def frames(form: str) -> bytes:
    first, *rest = [Image.new("RGB", (40, 40), (60 * shade, 0, 0)) for shade in range(3)]
    out = io.BytesIO()
    first.save(out, form, save_all=True, append_images=rest, duration=200)
    return out.getvalue()


def bomb() -> bytes:
    """A PNG of a few bytes that says it is 30,000 × 30,000."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(99)))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        *((drawn(form), kind) for form, kind in zip(FORMATS, list(Kind)[:6], strict=True)),
        (SVG, Kind.SVG),
        (b"\xef\xbb\xbf <svg>", Kind.SVG),
        (b"%PDF-1.7 ...", Kind.PDF),
        (HTML, Kind.OTHER),
        (b"BM is how this text begins, but no more", Kind.OTHER),
        (b"RIFF....WAVE", Kind.OTHER),
        (b"", Kind.EMPTY),
    ],
)
def test_the_content_says_what_it_is(data: bytes, kind: Kind) -> None:
    assert sniff(data) is kind


@pytest.mark.parametrize(("form", "kind"), [("PNG", Kind.PNG), ("JPEG", Kind.JPEG), ("WEBP", Kind.WEBP)])
def test_what_fits_is_left_alone(form: str, kind: Kind) -> None:
    data = drawn(form)
    assert fit(data) == Picture(data, kind, 64, 40, scaled=False)


@pytest.mark.parametrize("form", ["BMP", "TIFF", "GIF"])
def test_what_no_chat_shows_becomes_png(form: str) -> None:
    picture = fit(drawn(form))
    assert isinstance(picture, Picture)
    assert (picture.kind, sniff(picture.data), picture.scaled) == (Kind.PNG, Kind.PNG, False)


MODES = [("PNG", "RGBA"), ("PNG", "P"), ("PNG", "I;16"), ("JPEG", "CMYK"), ("WEBP", "RGB"), ("TIFF", "F")]


@pytest.mark.parametrize(("form", "mode"), MODES)
def test_a_wide_picture_is_scaled(form: str, mode: str) -> None:
    picture = fit(drawn(form, (2560, 1000), mode=mode))
    assert isinstance(picture, Picture)
    assert (picture.width, picture.height, picture.scaled) == (1280, 500, True)
    assert Image.open(io.BytesIO(picture.data)).size == (1280, 500)


def test_a_phone_s_picture_stands_upright_when_it_is_scaled() -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    picture = fit(drawn("JPEG", (3000, 2000), exif=turned))
    assert isinstance(picture, Picture)
    assert (picture.width, picture.height) == (1280, 1920)


@pytest.mark.parametrize(
    ("data", "kind", "reason"),
    [
        (SVG, Kind.SVG, Reason.VECTOR),
        (b"%PDF-1.7", Kind.PDF, Reason.DOCUMENT),
        (frames("GIF"), Kind.GIF, Reason.FRAMES),
        (frames("TIFF"), Kind.TIFF, Reason.FRAMES),
        (drawn("PNG", (2100, 100)), Kind.PNG, Reason.SHAPE),
        (drawn("PNG", (9000, 1001)), Kind.PNG, Reason.SHAPE),
    ],
)
def test_what_is_no_photo_goes_as_a_file(data: bytes, kind: Kind, reason: Reason) -> None:
    assert fit(data) == FileInstead(data, kind, reason)


def test_limits_are_the_chat_s() -> None:
    data = drawn("PNG")
    assert fit(data, limits=Limits(bytes=len(data))) == Picture(data, Kind.PNG, 64, 40, scaled=False)
    assert fit(data, limits=Limits(bytes=len(data) - 1)) == FileInstead(data, Kind.PNG, Reason.TOO_LARGE)
    assert isinstance(fit(data, limits=Limits(width=32)), Picture)


def test_webp_never_goes_as_a_file() -> None:
    still, moving = fit(drawn("WEBP", (2100, 100))), fit(frames("WEBP"))
    assert isinstance(still, FileInstead)
    assert isinstance(moving, FileInstead)
    assert (still.kind, sniff(still.data), still.reason) == (Kind.PNG, Kind.PNG, Reason.SHAPE)
    assert (moving.kind, sniff(moving.data), moving.reason) == (Kind.GIF, Kind.GIF, Reason.FRAMES)
    assert getattr(Image.open(io.BytesIO(moving.data)), "n_frames", 1) == 3


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "BMP", "TIFF"])
def test_a_picture_cut_short_is_broken(form: str) -> None:
    data = drawn(form, (320, 200))
    assert fit(data[: len(data) // 2]) == Broken(Reason.DAMAGED)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", Reason.EMPTY),
        (HTML, Reason.NO_PICTURE),
        (bomb(), Reason.BOMB),
        (b"\x89PNG\r\n\x1a\n", Reason.DAMAGED),
    ],
)
def test_nothing_to_send(data: bytes, reason: Reason) -> None:
    assert fit(data) == Broken(reason)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(FORMATS), st.integers(8, 4000), st.binary(min_size=1, max_size=8), st.integers(0, 4000)
)
def test_damage_anywhere_never_raises(form: str, place: int, damage: bytes, kept: int) -> None:
    data = drawn(form, exif=Image.Exif()) if form in ("PNG", "JPEG", "WEBP") else drawn(form)
    place %= len(data)
    hurt = data[:place] + damage + data[place + len(damage) :]
    assert isinstance(fit(hurt[: len(hurt) - kept % 40]), Picture | FileInstead | Broken)


@pytest.mark.parametrize(
    ("src", "data"),
    [
        ("data:image/png;base64,aGk=", b"hi"),
        ("DATA:image/png;filename=test.png;base64,aGk=", b"hi"),
        ("data:image/png;base64,aGk%3D", b"hi"),
        ("data:image/svg+xml;utf8,<svg>%20</svg>", b"<svg> </svg>"),
        ("data:image/png,", b""),
        ("data:image/png;base64,@@@@", None),
        ("data:image/png;base64,aGk", None),
        ("data:text/html;base64,PGgxPng8L2gxPg==", None),
        ("data:,hi", None),
        ("output/data:image/png,x", None),
        ("https://a.example/x.png", None),
    ],
)
def test_data_urls(src: str, data: bytes | None) -> None:
    assert data_url(src) == data


def test_the_module_costs_no_pillow() -> None:
    code = "import sys, core.answers.pictures; sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=30).returncode == 0
