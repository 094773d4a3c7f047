"""What clients want to know of a picture beforehand: its size, a blur in its colours, a small copy."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image, UnidentifiedImageError

LARGE = (800, 600)
"""Pixels; a picture beyond that gets a small copy of this size."""
QUALITY = 80
BLUR_SIZE = 32
ACROSS, DOWN = 4, 3
"""Waves of a blurhash (https://github.com/woltapp/blurhash/blob/master/Algorithm.md)."""
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """*small* is a JPEG, empty where the picture is small enough itself."""

    mime: str
    width: int
    height: int
    blur: str
    small: bytes = b""
    small_size: tuple[int, int] = (0, 0)


def look(data: bytes) -> Look | None:
    """None for what is no picture that we can read."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            mime = Image.MIME.get(image.format or "", "")
            size, colours = image.size, image.convert("RGB")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    if not mime.startswith("image/"):
        return None
    small, small_size = b"", (0, 0)
    if size[0] > LARGE[0] or size[1] > LARGE[1]:
        copy = colours.copy()
        copy.thumbnail(LARGE)
        held = io.BytesIO()
        copy.save(held, "JPEG", quality=QUALITY)
        small, small_size = held.getvalue(), copy.size
    return Look(mime, *size, blurhash(colours), small, small_size)


def blurhash(image: Image.Image) -> str:
    """Of a copy that is small enough to be gone through."""
    image = image.copy()
    image.thumbnail((BLUR_SIZE, BLUR_SIZE))
    width, height = image.size
    raw = image.tobytes()
    pixels = [tuple(_linear(value) for value in raw[at : at + 3]) for at in range(0, len(raw), 3)]
    waves = list(_waves(pixels, width, height))
    greatest = max((abs(value) for wave in waves[1:] for value in wave), default=0.0)
    scale = max(0, min(82, math.floor(greatest * 166 - 0.5)))
    said = _digits((ACROSS - 1) + (DOWN - 1) * 9, 1) + _digits(scale, 1)
    red, green, blue = map(_screen, waves[0])
    said += _digits((red << 16) + (green << 8) + blue, 4)
    return said + "".join(_digits(_wave(wave, (scale + 1) / 166), 2) for wave in waves[1:])


def _waves(pixels: list[tuple[float, ...]], width: int, height: int) -> Iterator[Colour]:
    for down in range(DOWN):
        for across in range(ACROSS):
            share = (1 if across == down == 0 else 2) / (width * height)
            sums = [0.0, 0.0, 0.0]
            for place, pixel in enumerate(pixels):
                y, x = divmod(place, width)
                basis = math.cos(math.pi * across * x / width) * math.cos(math.pi * down * y / height)
                for colour in range(3):
                    sums[colour] += basis * pixel[colour]
            yield sums[0] * share, sums[1] * share, sums[2] * share


def _wave(wave: Colour, scale: float) -> int:
    number = 0
    for value in wave:
        root = math.copysign(math.sqrt(abs(value / scale)), value)
        number = number * 19 + max(0, min(18, math.floor(root * 9 + 9.5)))
    return number


def _linear(value: int) -> float:
    part = value / 255
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _screen(value: float) -> int:
    part = max(0.0, min(1.0, value))
    shown = part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
    return int(shown * 255 + 0.5)


def _digits(value: int, length: int) -> str:
    return "".join(DIGITS[value // 83 ** (length - 1 - at) % 83] for at in range(length))
