"""Seats of a match: setup, joining and leaving, start, votes, tokens."""
