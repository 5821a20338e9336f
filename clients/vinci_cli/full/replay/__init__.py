"""Replay and summary of a game."""
