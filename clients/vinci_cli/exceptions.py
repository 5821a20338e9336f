"""The errors that end a command."""


class Failed(Exception):
    """The command cannot do what was asked; the text says why and what would do."""


class Misused(Failed):
    """What was typed cannot be meant; the command ends with status 2, as when an option is unknown."""


def failure(error: Exception) -> Failed:
    """What a ServerRefused or ServerGone means for the command: it asked for the wrong thing, or it had bad luck."""
    from grpc import StatusCode

    from .text import refusals

    misused = getattr(error, "code", None) is StatusCode.INVALID_ARGUMENT
    return Misused(refusals.sentence(error)) if misused else Failed(refusals.sentence(error))
