"""`vinci tournament`."""
