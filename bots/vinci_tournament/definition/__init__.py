"""What a league is: entrants, rules, schedule and digests, fixed before the first game."""
