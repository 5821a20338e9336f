"""Records of played games, for replay and summary."""

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.paths import DATA
from vinci_bots.builtin import selfplay
from vinci_cli.game.replay import PlayedGame
from vinci_cli.records import loader
from vinci_cli.text.i18n import language
from vinci_rules.board import load_board
from vinci_rules.editions import options

BOARDS = {3: "tiny", 4: "europe", 5: "tiny", 6: "europe"}
"""The board of the games in tests/data/selfplay-*.jsonl by number of seats."""


@cache
def lines_of(edition: str, seats: int) -> tuple[str, ...]:
    """Return the record of the game with that many seats in tests/data/selfplay-*.jsonl."""
    games = map(json.loads, (DATA / f"selfplay-{edition}.jsonl").read_text(encoding="utf-8").splitlines())
    game = next(game for game in games if len(game["players"]) == seats)
    players = game["players"]
    rules = options(tuple(player == "dummy" for player in players), edition)
    return selfplay.play(players, load_board(BOARDS[seats]), rules, game["seed"]).lines


def played(edition: str, seats: int) -> PlayedGame:
    """Return the same game as a replay, with names in the language of the test."""
    return _played(edition, seats, language())


@cache
def _played(edition: str, seats: int, _language: str) -> PlayedGame:
    return load(lines_of(edition, seats))


def load(lines: tuple[str, ...]) -> PlayedGame:
    """Return a record of these lines, read from a file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return loader.load(path)
