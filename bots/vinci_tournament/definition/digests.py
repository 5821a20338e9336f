"""What a bot is made of, as a digest: a league goes on, and is checked, only with the bots that it began with."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import vinci_bots
import vinci_rules
from vinci_bots.local.participants import files_in
from vinci_rules import ENGINE_VERSION
from vinci_rules.board import load_board

from .league import League, LeagueBot, RulesCore


def digest(bot: LeagueBot) -> str:
    """SHA-256 of what a bot is made of, as it is now.

    For a policy of ours the version of the rules and the sources of `vinci_bots` without its doctor. For a command the
    content of every file that it names, the program too unless it is found by PATH; empty if it names none. What these
    files import, the interpreter and folders are not covered.
    """
    if bot.policy:
        folder = Path(vinci_bots.__file__).parent
        own = (file for pattern in ("*.py", "builtin/*.py", "local/*.py") for file in folder.glob(pattern))
        return _of_files(sorted(own), ENGINE_VERSION)
    files = files_in(bot.command)
    return _of_files(files) if files else ""


def core(board: str) -> RulesCore:
    """The rules as they are now, with a board."""
    folder = Path(vinci_rules.__file__).parent
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".csv"))
    return RulesCore(ENGINE_VERSION, _of_files(files), load_board(board).digest)


def changed(league: League) -> list[str]:
    """What is not as it was when the league began: sentences."""
    now = core(league.board)
    found = []
    if now.engine != league.core.engine:
        found.append(f"the engine is {now.engine}; the league began with {league.core.engine}")
    if now.digest != league.core.digest:
        found.append("the rules are not those with which the league began: their sources have another digest")
    if now.board != league.core.board:
        found.append(f"the board {league.board} is not the one with which the league began")
    for bot in league.bots:
        if digest(bot) != bot.digest:
            where = "; is this the folder in which it began?" if bot.command else ""
            found.append(
                f"the bot {bot.name} is not the one with which the league began: its files have changed{where}"
            )
    return found


def _of_files(files: Sequence[Path], start: str = "") -> str:
    found = sha256(start.encode())
    for file in files:
        found.update(sha256(file.read_bytes()).digest())
    return found.hexdigest()
