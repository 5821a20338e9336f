"""Parts of full screens that know nothing of the game."""
