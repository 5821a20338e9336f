"""Plays games of a league with commands at a local server; each process has one server for all its games."""

import asyncio
import atexit
import json
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from vinci.v1 import game_pb2, lobby_pb2
from vinci_bots.local.local_match import MEGABYTE, BotLimits, Seating, play_game, server
from vinci_bots.local.local_match import LocalGame as Played
from vinci_bots.local.participants import DUMMY, Player
from vinci_bots.seeds import bot_seed
from vinci_client import processes
from vinci_client.errors import ServerGone, ServerRefused
from vinci_rules import record

from ..definition.league import League, LeagueBot
from ..definition.schedule import ScheduledGame
from ..results.result import ForfeitResult
from .resource_usage import Costs, costs

LONGEST_LOG: Final = 2**20
"""Maximum number of bytes kept of the end of a bot's output."""


class TableError(Exception):
    """A game could not be played for a reason other than a bot; the text says why."""


class ServerGame(NamedTuple):
    """A finished game: record, forfeits, output of bots with their seats from 0, and resources used.

    Empty outputs are left out, except those of bots that forfeited.
    """

    lines: tuple[str, ...]
    forfeits: tuple[ForfeitResult, ...]
    logs: tuple[tuple[int, str], ...]
    costs: Costs


def play(league: League, game: ScheduledGame) -> ServerGame:
    """Play a game. Raises TableError."""
    with tempfile.TemporaryDirectory() as place:
        seatings = [
            Seating(_player(league.bot(name)), bot_seed(game.seed, name), Path(place) / f"{seat}.log")
            for seat, name in enumerate(game.bots)
        ]
        try:
            limits = BotLimits(memory=league.memory * MEGABYTE)
            played: Played = asyncio.run(play_game(_server(league.analysis), _request(league, game), seatings, limits))
        except (ServerRefused, ServerGone, processes.NotStarted) as error:
            raise TableError(str(error)) from None
        outputs = [(seat, _output(seating.log)) for seat, seating in enumerate(seatings)]
    forfeits = tuple(ForfeitResult(one.seat, one.reason, one.action, one.position) for one in played.gone)
    gone = {one.seat for one in forfeits}
    logs = tuple((seat, text) for seat, text in outputs if text or seat in gone)
    return ServerGame(_renamed(played.lines, game.bots), forfeits, logs, costs(game.key, game.bots, played.use))


def _renamed(lines: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return a record with the names of the league; the server has one name for all dummies."""
    return record.dump(json.loads(lines[0]) | {"names": list(names)}), *lines[1:]


def _player(bot: LeagueBot) -> Player:
    """Return a bot as a player of a local match."""
    if bot.is_dummy:
        return Player(DUMMY)
    return Player(bot.name, bot.command or (*processes.COMMAND, "bot", bot.policy))


def _request(league: League, game: ScheduledGame) -> lobby_pb2.CreateMatchRequest:
    """Return the request for a match in which bots forfeit when their time or tries are used up."""
    settings = dict(league.options) | ({} if league.target is None else {"target": str(league.target)})
    return lobby_pb2.CreateMatchRequest(
        options=game_pb2.Options(edition=league.edition, settings=settings),
        board=league.board,
        seed=game.seed,
        sealed=bool(game.salt),
        salt=game.salt,
        opening_seed=game.opening_seed,
        timing=lobby_pb2.Timing(decision_seconds=league.clock, on_timeout=lobby_pb2.TIMEOUT_POLICY_FORFEIT),
        mistakes=lobby_pb2.Mistakes(tries=league.tries, after=lobby_pb2.TIMEOUT_POLICY_FORFEIT),
    )


@cache
def _server(analysis: bool) -> str:
    """Start the server of this process, optionally with an analysis service, and return its address."""
    kept = ExitStack()
    atexit.register(kept.close)
    place = kept.enter_context(tempfile.TemporaryDirectory())
    return kept.enter_context(server(Path(place) / "league.db", analysis=analysis))


def _output(log: Path) -> str:
    if not log.exists():
        return ""
    with log.open("rb") as file:
        file.seek(max(log.stat().st_size - LONGEST_LOG, 0))
        return file.read().decode(errors="replace")
