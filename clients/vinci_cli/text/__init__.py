"""Texts of the client: language, names, events, refusals, tables."""
