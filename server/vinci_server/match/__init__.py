"""A match: its log, position, actions, watchers, seats and clocks."""
