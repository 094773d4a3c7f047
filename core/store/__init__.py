"""Everything that must survive, in one SQLite file."""
