"""The error that ends a command."""


class Failed(Exception):
    """The command cannot do what was asked; the text says why and what would do."""
