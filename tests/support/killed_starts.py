"""Starts agents in processes of their own, and kills each with SIGKILL some microseconds later.

`python -m tests.support.killed_starts DATA_DIR PROJECT`; a line `AGENT MICROSECONDS` on stdin is answered by
a line when that process is dead. One fork each: hundreds of kills in a few seconds.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

from core.hosts.local import LocalHost
from core.model.ids import AgentId
from tests.support.agents import shell


def start(data_dir: Path, project: Path, agent: AgentId) -> None:
    asyncio.run(LocalHost(data_dir).start(agent, shell(f"echo {agent} >>log", project)))


def main(data_dir: Path, project: Path) -> None:
    for line in sys.stdin:
        agent, microseconds = line.split()
        child = os.fork()
        if child == 0:
            start(data_dir, project, AgentId(agent))
            os._exit(0)
        time.sleep(int(microseconds) / 1e6)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        sys.stdout.write("dead\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
