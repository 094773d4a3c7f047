"""Bytes to events, one pure decoder per protocol."""
