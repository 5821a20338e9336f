"""`vinci person`."""
