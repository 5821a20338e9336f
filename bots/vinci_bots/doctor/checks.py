"""Table of all checks of local and of remote bots."""

from dataclasses import replace
from typing import Final

from .connection import cut, dropped, ended_away, half_open, restart, turned_away
from .decisions import CHECKS as CHOICES
from .refusals import illegal, late, nonsense, tries, unknown
from .results import Check
from .whole_game import (
    arrival,
    children,
    game,
    games_at_once,
    handshake,
    leaving,
    memory,
    pings,
    prompt_pings,
    remote_game,
    stays,
    two_games,
)

A_GAME: Final = "a-whole-game"
CONNECTION: Final = "the-connection"
NOTHING: Final = "answers-that-come-to-nothing"
REMOTE: Final = "remote-bots"

SHARED: Final = (
    *CHOICES,
    Check("illegal", "answers again when its answer was illegal", illegal, NOTHING),
    Check("nonsense", "answers again when its answer could not be read", nonsense, NOTHING),
    Check("tries", "goes on when its last try was refused", tries, NOTHING),
    Check("late", "goes on when its answer came too late", late, NOTHING),
    Check("unknown", "passes over messages that are not for it", unknown, NOTHING),
)
"""Checks of local and of remote bots alike."""
CHECKS: Final = (
    Check("handshake", "connects and says hello with its token", handshake, A_GAME, "game", stage="first"),
    Check("game", "plays a whole game, every answer legal and in time", game, A_GAME, stage="first"),
    Check("pings", "answers pings", pings, A_GAME, "game", stage="first"),
    Check("memory", "keeps to its memory", memory, A_GAME, "game", stage="first"),
    Check("exit", "ends with status 0 after its game", leaving, A_GAME, "game", stage="first"),
    Check("children", "leaves nothing running behind", children, A_GAME, "game", stage="first"),
    Check("half-open", "comes back when its connection is dead but not closed", half_open, CONNECTION, slow=True),
    Check("two-games", "plays while another of its kind plays another game", two_games, A_GAME),
    *SHARED,
    Check("dropped-stream", "comes back when the stream breaks", dropped, CONNECTION),
    Check("restart", "comes back when the server does", restart, CONNECTION),
    Check("turned-away", "ends when its token is worth nothing any more", turned_away, CONNECTION),
)
"""Checks of local bots in the order in which they start; the first ones share a whole game."""
MOOT: Final = {
    "memory": "the doctor did not start its process",
    "exit": "the doctor did not start its process",
    "children": "the doctor did not start its process",
    "two-games": "a remote bot is one process for all games: see games-at-once",
    "turned-away": "it would end the bot; start it with a wrong key to see that it does not go on trying",
}
"""Checks of local bots that need the process of the bot, and why they cannot be made with a remote one."""
REMOTE_CHECKS: Final = (
    Check("handshake", "connects with the code and says hello with its name and key", arrival, REMOTE, stage="first"),
    Check("game", "plays a whole game, every answer legal and in time", remote_game, REMOTE, stage="first"),
    Check("pings", "answers pings at once", prompt_pings, REMOTE, stage="first"),
    Check("stays", "stays connected after its game and plays the next one", stays, REMOTE, stage="first"),
    *SHARED,
    Check("games-at-once", "plays several games at once, if it offers them", games_at_once, REMOTE, stage="last"),
    Check("dropped-stream", "comes back when the stream breaks", dropped, REMOTE, stage="last"),
    Check("cut", "comes back when its connection is reset", cut, REMOTE, stage="last"),
    Check("restart", "comes back when the server does, and goes on with its games", restart, REMOTE, stage="last"),
    Check("ended-away", "plays on when its game ended while it was not connected", ended_away, REMOTE, stage="last"),
    Check(
        "half-open", "comes back when its connection is dead but not closed", half_open, REMOTE, slow=True, stage="last"
    ),
    *(replace(check, stage="last", moot=MOOT[check.name]) for check in CHECKS if check.name in MOOT),
)
"""Checks of remote bots in their order; those of the connection come last, since all games share it."""
