"""Games among computer players as a table of decisions, in Parquet; docs/learning.md describes the columns.

A game takes part in the table as a whole; the table is written in pieces, so that its length does not matter.
"""

import errno
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import pyarrow as pa
from pyarrow import parquet

from vinci_rules import engine, notation, position
from vinci_rules.actions import Action
from vinci_rules.board import Board
from vinci_rules.editions import Options, Setting, options
from vinci_rules.state import State

from .selfplay import SelfplayGame, play

FORMAT: Final = "1"
"""Format of the table, in its metadata as `vinci`; it grows with a column that replaces or changes another one."""
SCHEMA: Final = pa.schema(
    [
        ("game", pa.int32()),
        ("seed", pa.string()),
        ("number", pa.int32()),
        ("seat", pa.int8()),
        ("player", pa.string()),
        ("phase", pa.string()),
        ("position", pa.string()),
        ("legal", pa.list_(pa.string())),
        ("action", pa.string()),
        ("rank", pa.int8()),
        ("vp", pa.int16()),
        ("ranks", pa.list_(pa.int8())),
        ("scores", pa.list_(pa.int16())),
    ],
    metadata={"vinci": FORMAT},
)
PIECE: Final = 5000
"""Decisions that are kept before they are written: some megabytes."""

Game: TypeAlias = tuple[int, str, Sequence[str], Board, Options]
"""A game to play: its number from 1, seed, players by seat, board and options."""
Spread: TypeAlias = Callable[[Callable[[Game], list[dict[str, Any]]], Iterable[Game]], Iterable[list[dict[str, Any]]]]


def write(
    path: Path,
    players: Sequence[str],
    seats: int,
    games: int,
    seed: str,
    board: Board,
    edition: str,
    spread: Spread = map,
    **settings: Setting,
) -> Generator[int, None, None]:
    """Write a table of decisions; yield the number of decisions after each game.

    Args:
        path: the file, which is replaced when the table is complete.
        players: names of computer players, which take the seats in turns, another one at each seat from game to game.
        seats: number of seats.
        games: number of games.
        seed: game n, from 1, has the seed `SEED-n`; the same seed gives the same table.
        board: the board. edition: the edition. settings: options that differ from it.
        spread: what plays the games, and returns their decisions in their order; without it this process does.

    Raises:
        OptionError: the edition or an option is unknown.
        OSError: the file cannot be written.
    """
    if path.is_dir():  # not only after the last game
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    fresh = path.with_name(f"{path.name}.part")

    def to_play() -> Iterator[Game]:
        for game in range(games):
            names = [players[(seat + game) % len(players)] for seat in range(seats)]
            rules = options(tuple(name == "dummy" for name in names), edition, **settings)
            yield game + 1, f"{seed}-{game + 1}", names, board, rules

    try:
        with parquet.ParquetWriter(fresh, SCHEMA, compression="zstd") as table:
            rows: list[dict[str, Any]] = []
            written = 0
            for of_game in spread(_played, to_play()):
                rows.extend(of_game)
                written += len(of_game)
                if len(rows) >= PIECE:
                    table.write_table(pa.Table.from_pylist(rows, SCHEMA))
                    rows.clear()
                yield written
            table.write_table(pa.Table.from_pylist(rows, SCHEMA))
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _played(game: Game) -> list[dict[str, Any]]:
    """Play a game and return its rows."""
    number, seed, names, board, rules = game
    decisions: list[dict[str, Any]] = []
    played = play(names, board, rules, seed, look=lambda state, action: decisions.append(_decision(state, action)))
    return list(_completed(decisions, played, number))


def _decision(state: State, action: Action) -> dict[str, Any]:
    """Return what is known of a decision before the game is over."""
    legal = [*engine.legal_actions(state)]
    if engine.open_decision(state) is not None:
        legal.append(engine.suggestion(state))
    return {
        "seat": state.actor,
        "phase": state.phase,
        "position": position.write(state),
        "legal": [notation.write(each, state.board) for each in legal],
        "action": notation.write(action, state.board),
    }


def _completed(decisions: Sequence[dict[str, Any]], game: SelfplayGame, number: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of a game with what is known at its end."""
    for place, decision in enumerate(decisions, start=1):
        seat = decision["seat"]
        yield decision | {
            "game": number,
            "seed": game.seed,
            "number": place,
            "player": game.players[seat],
            "rank": game.ranks[seat],
            "vp": game.vp[seat],
            "ranks": game.ranks,
            "scores": game.vp,
        }
