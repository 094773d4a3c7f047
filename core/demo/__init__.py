"""The built-in agent: a program of its own that knows nothing of the rest of Roost."""
