"""`vinci tournament open` and `invite`: leagues with bots on other machines. Their output is in English only."""

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from math import inf
from pathlib import Path
from typing import Final

import click

from vinci.v1 import admin_pb2
from vinci_bots import environment
from vinci_client.address import DEFAULT_PORT
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session
from vinci_server.operations import logs
from vinci_tournament.definition.changes import dropped
from vinci_tournament.definition.configuration import LeagueError
from vinci_tournament.definition.events import Event
from vinci_tournament.definition.league import COMMAND, CONNECTED, League
from vinci_tournament.definition.schedule import ScheduledGame, games
from vinci_tournament.play import runner
from vinci_tournament.play.files import replace_file
from vinci_tournament.play.folder import Folder
from vinci_tournament.play.live import close_live, last_live, opening, remove_live, too_few, write_live
from vinci_tournament.play.progress import LeagueProgress
from vinci_tournament.play.remote import TICK, Entrants, Presence, RemoteTables, seats_needed
from vinci_tournament.play.runner import Batch
from vinci_tournament.play.worker import request_id
from vinci_tournament.play.worker_pool import Processes

from ...connection.connect import failure
from ...exceptions import Failed, Misused
from ...serve.access import ServeAccess
from ...serve.league import Door, LeagueServer, league_server, not_open, organiser_access
from ...text.i18n import _
from ..base import Command, grouped, option
from ..options import certificate_options, host_and_port, path_option
from .group import folder_argument, workers_option
from .league_run import LeagueRun, Shown, begun, shown_options, stored_league
from .play import check_limit, ladder_games, parse_league
from .progress import Progress

AT_ONCE: Final = 64
"""Games at once for which the schedule is looked ahead."""
AT_ONCE_EACH: Final = 4
"""Games at once that an invitation proposes."""
LIVE_SECONDS: Final = 1.0
"""Seconds between two updates of the file that `status` reads."""


def _access(tls: bool, tls_cert: Path | None, tls_key: Path | None) -> ServeAccess:
    return ServeAccess("", True, tls, tls_cert, tls_key, ())  # entrants have a join code in any case


access_options: Final = grouped("access", _access, certificate_options)


@click.command(
    "open",
    cls=Command,
    epilog="""
    vinci tournament open weekend.toml --listen 0.0.0.0 --tls
    vinci tournament open weekend --listen 0.0.0.0 --tls --web 8080
    """,
)
@click.argument("file", type=click.Path(path_type=Path))
@option(
    "--listen ADDRESS",
    default="127.0.0.1",
    help="Address for entrants, such as 0.0.0.0 for all of this machine, perhaps with a port as in 0.0.0.0:7654.",
)
@access_options
@ladder_games
@workers_option
@path_option("--out FOLDER", help="Folder for the league. Default: its name.")
@shown_options
def open_league(
    file: Path,
    listen: str,
    access: ServeAccess,
    games: int | None,
    workers: int | None,
    out: Path | None,
    shown: Shown,
) -> None:
    """Play a league with bots that connect from elsewhere, described in a file; FILE can be the folder of a league.

    The same command continues a league that was stopped or killed; entrants reconnect by themselves. See
    docs/open-leagues.md.
    """
    if file.is_dir():
        if out is not None:
            raise Misused(_("--out is for a new league; {folder} is one already").format(folder=file))
        folder = Folder(file)
        league = stored_league(folder)
    else:
        league = parse_league(file, {})
        folder = Folder(out or Path(league.name))
    if not league.remote:
        text = _("no bot of {name} has remote = true; play it with: vinci tournament run")
        raise Misused(text.format(name=league.name))
    check_limit(league, games)
    host, port = host_and_port(listen)
    if not file.is_dir():
        league = begun(folder, league)
    logs.configure("error")
    with _RemoteWorkers(host or "127.0.0.1", DEFAULT_PORT if port is None else port, access, workers) as remote:
        LeagueRun(folder, league, remote, shown, games).play()


