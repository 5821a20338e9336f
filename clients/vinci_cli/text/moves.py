"""Actions in words, from their notation (docs/notation.md)."""

from collections.abc import Sequence
from typing import Any

from .i18n import _
from .names import Catalogue
from .sentences import sentence


def moves_text(actions: Sequence[str], takes: Sequence[str], names: Catalogue, *, defence: bool = False) -> str:
    """Return actions of a turn as a list of what is done; empty if there is nothing to tell.

    Args:
        actions: the actions in notation; unknown ones are left out.
        takes: traits of the civilization taken.
        names: names of provinces, seats and traits.
        defence: whether the defence is told.
    """
    words = [action.split() for action in actions if action.strip()]

    def named(verb: str) -> list[str]:
        return [word[1] for word in words if word[0] == verb and len(word) > 1]

    def placed(verb: str) -> list[list[str]]:
        return [word[1:] for word in words if word[0] == verb]

    conquered = named("x")
    moves: list[dict[str, Any]] = [{"verb": "abandon", "provinces": named("abandon")}]
    moves += [{"verb": "peace", "seat": seat} for seat in named("peace") if seat.isdecimal()]
    moves.append({"verb": "x", "provinces": conquered})
    moves += [
        _placing("hold", rest if defence else ()) for rest in placed("hold") if (defence and rest) or not conquered
    ]
    moves += [_placing("redeploy", rest) for rest in placed("redeploy")]
    moves += [{"verb": "stay"}] * (["stay"] in words and defence) + [{"verb": "decline"}] * (["decline"] in words)
    moves.append({"verb": "take", "traits": takes})
    return _("; ").join(filter(None, (sentence("move", move, names) for move in moves)))


def _placing(verb: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the facts of pawns by province and forts, as in `ALP=3 PYR=2 fort ALP`."""
    pawns, _fort, forts = " ".join(words).partition("fort ")
    pairs = [word.partition("=") for word in pawns.split()]
    provinces, numbers = [code for code, _equals, _pawns in pairs], [number for _code, _equals, number in pairs]
    return {"verb": verb, "provinces": provinces, "pawns": numbers, "forts": forts.split()}
