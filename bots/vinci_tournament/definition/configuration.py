"""A league from what somebody wrote: a TOML file, or the same keys from options of a command. See docs/tournaments.md.

Every mistake is an error that names the key and says what would be right.
"""

import re
import shlex
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any, Final, TypeVar

from vinci_bots.builtin.policies import POLICIES
from vinci_bots.local.participants import LONGEST_NAME, UnusableBot, named, parsed
from vinci_rules.board import DEFAULT_BOARD, board_names
from vinci_rules.chance import FairChance
from vinci_rules.editions import EDITIONS, FEWEST_SEATS, MOST_SEATS, OptionError

from .digests import core, digest
from .league import BUDGETS, FORMATS, GATE, GATE_GAMES, SCORES, League, LeagueBot, Stopping
from .schedule import line_ups

T = TypeVar("T")

KEYS: Final = (
    "name", "format", "bots", "seats", "board", "edition", "target", "options", "games", "blocks", "seed", "clock",
    "tries", "memory", "analysis", "stop", "workers",
)  # fmt: skip
BOT_KEYS: Final = ("name", "bot", "command", "budget")
GAMES: Final = 200
"""How many games a league has at least where it is not said."""
MOST_POINTS: Final = 2000
SEATS: Final = 4
UNGUESSABLE_LENGTH: Final = 22
"""So many random letters and digits have 128 bits."""
UNGUESSABLE_KINDS: Final = 8
"""A random seed of that length has more different characters, even of hexadecimal digits."""
NAME: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_NAME - 1}}}")


class LeagueError(ValueError):
    """No league can be made of this; the text names the key and says what would be right."""


def read(path: Path) -> League:
    """The league that a file describes. Raises LeagueError and OSError."""
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise LeagueError(f"{path}: {error}") from None
    try:
        return league({"name": path.stem} | fields)
    except LeagueError as error:
        raise LeagueError(f"{path}: {error}") from None


def league(fields: Mapping[str, Any]) -> League:
    """The league with these keys, as a TOML file has them; its bots as they are now. Raises LeagueError."""
    _known(fields, KEYS, "")
    chosen = _one_of(fields, "format", FORMATS, FORMATS[0])
    bots = _bots(fields.get("bots", []))
    seats = _number(fields, "seats", FEWEST_SEATS, MOST_SEATS, _usual_seats(chosen, len(bots)))
    _check_number_of_bots(chosen, len(bots), seats)
    board = _one_of(fields, "board", board_names(), DEFAULT_BOARD)
    found = League(
        name=_name(fields.get("name", "league"), "name"),
        format=chosen,
        bots=bots,
        seats=seats,
        board=board,
        edition=_one_of(fields, "edition", EDITIONS, EDITIONS[0]),
        target=_number(fields, "target", 1, 10_000, None),
        options=_settings(fields.get("options", {})),
        blocks=1,  # as many as are wanted, as soon as it is known how many games each has
        seed=_seed(fields["seed"]) if "seed" in fields else "",
        clock=_number(fields, "clock", 1, 86_400, 60),
        tries=_number(fields, "tries", 1, 100, 3),
        memory=_number(fields, "memory", 16, 1_000_000, 2048),
        analysis=_switch(fields, "analysis"),
        stop=_stop(chosen, fields.get("stop", {})),
        workers=_number(fields, "workers", 1, 1024, None),
        core=core(board),
        seeding="game",
    )
    usual = GATE_GAMES if chosen == "gate" else GAMES
    found = replace(found, blocks=_blocks(fields, found.rotations, usual))
    _check_rules(found)
    if chosen == "gate" and not 0 < 1 / seats + found.stop.margin < 1:
        even, margin = f"1/{seats}", found.stop.margin
        raise LeagueError(f"stop.margin: {margin}: with an even share of {even} it has to be a share between 0 and 1")
    return found


def bots(words: Sequence[str], budget: str = "time") -> list[dict[str, str]]:
    """The `bots` of a league from names of policies and command lines; each gets a name of its own."""
    try:
        names = named(words)
    except UnusableBot as error:
        raise LeagueError(f"bots: {error}") from None
    return [
        {"name": name, "bot": word} if word in POLICIES else {"name": name, "command": word, "budget": budget}
        for name, word in zip(names, words, strict=True)
    ]


def _bots(given: Any) -> tuple[LeagueBot, ...]:
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise LeagueError(
            'bots: a list of tables is wanted, each as [[bots]], name = "mine", command = "python mine.py"'
        )
    found = [_bot(f"bots[{place}]", one) for place, one in enumerate(given, start=1)]
    for place, bot in enumerate(found):
        if bot.name in {other.name for other in found[:place]}:
            raise LeagueError(f"bots[{place + 1}].name: there is a bot {bot.name!r} already; each needs its own name")
    return tuple(found)


def _bot(where: str, fields: Mapping[str, Any]) -> LeagueBot:
    _known(fields, BOT_KEYS, f"{where}.")
    if ("bot" in fields) == ("command" in fields):
        known = ", ".join(sorted(POLICIES))
        raise LeagueError(f"{where}: either bot (one of {known}) or command is wanted")
    budget = _one_of(fields, "budget", BUDGETS, "nodes" if "bot" in fields else "time", where)
    if "bot" in fields:
        policy = _one_of(fields, "bot", sorted(POLICIES), "", where)
        bot = LeagueBot(_name(fields.get("name", policy), f"{where}.name"), policy, budget=budget)
    else:
        words = _words(fields["command"], f"{where}.command")
        name = fields.get("name") or named([shlex.join(words)])[0]
        bot = LeagueBot(_name(name, f"{where}.name"), command=words, budget=budget)
    return replace(bot, digest=digest(bot))


