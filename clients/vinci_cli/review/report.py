"""A review as lines of text: players, turning points, turns."""

import textwrap
from collections.abc import Iterator, Sequence

from ..text.i18n import _
from ..text.names import Catalogue, round_title
from ..text.tables import WIDTH
from . import words
from .model import GameReview


def players(review: GameReview, names: Catalogue) -> list[str]:
    """Return the table of players: heads in as many lines as they need to fit, then a line for each player."""
    cells = [[names.seat(player.seat), *words.cells(player, review)] for player in review.players]
    heads = [[head] for head in words.heads(review)]
    if _width([[head for (head,) in heads], *cells]) > WIDTH:
        columns = zip(*cells, strict=True)
        heads = [_folded(head, max(map(len, column))) for (head,), column in zip(heads, columns, strict=True)]
    high = max(map(len, heads))
    rows = [[*[""] * (high - len(lines)), *lines] for lines in heads]
    return table([*zip(*rows, strict=True), *cells])


def _width(rows: Sequence[Sequence[str]]) -> int:
    return sum(max(map(len, column)) + 2 for column in zip(*rows, strict=True)) - 2


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows with columns as wide as their cells; the first column is cut if they do not fit."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    widths[0] = max(widths[0] - max(_width(rows) - WIDTH, 0), 1)
    return ["  ".join(_cell(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _cell(text: str, width: int) -> str:
    return text.ljust(width) if len(text) <= width else text[: width - 1] + "…"


def _folded(head: str, width: int) -> list[str]:
    """Return a head as lines of about this width, broken between words."""
    return textwrap.wrap(head, max([width, *map(len, head.split())]))


def points(review: GameReview, names: Catalogue) -> Iterator[str]:
    """Yield the turning points below their title; nothing without any."""
    if review.turning_points:
        yield ""
        yield words.points_title()
    for point in review.turning_points:
        yield from _item(words.point_text(point, review, names))


def turns(review: GameReview, names: Catalogue) -> Iterator[str]:
    """Yield the turns that were compared, by round."""
    now = -1
    for turn in review.turns:
        said = words.verdict(turn)
        if not said:
            continue
        if turn.round != now:
            now = turn.round
            yield ""
            yield round_title(now)
        yield from _item(f"{names.seat(turn.seat)}: {words.played_text(turn, names)}")
        yield from _item(said, "    ")
        if better := words.preferred_text(turn, names):
            text = _("preferred: {turn}") if turn.loss.is_clear else _("as good: {turn}")
            yield from _item(text.format(turn=better), "    ")


def explanation(review: GameReview) -> list[str]:
    """Return what the figures mean."""
    return textwrap.wrap(words.explanation(review), WIDTH)


def _item(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ")
