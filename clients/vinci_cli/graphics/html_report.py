"""A game as one HTML page, which loads nothing: the board step by step, ranking, VP over time, civilizations, and log.

The layout is in `game.html`. The only script is `film.js`, which shows the steps (`_film`); without it the page has the
board at the end, and everything else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from vinci.v1 import game_pb2 as pb
from vinci_html import charts
from vinci_html.pages import data_block, environment, policy_with
from vinci_html.text import printable
from vinci_words.sentences import rule

from ..game.replay import PlayedGame, ReplayPosition
from ..game.statistics import CivilizationStatistics, GameStatistics, story
from ..game.summary import headline, rounds_text, shares, source_texts, thought_text
from ..review import words
from ..review.model import GameReview
from ..text.i18n import _, language, plural
from ..text.names import Catalogue, round_title
from . import board_svg, symbols
from .board_svg import HOLDERS, SEATS_OF, Place, places, stage
from .legend import empires_of

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


def page(played: PlayedGame) -> str:
    """Return the page in the chosen language, of a long game with as many of its last steps as MOST_BYTES allow.

    Notes of bots for which there is no room are left out.
    """
    board, kept = _board(played), len(played.updates)
    text = _page(played, board, kept)
    if len(text.encode()) > MOST_BYTES and played.notes:
        played = replace(played, notes={}, doubt=_("without the notes of bots, which are too long for this page"))
        text = _page(played, board, kept)
    while (excess := len(text.encode()) - MOST_BYTES) > 0 and kept > 1:
        per_step = len(text[text.index('<section id="log"') :].encode()) / kept  # the log, and after it the data
        kept = max(1, kept - 1 - int(excess / per_step))
        text = _page(played, board, kept)
    return text


def _page(played: PlayedGame, board: Markup, kept: int) -> str:
    """Return the page with this board, and of the steps the last ones that are `kept`."""
    names = played.names
    replay = ReplayPosition(replace(played, updates=played.updates[-kept:]))
    statistics = story(played.updates, played.times)
    order = [seat for _rank, seat in statistics.ranking()]
    most = max((civilization.earned() for civilization in statistics.civilizations), default=0) or 1
    players = ", ".join(names.player(seat) for seat in sorted(statistics.vp))
    civilizations = sorted(statistics.civilizations, key=CivilizationStatistics.earned)[-MOST_CIVILIZATIONS:]
    civilizations.sort(key=lambda civilization: (order.index(civilization.seat), civilization.taken))
    film = _film(replay, played.updates[0].state.round) | {
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
        vp_chart=_vp_chart(statistics, names),
        review=played.review,
        review_chart=None if played.review is None else _review_chart(played.review, names),
        parts={"land": _("provinces"), "traits": _("traits"), "declined": _("in decline")},
        civilizations=civilizations,
        bar_parts=lambda civilization: _bar(civilization, BAR / most),
        board=board,
        noted=bool(played.notes),
        log=_log(replay),
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
        played.doubt,
        "" if statistics.ranks else _("not played to its end"),
    ]
    return [fact for fact in facts if fact]


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
    curves = {seat: [values[place] for place in drawn] for seat, values in statistics.vp.items()}
    rounds = [statistics.rounds[place] for place in drawn]
    return charts.lines(_lines(curves, names), rounds, statistics.target, labels, numbers=MOST_NUMBERS)


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
    return charts.lines(_lines(curves, names), range(len(curves[1])), 50, labels, "chances")


def _lines(curves: Mapping[int, Sequence[int]], names: Catalogue) -> list[charts.Line]:
    return [charts.Line(seat, names.player(seat), values) for seat, values in curves.items()]


def _board(played: PlayedGame) -> Markup:
    """Draw the board at the end of a game, with ids and classes by which the script of a page shows other steps."""
    scene = stage(played)
    codes = [province.code for province in played.board.provinces]
    last = dict(zip(codes, places(played.updates[-1].state), strict=True))
    holder = Markup('id="at-{}" class="holder {}"')
    held = {code: holder.format(code, HOLDERS[last[code].holder]) for code in scene.held}
    film = {
        "style": "film.css",
        "over": "film_marks.svg",
        "marks": scene.marks,
        "places": last,
        "holders": HOLDERS,
        "seats": SEATS_OF,
    }
    return Markup(board_svg.drawn(played.board_map, played.board, scene.parts, scene.bounds, held, film=film))


def _film(replay: ReplayPosition, first_round: int) -> dict[str, Any]:
    """Return what the script of a page needs to show a game at each step, as JSON; its chart begins with `first_round`.

    Keys: `codes` of provinces; `holders`, their classes, and `seats`, the text of a token for each; `empires`, names of
    active and declined ones; `turns`, each with its first step, title and remark of a review; `steps`, each with the
    number of its log lines, the place in the chart of VP, the turn's seat, the provinces that change (index, holder,
    pawns, fort, one after the other), the VP, and the empires of each seat (two indices); 0 in place of VP or empires
    that are as before.
    """
    played, names = replay.played, replay.game.names
    empires: dict[str, int] = {}
    found: list[list[Any]] = []
    before: list[Place | None] = [None] * len(played.board.provinces)
    scores: list[int] = []
    owned: list[int] = []
    for step, update in enumerate(played.updates):
        state, now = update.state, places(update.state)
        changes = [(index, *place) for index, place in enumerate(now) if place != before[index]]
        before = [*now]
        texts = [printable(text) for seat in state.seats for text in empires_of(seat, names)]
        vp, shown = [seat.vp for seat in state.seats], [empires.setdefault(text, len(empires)) for text in texts]
        found.append(
            [
                len(replay.happened(step)) + bool(played.noted(update)),
                _moment(state, first_round),
                state.turn_seat,
                [int(number) for change in changes for number in change],
                0 if vp == scores else vp,
                0 if shown == owned else shown,
            ]
        )
        scores, owned = vp, shown
    turns = []
    for turn in replay.turns:
        title = f"{round_title(turn.round)} · {names.seat(turn.seat)}"
        within = played.updates[min(turn.step + 1, replay.last)].revision
        turns.append([turn.step, printable(title), printable(words.remark_at(played.review, within, names))])
    return {
        "codes": [province.code for province in played.board.provinces],
        "holders": HOLDERS,
        "seats": SEATS_OF,
        "empires": list(empires),
        "turns": turns,
        "steps": found,
    }


def _moment(state: pb.State, first_round: int) -> float:
    """Return the place of a position in a chart whose values are those at the ends of rounds, from the first one."""
    if state.phase == pb.PHASE_OVER:
        return state.round - first_round
    begun = list(state.order).index(state.turn_seat) / len(state.order) if state.turn_seat in state.order else 0.0
    return round(max(state.round - first_round - 1 + begun, 0.0), 2)


def _bar(civilization: CivilizationStatistics, scale: float) -> list[tuple[str, float, float]]:
    """Return class, start and width in pixels of the parts of a bar: land, traits, and all VP in decline."""
    parts, start = [], 0.0
    for part, vp in zip(("land", "traits", "declined"), shares(civilization), strict=True):
        if vp:
            parts.append((part, start, vp * scale))
        start += vp * scale
    return parts


def _log(replay: ReplayPosition) -> dict[int, list[tuple[str, str]]]:
    """Return the lines of the log by round, each with its class: those that start a turn, and the notes of bots."""
    rounds: dict[int, list[tuple[str, str]]] = {}
    now = replay.turns[0].round
    for step, update in enumerate(replay.updates):
        if lines := replay.played.noted(update):
            rounds.setdefault(now, []).append((Markup("\n").join(lines), "note"))
        for entry in replay.happened(step):
            starts_turn = entry.rule == rule("turn_started")
            now = update.state.round if starts_turn else now
            rounds.setdefault(now, []).append((entry.text, "turn" if starts_turn else ""))
    return rounds
