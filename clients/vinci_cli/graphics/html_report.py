"""A game as one HTML page, which loads nothing: the board step by step, ranking, VP over time, civilizations, and log.

The layout is in `game.html`. The only script is `film.js`, which shows the steps; without it the page has the board at
the end, and everything else.
"""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from markupsafe import Markup

from vinci_html import charts
from vinci_html.pages import data_block, environment, policy_with
from vinci_words.sentences import rule

from ..game.replay import PlayedGame, ReplayPosition
from ..game.statistics import CivilizationStatistics, GameStatistics, story
from ..game.summary import headline, rounds_text, shares, source_texts, thought_text
from ..review import words
from ..review.model import GameReview
from ..text.i18n import _, language, plural
from ..text.names import Catalogue, round_title
from . import symbols
from .film import empires_of, page_board
from .film import steps as film_of

BAR: Final = 180
"""Width of the longest bar, in CSS pixels."""

BIGGEST: Final = 8
"""Number of turns in the table of the biggest turns."""

MOST_NUMBERS: Final = 18
"""Most numbers of rounds below the chart beside the board, whose letters are large."""

MOST_BYTES: Final = 600_000
"""Most bytes of a page. That of a long game has its last steps only."""

MOST_POINTS: Final = 150
"""Most rounds in the curves of VP, which are drawn at equal distances."""

MOST_CIVILIZATIONS: Final = 120
"""Most civilizations that are listed; of more, those that earned most."""

PAGES: Final = environment("vinci_cli.graphics")
SCRIPT: Final = (Path(__file__).parent / "templates" / "film.js").read_text(encoding="utf-8")
PAGES.globals |= {
    "_": _,
    "plural": plural,
    "BAR": BAR,
    "BIGGEST": BIGGEST,
    "round_title": round_title,
    "rounds_text": rounds_text,
    "sources": source_texts,
    "thought_text": thought_text,
    "words": words,
    "empires": empires_of,
    "look": symbols,
}


class RankingRow(NamedTuple):
    """A seat in the ranking: VP of its active and declined civilizations, and the balance of prices."""

    rank: int
    seat: int
    active: int
    declined: int
    price: int


