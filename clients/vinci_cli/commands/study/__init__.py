"""Commands that need no server: games in one process, records, positions, boards."""
