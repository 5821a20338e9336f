"""Builds the comparison of a study from its folder, as far as the games are played."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from ..play.progress import LeagueProgress
from .comparison import ArmGames, Comparison, compare
from .facts import GameFacts, Spread, facts_of_folder
from .study import Arm, Part, Study

FACTS: Final = "facts"


def comparison_of(
    study: Study,
    parts: Sequence[Part],
    out: Path,
    spread: Spread = map,
    tell: Callable[[str, int], None] = lambda *_: None,
) -> Comparison:
    """Return the comparison of the arms that have games; games with a forfeit are left out.

    `spread` maps records to facts, in worker processes or here; `tell` receives an arm and its number of records read.
    Raises FolderError and RecordError.
    """
    games: dict[Arm, dict[int, list[GameFacts]]] = {arm: {} for arm in study.arms}
    forfeits = dict.fromkeys(games, 0)
    complete = True
    planned = 0
    for part in parts:
        league = part.folder.league()
        progress = LeagueProgress(league, part.folder.planned(league).values())
        complete &= progress.is_decided
        planned += league.blocks * league.rotations
        played = [result for result in progress.results if not result.forfeits]
        forfeits[part.arm] += len(progress.results) - len(played)
        file = out / FACTS / f"{league.name}.jsonl"
        name = part.arm.name

        def read(number: int, name: str = name) -> None:
            tell(name, number)

        if played:
            games[part.arm][part.seats] = facts_of_folder(part.folder, played, file, spread, read)
    arms = [
        ArmGames(arm.name, tuple(change.code for change in arm.changes), games[arm], forfeits[arm])
        for arm in games
        if games[arm]
    ]
    league = parts[0].folder.league()
    return Comparison(
        bots=tuple(bot.name for bot in league.bots),
        seats=study.seats,
        board=league.board,
        seed=league.seed if complete else "",
        planned=planned,
        complete=complete,
        engine=league.core.engine,
        arms=tuple(compare(arms)),
    )
