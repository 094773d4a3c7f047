"""Pictures by what they are, not by what they are called, made fit for a chat."""

from __future__ import annotations

import base64
import binascii
import io
import re
import warnings
import zlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from struct import error as StructError  # noqa: N812
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 36_000_000  # of all frames together; to decode as many takes 144 MB of memory


class Kind(StrEnum):
    """What a file is, by its first bytes. The value is its usual name ending."""

    PNG = "png"
    JPEG = "jpg"
    WEBP = "webp"
    GIF = "gif"
    BMP = "bmp"
    TIFF = "tiff"
    SVG = "svg"
    PDF = "pdf"
    OTHER = "bin"
    EMPTY = ""


class Reason(StrEnum):
    """Why something is not shown as a photo; keys into the catalogue of words."""

    VECTOR = "picture.vector"
    DOCUMENT = "picture.document"
    FRAMES = "picture.frames"
    TOO_LARGE = "picture.too_large"
    SHAPE = "picture.shape"
    EMPTY = "picture.empty"
    NO_PICTURE = "picture.no_picture"
    DAMAGED = "picture.damaged"
    BOMB = "picture.bomb"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a chat takes as a photo, by default Telegram (Bot API 10.0). Wider ones are scaled down."""

    bytes: int = 10 * 1024 * 1024
    width_and_height: int = 10_000
    ratio: float = 20.0
    width: int = 1280


@dataclass(frozen=True, slots=True)
class Picture:
    """A photo, width and height in pixels; `scaled` if there is more in the original."""

    data: bytes
    kind: Kind
    width: int
    height: int
    scaled: bool


@dataclass(frozen=True, slots=True)
class FileInstead:
    """Not for showing inline: sent as a file, with this content."""

    data: bytes
    kind: Kind
    reason: Reason


@dataclass(frozen=True, slots=True)
class Broken:
    """Nothing to send; the text around it is not hurt."""

    reason: Reason


Fit = Picture | FileInstead | Broken

TELEGRAM = Limits()
FOR_AGENTS = Limits(bytes=5 * 1024 * 1024, width=2048)
"""What every model takes as a picture; a phone's photo is scaled down to it."""

BEFORE_SVG = rb"(?:\xef\xbb\xbf)?\s*(?:(?:<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE svg[^>]*>)\s*)*"
SIGNATURES = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), Kind.PNG),
    (re.compile(rb"\xff\xd8\xff"), Kind.JPEG),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), Kind.WEBP),
    (re.compile(rb"GIF8[79]a"), Kind.GIF),
    (re.compile(rb"BM.{12}[\x0c\x28\x34\x38\x40\x6c\x7c]\x00\x00\x00", re.DOTALL), Kind.BMP),
    (re.compile(rb"II\*\x00|MM\x00\*"), Kind.TIFF),
    (re.compile(rb"%PDF-"), Kind.PDF),
    (re.compile(BEFORE_SVG + rb"<svg[\s>/]", re.DOTALL), Kind.SVG),
)
UNDRAWN = {
    Kind.EMPTY: Broken(Reason.EMPTY),
    Kind.OTHER: Broken(Reason.NO_PICTURE),
}
NEVER_PHOTOS = {Kind.SVG: Reason.VECTOR, Kind.PDF: Reason.DOCUMENT}
PHOTO_KINDS = (Kind.PNG, Kind.JPEG, Kind.WEBP)
ENDINGS = {f".{kind}": (kind,) for kind in Kind if kind not in (Kind.OTHER, Kind.EMPTY)} | {
    ".jpeg": (Kind.JPEG,),
    ".tif": (Kind.TIFF,),
}
FORMATS = {Kind.PNG: "PNG", Kind.JPEG: "JPEG", Kind.WEBP: "WEBP", Kind.GIF: "GIF"}

# What Pillow's decoders raise on damaged input.
DAMAGE = (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError,
          AttributeError, StructError, zlib.error)  # fmt: skip

DATA_URL = re.compile(r"(?is)data:image/[\w.+-]+(?P<parameters>(?:;[^;,]*)*),(?P<content>.*)")


def sniff(data: bytes) -> Kind:
    """What these bytes are; a name says nothing."""
    if not data:
        return Kind.EMPTY
    head = data[:4096]
    return next((kind for signature, kind in SIGNATURES if signature.match(head)), Kind.OTHER)


