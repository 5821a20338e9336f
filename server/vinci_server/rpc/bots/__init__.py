"""Bots: the connected ones, the seats they play, their answers, and the keys that protect their names."""