def _words(command: Any, where: str) -> tuple[str, ...]:
    """A command line as words. Raises LeagueError for one that cannot be started."""
    if not isinstance(command, str | list | tuple):
        raise LeagueError(f"{where}: {command!r} is no command line")
    try:
        return parsed(command if isinstance(command, str) else shlex.join(map(str, command)))
    except UnusableBot as error:
        raise LeagueError(f"{where}: {error}") from None


def _usual_seats(chosen: str, number: int) -> int:
    return SEATS if chosen == "gate" or number >= SEATS else FEWEST_SEATS


def _check_number_of_bots(chosen: str, number: int, seats: int) -> None:
    if chosen == "gate" and number != 2:
        raise LeagueError(f"bots: a gate has two, the new one and the base; {number} given")
    if chosen != "gate" and number < seats:
        raise LeagueError(f"bots: {number} given, but {seats} are wanted to fill the seats of a game")


def _blocks(fields: Mapping[str, Any], size: int, usual: int) -> int:
    if "games" in fields and "blocks" in fields:
        raise LeagueError(f"games, blocks: only one of them; games of a block here: {size}")
    if "blocks" in fields:
        return _number(fields, "blocks", 1, 1_000_000, 1)
    return ceil(_number(fields, "games", 1, 6_000_000, usual) / size)


def _seed(given: Any) -> str:
    try:
        return FairChance(str(given)).seed
    except ValueError as error:
        raise LeagueError(f"seed: {error}") from None


def is_guessable(seed: str) -> bool:
    """Whether a seed could be found by trying: too short, or of too few different characters, to hold 128 bits.

    Of a long one nobody can tell whether it was drawn at random.
    """
    return len(seed) < UNGUESSABLE_LENGTH or len(set(seed)) < UNGUESSABLE_KINDS


def _settings(given: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(given, dict):
        raise LeagueError('options: a table is wanted, as [options], give_up = "free"')
    return tuple(sorted((name, str(value)) for name, value in given.items()))


def _stop(chosen: str, given: Any) -> Stopping:
    keys = ("score", "elo0", "elo1", "margin", "beta", "alpha") if chosen == "gate" else ("width", "alpha")
    if not isinstance(given, dict):
        example = "elo1 = 60" if chosen == "gate" else "width = 0.05"
        raise LeagueError(f"stop: a table is wanted, as [stop], {example}")
    _known(given, keys, "stop.")
    ends = {"margin": (-1, 1), "elo0": (-MOST_POINTS, MOST_POINTS), "elo1": (-MOST_POINTS, MOST_POINTS)}
    for name, value in given.items():
        least, most = ends.get(name, (0, 1))
        if name == "score":
            _one_of(given, name, SCORES, GATE.score, "stop")
        elif not isinstance(value, int | float) or isinstance(value, bool) or not least < value < most:
            raise LeagueError(f"stop.{name}: {value!r}: a number between {least} and {most} is wanted")
    if chosen != "gate":
        return Stopping(**given)
    if "margin" in given:
        return _margin(given)
    found = replace(GATE, **given)
    if not (found.elo0 or 0.0) < (found.elo1 or 0.0):
        raise LeagueError(f"stop.elo1: {found.elo1:g}: more than elo0 is wanted, which is {found.elo0:g}")
    return found


def _margin(given: Mapping[str, Any]) -> Stopping:
    """A gate that is decided by whether the share of wins is above or below one value. Raises LeagueError."""
    others = [name for name in ("elo0", "elo1", "beta") if name in given]
    if others or given.get("score", "wins") != "wins":
        told = others[0] if others else "score"
        raise LeagueError(f"stop.{told}: not with margin, which compares wins with one share; leave one out")
    return Stopping(**given)


def _check_rules(found: League) -> None:
    """Raises LeagueError for options that no game of the league can have."""
    try:
        for line_up in set(line_ups(found)):
            found.rules(line_up)
    except OptionError as error:
        key = "target" if str(error).startswith("target") else "options"
        raise LeagueError(f"{key}: {error}") from None


def _known(fields: Mapping[str, Any], known: Collection[str], where: str) -> None:
    for key in fields:
        if key not in known:
            raise LeagueError(f"{where}{key}: unknown; known: {', '.join(known)}")


def _name(given: Any, where: str) -> str:
    if not isinstance(given, str) or not NAME.fullmatch(given):
        wanted = f"up to {LONGEST_NAME} letters, digits, dots, dashes or underscores"
        raise LeagueError(f"{where}: {given!r}: {wanted} are wanted, the first one a letter or digit")
    return given


def _one_of(fields: Mapping[str, Any], key: str, known: Collection[str], usual: str, where: str = "") -> Any:
    value = fields.get(key, usual)
    if value not in known:
        raise LeagueError(f"{where}{'.' if where else ''}{key}: {value!r} is unknown; known: {', '.join(known)}")
    return value


def _switch(fields: Mapping[str, Any], key: str) -> bool:
    value = fields.get(key, False)
    if not isinstance(value, bool):
        raise LeagueError(f"{key}: {value!r}: true or false is wanted")
    return value


def _number(fields: Mapping[str, Any], key: str, least: int, most: int, usual: T) -> T | int:
    if key not in fields:
        return usual
    value = fields[key]
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise LeagueError(f"{key}: {value!r}: a whole number from {least} to {most} is wanted")
    return value
