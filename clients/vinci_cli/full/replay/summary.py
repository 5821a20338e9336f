"""The summary of a game: ranking, VP over time, what each civilization earned, the biggest turns; and its page."""

from collections.abc import Callable
from typing import Final, final

from ...game.statistics import CivilizationStatistics, GameStatistics
from ...game.summary import headline, leads, margin, rounds_text, shares, source_texts, thought_text
from ...review import pages, words
from ...review.model import GameReview
from ...review.process import BackgroundReview
from ...text.i18n import _, plural
from ...text.names import Catalogue
from ...text.tables import Line
from .. import LEAST_COLUMNS, LEAST_ROWS
from ..toolkit.app import App
from ..toolkit.block import Block, Depth, beside, cells, cut, fitted, padded, stacked, width, wrapped
from ..toolkit.plot import plot
from ..toolkit.text import Segment, across, button, flowed, key_name, written

LEFT: Final = 42
"""Cells of the ranking beside the chart."""

WIDE: Final = 130
"""Columns from which on the civilizations stand beside the rest."""

CHART_ROWS: Final = 13
BAR: Final = 16
INDENT: Final = 9
BIGGEST: Final = 5
PARTS: Final = (("█", ""), ("▓", ""), ("░", " class:declined"))
"""Parts of a bar: land, traits, and everything in decline."""


def summary(
    story: GameStatistics, names: Catalogue, columns: int, rows: int, review: GameReview | None = None
) -> Block:
    """The whole summary at this width, with the review if there is one; a window shows as many `rows` of it."""
    title = Block([[("class:title", headline(story, names))], *_turning(story, names, columns), []])
    if columns < WIDE:
        chart = chart_rows(rows)
        top = beside(fitted(ranking(story, names), LEFT, chart), _chart(story, columns - LEFT, chart))
        rest = [
            reviewed(review, names, columns),
            civilizations(story, names, columns),
            biggest(story, names),
            thoughts(story, names),
        ]
        return stacked(title, top, *(fitted(part, columns, part.height) for part in rest if part.lines))
    half = columns // 2 - 1
    left = stacked(
        ranking(story, names),
        Block([[]]),
        _chart(story, half, max(CHART_ROWS, min(rows - 20, 30))),
        reviewed(review, names, half),
        biggest(story, names),
        thoughts(story, names),
    )
    right = civilizations(story, names, columns - half - 2)
    high = max(left.height, right.height)
    return stacked(title, beside(fitted(left, half + 2, high), fitted(right, columns - half - 2, high)))


def _turning(story: GameStatistics, names: Catalogue, columns: int) -> list[Line]:
    """The margin of the winner, and when the lead changed."""
    text = " ".join(filter(None, [margin(story, names), leads(story, names)]))
    return wrapped(text, columns, "class:hint") if text else []


