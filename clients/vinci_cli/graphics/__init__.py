"""Pictures: the board as SVG, charts, the HTML report of a game."""
