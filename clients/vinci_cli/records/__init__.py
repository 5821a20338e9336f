"""Records of games, read and checked with the rules."""
