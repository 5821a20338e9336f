"""Parses a league from a TOML file, or from the same keys given as options of a command. See docs/league-file.md.

Every error names the key and the valid values.
"""

import shlex
import tomllib
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from math import ceil
from pathlib import Path
from typing import Any, Final, TypeVar

from vinci_bots.local import manifest
from vinci_bots.local.manifest import BadManifest
from vinci_bots.local.participants import LONGEST_NAME, NAME, UnusableBot, named, parsed
from vinci_players.builtin import KNOWN, is_policy
from vinci_players.names import fault
from vinci_refusals import clock
from vinci_refusals.wording import Refused
from vinci_rules.board import DEFAULT_BOARD, board_names
from vinci_rules.chance import FairChance
from vinci_rules.editions import EDITIONS, FEWEST_SEATS, MOST_SEATS, OptionError

from .digests import core, digest, installed
from .formats import FORMATS, ByResults, Format
from .league import (
    ABSENCE,
    BUDGETS,
    COMMAND,
    CONNECTED,
    CPU,
    GATE,
    MISSING,
    SCORES,
    Budget,
    League,
    LeagueBot,
    Stopping,
    cpu_seconds,
)
from .schedule import line_ups

T = TypeVar("T")

KEYS: Final = (
    "name", "format", "bots", "line_ups", "seats", "board", "edition", "target", "options", "games", "blocks", "rounds",
    "table_blocks", "seed", "clock", "tries", "memory", "analysis", "stop", "workers", "absence", "anonymous",
    "start", "missing", "sandbox",
)  # fmt: skip
BOT_KEYS: Final = ("name", "bot", "command", "stdio", "text", "folder", "budget", "remote")
KINDS: Final = ("bot", "command", "stdio", "folder")
"""Keys of which a bot that is not remote has one."""
LENGTHS: Final = ("games", "blocks", "stop", "rounds", "table_blocks")
"""Keys that give the length of a league in some formats."""
REMOTE_KEYS: Final = ("absence", "anonymous", "start", "missing")
"""Keys for leagues with remote bots."""
MOST_ABSENCE: Final = 7 * 86_400
MOST_POINTS: Final = 2000
"""Largest absolute value of a hypothesis of a gate, in Elo points."""
NO_CPU: Final = "clock: the CPU time of remote bots is unknown here; count seconds, as in clock = 60"
CLOCK: Final = 60
"""Default seconds for each decision."""
LONGEST_CLOCK: Final = 86_400
"""Maximum seconds for a decision, and of a bank and its increment."""
SEATS: Final = 4
"""Default number of seats if there are enough bots."""
UNGUESSABLE_LENGTH: Final = 22
"""Number of random letters and digits that have 128 bits."""
UNGUESSABLE_KINDS: Final = 8
"""Minimum number of different characters of a random seed of that length, even in hexadecimal."""


class LeagueError(ValueError):
    """The definition of a league is invalid; the text names the key and the valid values."""


def read(path: Path) -> League:
    """Read the league of a file. Raises LeagueError and OSError."""
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise LeagueError(f"{path}: {error}") from None
    try:
        return league({"name": path.stem} | fields)
    except LeagueError as error:
        raise LeagueError(f"{path}: {error}") from None


