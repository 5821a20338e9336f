"""Statistics of a league: ratings, intervals, stopping rules, standings."""
