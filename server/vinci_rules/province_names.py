"""Provinces by their names as people type them: in any language, without capitals and accents, shortened."""

import difflib
from collections.abc import Sequence
from functools import cache
from typing import Final

from vinci_refusals.typed import folded

from .board import Board, Province

MOST_NEAR: Final = 3
"""Provinces that are suggested for a name that fits none."""


def fitting(text: str, board: Board, *, whole: bool = False) -> Sequence[Province]:
    """Return the provinces that a text can mean: the one with this code, else with this name, else those that begin so.

    Args:
        text: a code, a name in any language, or the beginning of either; accents, capitals, spaces and hyphens do not
            count.
        board: the board.
        whole: whether a beginning is not enough.

    Returns:
        The provinces in board order; none if no code or name fits.
    """
    code = text.strip().upper()
    if code in board.index:
        return (board.index[code],)
    known, typed = _known(board), folded(text)
    found = known.get(typed, ())
    if found or whole or not typed:
        return found
    return tuple(sorted({p for name, provinces in known.items() if name.startswith(typed) for p in provinces}))


def near(text: str, board: Board) -> Sequence[Province]:
    """Return the provinces whose code or name resembles a text, the most similar first."""
    known = _known(board)
    names = difflib.get_close_matches(folded(text), list(known), n=MOST_NEAR)
    return tuple(dict.fromkeys(p for name in names for p in known[name]))


@cache
def _known(board: Board) -> dict[str, tuple[Province, ...]]:
    """Return the provinces by code and by name in each language, both without capitals and accents."""
    known: dict[str, tuple[Province, ...]] = {}
    for p in board.provinces:
        for name in (board.codes[p], *board.names[p].values()):
            known[folded(name)] = tuple(dict.fromkeys((*known.get(folded(name), ()), p)))
    return known
