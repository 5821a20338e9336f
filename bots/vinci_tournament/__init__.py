"""Leagues among bots: what is played, by whom, and what it proves. See docs/tournaments.md."""
