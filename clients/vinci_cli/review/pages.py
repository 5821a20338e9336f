"""A review as lines of text: players, turning points, turns."""

import textwrap
from collections.abc import Iterator, Sequence

from vinci_html.text import terminal_width, text_table

from ..text.names import Catalogue, round_title
from ..text.tables import WIDTH
from . import words
from .model import GameReview


def report(review: GameReview, names: Catalogue, chart: Sequence[str] = ()) -> Iterator[str]:
    """Yield a whole review, with a chart of the chances if there is one."""
    yield from players(review, names)
    yield ""
    yield from textwrap.wrap(words.explanation(review), WIDTH)
    if chart:
        yield from ("", words.chances_title(), *chart)
    if review.turning_points:
        yield from ("", words.points_title())
    for point in review.turning_points:
        yield from _item(words.point_text(point, review, names))
    yield from turns(review, names)


def players(review: GameReview, names: Catalogue) -> list[str]:
    """Return the table of players: heads in as many lines as they need to fit, then a line for each player."""
    cells = [[names.seat(player.seat), *words.cells(player, review)] for player in review.players]
    heads = [[head] for head in words.heads(review)]
    if max(map(terminal_width, text_table([words.heads(review), *cells]))) > WIDTH:
        folded = zip(words.heads(review), zip(*cells, strict=True), strict=True)
        heads = [textwrap.wrap(head, max(map(len, (*column, *head.split())))) for head, column in folded]
    high = max(map(len, heads))
    rows = zip(*([*[""] * (high - len(lines)), *lines] for lines in heads), strict=True)
    return text_table([*rows, *cells], WIDTH)


def turns(review: GameReview, names: Catalogue) -> Iterator[str]:
    """Yield the turns that were compared, by round."""
    now = -1
    for turn in review.turns:
        said = words.verdict(turn, names)
        if not said:
            continue
        if turn.round != now:
            now = turn.round
            yield ""
            yield round_title(now)
        yield from _item(f"{names.seat(turn.seat)}: {words.played_text(turn, names)}")
        yield from _item(said, "    ")
        if better := words.better_text(turn, names):
            yield from _item(better, "    ")


def _item(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ")
