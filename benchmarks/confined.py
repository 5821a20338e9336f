"""Games of commands that play by lines, or in the sandbox, beside the same games of the same bot as a plain command.

Each bot takes the first conquest that it is offered, else what a dummy would do, so that all games are the same.
"""

import asyncio
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from vinci.v1 import lobby_pb2
from vinci_bots.local import sandbox
from vinci_bots.local.local_match import Seating, door, play_game, server
from vinci_bots.local.participants import Player, players

from .figures import Figure, Target, medians

SEATS: Final = 4
ROUNDS: Final = 25
"""Rounds of games: the median of nine differs by 4 % from one run to the next, nearly half of what is allowed."""
OVERHEAD: Final = Target(1.1, at_most=True, of_ratio=True)
PLAIN: Final = """
from vinci_bots.sdk import bot, run
from vinci_rules.actions import Conquer

@bot
def first(turn):
    return turn.conquests[0] if turn.conquests else turn.advice

run(first)
"""
JSON: Final = r"""
/^{"decision"/ {
    match($0, /"actions":\[[^]]*\]/); actions = substr($0, RSTART, RLENGTH)
    if (match(actions, /"x [^"]*"/)) best = substr(actions, RSTART, RLENGTH)
    else { match($0, /"advice":"[^"]*"/); best = substr($0, RSTART + 9, RLENGTH - 9) }
    print "{\"play\": " best "}"; fflush()
}
"""
TEXT: Final = """
/^action x / && best == "" { best = substr($0, 8) }
/^advice / { advice = substr($0, 8) }
/^go/ { print best == "" ? advice : best; fflush(); best = "" }
"""


def figures() -> Iterator[Figure]:
    """Seconds of a game of bots that start for it, and milliseconds of a decision: by lines of text or JSON, confined.

    Those by lines are in awk, which costs next to nothing, so that the figures tell what the adapter costs.
    """
    with TemporaryDirectory() as name:
        place = Path(name)
        for file, program in (("plain.py", PLAIN), ("json.awk", JSON), ("text.awk", TEXT)):
            (place / file).write_text(program, encoding="utf-8")
        words = [
            str(place / "plain.py"),
            f"stdio-text:awk -f {place / 'text.awk'}",
            f"stdio:awk -f {place / 'json.awk'}",
        ]
        plain, *others = players(words)
        kinds: dict[str, tuple[Player, Path | None]] = {"plain": (plain, None)}
        kinds |= {name: (bot, None) for name, bot in zip(("stdio.text", "stdio.json"), others, strict=True)}
        try:
            sandbox.check()
            kinds["sandbox"] = (plain, door(place / "games.db"))
        except sandbox.SandboxMissing as error:
            print(f"# no sandbox here: {error}", flush=True)
        paces: dict[str, list[float]] = {name: [] for name in kinds}
        with server(place / "games.db", has_door="sandbox" in kinds) as address:
            games = [partial(_game, address, place, *kind, paces[name]) for name, kind in kinds.items()]
            seconds = medians(*games, rounds=ROUNDS)
        plainly = median(paces["plain"])
        for name, value in list(zip(kinds, seconds, strict=True))[1:]:
            yield Figure(f"league.{name}", value, "s/game", seconds[0], OVERHEAD)
            yield Figure(f"league.{name}.decision", median(paces[name]), "ms", plainly, OVERHEAD)


def _game(address: str, place: Path, player: Player, door: Path | None, paces: list[float]) -> float:
    """Play a game of four such bots; return its seconds, and add the mean milliseconds from action to action.

    These have those of the server in them, and not the start of the bots.
    """
    seatings = [Seating(player, "5eed", place / f"{seat}.log", door=door) for seat in range(SEATS)]
    request = lobby_pb2.CreateMatchRequest(board="europe", seed="bench")
    begin = perf_counter()
    game = asyncio.run(play_game(address, request, seatings))
    if game.forfeits:
        raise RuntimeError(f"a bot of the benchmark forfeited: {game.forfeits[0]}")
    times = [json.loads(line)["time"] for line in (game.lines[1], game.lines[-2])]
    paces.append(1000 * (times[1] - times[0]) / (len(game.lines) - 3))
    return perf_counter() - begin
