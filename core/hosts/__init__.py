"""Where agents run: one port, and this machine behind it."""
