"""The database: tables, the log of matches, backups."""
