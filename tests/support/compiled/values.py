"""Prints how values of the rules are shown, compared, hashed, copied, pickled and changed, to compare builds of the rules.

Run as `python -m tests.support.compiled.values`.
"""

import copy
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from vinci_rules import core, position
from vinci_rules.actions import Abandon, Conquer, Decline, Forfeit, Hold, Peace, Redeploy, Stay, Take
from vinci_rules.board import Province, load_board
from vinci_rules.chance import FairChance, WrongPick, checked
from vinci_rules.editions import options
from vinci_rules.engine import IllegalAction, apply, legal_actions, ranks
from vinci_rules.notation import read
from vinci_rules.state import Civilization, Empire, Seat, State
from vinci_rules.traits import TRAITS

AT = "europe; seat 1 | GAL+WEA reserve=5 PRO^; seat 2 | MIL+FOR ALP=2; seat 3 | BAR+CUR"


def outcome(call: Callable[[], object]) -> str:
    """Return what a call returns, or the error with its text."""
    try:
        return repr(call())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def values() -> Iterator[Any]:
    """Yield one value of each type that is compared or sent to other processes."""
    province, seat = Province(4), Seat(1)
    yield from (Take(3), Peace(seat), Abandon(province), Conquer(province), Conquer(province, spies=True), Decline())
    yield from (Hold(((province, 2),), (province,)), Hold(), Stay(), Redeploy(((province, 1),)), Forfeit(seat))
    yield Civilization(TRAITS[3:5], 2)
    yield Empire.of(TRAITS[3:5], 0b101, 6)
    yield options((False, True, False), "FR", target=99)


def about(value: Any) -> Iterator[str]:
    """Yield how a value is shown, copied, pickled, compared and changed."""
    is_object = type(value) in (Civilization, Empire)  # whose representation has an address
    yield type(value).__name__ if is_object else repr(value)
    for same in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        yield f"{same == value} {hash(same) == hash(value)} {type(same) is type(value)} {same != value} {value in [same]}"
    yield str([value == other for other in values()])
    for name in ("slot", "province", "pawns", "target"):
        if hasattr(value, name):
            yield outcome(partial(setattr, value, name, getattr(value, name))).partition(":")[0]


def lines() -> Iterator[str]:
    """Yield an answer for each question."""
    state = position.read(AT)
    for value in values():
        yield from about(value)
    for again in (state.copy(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        yield f"{again == state} {again != state} {again is state} {again.board is state.board}"
    yield outcome(partial(hash, state))
    yield f"{state == AT} {type(state).__name__} {State.copy.__name__}"
    for text in ("x ALP", "take x", "hold", "x"):
        yield outcome(partial(read, text, state.board))
    for text in ("", "nowhere", "tiny; seat 1 | XXX"):
        yield outcome(partial(position.read, text))
    yield outcome(partial(apply, state, Take(99), FairChance("a")))
    yield outcome(partial(load_board, "nowhere"))
    yield outcome(partial(options, (False,)))
    yield outcome(partial(checked, "a b", "seed"))
    yield str([issubclass(kind, ValueError) for kind in (IllegalAction, WrongPick, position.PositionError)])
    yield str((list(map(repr, legal_actions(state))), ranks(state), state.owner(state.board.index["ALP"])))


def main() -> None:
    """Print the core and the answers."""
    sys.stdout.write("\n".join((core.active(), *lines())))


if __name__ == "__main__":
    main()
