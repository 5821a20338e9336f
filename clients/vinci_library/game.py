"""Games: positions that are played on, with their record."""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, final

from vinci_rules import dummy, engine, notation, record
from vinci_rules.actions import Action, Forfeit
from vinci_rules.board import DEFAULT_BOARD, load_board
from vinci_rules.chance import FairChance, RecordingChance
from vinci_rules.editions import Setting, options
from vinci_rules.events import Event
from vinci_rules.state import Seat, State

from .position import Position

Played: TypeAlias = tuple[Seat, str, Action]
"""The seat that acted, the kind of actor as in records, and the action."""


@final
class Game(Position):
    """A game that is played by its callers; dummies play by themselves, as soon as it is their turn.

    It is made by `new_game` and `load`.
    """

    __slots__ = ("_actions", "_chance", "_first", "_lines", "_memory", "_start")

    def __init__(
        self,
        start: State,
        first: record.Line,
        chance: FairChance | None,
        end: State,
        actions: Iterable[Played] = (),
        lines: Sequence[str] = (),
    ) -> None:
        """Take a game as far as it was played.

        Args:
            start: the position before the first action.
            first: the first line of the record.
            chance: draws; without it the game cannot be played on.
            end: the position after the actions, which the game changes.
            actions: the actions so far.
            lines: the record that they come from, if there is one.
        """
        super().__init__(end)
        self._start: Final = start
        self._first: Final = first
        self._chance: Final = chance
        self._actions: Final = [*actions]
        self._lines = tuple(lines)
        self._memory: Final[dict[Any, Any]] = {}

    @property
    def actions(self) -> list[str]:
        """All actions so far in notation, those of dummies included."""
        return [self.write(action) for _, _, action in self._actions]

    @property
    def seed(self) -> str:
        """The seed of the draws; empty for a game that was loaded from a record which does not tell it."""
        return "" if self._chance is None else self._chance.seed

    def play(self, action: Action | str, events: list[Event] | None = None) -> None:
        """Play an action of the seat to act, then those of dummies, if it is their turn.

        Args:
            action: the action, or its notation, such as `x ALP`; `forfeit 2` is one of any seat.
            events: receives what happens, if given.

        Raises:
            NotationError: the text is no action.
            IllegalAction: it breaks a rule; nothing was played.
            ValueError: the game was loaded from a record that does not tell its seed, so nothing more can be drawn.
        """
        state, chance = self.state, self._draws()
        action = self.check(action)
        seat = action.seat if isinstance(action, Forfeit) else state.actor
        engine.play(state, action, chance, events)
        self._actions.append((seat, "player", action))
        self._lines = ()
        self.let_dummies_play(events)

    def let_dummies_play(self, events: list[Event] | None = None) -> None:
        """Play for dummies until it is the turn of another seat; `play` and `new_game` do so."""
        state, dummies = self.state, self.state.options.dummies
        while dummies[state.actor] and state.phase != "over":
            seat, chance = state.actor, self._draws()
            action = dummy.choose(state, chance)
            engine.play(state, action, chance, events)
            self._actions.append((seat, "dummy", action))

    def copy(self) -> "Game":
        """Return an independent copy. It draws the same civilizations; what players have seen is not copied."""
        return Game(self._start, self._first, self._chance, self.state.copy(), self._actions, self._lines)

    def replay(self) -> Iterator[tuple[Position, Action]]:
        """Yield each action so far with the position before it, dummies included."""
        state = self._start.copy()
        for _, _, action in self._actions:
            yield Position(state.copy()), action
            engine.play(state, action, self._draws())

    def record(self) -> list[str]:
        """Return the record (docs/record.md): lines of JSON, which every program of this project reads and verifies."""
        if self._lines:
            return [*self._lines]
        chance = self._draws()
        state, board, line = self._start.copy(), self._start.board, self._first
        lines = [record.dump(line)]
        for number, (seat, by, action) in enumerate(self._actions, start=1):
            drawn, rolled = RecordingChance(chance), RecordingChance(chance)
            if by == "dummy":
                dummy.choose(state, rolled)
            engine.play(state, action, drawn)
            entry = record.action_line(number, seat, by, notation.write(action, board), drawn.picks, rolled.picks)
            line = record.chained(entry, line["hash"], state)
            lines.append(record.dump(line))
        if self.is_over:
            lines.append(record.dump(record.result_line(line["hash"], state)))
        return lines

    def save(self, path: str | Path) -> None:
        """Write the record to a file. Raises OSError."""
        Path(path).write_text("".join(f"{line}\n" for line in self.record()), encoding="utf-8")

    def memory(self) -> tuple[str, int, dict[Any, Any]]:
        """Return what players need besides the position: the seed, the number of actions, and what they remember."""
        return self.seed, len(self._actions), self._memory

    def _draws(self) -> FairChance:
        if self._chance is None:
            raise ValueError("the record does not tell the seed of this game, so it cannot be played on")
        return self._chance


