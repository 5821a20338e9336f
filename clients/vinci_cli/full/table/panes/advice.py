"""Advice on the next action, shown while nothing is selected."""

from typing import Final

from vinci.v1 import game_pb2

from ....game.client_match import ClientMatch
from ....text import events
from ....text.i18n import _, decimal, plural
from ....text.tables import best_first
from ...toolkit.text import TIE, Row, Segment, button, flowed, section
from ..ui_state import UiState
from .status import whose_move

ALL: Final = 1000
"""More targets than a board has."""


def brief(game: ClientMatch, ui: UiState, columns: int, rows: int) -> list[Row]:
    """The contents in at most this many rows, with as many targets as fit."""
    for most in range(len(game.names.provinces), -1, -1):
        shown = flowed(joined(sentences(game, ui, most)), columns)
        if len(shown) <= rows:
            break
    return shown


def joined(sentences: list[list[Segment]]) -> list[Segment]:
    """Sentences with dots between them."""
    joined: list[Segment] = []
    for parts in filter(None, sentences):
        joined += [*([Segment(" · ", "class:faint")] if joined else []), *parts]
    return joined


def advice(game: ClientMatch, ui: UiState, columns: int) -> list[Row]:
    """All advice of the moment."""
    return section(_("Now"), sentences(game, ui), columns)


def proposed(game: ClientMatch) -> list[list[Segment]]:
    """Open proposals, one sentence each; they are shown whatever is selected."""
    return [[Segment(events.proposal(vote, game.seats, game.names), "class:hint")] for vote in game.match.proposals]


def sentences(game: ClientMatch, ui: UiState, most: int = ALL) -> list[list[Segment]]:
    """The contents, one sentence each, with at most this many targets."""
    shown = [] if game.my_move() else [[Segment(whose_move(game), "class:title")]]
    state = game.state
    if state is None:
        return shown
    if state.phase == game_pb2.PHASE_OVER:
        return [*shown, *_ranking(game)]
    if game.replayed:
        return shown
    if not game.my_move() or game.is_barred():
        pace = _("What others do is shown for {seconds} s each:").format(seconds=decimal(f"{ui.pace:.1f}"))
        return [
            *shown,
            [Segment(pace + " ", "class:faint"), *button("<", _("slower")), Segment("  "), *button(">", _("faster"))],
        ]
    return [*shown, *_possible(game, most)]


def _possible(game: ClientMatch, most: int) -> list[list[Segment]]:
    """Possible actions, with their targets."""
    assert game.state is not None
    legal, reserve = game.legal, game.state.seats[game.seat - 1].active.reserve
    shown: list[list[Segment]] = []
    if legal.take:
        shown.append([Segment(_("Arrows choose a civilization, Enter takes it."))])
    if legal.stay:
        shown.append([Segment(_("Your turn is scored: put your empire into decline now, or stay with it."))])
    elif legal.decline and not legal.conquer and not legal.HasField("hold"):
        shown.append([Segment(_("Your empire lost its last province and must decline."))])
    if legal.HasField("redeploy"):
        pawns = plural("{n} pawn survives", "{n} pawns survive", legal.redeploy.pawns)
        shown.append([Segment(_("{pawns}; Enter opens the placement.").format(pawns=pawns))])
    if legal.conquer or legal.HasField("hold"):
        shown.append([Segment(plural("{n} pawn in hand", "{n} pawns in hand", reserve), "class:title")])
    if legal.conquer or legal.conquer_by_spies:
        keys = _("Arrows walk, Tab goes on to what can be conquered:")
        shown.append([Segment(f"{keys} ", "class:faint"), *targets(game, most)])
    elif legal.HasField("hold"):
        shown.append([Segment(_("Nothing more can be conquered: hold.") + " "), *button("h", _("hold"))])
    return shown


def targets(game: ClientMatch, most: int = ALL) -> list[Segment]:
    """Provinces that can be conquered, the most valuable first, with cost and VP; the key for those beyond `most`."""
    legal = game.legal
    shown: list[Segment] = []
    for code, cost, worth in best_first(legal):
        value = f"{TIE}({worth:+d})" if worth else ""
        shown += [Segment(f"{code}{TIE}{cost}{value}", "class:target", f"province {code}"), Segment("  ")]
    spied = [code for code in legal.conquer_by_spies if code not in legal.conquer]
    shown += [Segment(f"{code}{TIE}x2  ", "class:hint", f"province {code}") for code in spied]
    places = [place for place, part in enumerate(shown) if part.target]
    if len(places) <= most:
        return shown
    hidden = plural("shows {n} more", "shows {n} more", len(places) - most)
    return [*shown[: places[most]], *button("?", hidden)]


def _ranking(game: ClientMatch) -> list[list[Segment]]:
    """Final ranking by the server, best first."""
    ranks = game.match.ranks
    seats = sorted(range(1, len(ranks) + 1), key=lambda seat: (ranks[seat - 1], seat))
    assert game.state is not None
    return [
        [
            Segment(f"{ranks[seat - 1]}. {game.names.seat(seat)} ", f"class:seat{seat}"),
            Segment(_("{n} VP").format(n=game.state.seats[seat - 1].vp), "class:title"),
        ]
        for seat in seats
    ]
