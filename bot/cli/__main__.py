"""`python -m bot.cli` is `roost`."""

from __future__ import annotations

import sys

from bot.cli import main

sys.exit(main())
