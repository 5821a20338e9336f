"""The report for programs: JSON with all data, CSV of standings and of games."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from io import StringIO
from itertools import islice
from json.encoder import encode_basestring_ascii as _quoted
from math import isinf
from typing import Any, Final

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
        "rank_counts": report.rank_counts(),
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
        civilizations = ", ".join([self._text(taken) for taken in result.civilizations])
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