def league(fields: Mapping[str, Any]) -> League:
    """Build the league with these keys of a TOML file and the current files of its bots. Raises LeagueError."""
    _known(fields, KEYS, "")
    kind = FORMATS[_one_of(fields, "format", FORMATS, next(iter(FORMATS)))]
    bots = league_bots(fields.get("bots", []))
    usual_seats = SEATS if kind.repeats_bots or len(bots) >= SEATS else FEWEST_SEATS
    seats = _number(fields, "seats", FEWEST_SEATS, MOST_SEATS, usual_seats)
    if kind.is_gate and len(bots) != 2:
        raise LeagueError(f"bots: a gate has two, the new bot and the base; {len(bots)} given")
    if not kind.repeats_bots and len(bots) < seats:
        raise LeagueError(f"bots: {len(bots)} given, but a game has {seats} seats")
    board = _one_of(fields, "board", board_names(), DEFAULT_BOARD)
    result = League(
        name=_name(fields.get("name", "league"), "name"),
        format=kind.name,
        bots=bots,
        seats=seats,
        board=board,
        edition=_one_of(fields, "edition", EDITIONS, EDITIONS[0]),
        target=_number(fields, "target", 1, 10_000, None),
        options=_settings(fields.get("options", {})),
        blocks=1,  # replaced below, when the number of games in a block is known
        seed=checked_seed(fields["seed"]) if "seed" in fields else "",
        clock=clock_of(fields.get("clock", CLOCK)),
        tries=_number(fields, "tries", 1, 100, 3),
        memory=_number(fields, "memory", 16, 1_000_000, 2048),
        analysis=_switch(fields, "analysis"),
        stop=_stop(kind, fields.get("stop", {})),
        workers=_number(fields, "workers", 1, 1024, None),
        core=core(board),
        seeding="game",
        line_ups=_line_ups(kind, fields.get("line_ups"), {bot.name for bot in bots}, seats),
        absence=_number(fields, "absence", 0, MOST_ABSENCE, ABSENCE),
        anonymous=_switch(fields, "anonymous"),
        start=_start(fields.get("start", CONNECTED)),
        missing=_one_of(fields, "missing", MISSING, MISSING[0]),
        sandbox=_switch(fields, "sandbox"),
        version=installed(),
    )
    _check_remote(result, fields)
    if result.sandbox and result.analysis:
        raise LeagueError("analysis: bots in the sandbox reach no analysis service; leave one of them out")
    _check_length(fields, kind)
    if isinstance(kind, ByResults):
        each = _number(fields, "table_blocks", 1, 1000, 1)
        tables = kind.tables(len(bots), seats, _number(fields, "rounds", 1, 1000, None))
        result = replace(result, blocks=tables * each, table_blocks=each)
    else:
        result = replace(result, blocks=_blocks(fields, result.rotations, kind.games))
    _check_rules(result)
    margin = result.stop.margin
    if kind.is_gate and not 0 < 1 / seats + margin < 1:
        raise LeagueError(
            f"stop.margin: {margin}: with an even share of 1/{seats} it has to be a share between 0 and 1"
        )
    return result


def read_bots(path: Path) -> list[dict[str, Any]]:
    """Read the `bots` of a file that has nothing else. Raises LeagueError and OSError."""
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
        _known(fields, ("bots",), "")
    except ValueError as error:
        raise LeagueError(f"{path}: {error}") from None
    return _tables(fields.get("bots"))


def bots(words: Sequence[str], budget: str = "time", taken: Collection[str] = ()) -> list[dict[str, str]]:
    """Return the `bots` of a league for names of policies and command lines, with names that are not taken."""
    try:
        names = named(words, taken)
    except UnusableBot as error:
        raise LeagueError(f"bots: {error}") from None
    return [
        {"name": name, "bot": word} if is_policy(word) else {"name": name, "command": word, "budget": budget}
        for name, word in zip(names, words, strict=True)
    ]


def _tables(given: Any) -> list[dict[str, Any]]:
    if not isinstance(given, list) or not all(isinstance(table, dict) for table in given):
        raise LeagueError('bots: expected a list of tables such as [[bots]], name = "mine", command = "python mine.py"')
    return given


def league_bots(given: Any) -> tuple[LeagueBot, ...]:
    """Return the bots for the tables of a file, with the digests of their current files. Raises LeagueError."""
    bots = [_bot(f"bots[{place}]", fields) for place, fields in enumerate(_tables(given), start=1)]
    for place, bot in enumerate(bots):
        if bot.name in {other.name for other in bots[:place]}:
            raise LeagueError(f"bots[{place + 1}].name: there is a bot {bot.name!r} already; names must differ")
    return tuple(bots)


