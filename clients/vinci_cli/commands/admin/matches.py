"""Commands of `vinci admin` for matches and their seats."""

import asyncio
import sys
import textwrap
import time
from collections.abc import Sequence
from typing import Final

import click

from vinci.v1 import admin_pb2 as pb
from vinci.v1 import lobby_pb2
from vinci_client.errors import ServerRefused

from ...connection.connect import pages
from ...exceptions import Misused
from ...text import refusals
from ...text.i18n import N_, _, plural
from ..base import flag, option
from ..options import json_option
from .group import STATUS_TEXTS, AdminTarget, admin, ago, at_server, date, print_json, print_row

WIDTH: Final = 80
UNITS: Final = {"m": 60, "h": 3600, "d": 86_400}
STATUSES: Final = {
    name.removeprefix("MATCH_STATUS_").lower(): code for name, code in lobby_pb2.MatchStatus.items() if code
}
KIND_TEXTS: Final = {"human": N_("human"), "dummy": N_("dummy"), "bot": N_("bot")}
STATUS_NAMES: Final = {code: name for name, code in STATUSES.items()}
KIND_NAMES: Final = {code: name.removeprefix("SEAT_KIND_").lower() for name, code in lobby_pb2.SeatKind.items()}

_match = click.argument("match_id", metavar="MATCH")
_seat = click.argument("seat", type=click.IntRange(1, 6))


@admin.command("list", epilog="vinci admin list\nvinci admin list --status over --json")
@at_server
@option(
    "--status",
    "statuses",
    type=click.Choice([*STATUSES]),
    multiple=True,
    default=("running", "open"),
    show_default=False,
    help="Only these. Default: running and open.",
)
@json_option
def list_(at: AdminTarget, statuses: tuple[str, ...], as_json: bool) -> None:
    """List matches with connections, watchers and idle time."""
    activities = asyncio.run(_activities(at, statuses))
    if as_json:
        for activity in activities:
            print_json(activity)
        return
    if not activities:
        shown = _(" or ").join(_(STATUS_TEXTS[name]) for name in statuses)
        click.echo(_("No match is {statuses}.").format(statuses=shown))
        return
    click.echo(_("match     status   round  there  watchers  idle    players"))
    for activity in activities:
        match = activity.match
        there = f"{activity.connected_seats}/{len(match.seats)}" if match.seats else "-"
        players = ", ".join(seat.player or _kind(seat) for seat in match.seats) or _("(asleep)")
        line = (
            f"{activity.match_id:<8}  {_status(activity.status):<7}  {match.round or '-':>5}  {there:>5}"
            f"  {activity.watchers:>8}  {ago(activity.last_activity):<6}  {players}"
        )
        click.echo(line if len(line) <= WIDTH else f"{line[: WIDTH - 4]} ...")


async def _activities(at: AdminTarget, statuses: Sequence[str]) -> list[pb.MatchActivity]:
    activities: list[pb.MatchActivity] = []
    async with at.session() as call:
        for name in statuses:
            async for page in pages(call, pb.ListActivityRequest(status=STATUSES[name])):
                activities += page.matches
    return activities


@admin.command(epilog="vinci admin inspect k3f9xa2m\nvinci admin inspect k3f9xa2m --entries 100 --json")
@at_server
@_match
@option("--entries", least=1, most=1000, default=10, help="Latest entries of the log to show.")
@json_option
def inspect(at: AdminTarget, match_id: str, entries: int, as_json: bool) -> None:
    """Show one match: seats, position, the latest entries of its log."""
    answer: pb.InspectMatchResponse = at.call(pb.InspectMatchRequest(match_id=match_id, entries=entries))
    if as_json:
        print_json(answer)
        return
    activity, match = answer.activity, answer.activity.match
    rules = " ".join([match.options.edition, *(f"{name}={value}" for name, value in match.options.settings.items())])
    text = _(", round {round}, revision {revision}")
    course = text.format(round=match.round, revision=match.revision) if match.vp else ""
    course += _(", paused") if match.paused else f": {refusals.phrase(match.ended)}" if match.ended else ""
    print_row(_("match"), f"{match.match_id}, {_status(match.status)}{course}")
    print_row(_("rules"), _("{rules}, board {board}").format(rules=rules, board=match.board))
    text = _("{date}; last activity {ago} ago")
    print_row(_("made"), text.format(date=date(activity.create_time), ago=ago(activity.last_activity)))
    print_row(_("watchers"), str(activity.watchers))
    kinds = max(len(_(text)) for text in KIND_TEXTS.values())
    for place, seat in enumerate(match.seats):
        vp = f"  {_('{vp:>3} VP').format(vp=match.vp[place])}" if match.vp else ""
        there = _("connected") if seat.connected else _("away") if seat.taken else _("free")
        acts = f"  {_('to act')}" if seat.seat == answer.seat_to_act else ""
        acts += f"  {_('substituted')}" if seat.substituted else ""
        if answer.HasField("clocks"):
            vp += f"  {_('{seconds:.0f} s left').format(seconds=answer.clocks.left[place] / 1000)}"
        player = _("seat {number}").format(number=seat.seat)
        print_row(player, f"{_kind(seat):<{kinds}}  {there:<9}{vp}  {seat.player}{acts}")
    if answer.position:
        position = f"{_('position'):<8}  {answer.position}"
        click.echo(textwrap.fill(position, WIDTH, subsequent_indent=" " * 10, break_on_hyphens=False))
    for entry in answer.entries:
        player = (
            _("seat {number}").format(number=entry.seat)
            if entry.seat
            else " " * len(_("seat {number}").format(number=1))
        )
        click.echo(
            f"{entry.number:>8}  {date(entry.time)}  {player}  {entry.by:<7}  {entry.notation or entry.kind}".rstrip()
        )


