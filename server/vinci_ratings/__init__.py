"""Ratings of players by the games that they have finished, for leagues and for the list of players of a server."""
