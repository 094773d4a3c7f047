"""`python -m core.demo`: the prompt on standard input, what happens on standard output."""

from __future__ import annotations

import sys

from core.demo.program import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
