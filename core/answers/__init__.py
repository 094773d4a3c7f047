"""What an answer is made of: its Markdown, its title, its pictures, and what must not be in it."""
