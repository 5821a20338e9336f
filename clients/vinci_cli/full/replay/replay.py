"""A game that is known to its end, or as far as it went: any position of it, and the bar on which one moves through it.

It knows no rules. Every position is kept as the server or the record told it, so going back is as exact as going on.
"""

from bisect import bisect_right
from collections import deque
from dataclasses import dataclass
from typing import Final, final

from vinci.v1 import game_pb2

from ...game.client_match import LONGEST_LOG, ClientMatch, Entry
from ...game.played import PlayedGame
from ...text.i18n import _
from ...text.tables import Line
from ..toolkit.block import Block, Hit, cells, cut, padded, width


@final
@dataclass(frozen=True, slots=True)
class ReplayTurn:
    """A turn, or in round 0 a choice in the opening draft: the step at which it starts, its round and its seat."""

    step: int
    round: int
    seat: int


@final
class ReplayPosition:
    """A game at one of its steps; step 0 is the position before the first action.

    Attributes:
        game: the match as it was at that step, as panes draw it.
        step: the step that is shown. last: the last one.
        turns: the turns in order.
        fault: why it goes no further, if it should; empty otherwise.
    """

    def __init__(self, played: PlayedGame) -> None:
        self.updates: Final = played.updates
        waiting = deque(played.updates)
        self.game: Final = ClientMatch(played.names, played.board_map, played.match, waiting=waiting, replayed=True)
        self.fault: Final = played.fault
        self.last: Final = len(played.updates) - 1
        self.turns: Final[list[ReplayTurn]] = []
        self._entries: Final[list[Entry]] = []
        self._moments: Final[list[tuple[frozenset[str], int]]] = []
        self._play()
        self.step = 0
        self.go(0)

    def _play(self) -> None:
        """Play all of it once, and keep what each step added."""
        game = self.game
        for step, _update in enumerate(self.updates):
            game.log.clear()
            game.show_next()
            self._entries.extend(game.log)
            self._moments.append((game.changed, len(self._entries)))
            state = self.updates[step].state
            turn = ReplayTurn(step, state.round, state.turn_seat)
            before = self.turns[-1] if self.turns else None
            is_new = before is None or (turn.round, turn.seat) != (before.round, before.seat)
            if is_new and (before is None or state.phase != game_pb2.PHASE_OVER):
                self.turns.append(turn)

    def go(self, step: int) -> None:
        """Show a step, or the nearest one that there is."""
        self.step = step = min(max(step, 0), self.last)
        update = self.updates[step]
        changed, told = self._moments[step]
        game = self.game
        game.state, game.legal, game.revision, game.changed = update.state, update.legal, update.revision, changed
        game.log = deque(self._entries[max(told - LONGEST_LOG, 0) : told], maxlen=LONGEST_LOG)

    def happened(self, step: int) -> list[Entry]:
        """What was told at a step."""
        return self._entries[self._moments[step - 1][1] if step else 0 : self._moments[step][1]]

    def turn(self) -> int:
        """The index of the turn that is shown, among the turns."""
        return max(bisect_right(self.turns, self.step, key=lambda turn: turn.step) - 1, 0)

    def next_turn(self) -> None:
        """Go to the start of the next turn, or to the end."""
        following = self.turn() + 1
        self.go(self.turns[following].step if following < len(self.turns) else self.last)

    def previous_turn(self) -> None:
        """Go to the start of this turn, from there to that of the turn before."""
        here = self.turn()
        at_start = self.turns[here].step == self.step
        self.go(self.turns[max(here - 1, 0) if at_start else here].step)

    def find_round(self, number: int) -> int | None:
        """The step at which a round starts; None if it was not played."""
        return next((turn.step for turn in self.turns if turn.round == number), None)

    def rounds(self) -> list[int]:
        """The rounds that were played, 0 being the opening draft."""
        return list(dict.fromkeys(turn.round for turn in self.turns))


def timeline(replay: ReplayPosition, columns: int) -> Block:
    """Two lines: the numbers of the rounds, and a bar with a cell for a few steps each; a click goes there.

    The bar has the colour of whose turn it is, and the number of the seat where a turn starts.
    """
    last = max(replay.last, 1)
    steps = [round(column * replay.last / max(columns - 1, 1)) for column in range(columns)]
    here = round(replay.step * (columns - 1) / last)
    starts = {round(turn.step * (columns - 1) / last): turn for turn in reversed(replay.turns)}
    bar: Line = []
    turns = iter([*replay.turns[1:], None])
    turn, following = replay.turns[0], next(turns)
    for column, step in enumerate(steps):
        while following is not None and step >= following.step:
            turn, following = following, next(turns)
        style = f"class:seat{turn.seat}"
        if column == here:
            bar.append(("class:selected", "●"))
        elif column in starts:
            bar.append((f"class:seat{starts[column].seat}", str(starts[column].seat)))
        else:
            bar.append((style, "━") if column < here else (f"{style} class:faint", "─"))
    hits = [Hit(row, column, column + 1, f"step {step}") for row in (0, 1) for column, step in enumerate(steps)]
    return Block([_round_numbers(replay, columns), bar], hits)


def _round_numbers(replay: ReplayPosition, columns: int) -> Line:
    line: Line = []
    now = replay.turns[replay.turn()].round
    for number in replay.rounds():
        step = replay.find_round(number) or 0
        place = round(step * (columns - 1) / max(replay.last, 1))
        text = str(number) if number else _("draft")
        free = place - width(line)
        if free < (1 if line else 0) or place + cells(text) > columns:
            continue
        line += [("", " " * free), ("class:selected" if number == now else "class:faint", text)]
    return padded(line, columns)


def happened(replay: ReplayPosition, columns: int, rows: int) -> Block:
    """What happened at the step that is shown, in so many lines; what is too much is counted."""
    told = replay.happened(replay.step)
    at_end = replay.step == replay.last
    if at_end and replay.fault:
        end: list[Line] = [[("class:error", replay.fault)]]
    elif at_end and replay.updates[-1].state.phase != game_pb2.PHASE_OVER:
        end = [[("class:hint", _("The record ends here; the game does not."))]]
    else:
        end = []
    lines: list[Line] = [[(entry.style or "", entry.text)] for entry in told]
    room = rows - len(end)
    if len(lines) > room:
        more = " " + _("(and {n} more)").format(n=len(lines) - room)
        lines = [*lines[: room - 1], [*cut(lines[room - 1], columns - cells(more)), ("class:faint", more)]]
    lines += end
    return Block([cut(line, columns) for line in lines] + [[] for _row in range(rows - len(lines))])
