"""Fingerprints of positions, by which a search recognises positions that it reaches in several ways.

A fingerprint is 64 bits of BLAKE2b over the facts that the text of a position has: equal texts have equal fingerprints,
and different ones almost surely different ones. It depends on nothing else, so it can be stored, and compared between
processes.

It is computed as a whole, in the time of five copies of the position, and only by who needs it, such as a search for
each position in its tree. Zobrist keys took twice as long, since Python looks up a hundred of them. Updated with each
action, they would slow down every playout, and each rule would have to keep them right.

Example:
    >>> from vinci_rules import notation, position
    >>> from vinci_rules.chance import FastChance
    >>> from vinci_rules.engine import play
    >>> start = position.read("tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA")
    >>> one, other = start.copy(), start.copy()
    >>> for state, typed in (one, "x COL"), (one, "x BOS"), (other, "x BOS"), (other, "x COL"):
    ...     play(state, notation.read(typed, state.board), FastChance(1))
    >>> fingerprint(one) == fingerprint(other), fingerprint(one) == fingerprint(start)
    (True, False)
"""

import hashlib
import struct
from functools import lru_cache
from typing import Final, get_args

from .board import Board
from .editions import Options
from .state import Phase, State

_PHASES: Final[dict[str, int]] = {phase: number for number, phase in enumerate(get_args(Phase))}
_END: Final = -1
"""Ends a list of numbers from 0, or stands for an empire that does not exist."""


def fingerprint(state: State) -> int:
    """Return the fingerprint of a position.

    Args:
        state: the position; it is not changed.

    Returns:
        A number from 0 to 2**64 - 1, the same in every process and on every version of Python.
    """
    facts: list[int] = [
        *(state.round, state.turn, state.actor, _PHASES[state.phase], state.spied, state.eliminated, state.fills),
        *(state.target_reached, state.neutral, state.forts, *state.order, *state.vp, *state.survivors),
    ]
    for empire in state.active:
        if empire is not None:
            facts += (empire.provinces, empire.reserve, *empire.traits)
        facts.append(_END)
    for empire in state.declined:
        if empire is not None:
            facts += (empire.provinces, *empire.traits)
        facts.append(_END)
    for civilization in state.market:
        facts += (*civilization.traits, civilization.markers)
    for named in state.named:
        facts += (*named, _END)
    facts += (*state.forfeited, _END, *sorted(state.must_decline))
    data = struct.pack(f"<{len(facts)}q", *facts) + bytes(state.garrison) + _settings(state.board, state.options)
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


@lru_cache
def _settings(board: Board, options: Options) -> bytes:
    """Return the board, the seats of dummies and the rules of a game."""
    return f"{board.name} {options.dummies} rules {options.text}".encode()
