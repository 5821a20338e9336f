"""Messages of `vinci.v1` from rules types, and rules types from messages. Nothing else; no rule is decided here."""
