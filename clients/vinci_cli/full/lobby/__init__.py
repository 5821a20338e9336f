"""Pages of the lobby."""
