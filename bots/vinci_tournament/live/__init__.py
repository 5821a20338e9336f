"""A league that is played, for its page: standings, games under way, records and the report so far."""
