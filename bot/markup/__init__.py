"""An answer's Markdown as each chat can show it."""
