"""Prompts become turns, and turns become answers."""
