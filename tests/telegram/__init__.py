"""The Bot API server of our own, and what is tested against it."""
