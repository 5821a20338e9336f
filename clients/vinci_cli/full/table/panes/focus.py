"""The focus: placement, selected province, preview or advice, with answers and proposals above it."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from ....game.client_match import ClientMatch
from ....text import recap
from ....text.i18n import _, plural, titled
from ...toolkit.text import TIE, Row, Segment, flowed, indented, section, shortened
from ..ui_state import Plan, UiState
from . import advice, log, market, preview, selection
from .pane import Pane, Size


def placement(game: ClientMatch, ui: UiState, columns: int) -> list[Row]:
    """Pawns left, pawns placed, and provinces given up."""
    plan = ui.plan
    assert plan is not None
    title = _("Place your pawns") if plan.kind == "hold" else _("Place your survivors")
    contents = (*losses(game, plan), left(game, plan), provinces(plan, ui.province), given_up(game, plan))
    return section(title, contents, columns, 0)


def losses(game: ClientMatch, plan: Plan) -> list[list[Segment]]:
    """Provinces that were lost, where survivors are placed, a sentence for each attacker."""
    if plan.kind != "redeploy":
        return []
    recent = recap.since_last_turn(game.recent, game.seat)
    return [[Segment(text, f"class:seat{seat}")] for seat, text in recap.lost(recent, game.seat, game.names)]


def left(game: ClientMatch, plan: Plan) -> list[Segment]:
    """Pawns and forts that are left to place."""
    if plan.left < 0:
        text = plural("{n} pawn too many is placed", "{n} pawns too many are placed", -plan.left)
    else:
        text = plural("{n} pawn is left to place", "{n} pawns are left to place", plan.left)
    parts = [Segment(text, "class:error") if plan.left else Segment(_("All pawns are placed"), "class:title")]
    if plan.kind == "hold" and game.legal.hold.forts:
        forts = game.legal.hold.forts - len(plan.forts)
        text = plural("{n} fort is left to build", "{n} forts are left to build", forts)
        parts.append(Segment(f" · {text}", "class:hint"))
    return parts


def provinces(plan: Plan, selected: str) -> list[Segment]:
    """Provinces with their planned pawns, and a mark for a new fort."""
    sign = "+" if plan.kind == "redeploy" else ""
    parts: list[Segment] = []
    for code, pawns in plan.pawns.items():
        fort = "^" if code in plan.forts else ""
        style = "class:selected" if code == selected else "class:title" if pawns else "class:faint"
        parts += [Segment(f"{code}{TIE}{sign}{pawns}{fort}", style, f"province {code}"), Segment(" ")]
    return parts


def given_up(game: ClientMatch, plan: Plan) -> list[Segment]:
    """Provinces that the placement gives up."""
    if plan.kind != "hold":
        return []
    codes = [code for part in game.legal.hold.parts for code in part.provinces if not plan.pawns.get(code)]
    text = _("Abandoned: {provinces}.").format(provinces=game.names.provinces_text(codes))
    return [Segment(text, "class:error")] if codes else []


MOST_ROWS: Final = 10
"""Rows of an answer or preview in a small window, of which all but two lie over the map."""

WHOLE_ENTRY: Final = 1000
"""Columns in which an entry of the log is not broken."""

RANK: Final = 2
"""The focus gets room before all panes but the scores and the one that is open."""


def focus(game: ClientMatch, ui: UiState, columns: int, _rows: int, *, in_full: bool) -> list[Row]:
    """Draw what matters most now; in full with the neighbours, seas and coasts of a selected province."""
    if ui.plan is not None:
        rows = [*placement(game, ui, columns), *_previewed(game, ui, columns)]
    elif ui.province and not market.is_looked_at(game, ui):
        rows = [*selection.selection(game, ui.province, columns, in_full=in_full), *_previewed(game, ui, columns)]
    else:
        rows = _previewed(game, ui, columns) or advice.advice(game, ui, columns)
    notice: list[Row] = [[Segment(" "), *row] for row in _notice(ui, columns - 1)]
    return [*notice, *indented(advice.joined(advice.proposed(game)), columns), *rows]


def _previewed(game: ClientMatch, ui: UiState, columns: int) -> list[Row]:
    """Preview what Enter does, unless the answer above says already why it cannot."""
    is_said = ui.preview is not None and ui.preview.refusal is not None and bool(ui.notice)
    return preview.preview(game, ui.preview, columns) if ui.preview is not None and not is_said else []


def brief(game: ClientMatch, ui: UiState, columns: int) -> list[Row]:
    """The same for a small window: in two rows; an answer or a preview takes the rows that it needs."""
    room = columns - 2
    most = MOST_ROWS
    if ui.notice or ui.thinking:
        rows = _notice(ui, room)
    else:
        proposed = advice.joined(advice.proposed(game))
        rows = [shortened(proposed, room)] if proposed else []
        rows += _brief_rows(game, ui, room, 2 - len(rows))
        most = MOST_ROWS if ui.preview is not None else 2
    if len(rows) > most:
        rows = [*rows[: most - 1], shortened([*rows[most - 1], Segment(" …")], room)]
    return [[Segment(" "), *row] for row in [*rows, *[[]] * (2 - len(rows))]]


def _brief_rows(game: ClientMatch, ui: UiState, room: int, rows: int) -> Sequence[Row]:
    ahead = preview.sentences(game, ui.preview, is_brief=True) if ui.preview is not None else []
    if ui.plan is not None:
        said = [part for parts in losses(game, ui.plan) for part in (*parts, Segment(" "))]
        parts = [*said, *left(game, ui.plan), Segment(titled("")), *provinces(ui.plan, ui.province)]
        return flowed(advice.joined([*ahead[:1], parts, *ahead[1:]]), room)
    if market.is_looked_at(game, ui):
        more = ahead if ui.tab == market.PANE.name else market.sentences(game, ui.slot)[1:]
        return [*flowed(market.offered(game, ui.slot), room), *flowed(advice.joined(more), room)]
    if ui.province:
        name = flowed(selection.brief(game, ui.province), room)[:1]
        return [*name, *flowed(advice.joined(ahead or _without_preview(game, ui)), room)]
    if ahead:
        return [row for parts in ahead for row in flowed(parts, room, 2)]
    if _is_followed(game) and game.log:
        return log.latest(game, room, 2)
    return advice.brief(game, ui, room, rows)


def _without_preview(game: ClientMatch, ui: UiState) -> list[list[Segment]]:
    """Tell what can be done with the selected province; while others move, the latest entry of the log."""
    if _is_followed(game) and game.log:
        return [[*log.latest(game, WHOLE_ENTRY, 1)[0]]]
    return selection.possible(game, ui.province) or advice.sentences(game, ui)[:1]


def _is_followed(game: ClientMatch) -> bool:
    """Whether others move now."""
    goes_on = not game.match.paused and not game.match.ended and not game.is_over()
    return game.state is not None and game.connected and not game.my_move() and goes_on


def _notice(ui: UiState, columns: int) -> list[Row]:
    lines = [*ui.notice, *([[("class:hint", _("Thinking …"))]] if ui.thinking else [])]
    return [row for line in lines for row in flowed([Segment(text, style) for style, text in line], columns)]


FULL: Final = partial(focus, in_full=True)
PANE: Final = Pane("focus", FULL, sizes=(Size(RANK, partial(focus, in_full=False)), Size(3, FULL)))
