"""Without a real program its tests are left out; where they are required they fail."""

from __future__ import annotations

import os

REAL = {"ROOST_TEST_OPENCODE": "test_opencode_real.py", "ROOST_TEST_GEMINI": "test_gemini_real.py"}
REQUIRED = os.environ.get("ROOST_REQUIRE_REAL") == "1"

collect_ignore = [] if REQUIRED else [path for name, path in REAL.items() if not os.environ.get(name)]
