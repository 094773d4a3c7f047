"""What a newcomer runs first, and what an operator installs."""
