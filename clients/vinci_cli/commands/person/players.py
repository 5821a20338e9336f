"""`vinci players`: the players of a server with their ratings, and the games of one."""

import time
from collections.abc import Iterator, Sequence
from functools import partial

import click

from vinci.v1 import lobby_pb2 as pb
from vinci_client.access import Access
from vinci_client.session import Session
from vinci_html.text import printable, text_table

from ... import home
from ...connection import connect, served
from ...text.i18n import _, plural
from ..admin.group import print_json
from ..base import Command, access_options
from ..options import json_option, server_option


@click.command(
    cls=Command,
    epilog="""
    vinci players
    vinci players 192.168.1.5 --json
    vinci players 192.168.1.5 Ann
    """,
)
@click.argument("address", default="")
@click.argument("name", default="")
@server_option("name")
@access_options
@json_option
def players(address: str, name: str, access: Access, as_json: bool) -> None:
    """List the players of a server with their ratings, or show the results and latest games of one.

    A rating of 0 is the middle of all players, and 400 more are odds of 10 to 1 to be ahead of another. The true one
    is within the interval with 95 %. Ratings with a question mark are provisional: their players have too few games
    with the others, and follow them without a place.
    """
    place = address or served.address_of(home.folder() / "server.db") or served.USUAL

    async def work(given: Access) -> None:
        async with Session(place, given) as session:
            if name:
                request = pb.GetPlayerRequest(name=name)
                one: pb.GetPlayerResponse = await session.call(session.lobby.GetPlayer, request)
                if as_json:
                    print_json(one)
                else:
                    click.echo("\n".join(_about(one)))
                return
            found, is_old = await _listed(session)
            if as_json:
                for player in found:
                    print_json(player)
                return
            nothing = _("No game has finished yet that counts for ratings.")
            click.echo("\n".join(_table(found) if found else [nothing]))
            if is_old:
                click.echo(_("The latest games are being counted; list them again in a few seconds."))

    connect.run(work, connect.remembered(place, access), f"vinci players {place}", asks=True)


async def _listed(session: Session) -> tuple[list[pb.Player], bool]:
    """Return all players, and whether games are missing."""
    call = partial(session.call, session.lobby.ListPlayers)
    found: list[pb.ListPlayersResponse] = [page async for page in connect.pages(call, pb.ListPlayersRequest())]
    return [player for page in found for player in page.players], found[-1].updating


def _table(found: Sequence[pb.Player]) -> list[str]:
    rows = [("", _("player"), _("rating"), _("interval"), _("games"), _("wins"))]
    for number, player in enumerate(found, 1):
        place = "" if player.rating.provisional else str(number)
        rows.append((place, _named(player.name, player.kind), *_rating(player), *_counts(player)))
    return text_table(rows)


def _counts(player: pb.Player) -> tuple[str, str]:
    return str(player.games), str(player.wins)


def _rating(player: pb.Player) -> tuple[str, str]:
    """Return rating and interval as texts."""
    rating = player.rating
    if not player.HasField("rating"):
        return "-", ""
    if rating.unknown:
        return "?", _("too few games")
    value = f"{rating.value:+.0f}{'?' if rating.provisional else ''}"
    return value, _("{low} to {high}").format(low=f"{rating.low:+.0f}", high=f"{rating.high:+.0f}")


def _named(name: str, kind: "pb.SeatKind.ValueType") -> str:
    """Return the name of a player, told whether it is a computer player."""
    if kind == pb.SEAT_KIND_DUMMY:
        return _("dummies")
    text = printable(name) or _("somebody")
    return _("{name} (computer player)").format(name=text) if kind == pb.SEAT_KIND_BOT else text


def _about(one: pb.GetPlayerResponse) -> Iterator[str]:
    """Yield what is known of a player, one text for each line."""
    player = one.player
    rating, interval = _rating(player)
    yield _named(player.name, player.kind)
    yield _("Rating {rating} ({interval}), {games}, {wins}").format(
        rating=rating,
        interval=interval,
        games=plural("{n} game", "{n} games", player.games),
        wins=plural("{n} win", "{n} wins", player.wins),
    )
    yield ""
    rows: list[tuple[str, ...]] = [(_("against"), _("games"), _("ahead"), _("level"), _("behind"))]
    for met in one.meetings:
        # older servers compare the best seats of each game only
        pairs, *won = (met.pairs, met.pairs_ahead, met.pairs_level) if met.pairs else (met.games, met.ahead, met.level)
        rows.append((_named(met.name, met.kind), *map(str, (met.games, *won, pairs - sum(won)))))
    yield from text_table(rows)
    if any(met.pairs > met.games for met in one.meetings):
        yield _("Who has several seats in a game is counted with each of them.")
    yield ""
    for game in one.games:
        seats = sorted(game.seats, key=lambda seat: seat.rank)
        line_up = ", ".join(f"{seat.rank}. {_named(seat.name, seat.kind)} {seat.vp}" for seat in seats)
        yield f"{time.strftime('%Y-%m-%d %H:%M', time.localtime(game.end_time))}  {game.match_id}  {line_up}"
