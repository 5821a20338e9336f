"""Export and import of matches as text."""
