"""Table of all checks."""

from typing import Final

from .connection import dropped, half_open, restart, turned_away
from .decisions import CHECKS as CHOICES
from .refusals import illegal, late, nonsense, tries, unknown
from .results import Check
from .whole_game import children, game, handshake, leaving, memory, pings, two_games

WHOLE_GAME: Final = (
    Check("handshake", "connects and says hello with its token", handshake, "a-whole-game", "game"),
    Check("game", "plays a whole game, every answer legal and in time", game, "a-whole-game"),
    Check("pings", "answers pings", pings, "a-whole-game", "game"),
    Check("memory", "keeps to its memory", memory, "a-whole-game", "game"),
    Check("exit", "ends with status 0 after its game", leaving, "a-whole-game", "game"),
    Check("children", "leaves nothing running behind", children, "a-whole-game", "game"),
)
"""Checks that share one whole game."""

CHECKS: Final = (
    *WHOLE_GAME,
    Check("half-open", "comes back when its connection is dead but not closed", half_open, "the-connection", slow=True),
    Check("two-games", "plays while another of its kind plays another game", two_games, "a-whole-game"),
    *CHOICES,
    Check("illegal", "answers again when its answer was illegal", illegal, "answers-that-come-to-nothing"),
    Check("nonsense", "answers again when its answer could not be read", nonsense, "answers-that-come-to-nothing"),
    Check("tries", "goes on when its last try was refused", tries, "answers-that-come-to-nothing"),
    Check("late", "goes on when its answer came too late", late, "answers-that-come-to-nothing"),
    Check("unknown", "passes over messages that are not for it", unknown, "answers-that-come-to-nothing"),
    Check("dropped-stream", "comes back when the stream breaks", dropped, "the-connection"),
    Check("restart", "comes back when the server does", restart, "the-connection"),
    Check("turned-away", "ends when its token is worth nothing any more", turned_away, "the-connection"),
)
"""All checks in the order in which they start."""
