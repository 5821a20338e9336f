"""Helpers of rule tests: positions and actions as text, as in docs/position.md and docs/notation.md."""

from typing import TypeVar

from vinci_rules import conquest, notation, position
from vinci_rules.actions import Action
from vinci_rules.board import Province
from vinci_rules.chance import Chance, FastChance
from vinci_rules.engine import apply, check, legal_actions
from vinci_rules.events import Event
from vinci_rules.state import Empire, Seat, State
from vinci_rules.violations import Violation

T = TypeVar("T")


def at(text: str) -> State:
    """Return the position of a text; line breaks do not matter."""
    return position.read(" ".join(text.split()))


def act(state: State, text: str) -> Action:
    """Return the action of a text on this board."""
    return notation.read(text, state.board)


def play(state: State, *texts: str, chance: Chance | None = None) -> list[Event]:
    """Play actions one after the other; return all events."""
    events: list[Event] = []
    for text in texts:
        apply(state, act(state, text), chance or FastChance(0), events)
    return events


def refused(state: State, text: str) -> Violation:
    """Return the violation of an action; fail if it is legal."""
    violation = check(state, act(state, text))
    assert violation is not None, f"{text} is legal"
    return violation


def allowed(state: State, text: str) -> bool:
    """Whether an action is legal."""
    return check(state, act(state, text)) is None


def legal(state: State) -> list[str]:
    """Return the legal actions that can be listed, as text."""
    return [notation.write(action, state.board) for action in legal_actions(state)]


def cost(state: State, code: str) -> int:
    """Return the pawns that the seat to act pays for a province."""
    return conquest.cost(state, province(state, code))


def province(state: State, code: str) -> Province:
    """Return the province with this code."""
    return state.board.index[code]


def active(state: State, seat: int) -> Empire:
    """Return the active empire of a seat, counted from 1."""
    empire = state.active[seat - 1]
    assert empire is not None
    return empire


def provinces(state: State, empire: Empire | None) -> set[str]:
    """Return the codes of an empire's provinces; none without an empire."""
    return set(state.board.codes_of(empire.provinces)) if empire is not None else set()


def pawns(state: State, *codes: str) -> list[int]:
    """Return the pawns in these provinces."""
    return [state.garrison[state.board.index[code]] for code in codes]


def of_kind(kind: type[T], events: list[Event]) -> list[T]:
    """Return the events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def seat(number: int) -> Seat:
    """Return a seat, counted from 1."""
    return Seat(number - 1)
