"""`vinci match --bots`: one game between commands, and what it leaves behind."""

import json
import secrets
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from vinci.v1 import lobby_pb2, match_pb2
from vinci_bots.local.local_match import MEGABYTE, BotForfeit, BotLimits, LocalGame, Seating, play_game, server
from vinci_bots.local.participants import Player, UnusableBot, players
from vinci_bots.local.process import excerpt
from vinci_bots.seeds import bot_seed
from vinci_client.printable import printable
from vinci_client.session import OVER
from vinci_rules.chance import FairChance

from ...connection import connect
from ...exceptions import Failed, Misused
from ...text.i18n import _, decimal
from ..options import check_empty
from ..progress import Line

LONGEST_LINE: Final = 200
"""Characters of a line that a bot wrote that are shown."""


def play(
    words: Sequence[str],
    request: lobby_pb2.CreateMatchRequest,
    memory: int,
    out: Path | None,
    *,
    analysis: bool,
    as_json: bool,
) -> None:
    """Play one game; `memory` is the most megabytes of a bot. Raises Failed, also if a bot did not start."""
    try:
        who = players(words)
    except UnusableBot as error:
        raise Misused(str(error)) from None
    request.seed = request.seed or secrets.token_hex(16)
    request.sealed = True
    try:
        FairChance(request.seed)
    except ValueError as error:
        raise Misused(str(error)) from None
    folder = out or Path(f"match-{request.seed}")
    check_empty(folder)
    with tempfile.TemporaryDirectory(prefix="vinci-") as place:
        seatings = [
            Seating(player, bot_seed(request.seed, player.name), Path(place) / f"{number}-{player.name}.log")
            for number, player in enumerate(who, start=1)
        ]
        limits = BotLimits(memory=memory * MEGABYTE)
        game = connect.run_here(_play(request, seatings, limits, Path(place), analysis=analysis))
        told = _told(who, request.seed, game)
        said = [excerpt(seating.log) for seating in seatings]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "record.jsonl").write_text("".join(f"{line}\n" for line in game.lines), encoding="utf-8")
        (folder / "result.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        for seating in seatings:
            if seating.log.exists() and seating.log.stat().st_size:
                shutil.copy(seating.log, folder)
    if as_json:
        _print(json.dumps(told))
    else:
        for line in (*_table(told), *_failures(told, said)):
            _print(line)
        _print(_("Record, times and what the bots wrote: {folder}").format(folder=folder))
    if absent := [seat["player"] for seat in told["seats"] if _did_not_start(seat)]:
        raise Failed(_("a bot did not start: {names}").format(names=", ".join(absent)))


async def _play(
    request: lobby_pb2.CreateMatchRequest,
    seatings: Sequence[Seating],
    limits: BotLimits,
    place: Path,
    *,
    analysis: bool,
) -> LocalGame:
    with server(place / "match.db", analysis=analysis) as address:
        return await play_game(address, request, seatings, limits, _Progress())


class _Progress:
    """How far the game is, in one line on standard error, where somebody watches."""

    def __init__(self) -> None:
        self._line: Final = Line()

    def __call__(self, told: match_pb2.WatchResponse) -> None:
        for event in told.update.events:
            if event.HasField("turn_started"):
                self._line.show(_("round {round}").format(round=event.turn_started.round))
        missing = [seat.bot for seat in told.match.seats if seat.bot and not seat.connected]
        if told.match.status == lobby_pb2.MATCH_STATUS_OPEN and missing:
            self._line.show(_("waiting for {names}").format(names=", ".join(missing)))
        elif told.match.status in OVER:
            self._line.show("")


def _told(who: Sequence[Player], seed: str, game: LocalGame) -> dict[str, Any]:
    """All that is kept of a game, besides its record."""
    result = json.loads(game.lines[-1])["result"]
    gone = {one.seat: one for one in game.gone}
    seats = []
    for seat, (player, use) in enumerate(zip(who, game.use, strict=True)):
        thought = use.thought if use else ()
        seats.append(
            {
                "seat": seat + 1,
                "player": player.name,
                "command": shlex.join(player.command),
                "rank": result["ranks"][seat],
                "vp": result["vp"][seat],
                "forfeit": _forfeit(gone[seat]) if seat in gone else None,
                "decisions": len(thought),
                "think_ms_sum": sum(thought),
                "think_ms_longest": max(thought, default=0),
                "think_ms": thought,
                "cpu_seconds": round(use.cpu, 2) if use else None,
                "memory_mb": round(use.memory / MEGABYTE) if use else None,
                "exit_status": use.status if use else None,
            }
        )
    return {"seed": seed, "rounds": result["rounds"], "seats": seats}


def _forfeit(gone: BotForfeit) -> dict[str, Any]:
    """A forfeit with the keys that result.json and --json have."""
    return {
        "seat": gone.seat,
        "reason": gone.reason,
        "told": gone.text,
        "action": gone.action,
        "position": gone.position,
    }


def _table(told: dict[str, Any]) -> Iterator[str]:
    head = (_("rank"), _("VP"), _("seat"), _("CPU"), _("memory"), _("longest"))
    width = max(len(seat["player"]) for seat in told["seats"])
    yield "{:>4}  {:>4}  {:>4}  {:{width}}  {:>8}  {:>8}  {:>9}".format(*head[:3], "", *head[3:], width=width).rstrip()
    for seat in sorted(told["seats"], key=lambda seat: (seat["rank"], seat["seat"])):
        line = f"{seat['rank']:>4}  {seat['vp']:>4}  {seat['seat']:>4}  {seat['player']:{width}}"
        if seat["cpu_seconds"] is not None:
            cpu = decimal(f"{seat['cpu_seconds']:.1f} s")
            longest = decimal(f"{seat['think_ms_longest'] / 1000:.3f} s")
            line += f"  {cpu:>8}  {seat['memory_mb']:>5} MB  {longest:>9}"
        yield line.rstrip()


def _failures(told: dict[str, Any], said: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield lines that name the bots that failed, the reasons, and what the bots wrote."""
    for seat, lines in zip(told["seats"], said, strict=True):
        if gone := seat["forfeit"]:
            fault = _("{player} (seat {seat}) forfeited at action {action}: {why}")
            yield fault.format(player=seat["player"], seat=seat["seat"], action=gone["action"] + 1, why=gone["told"])
            yield from (f"  | {printable(line)[:LONGEST_LINE]}" for line in lines)
            if any("No module named 'vinci_bots'" in line for line in lines):
                yield _("The Python of this command has no vinci_bots. Name the file alone: --bots FILE.py")
        elif seat["command"] and seat["exit_status"] != 0:
            yield _("{player} (seat {seat}) did not end by itself with status 0 after the game").format(**seat)


def _did_not_start(seat: dict[str, Any]) -> bool:
    """Whether a bot forfeited by its own fault before it answered a decision."""
    return bool(seat["forfeit"]) and seat["forfeit"]["reason"] in ("start", "exit") and not seat["decisions"]


def _print(text: str) -> None:
    print(text, flush=True)  # noqa: T201  # this is its work
