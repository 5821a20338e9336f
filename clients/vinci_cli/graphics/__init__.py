"""The board as SVG, and the HTML report of a game."""
