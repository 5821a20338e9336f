"""Positions: what is legal in them, what it costs, and how they look."""

from collections.abc import Sequence
from importlib import import_module
from typing import Final

from vinci_rules import engine, market, notation, position
from vinci_rules.actions import Action, Conquer, Take
from vinci_rules.state import Phase, State


class IllegalAction(ValueError):
    """An action was refused, and nothing changed.

    Attributes:
        action: the action in notation.
        rule: the rule that it breaks, such as `R-CONQ-3`.
        legal: what would be legal, in notation.
    """

    def __init__(self, why: str, action: str, rule: str, legal: Sequence[str]) -> None:
        super().__init__(f"{action}: {why} Legal: {', '.join(legal) or 'nothing, the game is over'}")
        self.action = action
        self.rule = rule
        self.legal = legal


class Position:
    """A position. Seats count from 0, as in Python; in notation and records they count from 1.

    Attributes:
        state: all of it, for functions of `vinci_rules`. It is the position itself, not a copy.
    """

    __slots__ = ("state",)

    def __init__(self, given: str | State) -> None:
        """Take a position as text (docs/position.md), or a state.

        Args:
            given: the text, or the state, which is not copied.

        Raises:
            PositionError: the text is no position, or one that cannot be; it names each fault.
        """
        self.state: Final = position.read(given) if isinstance(given, str) else given

    @property
    def seat(self) -> int | None:
        """The seat to act; None when the game is over."""
        return None if self.is_over else self.state.actor

    @property
    def phase(self) -> Phase:
        """Kind of decision: `draft`, `start`, `peace`, `abandon`, `conquer`, `renaissance`, `redeploy` or `over`."""
        return self.state.phase

    @property
    def round(self) -> int:
        """The round, from 1; 0 in the opening draft."""
        return self.state.round

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.state.phase == "over"

    @property
    def scores(self) -> tuple[int, ...]:
        """The VP of each seat."""
        return tuple(self.state.vp)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat by the scores of now, from 1; seats with equal scores share one."""
        return engine.ranks(self.state)

    def legal_actions(self) -> Sequence[Action]:
        """Return the legal actions of the seat to act, in a fixed order; none when the game is over.

        Of `hold` and `redeploy`, which place pawns in too many ways to list, there is one: the suggested placement.
        """
        actions = engine.legal_actions(self.state)
        if engine.open_decision(self.state) is None:
            return actions
        return [*actions, engine.suggestion(self.state)]

    def legal(self) -> list[str]:
        """Return the legal actions in notation."""
        return [notation.write(action, self.state.board) for action in self.legal_actions()]

    def read(self, text: str) -> Action:
        """Return an action from its notation (docs/notation.md), such as `x ALP`; it need not be legal.

        Raises:
            NotationError: the text is no action; the error says what would be one.
        """
        return notation.read(text, self.state.board)

    def write(self, action: Action) -> str:
        """Return the notation of an action."""
        return notation.write(action, self.state.board)

    def check(self, action: Action | str) -> Action:
        """Return an action that is legal for the seat to act.

        Raises:
            NotationError: the text is no action.
            IllegalAction: it breaks a rule.
            ValueError: the value is no action, or names a province that the board has not.
        """
        action = self.read(action) if isinstance(action, str) else action
        try:
            violation = engine.check(self.state, action)
            text = "" if violation is None else self.write(action)
        except (AttributeError, IndexError, KeyError, TypeError):  # not asked for before: that would slow every action
            raise ValueError(f"{action!r} is no action on the board {self.state.board.name}") from None
        if violation is not None:
            wording = import_module("vinci_library.wording")  # of the clients; programs that play legally need none
            raise IllegalAction(wording.why(violation, self.state), text, violation.rule, self.legal())
        return action

    def cost(self, action: Action | str) -> int:
        """Return what an action costs: pawns for a conquest, VP for a civilization, 0 for all others.

        It need not be affordable.

        Raises:
            IllegalAction: the province is out of reach, or there is no such civilization.
        """
        action = self.read(action) if isinstance(action, str) else action
        if isinstance(action, Conquer) and (parts := engine.explain(self.state, action)):
            return max(sum(pawns for _, pawns in parts), 0)
        if isinstance(action, Take) and 0 <= action.slot < len(self.state.market):
            return market.price(action.slot)
        self.check(action)
        return 0

    def explain(self, action: Action | str) -> dict[str, int]:
        """Return the cost of a conquest in its parts: pawns by source, such as `terrain` or `weapons`."""
        return dict(engine.explain(self.state, self.read(action) if isinstance(action, str) else action))

    def svg(self) -> str:
        """Return the board as a picture, in SVG."""
        drawing: str = import_module("vinci_library.drawing").svg(self.state)  # loads the clients, for pictures only
        return drawing

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return position.write(self.state)

    def __repr__(self) -> str:
        who = "over" if self.seat is None else f"seat {self.seat}, {self.phase}"
        return f"<{type(self).__name__}: round {self.round}, {who}, VP {' '.join(map(str, self.scores))}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.state == other.state

    __hash__ = None  # type: ignore[assignment]  # a game changes
