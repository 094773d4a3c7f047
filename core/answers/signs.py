"""Which signs a person sees."""

from __future__ import annotations

import unicodedata


def is_visible(sign: str) -> bool:
    """Whether it leaves ink."""
    return not sign.isspace() and unicodedata.category(sign) not in ("Cc", "Cf", "Zs", "Zl", "Zp")


def visible(text: str) -> bool:
    """Whether there is anything to see in it."""
    return any(map(is_visible, text))
