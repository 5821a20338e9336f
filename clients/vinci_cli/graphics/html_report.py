"""A game as one HTML page that needs nothing else: ranking, VP over time, what each civilization earned, board, log.

There is no script and no link in it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Final

from ..full.replay.replay import ReplayPosition
from ..full.replay.summary import headline, rounds_text, shares, thought_text, told
from ..game.played import PlayedGame
from ..game.statistics import CivilizationStatistics, GameStatistics, story
from ..text import events
from ..text.i18n import _, language, plural
from ..text.names import Catalogue
from . import board_svg
from .charts import curves

STYLE: Final = Path(__file__).parent / "report.css"
BAR: Final = 180
"""Width of the longest bar, in CSS pixels."""

BAR_HEIGHT: Final = 12
BIGGEST: Final = 8
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Content-Security-Policy of the page: its own style and nothing else, so no script runs and nothing is loaded."""
PARTS: Final = ("land", "traits", "declined")
"""The parts of a bar."""


def save(path: Path, played: PlayedGame) -> None:
    """Write the page of a game to a file. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(played), encoding="utf-8")


def page(played: PlayedGame) -> str:
    """The page."""
    names = played.names
    told_of = story(played.updates, played.times)
    picture = board_svg.svg(played.board_map, played.board, played.updates[-1].state, names)
    players = ", ".join(names.player(seat) for seat in sorted(told_of.vp))
    title = escape(_("Vinci: {players}").format(players=players))
    sections = [
        _section(_("Ranking"), _ranking(told_of, names)),
        _section(_("VP over time"), f"<figure>{curves(told_of, names)}</figure>"),
        _section(_("What each civilization earned"), _civilizations(told_of, names)),
        _section(_("The biggest turns"), _biggest(told_of, names)),
        _section(_("The board at the end"), f"<figure>{picture}</figure>"),
    ]
    if told_of.thought:
        items = _items(thought_text(told_of, seat, names) for seat in told_of.thought)
        sections.append(_section(_("Time to think"), f"<ul>{items}</ul>"))
    sections.append(_section(_("Turn by turn"), _log(played), long=True))
    return f"""<!DOCTYPE html>
