"""Reviews of games, which `vinci review` computes: what is in them, and how they are told."""