def _bot(where: str, fields: Mapping[str, Any]) -> LeagueBot:
    _known(fields, BOT_KEYS, f"{where}.")
    is_remote = _switch(fields, "remote", where)
    if sum(key in fields for key in KINDS) + is_remote != 1:
        known = ", ".join(KNOWN)
        raise LeagueError(f"{where}: expected either bot (one of {known}), command, stdio, folder, or remote = true")
    if _switch(fields, "text", where) and "stdio" not in fields:
        raise LeagueError(f"{where}.text: only with stdio, whose lines are text then instead of JSON")
    if is_remote:
        if fields.get("budget", "time") != "time":
            raise LeagueError(f"{where}.budget: a remote bot has the budget time; leave it out")
        return LeagueBot(_name(fields.get("name"), f"{where}.name"), budget="time", remote=True)
    budget = _one_of(fields, "budget", BUDGETS, "nodes" if "bot" in fields else "time", where)
    if "bot" in fields:
        policy = _policy(fields["bot"], where)
        bot = LeagueBot(_name(fields.get("name", named([policy])[0]), f"{where}.name"), policy, budget=budget)
    elif "folder" in fields:
        bot = _of_folder(fields, where, budget)
    else:
        key = "command" if "command" in fields else "stdio"
        beginning = "" if key == "command" else "stdio-text:" if fields.get("text") else "stdio:"
        words = _words(fields[key], f"{where}.{key}", beginning)
        name = fields.get("name") or named([shlex.join(words)])[0]
        bot = LeagueBot(_name(name, f"{where}.name"), command=words, budget=budget)
    return replace(bot, digest=digest(bot))


def _of_folder(fields: Mapping[str, Any], where: str, budget: Budget) -> LeagueBot:
    """Return the bot of a folder with a manifest. Raises LeagueError."""
    folder = Path(str(fields["folder"]))
    try:
        known = manifest.read(folder, fields.get("name", folder.name))
        manifest.check(known, folder)
    except BadManifest as error:
        raise LeagueError(f"{where}.folder: {folder}: {error}") from None
    name = _name(fields.get("name", known.name), f"{where}.name")
    return LeagueBot(name, command=known.run, budget=budget, folder=str(folder))


def _words(command: Any, where: str, beginning: str = "") -> tuple[str, ...]:
    """Split a command line into words, after a beginning of STDIO. Raises LeagueError if it cannot be started."""
    if not isinstance(command, str | list | tuple):
        raise LeagueError(f"{where}: {command!r} is not a command line")
    try:
        return parsed(beginning + (command if isinstance(command, str) else shlex.join(map(str, command))))
    except UnusableBot as error:
        raise LeagueError(f"{where}: {error}") from None


def _line_ups(kind: Format, given: Any, bots: Collection[str], seats: int) -> tuple[tuple[str, ...], ...]:
    """Return a name for each seat of each line-up; the last one that is given has all seats that are left."""
    if not kind.takes_line_ups:
        if given is not None:
            raise LeagueError(f'line_ups: they belong to format = "line-ups", and this one is {kind.name!r}')
        return ()
    if not isinstance(given, list) or not given or not all(isinstance(names, list) and names for names in given):
        raise LeagueError('line_ups: expected lists of names of bots such as line_ups = [["mine", "greedy"]]')
    line_ups = []
    for place, names in enumerate(given, start=1):
        where = f"line_ups[{place}]"
        for name in names:
            if name not in bots:
                raise LeagueError(f"{where}: there is no bot {name!r}; known: {', '.join(sorted(bots))}")
        if len(names) > seats:
            raise LeagueError(f"{where}: {len(names)} bots, but a game has {seats} seats")
        line_ups.append((*names, *[names[-1]] * (seats - len(names))))
    if unused := sorted(set(bots).difference(*line_ups)):
        raise LeagueError(f"line_ups: no line-up has the bot {unused[0]!r}; leave it out of bots")
    return tuple(line_ups)


