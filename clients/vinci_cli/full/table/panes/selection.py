"""The selected province: terrain, holder, neighbours, and possible actions."""

from vinci.v1 import game_pb2

from ....game.client_match import ClientMatch
from ....text.i18n import _, plural, titled
from ...toolkit.text import Row, Segment, button, section


def selection(game: ClientMatch, code: str, columns: int, *, in_full: bool) -> list[Row]:
    """Terrain, holder and possible actions; in full with neighbours, seas and coasts."""
    return section(f"{game.names.province(code)} ({code})", sentences(game, code, in_full=in_full), columns)


def sentences(game: ClientMatch, code: str, *, in_full: bool = True) -> list[list[Segment]]:
    """The contents, one sentence each."""
    province = game.names.provinces[code]
    shown = [land(game, code), holder(game, code), *possible(game, code)]
    if not in_full:
        return shown
    shown.append([Segment(_("Borders on") + " ", "class:faint"), *_neighbours(game, province)])
    seas = [game.names.sea(sea) for sea in game.names.seas if code in sea.provinces]
    coasts = [game.names.coast(coast) for coast in game.names.coasts if code in coast.provinces]
    if seas:
        shown.append([Segment(_("Seas:") + " ", "class:faint"), Segment(", ".join(seas), "class:sea")])
    if coasts:
        shown.append([Segment(_("Coasts:") + " ", "class:faint"), Segment(", ".join(coasts), "class:coast")])
    return shown


def land(game: ClientMatch, code: str) -> list[Segment]:
    """Terrain with its cost, mine, port, edge of the board."""
    province = game.names.provinces[code]
    terrain = game.names.terrain(province.terrain)
    parts = [Segment(terrain, f"class:{province.terrain}")]
    if province.terrain in game.names.terrains:
        cost = game.names.terrains[province.terrain].cost
        parts.append(Segment(" " + _("(costs {pawns})").format(pawns=cost)))
    marks = [(province.mine, _("mine")), (province.port, _("port")), (province.edge, _("edge of the board"))]
    return [*parts, *(Segment(f", {name}") for has_it, name in marks if has_it)]


def holder(game: ClientMatch, code: str) -> list[Segment]:
    """Holder of a province with pawns and fort."""
    state = game.state
    if state is None:
        return []
    place = list(state.provinces).index(code)
    owner = state.owners[place]
    fort = ", " + _("a fort") if state.forts[place] else ""
    owner_name = game.names.seat(owner)
    match state.holdings[place]:
        case game_pb2.HOLDING_NEUTRAL:
            return [Segment(_("a neutral pawn") + fort, "class:neutral")]
        case game_pb2.HOLDING_ACTIVE:
            pawns = plural("{n} pawn", "{n} pawns", state.pawns[place])
            text = _("{who} with {pawns}").format(who=owner_name, pawns=pawns)
            return [Segment(text + fort, f"class:seat{owner}", f"seat {owner}")]
        case game_pb2.HOLDING_DECLINED:
            text = _("declined empire of {who}").format(who=owner_name)
            return [Segment(text + fort, f"class:seat{owner} class:declined", f"seat {owner}")]
    return [Segment(_("empty") + fort, "class:faint")]


def possible(game: ClientMatch, code: str) -> list[list[Segment]]:
    """Actions that are possible in a province, each with its key."""
    if not game.my_move() or game.is_barred():
        return []
    legal = game.legal
    shown: list[list[Segment]] = []
    for target, cost, worth in zip(legal.conquer, legal.cost, legal.worth, strict=True):
        if target == code:
            text = plural("conquers for {n} pawn", "conquers for {n} pawns", cost)
            vp = " " + _("({worth:+d} VP)").format(worth=worth) if worth else ""
            shown.append(button(_("Enter"), text + vp, "key enter"))
    if code in legal.conquer_by_spies:
        shown.append(button("x", _("conquers by Spies for 2 pawns"), "key x"))
    if code in legal.abandon:
        shown.append(button("a", _("abandons it"), "key a"))
    return shown


def _neighbours(game: ClientMatch, province: game_pb2.Province) -> list[Segment]:
    """Adjacent provinces; those across a strait are marked."""
    shown: list[Segment] = []
    for code in province.neighbours:
        across = " " + _("(over a strait)") if code in province.straits else ""
        shown += [Segment(", "), Segment(game.names.province(code) + across, "", f"province {code}")]
    return shown[1:]


def brief(game: ClientMatch, code: str) -> list[Segment]:
    """Terrain and holder in one sentence."""
    name = Segment(f"{game.names.province(code)} ({code})", "class:title")
    return [name, Segment(titled("")), *land(game, code), Segment(" · "), *holder(game, code)]
