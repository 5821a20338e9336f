"""The bots that come with Vinci, and games among them in one process."""