<html lang="{language()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
<header>
<h1>{title}</h1>
<p>{escape(headline(told_of, names))}</p>
<p class="facts">{escape(" · ".join(_facts(played, told_of)))}</p>
</header>
<main>
{"".join(sections)}</main>
<footer>
<p>{escape(_credit())} {escape(played.board_map.credit)}</p>
</footer>
</body>
</html>
"""


def _credit() -> str:
    return _(
        "Vinci is a game by Philippe Keyaerts, first published by Jeux Descartes. Played with an independent "
        "implementation, not affiliated with the author or a publisher."
    )


def _facts(played: PlayedGame, told_of: GameStatistics) -> list[str]:
    """What was settled before the game."""
    match = played.match
    settings = ", ".join(f"{name}={value}" for name, value in sorted(match.options.settings.items()))
    facts = [
        "" if played.played_at is None else datetime.fromtimestamp(played.played_at).date().isoformat(),
        _("edition {edition}").format(edition=match.options.edition or "standard"),
        settings,
        _("board {board}").format(board=match.board),
        _("target {vp} VP").format(vp=told_of.target),
        _("seed {seed}").format(seed=match.seed) if match.seed else "",
        _("started from a position") if match.from_position else "",
        played.fault,
        "" if told_of.ranks else _("not played to its end"),
    ]
    return [fact for fact in facts if fact]


def _section(title: str, content: str, *, long: bool = False) -> str:
    mark = ' class="long"' if long else ""
    return f"<section{mark}>\n<h2>{escape(title)}</h2>\n{content}\n</section>\n"


def _items(texts: Iterable[str]) -> str:
    return "".join(f"<li>{escape(text)}</li>" for text in texts)


def _who(seat: int, names: Catalogue) -> str:
    return f'<span class="who seat{seat}">{seat} {escape(names.player(seat))}</span>'


def _row(*cells: str, numbers: Sequence[int] = ()) -> str:
    """A row of a table; cells at these places hold numbers."""
    marks = (' class="number"' if place in numbers else "" for place in range(len(cells)))
    return f"<tr>{''.join(f'<td{mark}>{cell}</td>' for mark, cell in zip(marks, cells, strict=True))}</tr>\n"


def _table(heads: Sequence[str], rows: Iterable[str], numbers: Sequence[int]) -> str:
    marks = (' class="number"' if place in numbers else "" for place in range(len(heads)))
    head = "".join(f'<th scope="col"{mark}>{escape(text)}</th>' for mark, text in zip(marks, heads, strict=True))
    return (
        f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{"".join(rows)}</tbody>\n</table></div>'
    )


def _ranking(told_of: GameStatistics, names: Catalogue) -> str:
    rows = []
    for rank, seat in told_of.ranking():
        own = [one for one in told_of.civilizations if one.seat == seat]
        price = sum(one.received - one.paid for one in own)
        active = sum(sum(one.active.values()) for one in own)
        declined = sum(sum(one.as_declined.values()) for one in own)
        who = _who(seat, names) + (f" <small>{escape(_('left the game'))}</small>" if seat in told_of.forfeited else "")
        figures = [f"{told_of.start[seat - 1]}", f"{active}", f"{declined}", f"{price:+d}" if price else "0"]
        rows.append(_row(str(rank), who, f"<b>{told_of.score(seat)}</b>", *figures, numbers=range(2, 7)))
    heads = [_("Rank"), _("Seat"), _("VP"), _("At the start"), _("By active empires"), _("In decline"), _("Prices")]
    return _table(heads, rows, range(2, 7))


def _civilizations(told_of: GameStatistics, names: Catalogue) -> str:
    most = max([one.earned() for one in told_of.civilizations], default=0) or 1
    rows = [
        _row(
            _who(seat, names),
            escape(rounds_text(one)),
            f"{escape(names.civilization(one.traits))}<br><small>{escape(', '.join(told(one, names)))}</small>",
            f"<b>{one.earned()}</b>",
            _bar(one, most),
            numbers=(3,),
        )
        for _rank, seat in told_of.ranking()
        for one in told_of.civilizations
        if one.seat == seat
    ]
    heads = [_("Seat"), _("Rounds"), _("Civilization"), _("VP"), ""]
    return _legend() + _table(heads, rows, (3,))


def _legend() -> str:
    texts = (_("provinces"), _("traits"), _("in decline"))
    shown = (f"{_picture([(part, 0, 14)], 1, 14)}{escape(text)}" for part, text in zip(PARTS, texts, strict=True))
    return f'<p class="legend">{"".join(shown)}</p>\n'


def _bar(one: CivilizationStatistics, most: int) -> str:
    """The VP of a civilization by land, by traits and in decline, one behind the other."""
    parts: list[tuple[str, float, float]] = []
    start = 0.0
    for part, vp in zip(PARTS, shares(one), strict=True):
        if vp:
            parts.append((part, start, vp * BAR / most))
        start += vp * BAR / most
    return _picture(parts, one.seat, BAR + 2)


def _picture(parts: Iterable[tuple[str, float, float]], seat: int, wide: int) -> str:
    drawn = []
    for part, start, long in parts:
        colour = f"declined line{seat}" if part == "declined" else f"{part} mark{seat}"
        drawn.append(
            f'<rect class="{colour}" x="{start + 1:.1f}" y="1" width="{max(long - 1.5, 0.5):.1f}" '
            f'height="{BAR_HEIGHT - 2}"/>'
        )
    size = f'width="{wide}" height="{BAR_HEIGHT}" viewBox="0 0 {wide} {BAR_HEIGHT}"'
    kind = "parts bar" if wide > BAR else "parts"
    return f'<svg class="{kind}" {size} aria-hidden="true">{"".join(drawn)}</svg>'


def _biggest(told_of: GameStatistics, names: Catalogue) -> str:
    rows = []
    for turn in told_of.biggest(BIGGEST):
        civilization = escape(names.civilization(turn.traits))
        rows.append(_row(f"<b>{turn.vp}</b>", str(turn.round), _who(turn.seat, names), civilization, numbers=(0, 1)))
    return _table([_("VP"), _("Round"), _("Seat"), _("Civilization")], rows, (0, 1))


def _log(played: PlayedGame) -> str:
    """What happened, a fold for each round."""
    replay = ReplayPosition(played)
    folds: dict[int, list[str]] = {}
    now = replay.turns[0].round
    for step, update in enumerate(played.updates):
        for entry in replay.happened(step):
            starts_turn = entry.rule == events.RULES["turn_started"]
            now = update.state.round if starts_turn else now
            mark = ' class="turn"' if starts_turn else ""
            folds.setdefault(now, []).append(f"<li{mark}>{escape(entry.text)}</li>\n")
    shown = []
    for number, items in folds.items():
        name = escape(_("Round {round}").format(round=number) if number else _("Opening draft"))
        count = escape(plural("{n} line", "{n} lines", len(items)))
        head = f"<summary>{name} <small>{count}</small></summary>"
        shown.append(f"<details>{head}\n<ul>\n{''.join(items)}</ul>\n</details>\n")
    return "".join(shown)