@admin.command(epilog="vinci admin pause k3f9xa2m")
@at_server
@_match
def pause(at: AdminTarget, match_id: str) -> None:
    """Stop a game and its clocks."""
    at.call(pb.PauseMatchRequest(match_id=match_id))
    click.echo(_("Match {match} is paused.").format(match=match_id))


@admin.command(epilog="vinci admin resume k3f9xa2m")
@at_server
@_match
def resume(at: AdminTarget, match_id: str) -> None:
    """Let a paused game go on."""
    at.call(pb.ResumeMatchRequest(match_id=match_id))
    click.echo(_("Match {match} goes on.").format(match=match_id))


@admin.command(
    epilog="""
    vinci admin end k3f9xa2m --reason "the hall closes"
    vinci admin end --older 3d --reason "nobody came"
    vinci admin end --older 12h --status open --reason "nobody came" --yes
    """
)
@at_server
@click.argument("match_id", metavar="[MATCH]", default="")
@option("--reason", required=True, help="The reason, which everybody is shown.")
@option("--older DURATION", help="End all matches idle for this long: 90m, 12h, 3d.")
@option(
    "--status",
    "statuses",
    type=click.Choice(["open", "running"]),
    multiple=True,
    help="With --older, only these. Default: open and running.",
)
@flag("--yes", help="With --older: end the matches; without it they are only listed.")
def end(at: AdminTarget, match_id: str, reason: str, older: str, statuses: tuple[str, ...], *, yes: bool) -> None:
    """End matches before their games are over, for good: one, or with --older all that nobody is connected to."""
    if bool(match_id) == bool(older):
        raise Misused(_("give either a match or --older DURATION"))
    if older:
        latest = time.time() - duration(older)
        asyncio.run(_end_older(at, latest, statuses or ("open", "running"), reason, really=yes))
    elif statuses or yes:
        raise Misused(_("--status and --yes are for --older"))
    else:
        at.call(pb.EndMatchRequest(match_id=match_id, reason=reason), tries=1)
        click.echo(_("Match {match} is ended.").format(match=match_id))


async def _end_older(at: AdminTarget, latest: float, statuses: Sequence[str], reason: str, *, really: bool) -> None:
    """End, or only list, the matches without activity since `latest` to which nobody is connected."""
    idle = [
        activity.match_id
        for activity in await _activities(at, statuses)
        if activity.last_activity < latest and not activity.watchers and not activity.connected_seats
    ]
    if not really:
        for match_id in idle:
            click.echo(match_id)
        click.echo(plural("{n} match would be ended.", "{n} matches would be ended.", len(idle)))
        if idle:
            click.echo(_("Add --yes to end them."))
        return
    ended = 0
    async with at.session() as call:
        for match_id in idle:
            try:
                await call(pb.EndMatchRequest(match_id=match_id, reason=reason), tries=1)
                ended += 1
            except ServerRefused as error:
                if error.reason not in ("MATCH_ENDED", "MATCH_UNREADABLE"):
                    raise
                click.echo(f"{match_id}: {refusals.sentence(error)}", file=sys.stderr)
    click.echo(plural("{n} match is ended.", "{n} matches are ended.", ended))


def duration(text: str) -> int:
    """Return the seconds of a duration like 90m, 12h or 3d. Raises Misused."""
    if not (text[:-1].isascii() and text[:-1].isdecimal() and len(text) < 7 and text[-1:] in UNITS):
        raise Misused(_("--older {text}: a whole number with m, h or d for minutes, hours or days").format(text=text))
    return int(text[:-1]) * UNITS[text[-1]]


@admin.command(epilog="vinci admin kick k3f9xa2m 2")
@at_server
@_match
@_seat
def kick(at: AdminTarget, match_id: str, seat: int) -> None:
    """Take a seat away from its player.

    A substitute plays it until somebody joins it again.
    """
    at.call(pb.KickSeatRequest(match_id=match_id, seat=seat), tries=1)
    click.echo(_("Seat {seat} of match {match} is free.").format(seat=seat, match=match_id))


@admin.command("hand-over", epilog="vinci admin hand-over k3f9xa2m 2")
@at_server
@_match
@_seat
def hand_over(at: AdminTarget, match_id: str, seat: int) -> None:
    """Create a code with which another terminal takes a seat over."""
    offer = at.call(pb.HandOverSeatRequest(match_id=match_id, seat=seat))
    text = _("Within {minutes} minutes, seat {seat} of match {match} is taken over with this code,")
    click.echo(text.format(minutes=offer.seconds // 60, seat=seat, match=match_id))
    click.echo(_("as in: vinci join ADDRESS --take CODE"))
    click.echo(offer.code)


@admin.command(epilog="vinci admin rotate k3f9xa2m 2 --name Ann")
@at_server
@_match
@_seat
@option("--name", help="Another name for the player.")
def rotate(at: AdminTarget, match_id: str, seat: int, name: str) -> None:
    """Create a new token for a seat; the old one becomes invalid."""
    answer = at.call(pb.RotateSeatTokenRequest(match_id=match_id, seat=seat, player=name), tries=1)
    click.echo(_("The new token of seat {seat} of match {match}:").format(seat=seat, match=match_id))
    click.echo(answer.seat_token)


def _status(code: lobby_pb2.MatchStatus.ValueType) -> str:
    name = STATUS_NAMES.get(code, "?")
    return _(STATUS_TEXTS.get(name, name))


def _kind(seat: lobby_pb2.MatchSeat) -> str:
    name = KIND_NAMES[seat.kind]
    return _(KIND_TEXTS.get(name, name))
