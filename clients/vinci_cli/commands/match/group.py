"""`vinci match`: one game between commands on this machine, and what it leaves behind."""

import json
import secrets
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

import click

from vinci.v1 import lobby_pb2, match_pb2
from vinci_bots.local.local_match import BotLimits, LocalGame, Seating, door, notes_folder, play_game, server
from vinci_bots.local.participants import Player, UnusableBot, players
from vinci_bots.local.process import MEGABYTE, excerpt
from vinci_bots.seeds import bot_seed
from vinci_client.printable import printable, shortened
from vinci_client.session import OVER
from vinci_codec import notes
from vinci_rules.chance import FairChance

from ...connection import connect
from ...connection.match_request import match_request
from ...exceptions import Failed, Misused
from ...text.i18n import N_, _, decimal
from ..base import Commands, LazyCommand, flag, option
from ..bot.sandbox import sandbox_option
from ..options import check_empty, json_option, path_option, rules_options, seed_option
from ..progress import Line

LONGEST_LINE: Final = 500
"""Most characters shown of a line that a bot wrote."""


@click.group(
    "match",
    cls=Commands,
    invoke_without_command=True,
    epilog="""
    vinci match --bots first.py greedy dummy --seed 7
    vinci match --bots first.py "node bot.js" dummy dummy --board tiny --out games/7
    vinci match times k3f9xa2m
    """,
)
@option("--bots BOT ...", multiple=True, help="The players: Python files, commands in quotes, built-in bots, or dummy.")
@rules_options
@option("--clock", default="60", help="30: seconds a decision; 10m+15s: a bank, and more with each turn.")
@option(
    "--tries",
    least=1,
    most=100,
    default=3,
    show_default=False,
    help="Invalid answers to a decision after which a bot forfeits. Default: 3.",
)
@seed_option
@option("--memory MB", least=16, default=2048, show_default=False, help="Memory limit for each bot. Default: 2048.")
@flag("--analysis", help="Let the bots ask an analysis service.")
@sandbox_option
@path_option("--out FOLDER", help="Folder for the game. Default: match-SEED.")
@json_option
@click.pass_context
def match(
    context: click.Context,
    /,
    bots: tuple[str, ...],
    clock: str,
    tries: int,
    memory: int,
    analysis: bool,
    sandboxed: bool,
    out: Path | None,
    as_json: bool,
    **rules: Any,
) -> None:
    """Play one game between bots on this machine, each a command of its own; record, times and logs are kept.

    A bot that ends, hangs, gives invalid answers or needs too much memory forfeits. This is to try bots out. Many games
    with ratings: `vinci tournament run`. Built-in bots alone, quicker: `vinci selfplay`.
    """
    if context.invoked_subcommand is not None:
        if bots:
            raise Misused(_("--bots plays a game; leave it out, or leave out {command}").format(command="times"))
        return
    if not bots:
        raise Misused(_("who plays? As in: vinci match --bots first.py greedy dummy"))
    request = match_request("", clock=clock, on_timeout="forfeit", tries=tries, on_refused="forfeit", **rules)
    try:
        participants = players(bots)
    except UnusableBot as error:
        raise Misused(str(error)) from None
    request.seed = request.seed or secrets.token_hex(16)
    request.sealed = True
    try:
        FairChance(request.seed)
    except ValueError as error:
        raise Misused(str(error)) from None
    if sandboxed and analysis:
        raise Misused(_("in the sandbox a bot reaches its game alone: leave out --analysis or --sandbox"))
    if out is not None:
        check_empty(out)
    usual = f"match-{request.seed}"
    names = chain([usual], (f"{usual}-{number}" for number in count(2)))
    folder = out or next(folder for folder in map(Path, names) if not folder.exists())
    with tempfile.TemporaryDirectory(prefix="vinci-") as place:
        database = Path(place) / "match.db"
        way = door(database) if sandboxed else None
        seatings = [
            Seating(player, bot_seed(request.seed, player.name), Path(place) / f"{number}-{player.name}.log", door=way)
            for number, player in enumerate(participants, start=1)
        ]
        limits = BotLimits(memory=memory * MEGABYTE)
        game = connect.run_here(_play(request, seatings, limits, database, analysis=analysis))
        result = _result(participants, request.seed, game)
        outputs = [excerpt(seating.log) for seating in seatings]
        folder.mkdir(parents=True, exist_ok=True)
        record = folder / "record.jsonl"
        record.write_text("".join(f"{line}\n" for line in game.lines), encoding="utf-8")
        if game.notes:
            notes.path_of(record).write_text(game.notes, encoding="utf-8")
        (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        for seating in seatings:
            if seating.log.exists() and seating.log.stat().st_size:
                shutil.copy(seating.log, folder)
    if as_json:
        click.echo(json.dumps(result))
    else:
        for line in (*_table(result), *_failures(result, outputs)):
            click.echo(line)
        click.echo(_("Record, times and what the bots wrote: {folder}").format(folder=folder))
    if failed := "; ".join(_never_answered(result)):
        raise Failed(failed)


match.add_command(LazyCommand("times", "match.times:times", N_("Show how long each decision of a match took.")))


async def _play(
    request: lobby_pb2.CreateMatchRequest,
    seatings: Sequence[Seating],
    limits: BotLimits,
    database: Path,
    *,
    analysis: bool,
) -> LocalGame:
    has_door = any(seating.door for seating in seatings)
    with server(database, analysis=analysis, has_door=has_door) as address:
        show = partial(_show_progress, Line())
        return await play_game(address, request, seatings, limits, show, noted=notes_folder(database))


def _show_progress(line: Line, response: match_pb2.WatchResponse) -> None:
    """Show the round, or the bots that the start waits for."""
    for event in response.update.events:
        if event.HasField("turn_started"):
            line.show(_("round {round}").format(round=event.turn_started.round))
    missing = [seat.bot for seat in response.match.seats if seat.bot and not seat.connected]
    if response.match.status == lobby_pb2.MATCH_STATUS_OPEN and missing:
        line.show(_("waiting for {names}").format(names=", ".join(missing)))
    elif response.match.status in OVER:
        line.show("")


def _result(participants: Sequence[Player], seed: str, game: LocalGame) -> dict[str, Any]:
    """Return the content of result.json."""
    outcome = json.loads(game.lines[-1])["result"]
    forfeits = {
        forfeit.seat: {
            "seat": forfeit.seat,
            "reason": forfeit.reason,
            "told": forfeit.text,
            "action": forfeit.action,
            "position": forfeit.position,
        }
        for forfeit in game.forfeits
    }
    seats = []
    for seat, (player, use) in enumerate(zip(participants, game.use, strict=True)):
        thought = use.thought if use else ()
        seats.append(
            {
                "seat": seat + 1,
                "player": player.name,
                "command": shlex.join(player.command),
                "rank": outcome["ranks"][seat],
                "vp": outcome["vp"][seat],
                "forfeit": forfeits.get(seat),
                "decisions": len(thought),
                "think_ms_sum": sum(thought),
                "think_ms_longest": max(thought, default=0),
                "think_ms": thought,
                "cpu_seconds": round(use.cpu, 2) if use else None,
                "memory_mb": round(use.memory / MEGABYTE) if use else None,
                "exit_status": use.status if use else None,
            }
        )
    return {"seed": seed, "rounds": outcome["rounds"], "seats": seats}


def _table(result: dict[str, Any]) -> Iterator[str]:
    head = (_("rank"), _("VP"), _("seat"), _("CPU"), _("memory"), _("longest"))
    width = max(len(seat["player"]) for seat in result["seats"])
    yield "{:>4}  {:>4}  {:>4}  {:{width}}  {:>8}  {:>8}  {:>9}".format(*head[:3], "", *head[3:], width=width).rstrip()
    for seat in sorted(result["seats"], key=lambda seat: (seat["rank"], seat["seat"])):
        line = f"{seat['rank']:>4}  {seat['vp']:>4}  {seat['seat']:>4}  {seat['player']:{width}}"
        if seat["cpu_seconds"] is not None:
            cpu = decimal(f"{seat['cpu_seconds']:.1f} s")
            longest = decimal(f"{seat['think_ms_longest'] / 1000:.3f} s")
            line += f"  {cpu:>8}  {seat['memory_mb']:>5} MB  {longest:>9}"
        yield line.rstrip()


def _failures(result: dict[str, Any], outputs: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield lines that name the bots that failed, the reasons, and what the bots wrote."""
    for seat, lines in zip(result["seats"], outputs, strict=True):
        if forfeit := seat["forfeit"]:
            fault = _("{player} (seat {seat}) forfeited at action {action}: {why}")
            yield fault.format(
                player=seat["player"], seat=seat["seat"], action=forfeit["action"] + 1, why=forfeit["told"]
            )
            yield from (f"  | {shortened(printable(line), LONGEST_LINE)}" for line in lines)
            if any("No module named 'vinci_bots'" in line for line in lines):
                yield _("The Python of this command has no vinci_bots. Name the file alone: --bots FILE.py")
        elif seat["command"] and seat["exit_status"] != 0:
            yield _("{player} (seat {seat}) did not end by itself with status 0 after the game").format(**seat)


def _never_answered(result: dict[str, Any]) -> Iterator[str]:
    """Yield texts that name the bots that forfeited by their own fault before they answered a decision."""
    faults = {"start": _("a bot did not start: {names}"), "exit": _("a bot ended before its first answer: {names}")}
    for reason, text in faults.items():
        seats = [seat for seat in result["seats"] if seat["forfeit"] and not seat["decisions"]]
        if names := [seat["player"] for seat in seats if seat["forfeit"]["reason"] == reason]:
            yield text.format(names=", ".join(names))
