"""The report for programs: JSON with all data, CSV of standings and of games, JUnit XML, games for a script."""

import base64
import csv
import json
import zlib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from io import StringIO
from itertools import chain, islice, pairwise
from json.encoder import encode_basestring_ascii as _quoted
from math import isinf
from typing import Any, Final
from xml.etree import ElementTree

from vinci_html.text import printable

from ..definition.league import Conditions
from ..definition.schedule import turned
from ..play.files import safe_name
from ..results.result import CivilizationResult, Result
from ..stats.values import Estimate, Standings
from .contents import Report

VERSION: Final = 1
"""Version of the JSON; it grows when a key is removed or changes its meaning."""

AT_ONCE: Final = 500
"""Games that are formatted at a time, so that large leagues need little memory."""

ESTIMATES: Final = ("rating", "win_share", "mean_rank", "margin")

STANDINGS_HEADS: Final = (
    "forfeits_count",
    "place",
    "bot",
    "games",
    "forfeits",
    *(f"{name}{end}" for name in ESTIMATES for end in ("", "_low", "_high")),
    "rating_least",
    "rating_most",
)
GAMES_HEADS: Final = (
    *("game", "block", "rotation", "seed", "rounds", "actions", "hash"),
    *("seat", "bot", "rank", "vp", "forfeit", "forfeit_action", "forfeit_position"),
)


def to_json(report: Report) -> str:
    """Return the whole report as JSON. Keys are names of fields; seats count from 0.

    An estimate without an interval has its value as `low` and `high`. So has one with an open end, which has its bound
    as `least` or `most`.
    """
    return "".join(json_parts(report))


def json_parts(report: Report) -> Iterator[str]:
    """Yield the JSON of a report in parts; each game has a line."""
    league = report.league
    figures = plain(report.figures)
    if not report.figures.line_ups:
        del figures["line_ups"]
    del figures["mutual_attacks"]
    if pairs := report.figures.mutual_attacks:
        figures["mutual_attacks"] = [plain(pair) | {"is_flagged": pair.is_flagged} for pair in pairs]
    settings = plain(league) | {"options": dict(sorted(league.options.items()))}
    for name in ("remarks", "tables", "history", "left"):
        if not settings[name]:
            del settings[name]
    content = {
        "version": VERSION,
        "league": settings,
        "figures": figures,
        "rank_counts": report.rank_counts,
    }
    yield json.dumps(content, indent=1, allow_nan=False).removesuffix("\n}")
    separator = ',\n "games": [\n  '
    games = map(_Games().line, report.games)
    while several := list(islice(games, AT_ONCE)):
        yield separator + ",\n  ".join(several)
        separator = ",\n  "
    yield "\n ]\n}\n"


class _Games:
    """Formats games as JSON; what recurs, such as names and civilizations, is formatted once."""

    def __init__(self) -> None:
        self._texts: Final[dict[int, str]] = {}

    def line(self, result: Result) -> str:
        """Return a game as a JSON object in one line."""
        bots, ranks = self._text(result.bots), self._text(result.ranks)
        middle = f'"vp": {list(result.vp)}, "rounds": {result.rounds}, "actions": {result.actions}'
        forfeits = json.dumps([forfeit._asdict() for forfeit in result.forfeits]) if result.forfeits else "[]"
        try:
            civilizations = ", ".join(map(self._texts.__getitem__, map(id, result.civilizations)))
        except KeyError:
            civilizations = ", ".join(map(self._text, result.civilizations))
        attacks = ", ".join([self._text(row) for row in result.attacks])
        start = f'{{"block": {result.block}, "rotation": {result.rotation}, "seed": {_quoted(result.seed)}'
        return (
            f'{start}, "bots": {bots}, "ranks": {ranks}, {middle}, "forfeits": {forfeits}, '
            f'"civilizations": [{civilizations}], "attacks": [{attacks}], "hash": {_quoted(result.hash)}}}'
        )

    def _text(self, value: tuple[object, ...]) -> str:
        """Return the JSON of a tuple of the report, which keeps it alive, so that its id names it."""
        text = self._texts.get(id(value))
        if text is None:
            if isinstance(value, CivilizationResult):
                text = f'{{"seat": {value.seat}, "traits": {self._text(value.traits)}, "vp": {value.vp}}}'
            else:
                text = json.dumps(value)
            self._texts[id(value)] = text
        return text


