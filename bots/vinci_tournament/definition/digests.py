"""Digests of bots and rules: a league can only be continued and verified with those it began with."""

import json
from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path

import vinci_bots
import vinci_players
import vinci_rules
from vinci_bots.local.participants import files_in
from vinci_rules import ENGINE_VERSION
from vinci_rules.board import load_board

from .league import League, LeagueBot, RulesCore


def digest(bot: LeagueBot) -> str:
    """Return the SHA-256 of the current files of a bot.

    For a built-in policy it covers the version of the rules and the sources of `vinci_bots` without the doctor and of
    `vinci_players`. For a command it covers every file that the command names, with the program unless it is found by
    PATH; it is empty if there is none. Imports of these files, interpreters and folders are not covered.
    """
    if bot.policy:
        folder = Path(vinci_bots.__file__).parent
        own = (file for pattern in ("*.py", "builtin/*.py", "local/*.py") for file in folder.glob(pattern))
        return _of_files([*sorted(own), *_sources(Path(vinci_players.__file__).parent)], ENGINE_VERSION)
    if bot.folder:
        folder = Path(bot.folder)
        files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        return _of_files(files, "\0".join(path.relative_to(folder).as_posix() for path in files))
    files = files_in(bot.command)
    return _of_files(files) if files else ""


def core(board: str) -> RulesCore:
    """Return the digests of the current rules and of a board."""
    folder = Path(vinci_rules.__file__).parent
    return RulesCore(ENGINE_VERSION, _of_files(_sources(folder)), load_board(board).digest)


def installed() -> str:
    """Return the version of Vinci that is installed, with the commit if it came from one: `0.2.0+1ce1772f`."""
    files = distribution("vinci-server")
    commit = json.loads(files.read_text("direct_url.json") or "{}").get("vcs_info", {}).get("commit_id", "")
    return f"{files.version}+{commit}".rstrip("+")


def advice(league: League) -> str:
    """Return how to go on with a league that has changed: with the Vinci that began it, unless a command differs."""
    if any(bot.command and digest(bot) != bot.digest for bot in league.bots):
        return "start a new league"
    now = installed()
    first = f"version {league.version}" if league.version not in ("", now) else "other files"
    return (
        f"it began with {first} of Vinci, and version {now} is installed now; install what it began with to go on, "
        "in a clone with: git checkout COMMIT"
    )


def changed(league: League) -> list[str]:
    """Return what has changed since the league began, as sentences."""
    now = core(league.board)
    changes = []
    if now.engine != league.core.engine:
        changes.append(f"the engine is {now.engine}; the league began with {league.core.engine}")
    if now.digest != league.core.digest:
        changes.append("the rules are not those with which the league began: their sources have changed")
    if now.board != league.core.board:
        changes.append(f"the board {league.board} is not the one with which the league began")
    for bot in league.bots:
        if digest(bot) != bot.digest:
            where = "; is this the folder in which it began?" if bot.command else ""
            changes.append(
                f"the bot {bot.name} is not the one with which the league began: its files have changed{where}"
            )
    return changes


def _sources(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".csv"))


def _of_files(files: Sequence[Path], start: str = "") -> str:
    digests = sha256(start.encode())
    for file in files:
        digests.update(sha256(file.read_bytes()).digest())
    return digests.hexdigest()
