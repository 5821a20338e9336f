"""The `vinci` command: play, join, watch and serve; games and positions without a server."""
