"""Watchers, players and bots connected to a match, and the messages that they are sent."""
