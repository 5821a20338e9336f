"""Commands that serve: matches, and analysis for bots."""
