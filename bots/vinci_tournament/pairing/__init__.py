"""Chooses the next blocks of leagues from the results so far; the same results always give the same blocks."""