class _RemoteWorkers(ExitStack):
    """Plays a league at a server for its entrants, which runs until the league is over or the context ends."""

    def __init__(self, host: str, port: int, access: ServeAccess, workers: int | None) -> None:
        super().__init__()
        self._host: Final = host
        self._port: Final = port
        self._access: Final = access
        self._workers: Final = workers
        self._server: LeagueServer | None = None
        self._entrants: Entrants | None = None
        self._offers: Final[dict[str, int]] = {}
        self._is_started = False

    def check(self) -> None:
        """Do nothing: the options have been checked."""

    def run(self, folder: Folder, league: League, progress: Progress, most: int | None) -> bool:
        """Play the missing games in a folder that is locked, once the league starts; see `runner.run`.

        Raises RunnerError, FolderError and Failed.
        """
        results = folder.planned(league)
        if LeagueProgress(league, results.values()).is_decided:
            runner.run(folder, partial(Processes, 1), 1, progress)  # which checks the league, and plays nothing
            return self._end(folder)
        is_started = league.is_started or bool(results)  # an earlier version began at once, without an event
        server, entrants = self._open(folder, league)
        watcher = _Watcher(folder, league, entrants, progress, "" if is_started else league.start, self._offers)
        server.tell_bots(watcher.notice)
        if not (is_started or watcher.wait_for_start(server.server.offered_games)):
            return False
        league = folder.league()  # bots may have been dropped at the start
        watcher.take(league)
        entrants.gone, entrants.absence = league.withdrawn, league.at(0).absence
        if not self._is_started:
            entrants.wait_anew()
            self._is_started = True
        processes = self._workers or league.workers or os.cpu_count() or 1

        def tables() -> RemoteTables:
            return RemoteTables(
                server.loop,
                server.game_server,
                entrants,
                server.server.offered_games,
                server.server.has_match,
                processes,
                watcher.voided.append,
                server.server.await_own_bots,
            )

        is_over = runner.run(folder, tables, AT_ONCE, progress, watch=watcher, most=most)
        if is_over:
            server.tell_bots(watcher.farewell)
            return self._end(folder)
        finished = folder.results()
        begun = [game for game in games(league) if game.key not in finished]
        watcher.write([game for game in begun if server.server.has_match(request_id(league, game))])
        return False

    def _end(self, folder: Folder) -> bool:
        """End the server of a league that is over; return True."""
        self.close()
        remove_live(folder.path)
        return True

    def _open(self, folder: Folder, league: League) -> tuple[LeagueServer, Entrants]:
        """Return the server and the entrants; first, open the server if it does not run."""
        away: dict[str, float] = {}
        if self._server is None:
            server = league_server(folder, league, self._host, self._port, self._access)
            self._server = self.enter_context(server)
            before = last_live(folder.path)
            self.callback(close_live, folder.path)
            for line in _opening(folder, league, self._server):
                click.echo(line, err=True)
            if before is not None and before.time:  # of a killed process
                since = time.time() - before.time
                away = {each.name: each.away + since for each in before.entrants if each.away is not None}
        self._server.end_others(folder.league())
        needs = seats_needed(league)
        if self._entrants is None or self._entrants.needs != needs:
            came = self._entrants.came if self._entrants is not None else ()
            self._entrants = Entrants(needs, league.absence, {*league.connected, *came}, away)
        return self._server, self._entrants


def _entrants_of(league: League) -> list[str]:
    """Return the remote bots that have not left the league."""
    return [name for name in league.remote if name not in league.gone]


def _opening(folder: Folder, league: League, server: LeagueServer) -> list[str]:
    """Return what the organiser is told when the league is open."""
    keys = server.keys()
    lines = [f"{league.name} is open at {', '.join(server.door.addresses)}."]
    if missing := [name for name in _entrants_of(league) if name not in keys]:
        lines.append("Invite each of these bots, and send its author what is printed:")
        lines += [f"  vinci tournament invite {folder.path} {name}" for name in missing]
    return lines


