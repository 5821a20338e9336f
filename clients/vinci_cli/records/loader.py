"""Loads records of games: updates as a server would send them, names, and the shape of the board.

Uses the rules, since a record holds only actions and draws.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from vinci.v1 import bot_pb2, game_pb2, lobby_pb2
from vinci_client.printable import printable
from vinci_codec import catalogue as messages
from vinci_codec import notes, recorded
from vinci_codec.catalogue import board_map
from vinci_codec.events import refusal
from vinci_rules import record
from vinci_rules.board import Board

from ..exceptions import Failed
from ..game.replay import PlayedGame
from ..review import model
from ..text import events
from ..text.i18n import _, plural
from ..text.names import Catalogue

LATEST: Final = 2.0**37
"""Seconds since 1970: later, in some thousand years, there are dates that no calendar here has."""


def names_of(board: Board, players: Sequence[str] = ()) -> Catalogue:
    """Return names for everything on a board."""
    names = Catalogue(messages.board(board), messages.traits())
    names.seat_players(lobby_pb2.Match(seats=[lobby_pb2.MatchSeat(player=player) for player in players]))
    return names


def players_in(line: Mapping[str, Any]) -> list[str]:
    """Return the player names in the first line of a record; they are not hashed, so they may be anything."""
    names = line.get("names", [])
    return [printable(str(name)) for name in names] if isinstance(names, list) else []


def lines_of(path: Path) -> list[str]:
    """Return the lines of a record. Raises Failed for a file that cannot be read."""
    try:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise Failed(_unreadable(path, error)) from None


def _unreadable(path: Path, error: Exception) -> str:
    return _("{path} cannot be read: {why}").format(path=path, why=getattr(error, "strerror", None) or error)


def notes_of(path: Path, lines: Sequence[str]) -> tuple[dict[int, bot_pb2.Note], str]:
    """Return what is noted beside a record with these lines, by number of the action, and what is wrong with it.

    That names the file alone, as it may stand on a page that is sent to others.
    """
    file = notes.path_of(path)
    try:
        texts = file.read_bytes().splitlines()
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        return {}, _unreadable(Path(file.name), error)
    acted = set(_acted(lines))
    found = {}
    for text in texts:
        with suppress(ValueError):
            number, seat, note = notes.read(text)
            if (number, seat) in acted:
                found[number] = note
    return found, "" if len(found) == len(texts) else plural(
        "{path}: {n} line is no note of this game, and is left out",
        "{path}: {n} lines are no notes of this game, and are left out",
        len(texts) - len(found),
        path=file.name,
    )


def worded(error: record.RecordError) -> str:
    """Return what is wrong with a record; of an action that breaks a rule also why, as a sentence."""
    if error.broken is None:
        return str(error)
    violation, board = error.broken
    refused = refusal(violation, board)
    refused.rule = ""  # the error names it
    return f"{error}: {events.refusal(refused, names_of(board))}"


def _acted(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield number and seat of the actions of a record, as far as it can be read."""
    for line in lines[1:]:
        with suppress(ValueError, KeyError, TypeError, RecursionError):
            parsed = json.loads(line)
            yield int(parsed["n"]), int(parsed["seat"])


def load(path: Path) -> PlayedGame:
    """Load a game as far as it can be read, with what is kept beside it. Raises Failed if its start cannot be read."""
    lines = lines_of(path)
    updates: list[game_pb2.Update] = []
    fault = ""
    steps = record.replay(lines)
    try:
        first = next(steps)
        updates.append(recorded.step(first, first.by))
        for step in steps:
            if step.action is not None or step.undo is not None:
                updates.append(recorded.step(step, step.by))  # noqa: PERF401  # what comes before a fault is kept
    except record.RecordError as error:
        if not updates:
            raise Failed(f"{path}: {error}") from None
        fault = worded(error)
    state = first.state
    parsed = json.loads(lines[0])
    players = players_in(parsed)
    is_over = updates[-1].state.phase == game_pb2.PHASE_OVER
    match = recorded.match(parsed, first, players, lobby_pb2.SEAT_KIND_BOT)  # people would be asked for a rematch
    match.match_id = path.stem
    match.status = lobby_pb2.MATCH_STATUS_OVER if is_over else lobby_pb2.MATCH_STATUS_ENDED
    match.seed = _chosen_seed(parsed, {} if fault else json.loads(lines[-1]))
    second = json.loads(lines[1]) if len(updates) > 1 else {}
    time = second.get("time")
    noted, doubt = notes_of(path, lines)
    return PlayedGame(
        updates,
        messages.board(state.board),
        board_map(state.board.name),
        names_of(state.board, players),
        match,
        played_at=float(time) if isinstance(time, int | float) and 0 <= time < LATEST else None,
        fault=fault,
        review=None if fault else model.load(model.path_of(path), record.last_hash(lines)),
        notes=noted,
        doubt=doubt,
    )


def _chosen_seed(first: record.Line, last: record.Line) -> str:
    """Return the seed that the creator chose: stated at the start, or sealed and revealed at the end."""
    seed = first.get("seed") or (first.get("sealed") and last.get("reveal", {}).get("seed")) or ""
    return printable(str(seed))