def save(path: Path, played: PlayedGame) -> None:
    """Write the page of a game to a file. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(played), encoding="utf-8")


def page(played: PlayedGame) -> str:
    """Return the page in the chosen language, of a long game with as many of its last steps as MOST_BYTES allow."""
    board, kept = page_board(played), len(played.updates)
    text = _page(played, board, kept)
    while (excess := len(text.encode()) - MOST_BYTES) > 0 and kept > 1:
        per_step = len(text[text.index('<section id="log"') :].encode()) / kept  # the log, and after it the data
        kept = max(1, kept - 1 - int(excess / per_step))
        text = _page(played, board, kept)
    return text


def _page(played: PlayedGame, board: Markup, kept: int) -> str:
    """Return the page with this board, and of the steps the last ones that are `kept`."""
    names = played.names
    shown = replace(played, updates=played.updates[-kept:])
    statistics = story(played.updates, played.times)
    order = [seat for _rank, seat in statistics.ranking()]
    most = max((civilization.earned() for civilization in statistics.civilizations), default=0) or 1
    players = ", ".join(names.player(seat) for seat in sorted(statistics.vp))
    civilizations = sorted(statistics.civilizations, key=CivilizationStatistics.earned)[-MOST_CIVILIZATIONS:]
    civilizations.sort(key=lambda civilization: (order.index(civilization.seat), civilization.taken))
    film = film_of(shown, played.updates[0].state.round) | {
        "play": _("play"),
        "pause": _("pause"),
        "target": statistics.target,
        "chart": _chart_of(statistics),
    }
    return PAGES.get_template("game.html").render(
        language=language(),
        policy=policy_with(SCRIPT),
        script=Markup(SCRIPT),
        film=film,
        data=data_block(film),
        final=played.updates[-1].state,
        style="game.css",
        title=_("Vinci: {players}").format(players=players),
        headline=headline(statistics, names),
        facts=_facts(played, statistics),
        names=names,
        story=statistics,
        ranking=_ranking(statistics),
        vp_chart=_vp_chart(statistics, names),
        review=played.review,
        review_chart=None if played.review is None else _review_chart(played.review, names),
        parts={"land": _("provinces"), "traits": _("traits"), "declined": _("in decline")},
        civilizations=civilizations,
        bar_parts=lambda civilization: _bar(civilization, BAR / most),
        board=board,
        log=_log(shown),
        left_out=_left_out(played, kept) if kept < len(played.updates) else "",
        few=_few(statistics) if len(civilizations) < len(statistics.civilizations) else "",
        credit=_(
            "Vinci is a game by Philippe Keyaerts, first published by Jeux Descartes. Played with an independent "
            "implementation, not affiliated with the author or a publisher."
        ),
        map_credit=played.board_map.credit,
    )


def _left_out(played: PlayedGame, kept: int) -> str:
    text = _("A long game: to keep this page small, the board and the log have the last {n} of {all} steps.")
    return text.format(n=kept, all=len(played.updates))


def _few(statistics: GameStatistics) -> str:
    text = _("The {n} civilizations of {all} that earned most.")
    return text.format(n=MOST_CIVILIZATIONS, all=len(statistics.civilizations))


def _facts(played: PlayedGame, statistics: GameStatistics) -> list[str]:
    """Return the settings of the game and its state, a few words each."""
    match = played.match
    settings = ", ".join(f"{name}={value}" for name, value in sorted(match.options.settings.items()))
    facts = [
        "" if played.played_at is None else datetime.fromtimestamp(played.played_at).date().isoformat(),
        _("edition {edition}").format(edition=match.options.edition or "standard"),
        settings,
        _("board {board}").format(board=match.board),
        _("target {vp} VP").format(vp=statistics.target),
        _("seed {seed}").format(seed=match.seed) if match.seed else "",
        _("started from a position") if match.from_position else "",
        played.fault,
        "" if statistics.ranks else _("not played to its end"),
    ]
    return [fact for fact in facts if fact]


def _ranking(statistics: GameStatistics) -> list[RankingRow]:
    rows = []
    for rank, seat in statistics.ranking():
        own = [civilization for civilization in statistics.civilizations if civilization.seat == seat]
        active = sum(sum(civilization.active.values()) for civilization in own)
        declined = sum(sum(civilization.as_declined.values()) for civilization in own)
        rows.append(
            RankingRow(
                rank, seat, active, declined, sum(civilization.received - civilization.paid for civilization in own)
            )
        )
    return rows


def _vp_chart(statistics: GameStatistics, names: Catalogue) -> Markup:
    scores = ", ".join(f"{names.seat(seat)} {statistics.score(seat)}" for _rank, seat in statistics.ranking())
    labels = {
        "name": _("VP over time"),
        "description": _("VP of each seat at the end of each round. Final scores: {scores}.").format(scores=scores),
        "round": _("round"),
        "target": _("target {vp}").format(vp=statistics.target),
    }
    last, points = len(statistics.rounds) - 1, min(len(statistics.rounds), MOST_POINTS)
    drawn = [point * last // max(points - 1, 1) for point in range(points)]
    series = [
        charts.Line(seat, names.player(seat), [values[place] for place in drawn])
        for seat, values in statistics.vp.items()
    ]
    rounds = [statistics.rounds[place] for place in drawn]
    return charts.lines(series, rounds, statistics.target, labels, numbers=MOST_NUMBERS)


def _chart_of(statistics: GameStatistics) -> dict[str, int]:
    """Return where the chart of VP has its values, for a mark at a moment of the game."""
    frame = charts.LINES
    last = max(len(statistics.rounds) - 1, 1)
    return {"left": frame.left, "across": frame.across, "top": frame.top, "down": frame.down, "last": last}


def _review_chart(review: GameReview, names: Catalogue) -> Markup:
    """Draw the chance of the first place of each seat after each round."""
    curves = review.curves()
    labels = {
        "name": _("Chance of the first place"),
        "description": _("Estimated chance of the first place of each seat in percent, after each round."),
        "round": _("round"),
        "target": "50 %",
    }
    series = [charts.Line(seat, names.player(seat), values) for seat, values in curves.items()]
    return charts.lines(series, range(len(curves[1])), 50, labels, "chances")


def _bar(civilization: CivilizationStatistics, scale: float) -> list[tuple[str, float, float]]:
    """Return class, start and width in pixels of the parts of a bar: land, traits, and all VP in decline."""
    parts, start = [], 0.0
    for part, vp in zip(("land", "traits", "declined"), shares(civilization), strict=True):
        if vp:
            parts.append((part, start, vp * scale))
        start += vp * scale
    return parts


def _log(played: PlayedGame) -> dict[int, list[tuple[str, bool]]]:
    """Return the lines of the log by round, each with whether it starts a turn."""
    replay = ReplayPosition(played)
    rounds: dict[int, list[tuple[str, bool]]] = {}
    now = replay.turns[0].round
    for step, update in enumerate(played.updates):
        for entry in replay.happened(step):
            starts_turn = entry.rule == rule("turn_started")
            now = update.state.round if starts_turn else now
            rounds.setdefault(now, []).append((entry.text, starts_turn))
    return rounds
