"""`vinci admin`, and the export and import of matches."""
