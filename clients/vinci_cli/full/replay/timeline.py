"""The timeline of a replay, and the events of the step that is shown."""

from vinci.v1 import game_pb2

from ...game.replay import ReplayPosition
from ...text.i18n import _
from ...text.tables import Line
from ..toolkit.block import Block, Hit, cells, cut, padded, width


def timeline(replay: ReplayPosition, columns: int) -> Block:
    """Two lines: the numbers of the rounds, and a bar with a cell for a few steps each; a click goes there.

    The bar has the colour of the seat whose turn it is, and its number where the turn starts.
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
    """Events of the step that is shown, in `rows` lines, and the number of the others."""
    end: list[Line] = []
    if replay.step == replay.last and replay.fault:
        end = [[("class:error", replay.fault)]]
    elif replay.step == replay.last and replay.updates[-1].state.phase != game_pb2.PHASE_OVER:
        end = [[("class:hint", _("The record ends here; the game does not."))]]
    lines: list[Line] = [[(entry.style or "", entry.text)] for entry in replay.happened(replay.step)]
    room = rows - len(end)
    if len(lines) > room:
        more = " " + _("(and {n} more)").format(n=len(lines) - room)
        lines = [*lines[: room - 1], [*cut(lines[room - 1], columns - cells(more)), ("class:faint", more)]]
    lines += end
    return Block([cut(line, columns) for line in lines] + [[] for _row in range(rows - len(lines))])
