"""`vinci bot debug`: a bot is asked decisions of a recorded game again. What it says is for authors, in English."""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from google.protobuf.json_format import MessageToDict

from vinci_bots.doctor.host import Host
from vinci_bots.doctor.recorded_decisions import AskedAgain, Asker, RecordedDecision, decisions
from vinci_bots.local.participants import Player
from vinci_bots.seeds import bot_seed
from vinci_client.printable import printable
from vinci_rules.record import RecordError

from ...connection import connect
from ...exceptions import Failed, Misused
from ...records.loader import lines_of, worded
from ...text.notes import note_lines
from ..base import Command, flag, option
from ..options import json_option
from ..progress import Line
from .check import player_of
from .sandbox import sandbox_option

MOST_NAMED = 12
"""Numbers of decisions in a message."""


@click.command(
    cls=Command,
    epilog="""
    vinci bot debug match-7/record.jsonl --at 12 -- first.py
    vinci bot debug autumn/games/3-1.jsonl --seat 2 --all -- "node dist/main.js"
    vinci bot debug game.jsonl --at 12 --at 40 --json -- stdio:./mybot
    """,
)
@click.argument("record", metavar="RECORD", type=click.Path(path_type=Path))
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@option("--at", "numbers", least=1, multiple=True, help="Number of an action in the record; may be repeated.")
@flag("--all", "asks_all", help="All decisions of the seat; show those that differ from the game.")
@option("--seat", least=1, help="With --all: the seat. Default: that of the only player.")
@option("--decision", "seconds", least=1, default=60, help="Seconds for the start of the bot and its answer.")
@sandbox_option
@json_option
def debug(
    record: Path,
    command: tuple[str, ...],
    numbers: tuple[int, ...],
    asks_all: bool,
    seat: int | None,
    seconds: int,
    sandboxed: bool,
    as_json: bool,
) -> None:
    """Ask a bot decisions of a recorded game again; show its answers, times and notes beside what was played.

    Each decision is asked in a process of its own, from the position alone, with the seed of the bot in that game if it
    has the same name. The status is 1 if a decision has no answer.
    """
    if not command:
        raise Misused("which bot? As in: vinci bot debug game.jsonl --at 12 -- first.py")
    if asks_all == bool(numbers):
        raise Misused("which decisions? Give --at NUMBER, or --all")
    lines = lines_of(record)
    try:
        known = decisions(lines)
    except RecordError as error:
        raise Failed(f"{record}: {worded(error)}") from None
    chosen = _of_seat(known, seat) if asks_all else [_at(known, number) for number in numbers]
    player = player_of(command)
    seed = bot_seed(_seed(lines), player.name)
    failed = connect.run_here(_ask(player, chosen, seed, seconds, sandboxed, shows_all=not asks_all, as_json=as_json))
    if failed:
        sys.exit(1)


def _seed(lines: Sequence[str]) -> str:
    """Return the seed of a game; empty while it is secret."""
    first, last = json.loads(lines[0]), json.loads(lines[-1])
    return str(first.get("seed") or last.get("reveal", {}).get("seed") or "")


def _of_seat(known: Sequence[RecordedDecision], seat: int | None) -> list[RecordedDecision]:
    seats = sorted({decision.seat for decision in known})
    if seat is None and len(seats) != 1:
        raise Misused(f"which seat? Players have {', '.join(map(str, seats)) or 'none'}: give --seat")
    found = [decision for decision in known if seat in (None, decision.seat)]
    if not found:
        raise Misused(f"seat {seat} has no decision of a player in this record; seats are {', '.join(map(str, seats))}")
    return found


def _at(known: Sequence[RecordedDecision], number: int) -> RecordedDecision:
    for decision in known:
        if decision.number == number:
            return decision
    near = sorted(known, key=lambda decision: abs(decision.number - number))[:MOST_NAMED]
    told = ", ".join(str(decision.number) for decision in sorted(near, key=lambda decision: decision.number))
    raise Misused(f"there is no decision of a player at {number}; the nearest are {told or 'none'}")


async def _ask(
    player: Player,
    chosen: Sequence[RecordedDecision],
    seed: str,
    seconds: int,
    sandboxed: bool,
    *,
    shows_all: bool,
    as_json: bool,
) -> int:
    """Ask decisions and print the answers, all or those that differ; return the number of those without an answer."""
    line, failed, differing, asked = Line(), 0, 0, 0
    covered = 0
    with tempfile.TemporaryDirectory(prefix="vinci-") as place:
        async with Host(Path(place)) as host:
            asker = Asker(host, player, Path(place), seed, seconds, sandboxed)
            for count, decision in enumerate(chosen):
                if decision.number < covered:
                    continue  # an answer of several actions was the same
                line.show(f"{count} of {len(chosen)} decisions")
                found = await asker.ask(decision)
                is_same = found.is_as(decision)
                covered = decision.number + len(found.answer) if is_same and not shows_all else 0
                asked, failed, differing = asked + 1, failed + bool(found.fault), differing + (not is_same)
                line.show("")
                if shows_all or not is_same:
                    _print(decision, found, as_json)
    if not shows_all and not as_json:
        click.echo(f"{differing} of {asked} decisions differ from the record")
    return failed


def _print(decision: RecordedDecision, found: AskedAgain, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(_as_json(decision, found)))
    else:
        for text in _lines(decision, found):
            click.echo(text)


def _as_json(decision: RecordedDecision, found: AskedAgain) -> dict[str, Any]:
    return {
        "at": decision.number,
        "seat": decision.seat,
        "round": decision.state.round,
        "played": list(decision.played),
        "answer": list(found.answer),
        "same": found.is_as(decision),
        "seconds": round(found.seconds, 3),
        "note": MessageToDict(found.note),
        "fault": found.fault,
    }


def _lines(decision: RecordedDecision, found: AskedAgain) -> Iterator[str]:
    """Yield what is told of a decision: what was played, the answer now, and its note."""
    yield f"at {decision.number}, seat {decision.seat}, round {decision.state.round}, {decision.state.phase}"
    yield f"  played  {'; '.join(decision.played[: max(len(found.answer), 1)])}"
    if found.fault:
        yield f"  fault   {printable(found.fault)}"
    else:
        same = ", the same" if found.is_as(decision) else ""
        yield f"  now     {'; '.join(found.answer)}  ({found.seconds:.2f} s{same})"
    for place, line in enumerate(note_lines(found.note)):
        yield f"{'' if place else '  note':10}{line}"
