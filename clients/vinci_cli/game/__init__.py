"""A match as a client knows it, and what players do in it by typing."""
