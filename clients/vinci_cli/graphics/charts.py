"""VP over time as an SVG for a page: a line for each seat, told apart by dashes and marks as well as by colour."""

from html import escape
from typing import Final

from ..game.statistics import GameStatistics
from ..text.i18n import _
from ..text.names import Catalogue

WIDTH: Final = 760
HEIGHT: Final = 380
LEFT, RIGHT, TOP, BOTTOM = 40, 170, 14, 44
LABEL_GAP: Final = 17
"""Least distance between two names at the ends of the lines."""

LONGEST_LABEL: Final = 16
GRIDS: Final = (10, 20, 25, 50, 100, 200, 250, 500)
MOST_GRIDS: Final = 8
MOST_ROUNDS: Final = 36
"""Numbers that fit below the picture."""

DASHES: Final = ("none", "9 4", "2 3", "9 3 2 3", "16 4", "5 5")
"""How the line of each seat is broken, seat 1 first."""

MARKS: Final = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
    "M-3.2 -3.2h6.4v6.4h-6.4z",
    "M0 -4.2L4 3.2H-4z",
    "M0 -4.6L4.6 0L0 4.6L-4.6 0z",
    "M0 4.2L4 -3.2H-4z",
    "M-4.4 -1.4h3v-3h2.8v3h3v2.8h-3v3h-2.8v-3h-3z",
)
"""The mark of each seat around a point: disc, square, triangle, diamond, triangle upside down, cross."""


def curves(story: GameStatistics, names: Catalogue) -> str:
    """The SVG; its colours are the classes line1 to line6, grid, target and ink of the page."""
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    last = max(len(story.rounds) - 1, 1)
    most = max(story.target, *(max(values) for values in story.vp.values()))

    def x(number: int) -> float:
        return round(LEFT + across * number / last, 1)

    def y(vp: int) -> float:
        return round(TOP + down * (1 - vp / most), 1)

    parts = [_frame(story, names)]
    grid = next((step for step in GRIDS if most / step <= MOST_GRIDS), most)
    for vp in range(0, most + 1, grid):
        parts.append(f'<path class="grid" d="M{LEFT} {y(vp)}h{across}"/>')
        parts.append(f'<text class="ink" x="{LEFT - 6}" y="{y(vp) + 4}" text-anchor="end">{vp}</text>')
    centred = 'class="ink" text-anchor="middle"'
    for number in range(0, len(story.rounds), 1 + len(story.rounds) // MOST_ROUNDS):
        shown = story.rounds[number]
        parts.append(f'<text {centred} x="{x(number)}" y="{HEIGHT - BOTTOM + 18}">{shown}</text>')
    parts.append(f'<text {centred} x="{LEFT + across / 2}" y="{HEIGHT - 6}">{escape(_("round"))}</text>')
    parts.append(f'<path class="target" d="M{LEFT} {y(story.target)}h{across}"/>')
    target = escape(_("target {vp}").format(vp=story.target))
    parts.append(f'<text class="ink" x="{LEFT + 4}" y="{y(story.target) - 4}">{target}</text>')
    ends = _apart({seat: y(values[-1]) for seat, values in story.vp.items()})
    for seat, values in story.vp.items():
        points = " ".join(f"{x(number)},{y(vp)}" for number, vp in enumerate(values))
        dash = DASHES[(seat - 1) % len(DASHES)]
        mark = MARKS[(seat - 1) % len(MARKS)]
        parts.append(f'<polyline class="line{seat}" fill="none" stroke-dasharray="{dash}" points="{points}"/>')
        for number, vp in enumerate(values):
            parts.append(f'<path class="mark{seat}" transform="translate({x(number)} {y(vp)})" d="{mark}"/>')
        parts.append(_label(seat, values[-1], x(len(values) - 1), y(values[-1]), ends[seat], names))
    return "\n".join([*parts, "</svg>"])


def _frame(story: GameStatistics, names: Catalogue) -> str:
    scores = ", ".join(f"{names.seat(seat)} {story.score(seat)}" for _rank, seat in story.ranking())
    described = _("VP of each seat at the end of each round. Final scores: {scores}.").format(scores=scores)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="curves" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-labelledby="curves-title curves-text">\n<title id="curves-title">{escape(_("VP over time"))}</title>'
        f'<desc id="curves-text">{escape(described)}</desc>'
    )


def _label(seat: int, vp: int, x: float, y: float, at: float, names: Catalogue) -> str:
    name = names.player(seat)
    shown = name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…"
    mark = MARKS[(seat - 1) % len(MARKS)]
    text = f'{seat} {escape(shown)} <tspan font-weight="bold">{vp}</tspan>'
    return (
        f'<path class="lead" d="M{x + 6} {y}L{x + 16} {at}"/>'
        f'<path class="mark{seat}" transform="translate({x + 23} {at})" d="{mark}"/>'
        f'<text class="ink" x="{x + 32}" y="{round(at + 4, 1)}">{text}</text>'
    )


def _apart(ends: dict[int, float]) -> dict[int, float]:
    """Heights near the given ones, far enough from each other, none below the picture."""
    order = sorted(ends, key=lambda seat: (ends[seat], seat))
    found: dict[int, float] = {}
    free = 0.0
    for seat in order:
        found[seat] = max(ends[seat], free)
        free = found[seat] + LABEL_GAP
    limit = float(HEIGHT - BOTTOM)
    for seat in reversed(order):
        found[seat] = round(min(found[seat], limit), 1)
        limit = found[seat] - LABEL_GAP
    return found
