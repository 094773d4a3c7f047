"""Faults that people reported of systems like this one, each with its right outcome."""
