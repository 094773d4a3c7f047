"""The nouns of Roost: frozen values without any I/O."""
