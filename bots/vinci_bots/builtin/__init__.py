"""Built-in bots, and games among them in one process."""
