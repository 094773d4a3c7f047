"""`python -m tests.campaign`: one campaign, its report on stdout."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from tests.campaign.campaign import Plan, play


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--kills", type=int, default=Plan.kills)
    parser.add_argument("--terms", type=int, default=Plan.terms)
    parser.add_argument("--agents", type=int, default=Plan.agents)
    parser.add_argument("--telegram", action="store_true")
    plan = Plan(**vars(parser.parse_args()))
    print(f"seed {plan.seed}")
    with tempfile.TemporaryDirectory(prefix="roost-campaign-") as home:
        print(asyncio.run(play(Path(home), plan)))


if __name__ == "__main__":
    main()
