"""How a person reaches Roost: chats, the terminal, the command line."""

__version__ = "0.1.0"
