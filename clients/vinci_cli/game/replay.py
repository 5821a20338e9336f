"""A recorded game, its turns, and the match as it was at any of its steps: for replays, reports and statistics.

It knows no rules. Every position is kept as the server or the record has it, so going back is as exact as going on.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from vinci.v1 import bot_pb2, game_pb2, lobby_pb2, match_pb2

from ..review.model import GameReview
from ..text.names import Catalogue
from ..text.notes import told
from ..text.recap import Attack
from .client_match import LONGEST_LOG, ClientMatch, Entry, History


@final
@dataclass(frozen=True, slots=True)
class ReplayTurn:
    """A turn, or in round 0 a choice in the opening draft: the step at which it starts, its round and its seat."""

    step: int
    round: int
    seat: int


@final
@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game from a record or from a server, as far as it went.

    Attributes:
        updates: all of them, the first with the position before the first action.
        board: the board. board_map: its shape. names: names for codes and seats.
        match: the lobby's message about the match.
        times: how long decisions took; empty if that is not known.
        played_at: when it began, in seconds since 1970; None if that is not known.
        fault: why the record breaks off; empty if it does not.
        review: its review, if there is one.
        notes: what bots noted, by the revision that the first action of the answer made.
        doubt: what is wrong with the file of these notes; empty if nothing is.
    """

    updates: Sequence[game_pb2.Update]
    board: game_pb2.Board
    board_map: game_pb2.BoardMap
    names: Catalogue
    match: lobby_pb2.Match
    times: Sequence[match_pb2.DecisionTime] = ()
    played_at: float | None = None
    fault: str = ""
    review: GameReview | None = None
    notes: Mapping[int, bot_pb2.Note] = field(default_factory=dict)
    doubt: str = ""

    def noted(self, update: game_pb2.Update) -> list[str]:
        """Return the lines of the note about a revision; none without one."""
        note = self.notes.get(update.revision)
        return [] if note is None else told(note, self.names.seat(update.seat))

    def from_start(self) -> ClientMatch:
        """Return the match with all updates still to show."""
        return ClientMatch(self.names, self.board_map, self.match, waiting=deque(self.updates), replayed=True)

    def turns(self) -> list[ReplayTurn]:
        """Return the turns in order; the end of the game is none."""
        turns: list[ReplayTurn] = []
        for step, update in enumerate(self.updates):
            state = update.state
            is_new = not turns or (turns[-1].round, turns[-1].seat) != (state.round, state.turn_seat)
            if is_new and (not turns or state.phase != game_pb2.PHASE_OVER):
                turns.append(ReplayTurn(step, state.round, state.turn_seat))
        return turns


def lasting(updates: Iterable[game_pb2.Update]) -> list[game_pb2.Update]:
    """Return the updates without undos and without those that were taken back."""
    history: History[game_pb2.Update] = History()
    for update in updates:
        if update.HasField("undo_to"):
            history.undo(update.revision, update.undo_to)
        else:
            history.add(update.revision, update)
    return history.items()


@final
class ReplayPosition:
    """A game at one of its steps; step 0 is the position before the first action.

    Attributes:
        played: the game. updates: its updates.
        game: the match as it was at that step.
        step: the step that is shown. last: the last one.
        turns: the turns in order. rounds: those that were played, each with its first step; 0 is the opening draft.
    """

    def __init__(self, played: PlayedGame) -> None:
        self.played: Final = played
        self.updates: Final = played.updates
        self.game: Final = played.from_start()
        self.last: Final = len(played.updates) - 1
        self.turns: Final = played.turns()
        self.rounds: Final[dict[int, int]] = {}
        for turn in self.turns:
            self.rounds.setdefault(turn.round, turn.step)
        self._entries: Final[list[Entry]] = []
        self._moments: Final[list[tuple[frozenset[str], Sequence[Attack], int]]] = []
        self._play()
        self.step = 0
        self.go(0)

    def _play(self) -> None:
        """Show every update once, and keep the log entries and changes of each step."""
        game = self.game
        while game.show_next() is not None:
            self._entries.extend(game.log)
            self._moments.append((game.changed, game.attacks, len(self._entries)))
            game.log.clear()

    def go(self, step: int) -> None:
        """Show a step; numbers out of range show the first or the last."""
        self.step = step = min(max(step, 0), self.last)
        update = self.updates[step]
        changed, attacks, entries = self._moments[step]
        game = self.game
        game.attacks = attacks
        game.state, game.legal, game.revision, game.changed = update.state, update.legal, update.revision, changed
        game.log = deque(self._entries[max(entries - LONGEST_LOG, 0) : entries], maxlen=LONGEST_LOG)

    def happened(self, step: int) -> list[Entry]:
        """Return the log entries of a step."""
        return self._entries[self._moments[step - 1][-1] if step else 0 : self._moments[step][-1]]

    def noted(self) -> list[str]:
        """Return the lines of the note about the step that is shown."""
        return self.played.noted(self.updates[self.step])

    def turn(self) -> int:
        """Return the index of the turn that is shown, among `turns`."""
        return max(bisect_right(self.turns, self.step, key=lambda turn: turn.step) - 1, 0)

    def next_turn(self) -> None:
        """Go to the start of the next turn, or to the end."""
        following = self.turn() + 1
        self.go(self.turns[following].step if following < len(self.turns) else self.last)

    def previous_turn(self) -> None:
        """Go to the start of this turn, and from there to the start of the turn before."""
        here = self.turn()
        at_start = self.turns[here].step == self.step
        self.go(self.turns[max(here - 1, 0) if at_start else here].step)
