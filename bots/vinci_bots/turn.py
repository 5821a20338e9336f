"""What a bot is asked: its game, the position, what is legal, its chance; and what it may answer."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias, final

from vinci.v1 import game_pb2 as pb
from vinci.v1.bot_pb2 import Decision, Refused
from vinci.v1.lobby_pb2 import Match, MatchSeat
from vinci_codec import actions
from vinci_rules import dummy, notation, position
from vinci_rules.actions import Action, Conquer, Hold, Redeploy
from vinci_rules.board import Board
from vinci_rules.chance import FastChance
from vinci_rules.conquest import price
from vinci_rules.engine import apply, legal_actions, open_decision, suggestion
from vinci_rules.state import State

from .seeds import decision_chance

One: TypeAlias = Action | pb.Action | str
"""One action: of `vinci_rules`, as a message, or in notation, as `x ALP`."""

Answer: TypeAlias = One | Sequence[One]
"""What a bot may answer: an action, or several that are played in order, at most a whole turn."""


class NoAction(ValueError):
    """What a bot answered is no action; the text names it and says what would be right."""


@final
@dataclass(frozen=True, slots=True)
class Game:
    """A game that a bot plays.

    Attributes:
        match: the match, as it was when the bot was seated.
        seat: the bot's seat, from 1.
        seed: what all chance of the bot in this game comes from.
        memory: what the bot wants to remember from turn to turn; gone with the game.
    """

    match: Match
    seat: int
    seed: str
    memory: dict[str, Any] = field(default_factory=dict)

    @property
    def match_id(self) -> str:
        """Id of the match."""
        return self.match.match_id

    @property
    def seats(self) -> int:
        """How many seats the game has."""
        return len(self.match.seats)


@final
class Turn:
    """A decision of a game.

    Attributes:
        game: the game.
        message: the decision as the server sent it.
        refused: why the last answer to this very decision was refused; None if there was none.
    """

    def __init__(self, game: Game, message: Decision, refused: Refused | None = None) -> None:
        self.game: Final = game
        self.message: Final = message
        self.refused: Final = refused
        self._arrived: Final = time.monotonic()

    @classmethod
    def of(cls, state: State | str, seed: str = "1") -> "Turn":
        """A decision without a server: a position, or its text. Raises vinci_rules.position.PositionError."""
        given = position.read(state) if isinstance(state, str) else state
        match = Match(seats=[MatchSeat(seat=seat + 1) for seat in given.seats()])
        return cls(Game(match, given.actor + 1, seed), Decision(position=position.write(given)))

    @cached_property
    def _state(self) -> State:
        return position.read(self.message.position)

    @property
    def state(self) -> State:
        """The position, a copy each time, to play on with. Its `actor` is the bot's seat, from 0."""
        return self._state.copy()

    @property
    def board(self) -> Board:
        """The board."""
        return self._state.board

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """Every legal action that can be listed; all but the ways to end conquests and to place survivors."""
        return tuple(legal_actions(self._state))

    @cached_property
    def conquests(self) -> tuple[Conquer, ...]:
        """The conquests among the legal actions."""
        return tuple(action for action in self.legal if isinstance(action, Conquer))

    @property
    def suggestion(self) -> Hold | Redeploy | None:
        """A legal way to end the conquests or to place survivors; None if neither may be done now."""
        return None if open_decision(self._state) is None else suggestion(self._state)

    @property
    def advice(self) -> Action:
        """What a dummy of the rules would most likely do; always legal."""
        return dummy.advise(self._state)

    @cached_property
    def chance(self) -> FastChance:
        """The chance of this decision: the same when it is asked for again, as after a lost connection."""
        return decision_chance(self.game.seed, self.message.revision)

    @property
    def left(self) -> float | None:
        """Seconds left on the clock; None in a match without clocks."""
        if not self.message.HasField("left"):
            return None
        return self.message.left / 1000 - (time.monotonic() - self._arrived)

    def worth(self, conquest: Conquer) -> int:
        """What a province is worth to the seat: VP, plus Slavery, minus what its empire in decline loses."""
        return dummy.value(self._state, conquest.province)

    def cost(self, conquest: Conquer) -> int:
        """Pawns that a conquest takes."""
        return price(self._state, conquest)

    def after(self, *several: Action) -> State:
        """The position after these actions, with draws of the bot's own chance.

        Raises vinci_rules.engine.IllegalAction.
        """
        state = self.state
        for action in several:
            apply(state, action, self.chance)
        return state

    def messages(self, answer: object) -> list[pb.Action]:
        """An answer as the protocol has it. Raises NoAction."""
        several = answer if isinstance(answer, list | tuple) else [answer]
        if not several:
            raise NoAction(_wrong(answer))
        return [actions.to_message(self._read(one, answer), self.board) for one in several]

    def _read(self, one: object, answer: object) -> Action:
        try:
            if isinstance(one, str):
                return notation.read(one, self.board)
            if isinstance(one, pb.Action):
                return actions.from_message(one, self.board)
        except notation.NotationError as error:
            raise NoAction(f"{_wrong(answer)}: {error}") from None
        if isinstance(one, Action):
            return one
        raise NoAction(_wrong(answer))


def _wrong(answer: object) -> str:
    return (
        f"the bot answered {answer!r:.200}; right is an action of vinci_rules, a text such as 'x ALP', "
        "a vinci.v1 Action, or a list of these with at least one"
    )
