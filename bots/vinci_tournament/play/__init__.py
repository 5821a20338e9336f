"""Plays the games of a league in worker processes and stores them in its folder."""
