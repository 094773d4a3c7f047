"""How a person reaches Roost: chats, the terminal, the command line."""