def plain(value: Any) -> Any:
    """Return a value of JSON: records become objects, and an open end of an estimate `least` or `most`."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Estimate) and value.is_open:
        known = {"most": value.high} if isinf(value.low) else {"least": value.low}
        return Estimate(value.value, value.value, value.value)._asdict() | known
    if isinstance(value, Conditions):
        return value.stored()
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def csv_standings(report: Report) -> str:
    """Return a row for each bot, the best first; if the standings without forfeits differ, their rows follow.

    `forfeits_count` is `last` where a forfeit counts as last place, `out` where its game is left out.
    """
    rows = list(_standings(report.figures.standings, "last"))
    if report.adjusted:
        rows += _standings(report.adjusted, "out")
    return as_csv([STANDINGS_HEADS, *rows])


def _standings(standings: Standings, counting: str) -> Iterable[Sequence[object]]:
    for place, standing in enumerate(standings.bots, 1):
        given = plain(standing)
        estimates = (given[name][key] for name in ESTIMATES for key in ("value", "low", "high"))
        bounds = (given["rating"].get(key, "") for key in ("least", "most"))
        yield (counting, place, standing.bot, standing.games, standing.forfeits, *estimates, *bounds)


def csv_games(report: Report) -> str:
    """Return a row for each seat of each game, by block, rotation and seat. Seats count from 1."""
    return "".join(csv_games_parts(report))


def csv_games_parts(report: Report) -> Iterator[str]:
    """Yield the CSV of games in parts."""
    yield as_csv([GAMES_HEADS])
    games = iter(report.games)
    while several := list(islice(games, AT_ONCE)):
        yield as_csv(row for game in several for row in _seats(game))


def _seats(game: Result) -> Iterator[Sequence[object]]:
    forfeits = {forfeit.seat: (forfeit.reason, forfeit.action, forfeit.position) for forfeit in game.forfeits}
    about = (game.key, game.block, game.rotation, game.seed, game.rounds, game.actions, game.hash)
    for seat, (bot, rank, vp) in enumerate(zip(game.bots, game.ranks, game.vp, strict=True)):
        yield (*about, seat + 1, bot, rank, vp, *forfeits.get(seat, ("", "", "")))


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV."""
    file = StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def junit(report: Report) -> str:
    """Return a testsuite with a testcase for each gate: passed, failed, or skipped if the gate is inconclusive.

    Empty for a league without a gate.
    """
    gates = report.league.gates
    if not gates:
        return ""
    counts = {
        "tests": str(len(gates)),
        "failures": str(sum(gate.outcome == "fail" for gate in gates)),
        "errors": "0",
        "skipped": str(sum(gate.outcome == "inconclusive" for gate in gates)),
    }
    suite = ElementTree.Element("testsuite", {"name": printable(report.league.name), **counts})
    for gate in gates:
        case = {"classname": "vinci.gate", "name": printable(gate.question)}
        element = ElementTree.SubElement(suite, "testcase", case)
        if gate.outcome != "pass":
            name = "failure" if gate.outcome == "fail" else "skipped"
            ElementTree.SubElement(element, name, {"message": printable(gate.reason)})
        else:
            ElementTree.SubElement(element, "system-out").text = printable(gate.reason)
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode") + "\n"


def packed(games: Sequence[Result], remote: Container[str] = ()) -> str:
    """Return games as base64 of a zlib stream of JSON: columns, since they compress best; 8 to 10 bytes a game.

    `blocks` are differences from the game before, `line_ups` those of rotation 0. Ranks that follow from the VP are
    left out. `remote` bots have no logs, so `files` has "" for them.
    """
    bots = sorted(set(chain.from_iterable(game.bots for game in games)))
    number = {bot: place for place, bot in enumerate(bots)}
    circles = [turned(game.bots, -game.rotation) for game in games]
    line_ups = {bots: place for place, bots in enumerate(dict.fromkeys(circles))}
    columns = {
        "bots": [printable(bot) for bot in bots],
        "files": ["" if bot in remote else safe_name(bot) for bot in bots],
        "line_ups": [[number[bot] for bot in bots] for bots in line_ups],
        "line_up": [line_ups[bots] for bots in circles],
        "blocks": [games[0].block, *(after.block - before.block for before, after in pairwise(games))],
        "rotations": [game.rotation for game in games],
        "vp": list(zip(*(game.vp for game in games), strict=True)),
        "ranks": {place: game.ranks for place, game in enumerate(games) if game.ranks != _ranks(game.vp)},
        "rounds": [game.rounds for game in games],
        "actions": [game.actions for game in games],
        "forfeits": {
            place: {forfeit.seat: printable(forfeit.reason) for forfeit in game.forfeits}
            for place, game in enumerate(games)
            if game.forfeits
        },
    }
    return base64.b64encode(zlib.compress(json.dumps(columns, separators=(",", ":")).encode())).decode()


def _ranks(vp: tuple[int, ...]) -> tuple[int, ...]:
    in_order = sorted(vp, reverse=True)
    return tuple([in_order.index(own) + 1 for own in vp])