def named(name: str, data: bytes) -> str:
    """*name* with the ending of what *data* is, where it has that of another kind of picture: a chat goes by
    the name."""
    kind, ending = sniff(data), PurePath(name).suffix.lower()
    if kind in (Kind.OTHER, Kind.EMPTY, *ENDINGS.get(ending, (kind,))):
        return name
    return str(PurePath(name).with_suffix(f".{kind}"))


def fit(data: bytes, *, limits: Limits = TELEGRAM) -> Fit:
    """The picture as a chat with these limits can show it, or what to do instead. Never raises."""
    from PIL.Image import DecompressionBombError

    kind = sniff(data)
    if kind in NEVER_PHOTOS:
        return FileInstead(data, kind, NEVER_PHOTOS[kind])
    if kind in UNDRAWN:
        return UNDRAWN[kind]
    try:
        with _opened(data) as image:
            return _fit(image, data, kind, limits)
    except DecompressionBombError:
        return Broken(Reason.BOMB)
    except DAMAGE:
        return Broken(Reason.DAMAGED)


def data_url(src: str) -> bytes | None:
    """The bytes of an image's `data:` URL; None for any other URL, other content or broken base64."""
    found = DATA_URL.fullmatch(src)
    if not found:
        return None
    content = unquote_to_bytes(found["content"])
    if not found["parameters"].lower().endswith(";base64"):
        return content
    try:
        return base64.b64decode(content, validate=True)
    except binascii.Error:
        return None


def _opened(data: bytes) -> Image:
    """Pillow's picture, nothing of it decoded yet."""
    from PIL import Image

    # Size and damage we judge ourselves. A filter for good, since one that is undone is not safe in threads.
    warnings.filterwarnings("ignore", module=r"PIL\.")
    return Image.open(io.BytesIO(data))


def _fit(image: Image, data: bytes, kind: Kind, limits: Limits) -> Fit:
    width, height = image.size
    if width * height * _frames(image, kind) > MOST_PIXELS:
        return FileInstead(data, kind, Reason.TOO_LARGE)  # as it is: to look at it would take too much memory
    reason = _unfit(image, data, kind, limits)
    if reason:
        return _file(image, data, kind, reason)
    image.load()  # a picture that is cut short says so here
    if kind in PHOTO_KINDS and width <= limits.width:
        return Picture(data, kind, width, height, scaled=False)
    return _redrawn(image, data, kind, limits)


def _unfit(image: Image, data: bytes, kind: Kind, limits: Limits) -> Reason | None:
    width, height = image.size
    if _frames(image, kind) > 1:
        return Reason.FRAMES
    if width + height > limits.width_and_height or max(width, height) > limits.ratio * min(width, height):
        return Reason.SHAPE
    return Reason.TOO_LARGE if len(data) > limits.bytes else None


def _frames(image: Image, kind: Kind) -> int:
    """How many pictures it is; what else a phone's JPEG holds is a preview."""
    return 1 if kind is Kind.JPEG else int(getattr(image, "n_frames", 1))


def _file(image: Image, data: bytes, kind: Kind, reason: Reason) -> FileInstead:
    """The original, but for WebP, which Telegram would show as a sticker."""
    if kind is not Kind.WEBP:
        return FileInstead(data, kind, reason)
    form = Kind.GIF if reason is Reason.FRAMES else Kind.PNG
    return FileInstead(_encoded(image, form, save_all=form is Kind.GIF), form, reason)


def _redrawn(image: Image, data: bytes, kind: Kind, limits: Limits) -> Fit:
    """Scaled to the chat's width, in a format that chats show."""
    from PIL import ImageOps

    form = kind if kind in PHOTO_KINDS else Kind.PNG
    drawn = ImageOps.exif_transpose(image).convert("RGBA" if image.has_transparency_data else "RGB")
    scaled = drawn.width > limits.width
    if scaled:
        drawn = drawn.resize((limits.width, max(1, round(drawn.height * limits.width / drawn.width))))
    fresh = _encoded(drawn, form)
    if len(fresh) > limits.bytes:
        return _file(image, data, kind, Reason.TOO_LARGE)
    return Picture(fresh, form, drawn.width, drawn.height, scaled)


def _encoded(image: Image, kind: Kind, *, save_all: bool = False) -> bytes:
    out = io.BytesIO()
    image.save(out, FORMATS[kind], save_all=save_all)
    return out.getvalue()
