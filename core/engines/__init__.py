"""Which agent programs there are, and what a turn of each is."""