def chart_rows(rows: int) -> int:
    """Rows of the chart in a window of this height."""
    return max(CHART_ROWS, min(rows // 2, 24))


def ranking(story: GameStatistics, names: Catalogue) -> Block:
    """A line for each seat, the best first, with the sources of its VP below."""
    lines: list[Line] = []
    for rank, seat in story.ranking():
        line: Line = [("class:title", f"{rank}. "), (f"class:seat{seat}", f"{seat} {names.player(seat)}")]
        score = _("{vp} VP").format(vp=story.score(seat))
        lines.append([*padded(line, LEFT - 11), ("class:title", f"{score:>8}")])
        facts = [plural("{n} civilization", "{n} civilizations", len(story.civilizations_of(seat)))]
        if price := story.sources(seat)[-1]:
            facts.append(_("prices {n:+d}").format(n=price))
        if story.start[seat - 1]:
            facts.append(_("start {n}").format(n=story.start[seat - 1]))
        if seat in story.forfeited:
            facts.append(_("left the game"))
        lines.append([("", "   "), *cut([("class:faint", ", ".join(facts))], LEFT - 5)])
    return Block(lines)


def _chart(story: GameStatistics, columns: int, rows: int) -> Block:
    return plot(story.vp, story.rounds[0], story.target, columns, rows)


def civilizations(story: GameStatistics, names: Catalogue, columns: int) -> Block:
    """VP of each civilization, by seat in the order of the ranking."""
    lines: list[Line] = [[("class:title", _("What each civilization earned"))], _legend()]
    most = max((civilization.earned() for civilization in story.civilizations), default=1) or 1
    for _rank, seat in story.ranking():
        lines.append([(f"class:seat{seat}", f"{seat} {names.player(seat)}")])
        for civilization in story.civilizations_of(seat):
            lines += _civilization(civilization, most, names, columns)
    return Block([*lines, []])


def _legend() -> Line:
    texts = (_("provinces"), _("traits"), _("in decline"))
    return [
        part for (sign, _style), text in zip(PARTS, texts, strict=True) for part in (("", sign), ("", f" {text}  "))
    ]


def _civilization(civilization: CivilizationStatistics, most: int, names: Catalogue, columns: int) -> list[Line]:
    when = rounds_text(civilization)
    line: Line = [
        ("class:faint", f"  {when:<{INDENT - 2}}"),
        *padded([(f"class:seat{civilization.seat}", names.civilization(civilization.traits))], 28),
        ("class:title", f"{civilization.earned():>4} "),
        *bar(civilization, most),
        ("", " "),
    ]
    parts = ", ".join(source_texts(civilization, names))
    room = columns - width(line)
    if cells(parts) <= room:
        return [[*line, ("", parts)]]
    return [line, *([("", " " * INDENT), *part] for part in wrapped(parts, columns - INDENT))]


def bar(civilization: CivilizationStatistics, most: int) -> Line:
    """VP as a bar; `most` VP fill it."""
    line: Line = []
    done = total = 0
    for vp, (sign, style) in zip(shares(civilization), PARTS, strict=True):
        total += vp
        upto = round(total * BAR / most)
        line.append((f"class:seat{civilization.seat}{style}", sign * (upto - done)))
        done = upto
    return [*line, ("", " " * (BAR - done))]


def biggest(story: GameStatistics, names: Catalogue) -> Block:
    """The turns with the most VP."""
    lines: list[Line] = [[("class:title", _("The biggest turns"))]]
    for turn in story.biggest(BIGGEST):
        text = _("round {round}: {who} with {civilization}").format(
            round=turn.round, who=names.seat(turn.seat), civilization=names.civilization(turn.traits)
        )
        lines.append([("class:title", f"{turn.vp:>4} "), (f"class:seat{turn.seat}", text)])
    return Block([*lines, []])


def reviewed(review: GameReview | None, names: Catalogue, columns: int) -> Block:
    """The review of the game: players and turning points; nothing without one."""
    if review is None:
        return Block()
    table = pages.players(review, names)
    heads, rows = table[: -len(review.players)], table[-len(review.players) :]
    lines: list[Line] = [[("class:title", _("Review"))], *([("class:faint", head)] for head in heads)]
    lines += [[(f"class:seat{player.seat}", row)] for player, row in zip(review.players, rows, strict=True)]
    lines += wrapped(words.explanation(review), columns, "class:faint")
    if review.turning_points:
        lines.append([("class:faint", words.points_title())])
    for point in review.turning_points:
        lines += wrapped(words.point_text(point, review, names), columns, f"class:seat{point.seat}")
    return Block([*([*cut(line, columns)] for line in lines), []])


def thoughts(story: GameStatistics, names: Catalogue) -> Block:
    """Thinking times of all seats, if known."""
    if not story.thought:
        return Block()
    lines: list[Line] = [[("class:title", _("Time to think"))]]
    lines += ([(f"class:seat{seat}", thought_text(story, seat, names))] for seat in story.thought)
    return Block([*lines, []])


STEPS: Final = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -10_000, "end": 10_000}
"""Rows that a key scrolls down."""


@final
class SummaryPage:
    """The summary of a game in full screen; its result is "replay", "rematch" or "leave".

    `save` writes the game as an HTML page and returns a sentence about it, `animate` as an animated picture; None if
    that is not possible. `background` reviews the game if that is asked for. `can_rematch` offers another game.
    `notice` is shown until the next key.

    Attributes:
        goes_back: whether Escape goes back to the replay instead of leaving.
    """

    refresh_seconds = 0.0

    def __init__(
        self,
        app: App,
        story: GameStatistics,
        names: Catalogue,
        save: Callable[[], str] | None = None,
        animate: Callable[[], str] | None = None,
        *,
        background: BackgroundReview | None = None,
        can_rematch: bool = False,
        notice: str = "",
    ) -> None:
        self._app: Final = app
        self._story: Final = story
        self._names: Final = names
        self._files: Final = {"h": save, "a": animate}
        self._background: Final = background or BackgroundReview()
        self._results: Final = {"r": "replay", "q": "leave", "escape": "leave", "c-c": "leave", "c-d": "leave"}
        if can_rematch:
            self._results["m"] = "rematch"
        self.goes_back = False
        self._back = 0
        self._farthest = 0
        self.notice = notice
        self._news = ""

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """The visible part of the summary, and the keys."""
        whole = summary(self._story, self._names, columns, rows, self._background.review)
        foot = self._footer(columns, is_large=columns >= LEAST_COLUMNS and rows >= LEAST_ROWS)
        high = rows - foot.height
        self._farthest = max(whole.height - high, 0)
        self._back = min(self._back, self._farthest)
        part = Block(whole.lines[self._back : self._back + high])
        return stacked(fitted(part, columns, high), fitted(foot, columns, foot.height))

    def _footer(self, columns: int, *, is_large: bool) -> Block:
        shared = {"h": _("share as a file"), "a": _("as an animation")}
        labels = {key: label for key, label in shared.items() if self._files[key] is not None}
        labels |= {"v": _("review")} if self._background.can_start else {}
        labels |= {"r": _("replay")} | ({"m": _("another game")} if "m" in self._results else {}) | {"q": _("leave")}
        labels = {"escape": _("back")} | labels if self.goes_back else labels
        parts = button("↑↓", _("more"), "key pagedown") if self._farthest else []
        for key, label in labels.items():
            parts += [Segment("  " if parts else ""), *button(key_name(key), label, f"key {key}")]
        said = "\n".join(filter(None, [self._news, self.notice or self._background.said]))
        notice = Block(wrapped(said, columns, "class:hint")) if said else Block()
        keys = flowed(parts, columns)[:2] if is_large and across(parts) > columns else [parts]
        return stacked(notice, written(keys, columns))

    def tell(self, text: str) -> None:
        """Show a text below the summary from now on."""
        self._news = text
        self._app.redraw()

    def press(self, key: str) -> None:
        """Take a key."""
        self.notice = ""
        if key in STEPS:
            self._move(STEPS[key])
        elif key in self._results:
            self._app.leave("replay" if key == "escape" and self.goes_back else self._results[key])
        elif (write := self._files.get(key)) is not None:
            self.notice = write()
        elif key == "v":
            self._background.start()

    def click(self, target: str) -> None:
        """Take a click on a key."""
        kind, _blank, key = target.partition(" ")
        if kind == "key":
            self.press(key)

    def scroll(self, target: str, lines: int) -> None:
        """Take the wheel."""
        self._move(3 * lines)

    def _move(self, lines: int) -> None:
        self._back = min(max(self._back + lines, 0), self._farthest)
