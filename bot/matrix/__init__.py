"""Matrix: rooms of any homeserver, in the open and encrypted."""
