"""Clocks of a match, and what happens when time is up."""