def _check_length(fields: Mapping[str, Any], kind: Format) -> None:
    """Raise LeagueError for a key of another format that gives the length of a league."""
    for key in LENGTHS:
        if key in fields and key not in kind.lengths:
            known = " or ".join(kind.lengths)
            instead = f"give {known}" if known else "it has no end; limit a run with --games"
            raise LeagueError(f"{key}: not with the format {kind.name!r}: {instead}")


def _blocks(fields: Mapping[str, Any], size: int, usual: int) -> int:
    if "games" in fields and "blocks" in fields:
        raise LeagueError(f"games, blocks: give only one of them; a block has {size} games")
    if "blocks" in fields:
        return _number(fields, "blocks", 1, 1_000_000, 1)
    return ceil(_number(fields, "games", 1, 6_000_000, usual) / size)


def checked_seed(given: Any) -> str:
    """Return the text of a seed. Raises LeagueError."""
    try:
        return FairChance(str(given)).seed
    except ValueError as error:
        raise LeagueError(f"seed: {error}") from None


def is_guessable(seed: str) -> bool:
    """Whether a seed is too short, or has too few different characters, for 128 bits.

    A longer seed is not guessable only if it was drawn at random, which cannot be checked.
    """
    return len(seed) < UNGUESSABLE_LENGTH or len(set(seed)) < UNGUESSABLE_KINDS


