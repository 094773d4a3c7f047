"""Pictures and documents: what is taken, what is refused, and what becomes of it."""

from __future__ import annotations

import io
import mimetypes
import warnings
from dataclasses import dataclass

from PIL import Image

from tests.telegram.server.errors import ApiError, bad, too_large

LARGEST_UPLOAD = 50 * 1024 * 1024
LARGEST_PHOTO = 10 * 1024 * 1024
LARGEST_DOWNLOAD = 20 * 1024 * 1024
MOST_PIXELS_ROUND = 10_000
"""Width and height together."""
MOST_RATIO = 20
SIZES = (90, 1280)
"""The longest side of a photo's thumbnail and of the photo itself."""


@dataclass(frozen=True, slots=True)
class Scaled:
    data: bytes
    width: int
    height: int


def check_upload(data: bytes) -> None:
    if not data:
        raise bad("file must be non-empty")
    if len(data) > LARGEST_UPLOAD:
        raise too_large()


def photo_sizes(data: bytes) -> list[Scaled]:
    """The picture as JPEG in its sizes, smallest first. Errors: 400 for what is no photo."""
    check_upload(data)
    if len(data) > LARGEST_PHOTO:
        raise bad(
            f"file of size {len(data)} bytes is too big for a photo; "
            f"the maximum size is {LARGEST_PHOTO} bytes"
        )
    picture = _opened(data)
    return [_scaled(picture, longest) for longest in SIZES]


def _opened(data: bytes) -> Image.Image:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(data))
        if wrong := _wrong_shape(*picture.size):
            raise wrong
        return picture.convert("RGB")
    except Image.DecompressionBombError:
        raise bad("PHOTO_INVALID_DIMENSIONS") from None
    except (OSError, ValueError, SyntaxError):
        raise bad("IMAGE_PROCESS_FAILED") from None


def _wrong_shape(width: int, height: int) -> ApiError | None:
    wrong = width + height > MOST_PIXELS_ROUND or max(width, height) > MOST_RATIO * min(width, height)
    return bad("PHOTO_INVALID_DIMENSIONS") if wrong else None


def _scaled(picture: Image.Image, longest: int) -> Scaled:
    copy = picture.copy()
    copy.thumbnail((longest, longest))
    held = io.BytesIO()
    copy.save(held, "JPEG", quality=87)
    return Scaled(held.getvalue(), *copy.size)


def mime_of(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"
