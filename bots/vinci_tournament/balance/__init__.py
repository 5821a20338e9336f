"""Balance studies: leagues of equal bots and seeds under different rules, and what the rules change."""
