"""Conversion between messages of `vinci.v1` and types of the rules. No rule is decided here."""
