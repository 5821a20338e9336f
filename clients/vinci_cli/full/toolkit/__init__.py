"""Parts of full screens that do not depend on the game."""
