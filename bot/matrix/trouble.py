"""What can be wrong with our account."""

from __future__ import annotations

from enum import StrEnum


class Trouble(StrEnum):
    """Why we hear nothing, or nothing that is encrypted; told once when it begins."""

    UNREACHABLE = "unreachable"
    LOGGED_OUT = "logged_out"
    BACK = "back"
    FOREIGN_DEVICE = "foreign_device"
    """The token belongs to a device of another program, whose keys we haven't got: no encryption."""
    NEW_DEVICE = "new_device"
    """Our own device's keys were lost; we are another one now."""
    FOREIGN = "foreign"
    BAD_RECOVERY_KEY = "bad_recovery_key"
    UNSIGNED = "unsigned"
    NO_ENCRYPTION = "no_encryption"
    """This machine has no library for it."""
    LIMITED = "limited"
    """We hear everything, and the homeserver counts what we say."""
