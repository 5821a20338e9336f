"""Defines a league: entrants, rules, schedule and digests, fixed before the first game."""
