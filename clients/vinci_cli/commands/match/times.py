"""`vinci match times`: how long each decision of a match took, and all of a seat together."""

import json
from collections.abc import Sequence
from statistics import median
from typing import Any, Final

import click

from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.access import Access
from vinci_client.session import Session

from ...connection import connect
from ...text.i18n import N_, _, decimal, plural
from ...text.timing import clock_face
from ..base import Command, access_options, option
from ..options import json_option

NAME: Final = 24
ACTORS: Final = {
    "substitute": N_("substitute"),
    "clock": N_("clock"),
    "refused": N_("tries used up"),
    "default": N_("default"),
}
"""Those who decide in the place of a player."""


@click.command(
    cls=Command,
    epilog="""
    vinci match times k3f9xa2m
    vinci match times k3f9xa2m --server 192.168.1.5 --json
    """,
)
@click.argument("match_id")
@option("--server", "address", default="localhost", help="Address of the server.")
@access_options
@json_option
def times(match_id: str, address: str, access: Access, as_json: bool) -> None:
    """Show how long each decision took: thinking, waiting in the server, on the network; and the sums of each seat."""

    async def work(access: Access) -> None:
        async with Session(address, access) as session:
            _show(await session.get(match_id), await session.times(match_id), as_json=as_json)

    command = f"vinci match times {match_id} --server {address}"
    connect.run(work, connect.remembered(address, access), command)


def _show(match: lobby_pb2.Match, times: Sequence[match_pb2.DecisionTime], *, as_json: bool) -> None:
    decisions = [_decision(time, match) for time in times]
    sums = [_sum(number, decisions) for number in sorted({decision["seat"] for decision in decisions})]
    if as_json:
        for entry in [*decisions, *sums]:
            click.echo(json.dumps(entry))
        return
    if not decisions:
        click.echo(_("Nobody has decided anything; dummies and the server's own substitutes take no time."))
        return
    for line in (_head(), *map(_line, decisions), "", *map(_sum_line, sums)):
        click.echo(line)


def _decision(time: match_pb2.DecisionTime, match: lobby_pb2.Match) -> dict[str, Any]:
    return {
        "revision": time.revision,
        "seat": time.seat,
        "player": match.seats[time.seat - 1].player,
        "by": time.by,
        "think_ms": time.think,
        "queue_ms": time.queue,
        "network_ms": time.network,
        "left_ms": time.left if time.HasField("left") else None,
    }


def _sum(seat: int, decisions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the sums over all decisions of a seat."""
    own = [decision for decision in decisions if decision["seat"] == seat]
    thought = [decision["think_ms"] for decision in own]
    return {
        "seat": seat,
        "player": own[-1]["player"],
        "decisions": len(own),
        "think_ms_sum": sum(thought),
        "think_ms_median": round(median(thought)),
        "think_ms_longest": max(thought),
        "network_ms_sum": sum(decision["network_ms"] for decision in own),
    }


def _head() -> str:
    numbers = f"{_('revision'):>8}  {_('seat'):>4}  {_('who'):<{NAME}}"
    return f"{numbers}  {_('think'):>9}  {_('queue'):>7}  {_('network'):>7}  {_('left'):>8}"


def _line(decision: dict[str, Any]) -> str:
    player = decision["player"]
    if decision["by"] not in ("player", "bot"):
        by = decision["by"]
        player = _("{by} for {player}").format(by=_(ACTORS.get(by, by)), player=player)
    left = "" if decision["left_ms"] is None else clock_face(decision["left_ms"] / 1000)
    think, queue, network = (_seconds(decision[f"{part}_ms"]) for part in ("think", "queue", "network"))
    number = f"{decision['revision']:>8}  {decision['seat']:>4}"
    return f"{number}  {player[:NAME]:<{NAME}}  {think:>9}  {queue:>7}  {network:>7}  {left:>8}".rstrip()


def _sum_line(sums: dict[str, Any]) -> str:
    total, middle, longest = (_seconds(sums[f"think_ms_{figure}"]) for figure in ("sum", "median", "longest"))
    return plural(
        "{who}: {n} decision, {total} in all, median {median}, longest {longest}",
        "{who}: {n} decisions, {total} in all, median {median}, longest {longest}",
        sums["decisions"],
        who=f"{sums['player']} ({sums['seat']})",
        total=total,
        median=middle,
        longest=longest,
    )


def _seconds(milliseconds: int) -> str:
    return decimal(f"{milliseconds / 1000:.3f} s")
