"""Who is connected to a match, and what they are sent."""
