"""Plays games of a league in a worker, on any machine, and returns the outcomes; it writes no files.

Built-in bots play in this process. A game with a command is played at a local server, one for all games of a process.
"""

import asyncio
import atexit
import json
import sys
import tempfile
import uuid
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from vinci.v1 import game_pb2, lobby_pb2
from vinci_bots.builtin import selfplay
from vinci_bots.local import manifest, sandbox
from vinci_bots.local.local_match import USUAL, BotLimits, LocalGame, Seating, door, notes_folder, play_game, server
from vinci_bots.local.participants import DUMMY, Player, started_by
from vinci_bots.local.process import MEGABYTE
from vinci_bots.seeds import bot_seed
from vinci_client import processes
from vinci_client.access import OPEN, Access
from vinci_client.errors import ServerGone, ServerRefused
from vinci_refusals import clock
from vinci_rules import record
from vinci_rules.board import load_board

from ..definition.league import Conditions, League, LeagueBot, cpu_seconds
from ..definition.schedule import DIGITS, ScheduledGame, derived
from ..results.game_facts import FactCollector, Facts, facts_of
from ..results.result import ForfeitResult, Result
from .resource_usage import Costs, costs, costs_here

CPU_TIMES: Final = 20
USUAL_WAIT: Final = 60
MOST_WALL: Final = 86_400
"""Seconds of time for a decision with a clock in seconds of CPU: so many times these, and more; a day at most."""
LONGEST_LOG: Final = 2**20
"""Maximum number of bytes kept of the end of a bot's output."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """A finished game: result, record as text, and outputs of bots with their seats from 0.

    Empty outputs are left out, except those of bots that forfeited. `costs` are the resources used by the bots, `notes`
    the lines that they noted.
    """

    result: Result
    record: str
    logs: tuple[tuple[int, str], ...] = ()
    costs: Costs | None = None
    notes: str = ""


@dataclass(frozen=True, slots=True)
class GameServer:
    """A server for games of a league: its address, access, and the code for bots that are started here.

    If it `is_kept`, its matches outlive this process, and a game that was begun goes on. `door` is the folder of its
    socket for bots in the sandbox, `noted` the one in which it keeps notes, if it does.
    """

    address: str
    access: Access = OPEN
    code: str = ""
    is_kept: bool = False
    door: Path | None = None
    noted: Path | None = None


Play: TypeAlias = Callable[[League, ScheduledGame], GameOutcome]


class GameError(Exception):
    """A game could not be played for a reason other than a bot; the text names the reason."""


class WorkerLost(Exception):
    """The worker of these games was lost; others play on."""


def play_all(play: Play, league: League, games: Sequence[ScheduledGame]) -> list[GameOutcome]:
    """Play games, one after another. Raises GameError at the first that cannot be played."""
    played = []
    for game in games:
        try:
            played.append(play(league, game))
        except Exception as error:  # any error, because it may not be picklable
            raise GameError(f"game {game.key} could not be played: {error or type(error).__name__}") from None
    return played


def play(league: League, game: ScheduledGame) -> GameOutcome:
    """Play a game in this process if all its bots are built in, else with processes at a local server."""
    league = league.at(game.block)
    return _play_here(league, game) if league.is_local(game.bots) else play_at_server(league, game)


def _play_here(league: League, game: ScheduledGame) -> GameOutcome:
    collector = FactCollector(league.seats)
    played = selfplay.play(
        [league.bot(name).policy for name in game.bots],
        load_board(league.board),
        league.rules(game.bots),
        game.seed,
        [bot_seed(game.seed, name) for name in game.bots],
        game.bots,
        collector.before,
        salt=game.salt,
        opening_seed=game.opening_seed,
    )
    return GameOutcome(
        result_of(game, played.lines, collector.facts(played.end), conditions=league.conditions),
        _text(played.lines),
        costs=costs_here(game.key, [league.bot(name) for name in game.bots], played.thought),
    )


def result_of(
    game: ScheduledGame,
    lines: Sequence[str],
    facts: Facts,
    forfeits: Sequence[ForfeitResult] = (),
    conditions: Conditions | None = None,
) -> Result:
    """Return the result of a finished record, which tells neither conditions nor the reasons of forfeits."""
    last = json.loads(lines[-1])
    return Result(
        block=game.block,
        rotation=game.rotation,
        seed=game.seed,
        bots=game.bots,
        ranks=tuple(last["result"]["ranks"]),
        vp=tuple(last["result"]["vp"]),
        rounds=last["result"]["rounds"],
        actions=len(lines) - 2,
        forfeits=tuple(forfeits),
        civilizations=facts.civilizations,
        attacks=facts.attacks,
        hash=last["hash"],
        conditions=conditions,
    )


def play_at_server(league: League, game: ScheduledGame) -> GameOutcome:
    """Play a game between processes at the local server. Raises GameError."""
    try:
        if cpu_seconds(league.clock) and sys.platform != "linux":
            raise GameError("a clock in seconds of CPU needs Linux")
        if league.sandbox:
            sandbox.check()
        return asyncio.run(play_match(league, game, _server(league.analysis, league.sandbox)))
    except (processes.NotStarted, sandbox.SandboxMissing) as error:
        raise GameError(str(error)) from None


async def play_match(
    league: League, game: ScheduledGame, at: GameServer, absent: Collection[str] = (), start: float = USUAL.start
) -> GameOutcome:
    """Play a game at a server; remote bots come by themselves, those that are `absent` forfeit. Raises GameError.

    Bots also forfeit if they are not connected within `start` seconds.
    """
    league = league.at(game.block)
    with tempfile.TemporaryDirectory() as place:
        seatings = [
            Seating(
                _player(league.bot(name)),
                bot_seed(game.seed, name),
                Path(place) / f"{seat}.log",
                door=at.door if league.sandbox and league.bot(name).command else None,
                is_absent=name in absent,
            )
            for seat, name in enumerate(game.bots)
        ]
        request = _request(league, game)
        request.request_id = request_id(league, game) if at.is_kept else ""
        try:
            limits = BotLimits(memory=league.memory * MEGABYTE, start=start, cpu=cpu_seconds(league.clock))
            played = await play_game(
                at.address, request, seatings, limits, access=at.access, code=at.code, noted=at.noted
            )
        except (ServerRefused, ServerGone) as error:
            raise GameError(str(error)) from None
        return await asyncio.to_thread(_outcome, league, game, played, seatings)


def _outcome(league: League, game: ScheduledGame, played: LocalGame, seatings: Sequence[Seating]) -> GameOutcome:
    outputs = {seat: _output(seating.log) for seat, seating in enumerate(seatings)}
    for seat, text in ((forfeit.seat, forfeit.text) for forfeit in played.forfeits):
        if not seatings[seat].player.remote:
            outputs[seat] += f"({text})\n" if outputs[seat][-1:] in "\n" else f"\n({text})\n"
    # The server has one name for all dummies; the record gets those of the league.
    lines = [record.dump(json.loads(played.lines[0]) | {"names": list(game.bots)}), *played.lines[1:]]
    forfeits = [
        ForfeitResult(forfeit.seat, forfeit.reason, forfeit.action, forfeit.position) for forfeit in played.forfeits
    ]
    forfeited = {forfeit.seat for forfeit in forfeits}
    return GameOutcome(
        result_of(game, lines, facts_of(lines), forfeits, league.conditions),
        _text(lines),
        tuple((seat, text) for seat, text in outputs.items() if text or seat in forfeited),
        costs(game.key, game.bots, played.use),
        played.notes,
    )


def request_id(league: League, game: ScheduledGame) -> str:
    """Return the id of the request for the match of a game, which is secret and always the same.

    It changes with an extension, or an event, that plans the game anew, since other bots may play it then.
    """
    times = sum(extension.settled <= game.block for extension in league.extensions)
    times += sum(game.block in event.replaced for event in league.events)
    return str(uuid.UUID(derived(league.seed_of(game.block), f"match|{game.key}|{times}")[:DIGITS]))


def _player(bot: LeagueBot) -> Player:
    if bot.is_dummy:
        return Player(DUMMY)
    if bot.remote:
        return Player(bot.name, remote=True)
    if bot.folder:
        return manifest.player(bot.name, bot.command, Path(bot.folder))
    return Player(bot.name, started_by(bot.command) if bot.command else (*processes.COMMAND, "bot", bot.policy))


def _request(league: League, game: ScheduledGame) -> lobby_pb2.CreateMatchRequest:
    """Return the request for a match in which bots forfeit when their time or tries are used up."""
    settings = dict(league.options) | ({} if league.target is None else {"target": str(league.target)})
    cpu = cpu_seconds(league.clock)
    # a bot that computes as long as it may on a busy machine is not stopped by time, one that waits for ever is
    wall = league.clock if cpu is None else min(CPU_TIMES * cpu + USUAL_WAIT, MOST_WALL)
    decision, bank, increment = clock.read(str(wall))
    return lobby_pb2.CreateMatchRequest(
        options=game_pb2.Options(edition=league.edition, settings=settings),
        board=league.board,
        seed=game.seed,
        sealed=bool(game.salt),
        salt=game.salt,
        opening_seed=game.opening_seed,
        timing=lobby_pb2.Timing(
            decision_seconds=decision,
            bank_seconds=bank,
            increment_seconds=increment,
            on_timeout=lobby_pb2.TIMEOUT_POLICY_FORFEIT,
        ),
        mistakes=lobby_pb2.Mistakes(tries=league.tries, after=lobby_pb2.TIMEOUT_POLICY_FORFEIT),
    )


@cache
def _server(analysis: bool, has_door: bool) -> GameServer:
    """Start the server of this process.

    An analysis service has one worker: the other cores play other games.
    """
    contexts = ExitStack()
    atexit.register(contexts.close)
    database = Path(contexts.enter_context(tempfile.TemporaryDirectory())) / "league.db"
    address = contexts.enter_context(server(database, analysis=analysis, workers=1, has_door=has_door))
    return GameServer(address, door=door(database), noted=notes_folder(database))


def _output(log: Path) -> str:
    if not log.exists():
        return ""
    with log.open("rb") as file:
        file.seek(max(log.stat().st_size - LONGEST_LOG, 0))
        return file.read().decode(errors="replace")


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
