"""The log of a match: its entries, and the state that they add up to."""
