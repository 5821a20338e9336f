"""The board in terminal cells."""
