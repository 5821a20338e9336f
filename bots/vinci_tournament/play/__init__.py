"""Plays the games of a league in worker processes and keeps them in its folder."""
