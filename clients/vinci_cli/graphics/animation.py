"""A game as an animated picture: an SVG that plays it in 20 seconds, again and again, in any browser, also as an image.

It moves by the style sheet in it (`animation.css`), without a script. Where nothing moves, as in print or for people
who want less motion, it shows the end of the game.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple, TypeVar

from markupsafe import Markup

from vinci.v1 import game_pb2 as pb
from vinci_html.text import short

from ..game.replay import PlayedGame
from ..game.statistics import story
from ..game.summary import headline
from ..text.names import round_title
from . import board_svg, text_width
from .board_svg import HOLDERS, SEATS_OF, Place, places, stage
from .labels import Box, LabelPart, token
from .symbols import SEATS

SECONDS: Final = 20
FIRST, LAST = 2.0, 86.0
"""Percent of the time at which the second frame begins, and the last one, which stays until all begins again."""
MOST_FRAMES: Final = 120
"""Most frames of a picture; of a longer game some turns are passed over."""
TITLE: Final = 64
HEAD: Final = 130
"""Height of the title above the map."""
ROW, COLUMN = 78, 1150
"""Height of the row of a seat, and its least width."""
NAME, BAR = 470, 520
"""Width of the name in the row of a seat, and of its bar; its score follows."""
LONGEST_NAME: Final = 18

T = TypeVar("T")


class Interval(NamedTuple):
    """Frames in which something is seen: the first one, and the one after the last."""

    first: int
    end: int


class Row(NamedTuple):
    """A seat below the map: where, its name, the length of its bar at the end, and its scores."""

    seat: int
    x: float
    y: float
    name: str
    bar: float
    scores: Sequence[tuple[int, Interval]]


def picture(played: PlayedGame) -> str:
    """Return the animated picture of a game in the chosen language."""
    states, statistics, scene = _frames(played), story(played.updates), stage(played, legend=False)
    last = len(states) - 1
    contents = dict(zip(states[0].provinces, zip(*map(places, states), strict=True), strict=True))
    held = {code: _runs([place.holder for place in contents[code]]) for code in scene.held}
    tokens: dict[str, LabelPart] = {}
    marks = [(part, _seen(part, contents[part.code], tokens)) for part in scene.marks]
    rows = _rows(played, states, max(*statistics.start, *(seat.vp for seat in states[-1].seats), statistics.target))
    titles = [(round_title(number), seen) for number, seen in _runs([state.round for state in states[:-1]])]
    ended = headline(statistics, played.names)
    titles.append((ended, Interval(last, last + 1)))
    seen = [seen for _part, found in marks for _id, seen in found]
    seen += [seen for row in rows for _vp, seen in row.scores] + [seen for _title, seen in titles]
    width = played.board_map.width
    film: dict[str, Any] = {
        "style": "animation.css",
        "over": "animation_marks.svg",
        "seconds": SECONDS,
        "always": Interval(0, last + 1),
        "last": last,
        "times": [f"{time:.2f}".rstrip("0").rstrip(".") for time in _times(last)],
        "intervals": sorted(set(seen)),
        "held": {code: runs for code, runs in held.items() if len(runs) > 1},
        "looks": LOOKS,
        "tokens": tokens,
        "marks": marks,
        "titles": titles,
        "title": (width / 2, -HEAD * 0.4, TITLE * min(1, width / text_width.width(ended, TITLE))),
        "rows": rows,
        "bars": {row.seat: _bar(row.scores) for row in rows},
        "name": NAME,
        "bar": BAR,
        "credit": (width, rows[-1].y + ROW / 2 + 20),
    }
    bounds = Box(-24, -HEAD, width + 48, HEAD + film["credit"][1] + 20)
    looks = {code: _look(code, runs) for code, runs in held.items()}
    return board_svg.drawn(played.board_map, played.board, scene.parts, bounds, looks, film=film)


def _css(holder: str) -> str:
    """Return how a province of a holder looks; what is inherited by its tint and its band."""
    if not holder:
        return "fill:none;stroke:none"
    seat = int(holder[3:])
    fill = f"url(#declined{seat});fill-opacity:.6" if holder.startswith("dec") else f"{SEATS[seat]};fill-opacity:.3"
    width = board_svg.BAND if seat else board_svg.BAND / 2
    return f"fill:{fill};stroke:{SEATS[seat]};stroke-width:{width:g}"


LOOKS: Final = tuple(map(_css, HOLDERS))


def _frames(played: PlayedGame) -> list[pb.State]:
    """Return positions at the start of turns, at most MOST_FRAMES, and the last one."""
    turns = played.turns()
    every = -(-len(turns) // MOST_FRAMES)
    states = [played.updates[turn.step].state for turn in turns[::every]]
    return [*states, played.updates[-1].state]


def _times(last: int) -> list[float]:
    """Return the percent of the time at which each frame begins."""
    return [0.0, *(FIRST + (LAST - FIRST) * number / max(last - 1, 1) for number in range(last))]


def _runs(values: Sequence[T]) -> list[tuple[T, Interval]]:
    """Return each value that stays for some frames with these frames."""
    runs, first = [], 0
    for value, same in groupby(values):
        end = first + len(list(same))
        runs.append((value, Interval(first, end)))
        first = end
    return runs


def _seen(part: LabelPart, contents: Sequence[Place], tokens: dict[str, LabelPart]) -> list[tuple[str, Interval]]:
    """Return the ids of what is drawn at the place of a token or fort, and when; collects the tokens themselves."""
    if part.kind == "fort":
        return [("fort", seen) for fort, seen in _runs([place.fort for place in contents]) if fort]
    found = []
    for (holder, pawns), seen in _runs([(place.holder, place.pawns) for place in contents]):
        if pawns:
            name = f"{HOLDERS[holder]}-{pawns}"
            seat, declined = int(SEATS_OF[holder] or 0), HOLDERS[holder].startswith("dec")
            tokens[name] = token(str(pawns), part.size, seat, declined=declined)
            found.append((name, seen))
    return found


def _rows(played: PlayedGame, states: Sequence[pb.State], most: int) -> list[Row]:
    """Place the seats in columns; `most` VP make a whole bar."""
    rows = []
    columns = played.board_map.width // COLUMN or 1
    for index, seat in enumerate(states[-1].seats):
        line, column = divmod(index, columns)
        x, y = played.board_map.width * column / columns, played.board_map.height + 40 + ROW * (line + 0.5)
        scores = _runs([state.seats[index].vp for state in states])
        name = short(played.names.player(seat.seat), LONGEST_NAME)
        rows.append(Row(seat.seat, x, y, name, max(BAR * seat.vp / most, 1), scores))
    return rows


def _bar(scores: Sequence[tuple[int, Interval]]) -> list[tuple[int, float]]:
    """Return the length of a bar as a share of that at its end, at frames between which it grows evenly."""
    end = max(scores[-1][0], 1)
    points = [(0, scores[0][0] / end)]
    for (before, _seen), (vp, seen) in pairwise(scores):
        points += [(seen.first - 1, before / end), (seen.first, vp / end)]
    return list(dict(points).items())


def _look(code: str, runs: Sequence[tuple[int, Interval]]) -> Markup:
    """Return the attributes of a province: its look at the end, and the name of its changes."""
    look = LOOKS[runs[-1][0]]
    if len(runs) == 1:
        return Markup('style="{}"').format(look)
    return Markup('class="p" style="{};animation-name:p{}"').format(look, code)