def new_game(
    seats: int = 4,
    *,
    dummies: int = 0,
    edition: str = "standard",
    board: str = DEFAULT_BOARD,
    seed: str | int = "",
    position: str = "",
    names: Sequence[str] = (),
    **settings: Setting,
) -> Game:
    """Start a game.

    Args:
        seats: the number of seats, from 3 to 6.
        dummies: how many of them, the last ones, are dummies of the rules, which play by themselves. If all are, the
            game is over at once.
        edition: `standard`, `FR`, `NL`, `DE` or `WEB`.
        board: the name of the board.
        seed: decides all draws; equal seeds give equal games, and a number is its digits. Default: a random one.
        position: a position to start from (docs/position.md), which then also decides seats, edition and board.
        names: the names of the players, for the record.
        settings: options that differ from the edition, such as `target=100` (docs/rules.md).

    Raises:
        OptionError: an edition, an option or a value is unknown.
        ValueError: the board is unknown, the number of dummies is not possible, or there are more names than seats.
        PositionError: the position is not possible.
    """
    seed = str(seed) or secrets.token_hex(16)
    chance = FairChance(seed)
    if position:
        start, drawn = Position(position).state, RecordingChance(chance)
        first = record.start_line(start, start=str(Position(start)), seed=seed, names=names)
    else:
        if not 0 <= dummies <= seats:
            raise ValueError(f"dummies: {dummies} of {seats} seats is not possible; 0 to {seats} are")
        are_dummies = tuple(seat >= seats - dummies for seat in range(seats))
        drawn = RecordingChance(chance)
        start = engine.new_game(load_board(board), options(are_dummies, edition, **settings), drawn)
        first = record.start_line(start, drawn.picks, seed=seed, names=names)
    if len(names) > len(start.vp):
        raise ValueError(f"names: there are {len(names)} for {len(start.vp)} seats")
    game = Game(start, first, chance, start.copy())
    game.let_dummies_play()
    return game


def load(given: str | Path | Sequence[str]) -> Game:
    """Load a game from a record, after its last action; actions that were taken back are left out.

    Args:
        given: the file, or the lines.

    Raises:
        RecordError: the record breaks a rule, was changed, or its draws are not those of its seed.
        OSError: the file cannot be read.
    """
    try:
        lines = Path(given).read_text(encoding="utf-8").splitlines() if isinstance(given, str | Path) else given
    except UnicodeDecodeError:
        raise record.RecordError(1, f"{given} is no record: it is not text in UTF-8") from None
    lines = [line for line in lines if line.strip()]
    steps = record.replay(lines)
    first = next(steps)
    start, end, line = first.state.copy(), first.state, record.read_json(lines[0])
    actions: list[Played] = []
    numbers = [0]  # of actions that were not taken back, after each line
    for step in steps:
        if step.undo is not None:
            del actions[numbers[step.undo] :]
        elif step.action is not None and step.seat is not None:
            actions.append((step.seat, step.by, step.action))
        numbers.append(len(actions))
        end = step.state  # another one after an undo
    is_open = "seed" in line or end.phase == "over"
    if is_open:
        record.verify_chance(lines)
    return Game(start, line, record.chance_of(lines) if is_open else None, end, actions, lines)
