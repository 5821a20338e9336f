"""Small leagues for tests: built-in bots on the tiny board, a few milliseconds a game."""

from pathlib import Path
from typing import Any, Final

from vinci_tournament.definition import configuration
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import games
from vinci_tournament.play import worker
from vinci_tournament.play.folder import Folder

RULES: Final = {"board": "tiny", "target": 20}


def bots(*policies: str) -> list[dict[str, str]]:
    """Return a bot with each of these policies, named a, b, c and so on."""
    return [{"name": "abcdefghijklmnop"[place], "bot": policy} for place, policy in enumerate(policies)]


def league(*policies: str, **keys: Any) -> League:
    """Return a league of such bots."""
    return configuration.league({"bots": bots(*policies), **RULES, "seed": "1", **keys})


def left(folder: Folder, *keys: str) -> Folder:
    """Return a folder with only these games, as another runner finds it."""
    results = [result for key, result in folder.results().items() if key in keys]
    (folder.path / "results.jsonl").write_text("".join(f"{result.to_json()}\n" for result in results))
    for path in folder.games.iterdir():
        if path.name.partition(".")[0] not in keys:
            path.unlink()
    return Folder(folder.path)


def played(path: Path, league: League) -> Folder:
    """Return a folder in which all games of a league were played in this process."""
    folder = Folder(path)
    folder.begin(league)
    folder.keep([worker.play(league, game) for game in games(league)])
    return folder