class _Watcher:
    """Tells the organiser who comes and goes, `status` what is played, and the folder of first connections.

    `offers` are the games at once that entrants were told to offer; it is updated.

    Attributes:
        voided: keys of games that nobody came to, which are stored next.
    """

    def __init__(
        self,
        folder: Folder,
        league: League,
        entrants: Entrants,
        progress: Progress,
        start: str,
        offers: dict[str, int],
    ) -> None:
        self._folder: Final = folder
        self._league = league
        self._names = _entrants_of(league)
        self._entrants: Final = entrants
        self._progress: Final = progress
        self._written = -inf
        self._start = start
        self._offers: Final = offers
        self._came: Final = {*league.connected}
        self._is_told = False
        self.voided: Final[deque[str]] = deque()

    def take(self, league: League) -> None:
        """Take the league that begins."""
        self._league, self._names = league, _entrants_of(league)

    def notice(self, name: str) -> str:
        """Return what an entrant is told: that it has left, or for whom the league waits."""
        league = self._league
        if name in league.withdrawn:
            when = league.withdrew_at(name)
            return f"{name} was withdrawn from {league.name}{when}; it plays again when the organiser readmits it."
        if name in league.gone:
            return f"{name} has left {league.name}, and plays no more games there."
        if not self._start:
            return ""
        missing = [one for one in self._names if one != name and one not in self._entrants.came]
        told = [f"{len(missing)} other bots"] if missing and league.anonymous else missing
        return f"{league.name} has not started; it {opening(self._start, told)}. {name} waits for the start."

    def farewell(self, name: str) -> str:
        """Return what an entrant is told at the end of the league."""
        return f"{self._league.name} is over; {name} plays again only if the organiser extends it."

    def wait_for_start(self, offered: Callable[[], Mapping[str, int]]) -> bool:
        """Wait until the league starts, and store that; return False before if another process wants the folder."""
        while not self._folder.is_pause_wanted():
            self._entrants.look(offered())
            if self._is_due():
                news = self._news()
                dropped = self._dropped() if self._league.missing == "drop" else []
                if dropped is not None:
                    self._folder.note_events([*news, Event("started"), *dropped])
                    self._start = ""
                    self._progress.tell(f"{self._league.name} has started.")
                    for event in dropped:
                        self._progress.tell(event.told)
                    return True
                self._folder.note_events(news)
            self([])
            time.sleep(TICK)
        return False

    def _is_due(self) -> bool:
        start = self._league.start
        if start == CONNECTED:
            return self._entrants.came >= {*self._names}
        return start != COMMAND and datetime.now(UTC) >= datetime.fromisoformat(start)

    def _dropped(self) -> list[Event] | None:
        """Return the withdrawals of bots that have never connected; None if too few would be left."""
        try:
            return dropped(self._league, [name for name in self._names if name not in self._entrants.came])
        except LeagueError as error:
            if not self._is_told:
                self._is_told = True
                self._progress.tell(f"{self._league.name} waits for further entrants: {error}.")
            return None

    def _news(self) -> list[Event]:
        """Return events since the last call: first connections, and games that nobody came to."""
        came = sorted(self._entrants.came - self._came)
        self._came.update(came)
        voided = [Event("voided", game=self.voided.popleft()) for _ in range(len(self.voided))]
        return [*(Event("connected", bot=name) for name in came), *voided]

    def __call__(self, running: Sequence[Batch]) -> None:
        """Take the games that are played now."""
        if news := self._news():
            self._folder.note_events(news)
        presence = self._entrants.presence(self._names)
        self._progress.watch(running, presence, self._start)
        for entrant in self._entrants.presence(self._league.remote):
            if entrant.offers != self._offers.get(entrant.name, 0):
                self._offers[entrant.name] = entrant.offers
                self._progress.tell(_told(entrant))
                if entrant.offers and entrant.name in self._league.withdrawn:
                    how = f"vinci tournament readmit {self._folder.path} {entrant.name}"
                    self._progress.tell(f"{entrant.name} has withdrawn, and plays again after: {how}")
        if time.monotonic() - self._written >= LIVE_SECONDS:
            self.write([game for batch in running for game in batch])

    def write(self, begun: Iterable[ScheduledGame]) -> None:
        """Store the present state for other commands, with the games under way."""
        running = [(game.key, game.bots) for game in begun]
        write_live(self._folder.path, self._entrants.presence(self._names), running, self._start)
        self._written = time.monotonic()


