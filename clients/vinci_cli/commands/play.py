"""`vinci play` and `vinci tutorial`: games on a server of their own, which ends with them."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from vinci.v1 import lobby_pb2
from vinci_client import processes
from vinci_client.access import OPEN
from vinci_client.session import Session
from vinci_players.names import BOTS, is_bot

from .. import home, table_session
from ..connection import connect, local_server, saved_seats
from ..connection.match_request import match_request
from ..connection.saved_seats import SavedSeat
from ..connection.seating import own_name, seat_bots, seat_people
from ..exceptions import Failed, Misused
from ..full import LEAST_COLUMNS, LEAST_ROWS
from ..text.i18n import _, plural
from ..text.opponents import fault
from . import interface_choice
from .base import Command, flag, option
from .options import match_options, names_option, path_option, position_option, screen_options, table_options

SOLO: Final = "human,dummy,dummy,dummy"
EASIER: Final = "human,easy,easy,easy"
AUTOMATIC: Final = "greedy"
"""The bot that plays for a person where there is no terminal."""


@click.command(
    cls=Command,
    epilog="""
    vinci play
    vinci play --players human,easy,easy,easy
    vinci play --players human,easy,hard:raider,expert
    vinci play --players human,greedy,dummy,random --edition FR --seed 7
    vinci play --option give_up=free --target 90
    vinci play --players human,human,dummy --name Ann --name Ben --clock 10m+15s
    """,
)
@option(
    "--players",
    help="A word for each seat: human, dummy, a bot or FILE.py. Default: human,dummy,dummy,dummy. Dummies are "
    "harder than easy, about as hard as normal.",
)
@match_options
@position_option
@names_option
@path_option("--db", "database", help="Database of the game.")
@flag("--new", help="A new game, even if one is waiting.")
@table_options
def play(
    players: str, names: tuple[str, ...], database: Path | None, new: bool, line: str, seed: str, **rules: Any
) -> None:
    """Play a game on a server of its own, alone or several at one terminal.

    Leaving loses nothing: the next `vinci play` offers to go on. The very first one offers the tutorial. Without a
    terminal the game plays by itself, and with --line it takes actions from a pipe: a game that waits goes on there
    without a question, and --new begins another.
    """
    new = new or bool(players or seed or any(rules.values()))
    request = match_request(players or ("" if rules["position"] else SOLO), seed=seed, **rules)
    by_person = bool(line) or interface_choice.has_terminal()
    people = _people(request.seats)
    if by_person and request.seats and not people:
        raise Misused(
            _(
                "`vinci play` seats people at this terminal: name human in --players, once for each of them. "
                "Without any: vinci selfplay --players greedy,dummy,dummy,dummy"
            )
        )
    if len(names) > max(people, 1):
        text = plural(
            "{names} names for {n} seat of a person: name human in --players for each of them",
            "{names} names for {n} seats of people: name human in --players for each of them",
            max(people, 1),
            names=len(names),
        )
        raise Misused(text)
    scripts = _name_scripts(request.seats)
    bots = [seat.bot for seat in request.seats if seat.kind == lobby_pb2.SEAT_KIND_BOT]
    bots += filter(None, [request.timing.substitute])
    for wrong in filter(None, map(fault, bots)):
        raise Misused(wrong)
    if unknown := [name for name in bots if not is_bot(name) and name not in scripts]:
        text = _("unknown player {players}; known: {known}, or a Python file: first.py")
        raise Misused(text.format(players=", ".join(unknown), known=", ".join(["human", "dummy", *BOTS])))
    if by_person and not new and saved_seats.is_new_here() and interface_choice.fills_screen(line=line):
        from .. import lobby_session

        lobby_session.offer_tutorial()
    usual = home.folder() / "play.db"
    database = database or home.private_folder() / "play.db"
    interface_choice.prepare(line=line)
    with ExitStack() as stack:
        try:
            address = stack.enter_context(local_server.server(database))
        except processes.InUse:
            raise Failed(
                _(
                    "this game is open already, perhaps in another window; "
                    "leave it there, or play another: --db other.db"
                )
            ) from None
        except processes.NotStarted as error:
            raise Failed(str(error)) from None
        if by_person:
            command = "vinci play" if database == usual else f"vinci play --db {shlex.quote(str(database))}"
            work = _play(address, request, database, names, scripts, command, line=line, new=new)
        else:
            work = _play_by_itself(address, request, database, scripts)
        connect.run(lambda _access: work, OPEN, "vinci play")


async def _play(
    address: str,
    request: lobby_pb2.CreateMatchRequest,
    database: Path,
    names: Sequence[str],
    scripts: Mapping[str, str],
    command: str,
    *,
    line: str,
    new: bool,
) -> None:
    where = str(database.resolve())
    async with Session(address) as session, interface_choice.opened(line=line) as ui:
        waiting = [] if new else await table_session.going_on(session, saved_seats.at(where))
        seat = await table_session.offer_to_go_on(ui, waiting)
        if seat is None:
            if request.seats == match_request(SOLO).seats:
                ui.tell(_("For easier opponents: {command}").format(command=f"vinci play --players {EASIER}"))
            people = _people(request.seats) or 1
            match = await _create(session, request, most_people=people)
            seated = await seat_bots(session, match, scripts)
            named = [*(names or [own_name()]), *[""] * people][:people]
            seat = replace(await seat_people(session, match.match_id, named), where=where, bots=seated)
        log = _log_of_bots(database)
        await table_session.stay(ui, session, seat, database.parent, command, verdict, bots_log=log)


async def _play_by_itself(
    address: str, request: lobby_pb2.CreateMatchRequest, database: Path, scripts: Mapping[str, str]
) -> None:
    """Watch a game in which bots play for the people."""
    for setup in request.seats:
        if setup.kind == lobby_pb2.SEAT_KIND_HUMAN:
            setup.kind, setup.bot = lobby_pb2.SEAT_KIND_BOT, AUTOMATIC
    async with Session(address) as session, interface_choice.opened() as ui:
        match = await _create(session, request, most_people=0)
        with local_server.bots(address, await seat_bots(session, match, scripts), _log_of_bots(database)):
            await table_session.look_on(ui, session, match, 0)


def _log_of_bots(database: Path) -> Path:
    return database.with_suffix(".bots.log")


def _people(seats: Iterable[lobby_pb2.SeatSetup]) -> int:
    return sum(seat.kind == lobby_pb2.SEAT_KIND_HUMAN for seat in seats)


def _name_scripts(seats: Iterable[lobby_pb2.SeatSetup]) -> dict[str, str]:
    """Name bots that are Python files after these; returns the absolute path of each by its name."""
    paths: dict[str, str] = {}
    for seat in seats:
        if processes.is_script(seat.bot):
            path = Path(seat.bot).absolute()
            taken = paths.get(path.stem, str(path)) != str(path)
            seat.bot = f"{path.stem}-{len(paths) + 1}" if taken else path.stem
            paths[seat.bot] = str(path)
    return paths


async def _create(session: Session, request: lobby_pb2.CreateMatchRequest, most_people: int) -> lobby_pb2.Match:
    """Create a match that nobody else has to join. Raises Misused for a position whose seats are left open."""
    match = (await session.create(request)).match
    if sum(seat.kind == lobby_pb2.SEAT_KIND_HUMAN for seat in match.seats) > most_people:
        raise Misused(
            _("nobody plays some seats of the position; name one for each seat: --players human,greedy,greedy")
        )
    return match


def verdict(seat: SavedSeat, lines: Sequence[str], *, over: bool) -> str:
    """Check the draws of a game that is over."""
    from ..records import fairness  # loads the rules, 0.13 s that the start need not wait for

    return fairness.verdict(seat, lines, over=over)


@click.command(
    cls=Command,
    epilog="""
    vinci tutorial
    vinci tutorial --new
    """,
)
@flag("--new", help="Start from the beginning, even if an unfinished tutorial is saved.")
@screen_options
def tutorial(new: bool) -> None:
    """Learn the game in a short one, which can be left and continued later."""
    if not interface_choice.fills_screen():
        text = _("the tutorial needs a terminal of at least {columns}x{rows}; vinci rules tells the rules as text")
        raise Misused(text.format(columns=LEAST_COLUMNS, rows=LEAST_ROWS))
    from .. import lobby_session

    lobby_session.tutorial(home.private_folder() / "tutorial.db", new=new)
