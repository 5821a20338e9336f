"""A seat for an agent, by the Model Context Protocol: its tools type what a person would type at a table."""
