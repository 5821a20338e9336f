"""Results of league games, and facts taken from them."""
