"""The placement of pawns and forts."""

from ....game.client_match import ClientMatch
from ....text import recap
from ....text.i18n import _, plural
from ...toolkit.text import TIE, Row, Segment, section
from ..ui_state import Plan, UiState


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
        parts.append(Segment(f", {text}", "class:hint"))
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
    text = _("Given up: {provinces}.").format(provinces=game.names.provinces_text(codes))
    return [Segment(text, "class:error")] if codes else []
