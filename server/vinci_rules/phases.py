"""The phases of a game as a table: the legal kinds of action in each phase, and the phases that can follow."""

from typing import Final

from .actions import Abandon, Action, Conquer, Decline, Forfeit, Hold, Peace, Redeploy, Stay, Take
from .state import Phase

WORDS: Final[dict[type[Action], str]] = {
    Take: "take",
    Decline: "decline",
    Peace: "peace",
    Abandon: "abandon",
    Conquer: "x",
    Hold: "hold",
    Stay: "stay",
    Redeploy: "redeploy",
    Forfeit: "forfeit",
}
"""The first word of each kind of action in notation."""

_TURN_ENDS: Final[tuple[Phase, ...]] = ("start", "redeploy", "over")

_CONQUER: Final[dict[type[Action], tuple[Phase, ...]]] = {
    Conquer: ("conquer",),
    Hold: ("renaissance", *_TURN_ENDS),
}
_ABANDON: Final = {Abandon: ("abandon",), **_CONQUER}

PHASES: Final[dict[Phase, dict[type[Action], tuple[Phase, ...]]]] = {
    "draft": {Take: ("draft", *_TURN_ENDS)},
    "start": {Decline: ("draft",), Peace: ("peace",), **_ABANDON},
    "peace": {Peace: ("peace",), **_ABANDON},
    "abandon": _ABANDON,
    "conquer": _CONQUER,
    "renaissance": {Decline: ("draft",), Stay: _TURN_ENDS},
    "redeploy": {Redeploy: ("redeploy", "start", "over")},
    "over": {},
}
"""Following phases, by phase and kind of action. A forfeit is legal in every phase but `over` and can lead to any."""
