"""Roost as a whole with the real agent programs."""
