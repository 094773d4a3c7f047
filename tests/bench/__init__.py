"""Speed and memory, as medians with their conditions: `python -m tests.bench` prints one table."""
