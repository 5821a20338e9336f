"""Folders of leagues whose results are drawn, not played: as large as real ones, in a hundredth of the time."""

import json
import random
from math import log
from pathlib import Path

from vinci_rules.traits import KINDS
from vinci_tournament.definition import configuration
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import ScheduledGame, games
from vinci_tournament.play.folder import RESULTS, USES, Folder
from vinci_tournament.play.resource_usage import Cost, Costs
from vinci_tournament.results.result import CivilizationResult, Result

SEATS = 4
CIVILIZATIONS = 5
"""Civilizations that a seat plays in a game."""
FORFEITS_IN = 500
"""Games of which one has a forfeit."""


def league(number: int, bots: int = 8) -> League:
    """A round robin of built-in bots with this number of games."""
    field = [{"name": f"bot-{place:02}", "bot": "random"} for place in range(bots)]
    return configuration.league({"name": "synthetic", "bots": field, "seats": SEATS, "games": number, "seed": "bench"})


def write(path: Path, number: int, bots: int = 8) -> Folder:
    """Write a finished league with drawn results, resources included, but without records and report."""
    configured = league(number, bots)
    folder = Folder(path)
    folder.begin(configured)
    strengths = {bot.name: place / bots for place, bot in enumerate(configured.bots)}
    source = random.Random(number)
    with open(path / RESULTS, "w", encoding="utf-8") as results, open(path / USES, "w", encoding="utf-8") as uses:
        for game in games(configured):
            results.write(f"{_result(game, strengths, source).to_json()}\n")
            cpu = round(source.uniform(0.05, 0.2), 6)
            uses.write(f"{Costs(game.key, tuple(Cost(bot, cpu, 0, 60, 100, 9) for bot in game.bots)).to_json()}\n")
    return folder


def _result(game: ScheduledGame, strengths: dict[str, float], source: random.Random) -> Result:
    codes = [kind.code for kind in KINDS]
    scores = [strengths[bot] - log(-log(source.random())) for bot in game.bots]
    vp = tuple(100 + round(15 * score) for score in scores)
    forfeits = [[source.randrange(SEATS), "exit", 60, "x" * 300]] if source.randrange(FORFEITS_IN) == 0 else []
    placed = [-1 if forfeits and seat == forfeits[0][0] else own for seat, own in enumerate(vp)]
    civilizations = [
        CivilizationResult(seat, tuple(sorted(source.sample(codes, 2))), source.randrange(50))
        for _ in range(CIVILIZATIONS)
        for seat in range(SEATS)
    ]
    attacks = [[0 if seat == other else source.randrange(9) for other in range(SEATS)] for seat in range(SEATS)]
    return Result.from_json(
        json.dumps(
            {
                "block": game.block,
                "rotation": game.rotation,
                "seed": game.seed,
                "bots": game.bots,
                "ranks": [1 + sum(other > own for other in placed) for own in placed],
                "vp": vp,
                "rounds": source.randrange(8, 13),
                "actions": source.randrange(120, 190),
                "forfeits": forfeits,
                "civilizations": civilizations,
                "attacks": attacks,
                "hash": f"{source.getrandbits(256):064x}",
            }
        )
    )
