"""Commands that serve: matches, analysis for bots, and tools for agents."""
