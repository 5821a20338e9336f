"""Bots: policies that pick an action for a position, games among them in one process, and the way to a server."""
