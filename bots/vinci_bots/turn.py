"""Decisions of a bot: game, position, legal actions and random numbers, and the forms that an answer may have."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Final, TypeAlias, final

from vinci.v1 import game_pb2 as pb
from vinci.v1.bot_pb2 import Decision, Note, Refused
from vinci.v1.lobby_pb2 import Match, MatchSeat
from vinci_client.printable import shortened
from vinci_codec import actions, notes
from vinci_rules import dummy, notation, position
from vinci_rules.actions import Action, Conquer, Hold, Redeploy
from vinci_rules.board import Board
from vinci_rules.chance import FastChance
from vinci_rules.conquest import price
from vinci_rules.engine import apply, legal_actions, open_decision, suggestion
from vinci_rules.state import State

from .seeds import decision_chance, decision_random

AnyAction: TypeAlias = Action | pb.Action | str
"""An action: a `vinci_rules` object, a protobuf message, or notation such as `x ALP`."""

Answer: TypeAlias = AnyAction | Sequence[AnyAction]
"""Answer of a bot: one action, or several to play in order, at most to the end of the turn."""

LONGEST_QUOTE: Final = 200
"""Characters of a wrong answer that are quoted."""


class NoAction(ValueError):
    """The answer of a bot is not an action; the text quotes it and lists the valid forms."""


@dataclass(frozen=True, slots=True)
class Game:
    """Game that a bot plays.

    Attributes:
        match: the match as it was when the bot was seated.
        seat: the bot's seat, from 1.
        seed: source of all random choices of the bot in this game.
        memory: free for the bot; kept from turn to turn until the game is over.
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
        """Number of seats."""
        return len(self.match.seats)


@final
class Turn:
    """Decision that a bot has to make.

    Attributes:
        game: the game.
        message: the decision as the server sent it.
        refused: why the previous answer to this decision was refused; None for the first answer.
    """

    def __init__(self, game: Game, message: Decision, refused: Refused | None = None) -> None:
        self.game: Final = game
        self.message: Final = message
        self.refused: Final = refused
        self._arrived: Final = time.monotonic()
        self._note = Note()

    def note(self, text: str = "", value: float | None = None, lines: Sequence[str] = ()) -> None:
        """Tell what the bot thinks, for whoever looks into it: replays of games between commands show it.

        Args:
            text: in a few words.
            value: what the bot expects, on a scale of its own.
            lines: other answers that it thought about, the best first.
        """
        self._note = notes.bounded(text, value, lines)

    @classmethod
    def of(cls, state: State | str, seed: str = "1") -> "Turn":
        """Make a turn from a position, to test a bot without a server.

        Args:
            state: the position, or its text.
            seed: source of the bot's random choices.

        Raises:
            vinci_rules.position.PositionError: the text is not a position.
        """
        given = position.read(state) if isinstance(state, str) else state
        match = Match(seats=[MatchSeat(seat=seat + 1) for seat in given.seats()])
        return cls(Game(match, given.actor + 1, seed), Decision(position=position.write(given)))

    @cached_property
    def _state(self) -> State:
        return position.read(self.message.position)

    @property
    def state(self) -> State:
        """Copy of the position, free to change. Its `actor` is the bot's seat, counted from 0."""
        return self._state.copy()

    @property
    def board(self) -> Board:
        """Board of the game."""
        return self._state.board

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """Legal actions, except Hold and Redeploy, whose forms are too many to list; see `suggestion`."""
        return tuple(legal_actions(self._state))

    @cached_property
    def conquests(self) -> tuple[Conquer, ...]:
        """Conquests among the legal actions."""
        return tuple(action for action in self.legal if isinstance(action, Conquer))

    @property
    def suggestion(self) -> Hold | Redeploy | None:
        """One legal Hold or Redeploy; None if neither is legal now."""
        return None if open_decision(self._state) is None else suggestion(self._state)

    @property
    def advice(self) -> Action:
        """Most likely action of a dummy opponent as the rules describe it; always legal."""
        return dummy.advise(self._state)

    @cached_property
    def chance(self) -> FastChance:
        """Draws of the rules for this decision; the same if the decision is asked again, as after a reconnection."""
        return decision_chance(self.game.seed, self.message.revision)

    @cached_property
    def random(self) -> Random:
        """Generator of random numbers for this decision; the same numbers if the decision is asked again."""
        return decision_random(self.game.seed, self.message.revision)

    @property
    def left(self) -> float | None:
        """Seconds left on the bot's clock; None in a match without clocks."""
        if not self.message.HasField("left"):
            return None
        return self.message.left / 1000 - (time.monotonic() - self._arrived)

    def worth(self, conquest: Conquer) -> int:
        """VP that a conquest gains for the seat, with Slavery, minus those that its declined empire loses.

        Args:
            conquest: one of `conquests`.
        """
        return dummy.value(self._state, conquest.province)

    def cost(self, conquest: Conquer) -> int:
        """Number of pawns that a conquest takes.

        Args:
            conquest: one of `conquests`.
        """
        return price(self._state, conquest)

    def after(self, *several: Action) -> State:
        """Return the position after some actions, with random draws from `chance`.

        Args:
            several: the actions, in order.

        Raises:
            vinci_rules.engine.IllegalAction: one of them is not legal.
        """
        state = self.state
        for action in several:
            apply(state, action, self.chance)
        return state

    def messages(self, answer: object) -> list[pb.Action]:
        """Convert an answer to protobuf messages.

        Raises:
            NoAction: the answer is not an action or a list of actions.
        """
        several = answer if isinstance(answer, list | tuple) else [answer]
        if not several:
            raise NoAction(_wrong(answer))
        return [actions.to_message(self._read(action, answer), self.board) for action in several]

    def _read(self, action: object, answer: object) -> Action:
        try:
            if isinstance(action, str):
                return notation.read(action, self.board)
            if isinstance(action, pb.Action):
                return actions.from_message(action, self.board)
        except notation.NotationError as error:
            raise NoAction(_wrong(answer, str(error))) from None
        if isinstance(action, Action):
            return action
        raise NoAction(_wrong(answer))


def _wrong(answer: object, why: str = "") -> str:
    quoted = shortened(repr(answer), LONGEST_QUOTE)
    return (
        f"the bot answered {': '.join(filter(None, (quoted, why)))}; right is an action of vinci_rules, a text such as "
        "'x ALP', a vinci.v1 Action, or a list of these with at least one"
    )
