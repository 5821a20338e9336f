"""The errors that end a command."""


class Failed(Exception):
    """The command cannot do what was asked; the text says why, and what would help."""


class Misused(Failed):
    """Invalid command-line usage; exits with status 2."""