def _settings(given: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(given, dict):
        raise LeagueError('options: expected a table such as [options], give_up = "free"')
    for name in given:
        if name in ("edition", "target"):
            raise LeagueError(f"options.{name}: give it as {name}, outside of options")
    return tuple(sorted((name, str(value)) for name, value in given.items()))


def clock_of(given: Any) -> int | str:
    """Return seconds for each decision, or the text of a bank with an increment, as `600+15`. Raises LeagueError."""
    known = f'a whole number of seconds from 1 to {LONGEST_CLOCK}, or a text such as "30s", "10m+15s" or "2s cpu"'
    if isinstance(given, str) and given.strip().endswith(CPU):
        seconds = clock_of(given.strip().removesuffix(CPU))
        if isinstance(seconds, str):
            raise LeagueError(f'clock: {given!r}: CPU time is counted for each decision, as in "2s cpu"')
        return f"{seconds}{CPU}"
    if not isinstance(given, int | str) or isinstance(given, bool):
        raise LeagueError(f"clock: {given!r}: expected {known}")
    try:
        decision, bank, increment = clock.read(str(given))
    except Refused as error:
        if error.facts["which"] != "ZERO":
            raise LeagueError(f"clock: {error}") from None
        decision = bank = increment = 0  # its sentence says to leave the clock out, which no league can
    if not 1 <= max(decision, bank, increment) <= LONGEST_CLOCK:
        raise LeagueError(f"clock: {given!r}: a league needs a clock, of a day at most: expected {known}")
    return f"{bank}+{increment}" if bank else decision


def absence_of(given: object) -> int:
    """Return seconds for which a remote bot is waited for; digits are a number. Raises LeagueError."""
    value = int(given) if isinstance(given, str) and given.isdecimal() else given
    return int(_number({"absence": value}, "absence", 0, MOST_ABSENCE, ABSENCE))


def _start(given: Any) -> str:
    """Return when a league with remote bots starts: a word, or a time in ISO 8601. Raises LeagueError."""
    if given in (CONNECTED, COMMAND):
        return str(given)
    with suppress(ValueError, TypeError):
        time = given if isinstance(given, datetime) else datetime.fromisoformat(given)
        if time.tzinfo is not None:
            return time.isoformat()
    known = f'"{CONNECTED}", "{COMMAND}", or a time with its difference to UTC, such as "2026-12-05T20:00+01:00"'
    raise LeagueError(f"start: {str(given)!r}: expected {known}")


def _stop(kind: Format, given: Any) -> Stopping:
    keys = ("score", "elo0", "elo1", "margin", "beta", "alpha") if kind.is_gate else ("width", "alpha")
    if not isinstance(given, dict):
        example = "elo1 = 60" if kind.is_gate else "width = 0.05"
        raise LeagueError(f"stop: expected a table such as [stop], {example}")
    _known(given, keys, "stop.")
    ends = {"margin": (-1, 1), "elo0": (-MOST_POINTS, MOST_POINTS), "elo1": (-MOST_POINTS, MOST_POINTS)}
    for name, value in given.items():
        least, most = ends.get(name, (0, 1))
        if name == "score":
            _one_of(given, name, SCORES, GATE.score, "stop")
        elif not isinstance(value, int | float) or isinstance(value, bool) or not least < value < most:
            raise LeagueError(f"stop.{name}: {value!r}: expected a number between {least} and {most}")
    if not kind.is_gate:
        return Stopping(**given)
    if "margin" in given:  # compares the win share with one value
        others = [name for name in ("elo0", "elo1", "beta") if name in given]
        if others or given.get("score", "wins") != "wins":
            key = others[0] if others else "score"
            raise LeagueError(f"stop.{key}: not with margin, which compares wins with one share; leave one out")
        return Stopping(**given)
    stop = replace(GATE, **given)
    if not (stop.elo0 or 0.0) < (stop.elo1 or 0.0):
        raise LeagueError(f"stop.elo1: {stop.elo1:g}: expected more than elo0, which is {stop.elo0:g}")
    return stop


def _check_rules(result: League) -> None:
    """Raise LeagueError for invalid options."""
    some = tuple(bot.name for bot in result.bots[: result.seats])
    try:
        for line_up in set(line_ups(result)) or {some}:
            result.rules(line_up)
    except OptionError as error:
        key = "target" if str(error).startswith("target") else "options"
        raise LeagueError(f"{key}: {error}") from None


def _known(fields: Mapping[str, Any], known: Collection[str], where: str) -> None:
    for key in fields:
        if key not in known:
            raise LeagueError(f"{where}{key}: unknown; known: {', '.join(known)}")


def _policy(given: Any, where: str) -> str:
    if not isinstance(given, str) or not is_policy(given):
        wrong = fault(given) if isinstance(given, str) else None
        unknown = f"{given!r} is unknown; known: {', '.join(KNOWN)}"
        raise LeagueError(f"{where}.bot: {wrong or unknown}")
    return given


def _name(given: Any, where: str) -> str:
    if not isinstance(given, str) or not NAME.fullmatch(given):
        allowed = f"up to {LONGEST_NAME} letters, digits, dots, dashes or underscores"
        raise LeagueError(f"{where}: {given!r}: expected {allowed}, the first one a letter or digit")
    return given


def _one_of(fields: Mapping[str, Any], key: str, known: Collection[str], usual: str, where: str = "") -> Any:
    value = fields.get(key, usual)
    if value not in known:
        raise LeagueError(f"{where}{'.' if where else ''}{key}: {value!r} is unknown; known: {', '.join(known)}")
    return value


def _switch(fields: Mapping[str, Any], key: str, where: str = "") -> bool:
    value = fields.get(key, False)
    if not isinstance(value, bool):
        raise LeagueError(f"{where}{'.' if where else ''}{key}: {value!r}: expected true or false")
    return value


def _check_remote(result: League, fields: Mapping[str, Any]) -> None:
    """Raise LeagueError for settings that only leagues with, or only those without remote bots can have."""
    given = [key for key in REMOTE_KEYS if key in fields]
    if given and not result.remote:
        raise LeagueError(f"{given[0]}: it is for leagues with remote bots, and none has remote = true")
    if result.remote and result.analysis:
        raise LeagueError("analysis: remote bots have no analysis service; leave it out")
    if result.remote and cpu_seconds(result.clock):
        raise LeagueError(NO_CPU)


def _number(fields: Mapping[str, Any], key: str, least: int, most: int, usual: T) -> T | int:
    if key not in fields:
        return usual
    value = fields[key]
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise LeagueError(f"{key}: {value!r}: expected a whole number from {least} to {most}")
    return value