def _told(entrant: Presence) -> str:
    """Return a sentence about an entrant that came or went."""
    if not entrant.offers:
        return f"{entrant.name} is away."
    games = "1 game" if entrant.offers == 1 else f"{entrant.offers} games"
    text = f"{entrant.name} is connected, for {games} at once."
    if entrant.offers < entrant.needs:
        text += f" That is too few: {too_few(entrant)}."
    return text


@click.command(
    cls=Command,
    epilog="""
    vinci tournament invite weekend ann
    vinci tournament invite weekend --out invitations
    """,
)
@folder_argument
@click.argument("names", metavar="[NAME ...]", nargs=-1)
@path_option(
    "--out FOLDER",
    help="Write a file for each entrant here, for its owner only; without names for all that have none here.",
)
def invite(path: Path, names: tuple[str, ...], out: Path | None) -> None:
    """Print what an entrant types to play in a league that is open; the name then belongs to its key.

    A further invitation replaces the key.
    """
    folder = Folder(path)
    league = stored_league(folder)
    for name in names:
        if name not in league.remote:
            known = ", ".join(league.remote) or "none"
            text = _("{league} has no remote bot {name!r}; it has: {known}")
            raise Misused(text.format(league=league.name, name=name, known=known))
    if not names and out is None:
        raise Misused(_("name a bot to invite, or give --out a folder for the invitations of all"))
    if out is not None:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        names = names or tuple(name for name in _entrants_of(league) if not _file(out, name).exists())
        if not names:
            click.echo(f"{out} has the invitations of all entrants already; name one to replace its key.")
            return
    door = Door.of(folder)
    access, token = organiser_access(folder)

    async def make() -> None:
        async with Session(door.local, access) as session:
            for name in names:
                request = admin_pb2.MakeBotKeyRequest(name=name)
                answer: admin_pb2.MakeBotKeyResponse = await session.call(session.admin.MakeBotKey, request, token)
                text = _invitation(name, answer.key, door, max(AT_ONCE_EACH, seats_needed(league)[name]))
                if out is not None:
                    replace_file(_file(out, name), [text.encode()], mode=0o600)
                click.echo(
                    text if out is None else f"Send {_file(out, name)} to the author of {name} only.", nl=bool(out)
                )

    try:
        asyncio.run(make())
    except ServerGone:
        raise Failed(not_open(path)) from None
    except ServerRefused as error:
        raise failure(error) from None


def _file(out: Path, name: str) -> Path:
    return out / f"{name}.txt"


def _invitation(name: str, key: str, door: Door, at_once: int) -> str:
    """Return what an entrant types, in lines."""
    address, tls = door.addresses[0], " --tls" if door.needs_tls else ""
    variables = {
        environment.ADDRESS: address,
        environment.CODE: door.code,
        environment.NAME: name,
        environment.KEY: key,
        environment.GAMES: at_once,
    }
    typed = f"--name {name} --code {door.code} --key {key}{tls} --at-once {at_once}"
    lines = [
        f"For {name}, as one process on any machine that reaches {address}:",
        f"  vinci bot run BOT.py {address} {typed}",
        "A program in any language that plays by lines of JSON, or of plain text with --text:",
        f"  vinci bot run --stdio --server {address} {typed} -- COMMAND",
        "A bot that connects by itself takes the same from the environment:",
        f"  {' '.join(f'{variable}={value}' for variable, value in variables.items())} COMMAND",
        *(f"Another address of this machine: {other}" for other in door.addresses[1:]),
        f"The key is for {name} alone; another invitation replaces it.",
    ]
    return "".join(f"{line}\n" for line in lines)
