"""The table of all checks."""

from typing import Final

from . import choices, connection, refusals, whole
from .findings import Check

WHOLE_GAME: Final = (
    Check("handshake", "connects and says hello with its token", whole.handshake, "game"),
    Check("game", "plays a whole game, every answer legal and in time", whole.game),
    Check("pings", "answers pings", whole.pings, "game"),
    Check("memory", "keeps to its memory", whole.memory, "game"),
    Check("exit", "ends with status 0 after its game", whole.leaving, "game"),
    Check("children", "leaves nothing running behind", whole.children, "game"),
)
"""These look at one and the same game."""

CHECKS: Final = (
    *WHOLE_GAME,
    Check("two-games", "plays beside another of its kind", whole.two_games),
    *choices.CHECKS,
    Check("illegal", "answers again when its answer was illegal", refusals.illegal),
    Check("nonsense", "answers again when its answer could not be read", refusals.nonsense),
    Check("tries", "goes on when its last try was refused", refusals.tries),
    Check("late", "goes on when its answer came too late", refusals.late),
    Check("unknown", "passes over messages that it does not know", refusals.unknown),
    Check("dropped-stream", "comes back when the stream breaks", connection.dropped),
    Check("restart", "comes back when the server does", connection.restart),
    Check("turned-away", "ends when its token is worth nothing any more", connection.turned_away),
)
"""In the order in which they are begun."""

NAMES: Final = tuple(check.name for check in CHECKS)
