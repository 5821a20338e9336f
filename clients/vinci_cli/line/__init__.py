"""The line client."""
