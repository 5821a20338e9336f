"""Panes around the map; each is a function of what is known and selected."""
