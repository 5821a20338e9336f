"""The table as lines of text for a terminal of 80 columns and 24 lines: scores, market, board, own empire.

Pure functions of what the server sent.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Final, TypeAlias

from vinci.v1 import game_pb2 as pb

from .events import pawns_text
from .i18n import _, plural, titled
from .names import ROMAN, Catalogue, round_title

Fragment: TypeAlias = tuple[str, str]
"""A style class, such as `class:seat2`, and text."""

Line: TypeAlias = list[Fragment]

WIDTH: Final = 80
HEIGHT: Final = 24
CELL: Final = 11
NAME: Final = 16
LABEL: Final = 9
EMPIRES: Final = (pb.HOLDING_ACTIVE, pb.HOLDING_DECLINED)
TERRAINS: Final = {"farmland": "f", "pasture": "p", "hills": "h", "forest": "w", "mountain": "M"}

STYLE: Final[dict[str, str]] = {
    "seat1": "ansiblue bold",
    "seat2": "ansired bold",
    "seat3": "ansigreen bold",
    "seat4": "ansimagenta bold",
    "seat5": "ansicyan bold",
    "seat6": "ansiyellow bold",
    "declined": "nobold italic",
    "neutral": "ansibrightblack",
    "faint": "ansibrightblack",
    "farmland": "ansiyellow",
    "pasture": "ansibrightgreen",
    "hills": "ansired",
    "forest": "ansigreen",
    "mountain": "ansiwhite",
    "title": "bold",
    "you": "bold",
    "error": "ansired",
    "hint": "ansicyan",
}
"""Colours; no information is shown by colour alone."""


def legend() -> list[str]:
    """Explain the letters and marks of the board."""
    return [
        _("f farmland  p pasture  h hills  w forest (woods)  M mountain  * mine  + port"),
        _("2:3 seat 2, 3 pawns  2- declined empire of seat 2  ^ fort  n neutral  . empty"),
    ]


def plain(line: Line) -> str:
    """Return a line without its styles."""
    return "".join(text for _style, text in line)


def scores(state: pb.State, names: Catalogue, own: int) -> list[Line]:
    """Return a line for each seat in the order of play: score, VP that it would score now, its empires."""
    ends = _("the game ends at {vp} VP, this round") if state.last_round else _("the game ends at {vp} VP")
    lines: list[Line] = [[("class:title", round_title(state.round)), ("", f"  {ends.format(vp=state.target)}")]]
    for number in state.order:
        seat = state.seats[number - 1]
        mark = ">" if number == state.seat_to_act else " "
        you = _(" (you)") if number == own else ""
        name = names.player(number)[: NAME - len(you)] + you
        line: Line = [
            ("", mark),
            (f"class:seat{number}", f"{number} {name:<{NAME}}"),
            ("class:title", _("{vp:>4} VP ").format(vp=seat.vp)),
        ]
        if seat.forfeited:
            line.append(("class:faint", _("left the game")))
        empires = _empires(seat, names.trait)
        if len(plain([*line, *empires])) > WIDTH:
            empires = _empires(seat, str)
        lines.append(_cut([*line, *empires]))
    return lines


def market(state: pb.State, names: Catalogue) -> list[Line]:
    """Return a line for each civilization on offer: slot, price, traits, pawns, VP on it."""
    lines: list[Line] = [[("class:title", _("Market"))]]
    wide = max((len(pawns_text(slot.pawns)) for slot in state.market), default=0)
    for place, slot in enumerate(state.market):
        price = _("{vp:>2} VP").format(vp=slot.price) if slot.price else _(" free")
        bonus = f"  {_('and {vp} VP on it').format(vp=slot.markers * 2)}" if slot.markers else ""
        text = f"{price}  {names.civilization(slot.traits):<32} {pawns_text(slot.pawns):>{wide}}{bonus}"
        lines.append([("class:title", f"{place + 1} {ROMAN[place]:>3} "), ("", text)])
    return lines


def effects(state: pb.State, names: Catalogue) -> list[str]:
    """Return a sentence about each trait on offer."""
    traits = dict.fromkeys(code.rstrip("*") for slot in state.market for code in slot.traits)
    return [titled(names.trait(code)) + names.trait_description(code) for code in traits if code in names.traits]


def board(state: pb.State, names: Catalogue) -> list[Line]:
    """Return the provinces by region, each with terrain, marks, owner, pawns and fort."""
    place = {code: n for n, code in enumerate(state.provinces)}
    lines: list[Line] = []
    for region, provinces in names.regions.items():
        per_line = (WIDTH - LABEL) // CELL
        for start in range(0, len(provinces), per_line):
            line: Line = [("class:title", f"{names.region(region) if start == 0 else '':<{LABEL}}")]
            for province in provinces[start : start + per_line]:
                line += _cell(province, state, place[province.code])
            lines.append(line)
    return lines


def empire(state: pb.State, names: Catalogue, own: int) -> list[Line]:
    """Return the own empire: names of its traits, pawns in hand, VP that it would score."""
    seat = state.seats[own - 1]
    if not seat.HasField("active"):
        return []
    active = seat.active
    text = plural(
        "{traits}: {pawns} in hand, {held} in {n} province, worth {vp} VP now",
        "{traits}: {pawns} in hand, {held} in {n} provinces, worth {vp} VP now",
        active.provinces,
        traits=names.civilization(active.traits),
        pawns=pawns_text(active.reserve),
        held=active.pawns,
        vp=active.vp,
    )
    return [[("class:you", text)]]


def would_score(state: pb.State, seat: int, legal: pb.Legal) -> int:
    """Return the VP that the empires of a seat would score now; those of the seat to act with what it can keep."""
    if seat == state.seat_to_act and legal.hold.HasField("vp"):
        return legal.hold.vp
    empires = state.seats[seat - 1]
    return empires.active.vp + empires.declined.vp


def best_first(legal: pb.Legal) -> list[tuple[str, int, int]]:
    """Return the provinces that can be conquered, best first: code, cost and VP gained."""
    choices = zip(legal.conquer, legal.cost, legal.worth, strict=True)
    return sorted(choices, key=lambda item: (-item[2], item[1], item[0]))


def held(state: pb.State, seat: int) -> frozenset[str]:
    """Return the codes of the provinces of both empires of a seat."""
    places = zip(state.provinces, state.owners, state.holdings, strict=True)
    return frozenset(code for code, owner, how in places if owner == seat and how in EMPIRES)


def standing(state: pb.State, names: Catalogue, own: int, legal: pb.Legal) -> str:
    """Return round, target, and each seat with VP and what it would score now, as one sentence."""
    ends = _("the game ends at {vp} VP, this round") if state.last_round else _("the game ends at {vp} VP")
    parts = []
    for number in state.order:
        seat = state.seats[number - 1]
        who = f"{names.player(number)} ({_('you')})" if number == own else names.player(number)
        more = "" if seat.scores_no_more else f" (+{would_score(state, number, legal)})"
        parts.append(f"{who} {seat.vp}{' ' + _('left the game') if seat.forfeited else more}")
    return f"{round_title(state.round)}, {ends.format(vp=state.target)}. {', '.join(parts)}."


def losses(before: Collection[str], state: pb.State, names: Catalogue, own: int) -> list[str]:
    """Return a sentence for each seat that took provinces of `before` from a seat; one if it lost nothing."""
    taken: dict[int, list[str]] = {}
    owners = dict(zip(state.provinces, state.owners, strict=True))
    for code in sorted(set(before) - held(state, own), key=list(state.provinces).index):
        taken.setdefault(owners[code], []).append(code)
    if not taken:
        return [_("You lost nothing since your last turn.")]
    text = _("Since your last turn {who} took {provinces} from you.")
    gone = _("Since your last turn you lost {provinces}.")
    return [
        (text if seat else gone).format(who=names.seat(seat), provinces=names.provinces_object(codes))
        for seat, codes in taken.items()
    ]


def possessions(state: pb.State, names: Catalogue, own: int) -> list[str]:
    """Return a sentence for each empire of a seat with its provinces; pawns and forts of the active one."""
    active, declined = [], []
    rows = zip(state.provinces, state.owners, state.holdings, state.pawns, state.forts, strict=True)
    for code, owner, how, pawns, has_fort in rows:
        if owner == own and how == pb.HOLDING_ACTIVE:
            active.append(f"{names.province(code)} {pawns}{' ' + _('with a fort') if has_fort else ''}")
        elif owner == own and how == pb.HOLDING_DECLINED:
            declined.append(names.province(code))
    sentences = [_("Yours: {provinces}.").format(provinces=", ".join(active))] if active else []
    return sentences + ([_("Declined: {provinces}.").format(provinces=", ".join(declined))] if declined else [])


def conquests(legal: pb.Legal, names: Catalogue, most: int = HEIGHT) -> list[Line]:
    """List what can be conquered with cost and VP gained, the best provinces only if all need over `most` lines."""
    if not legal.conquer and not legal.conquer_by_spies:
        return []
    costs = dict(zip(legal.conquer, legal.cost, strict=True))
    too_dear = HEIGHT
    dearest = sorted(legal.conquer_by_spies, key=lambda code: -costs.get(code, too_dear))
    items = [f"{names.province(code)} {cost}{_worth(worth)}" for code, cost, worth in best_first(legal)]
    lines = _wrapped(_("conquer"), items)
    spies = _wrapped(_("by spies"), [f"{names.province(code)} 2" for code in dearest]) if dearest else []
    if len(lines) + len(spies) > most:
        spies = spies[:1]
        lines = lines[: max(most - len(spies), 1)]
        more = f"  …  {_('legal lists all')}"
        kept = f"{lines[-1][-1][1].strip()}  "[: WIDTH - LABEL - len(more)].rpartition("  ")[0]
        lines[-1] = [*lines[-1][:-1], ("", kept + more)]
    return lines + spies


def _worth(worth: int) -> str:
    return f" ({worth:+d})" if worth else ""


def _wrapped(label: str, items: Sequence[str]) -> list[Line]:
    lines: list[Line] = []
    text = ""
    for item in items:
        if len(text) + len(item) + 2 > WIDTH - LABEL - 1:
            lines.append([("", text)])
            text = ""
        text += item + "  "
    lines.append([("", text.rstrip())])
    return [[("class:hint", f"{label if n == 0 else '':<{LABEL + 1}}"), *line] for n, line in enumerate(lines)]


def _empires(seat: pb.SeatState, trait: Callable[[str], str]) -> Line:
    """Return the empires of a seat; `trait` returns the name of a trait by its code."""
    empires: Line = []
    if seat.HasField("active"):
        empires.append(("", _empire(seat.active, trait)))
    if seat.HasField("declined"):
        words = [_("decl."), *filter(None, ["+".join(map(trait, seat.declined.traits))])]
        empires.append(("class:faint", f" | {' '.join(words)} {seat.declined.provinces} +{seat.declined.vp}"))
    return empires


def _empire(empire: pb.Empire, trait: Callable[[str], str]) -> str:
    hand = f"+{empire.reserve}" if empire.reserve else ""
    if empire.provinces:
        pawns = _("{provinces} prov, {pawns} pawns").format(provinces=empire.provinces, pawns=f"{empire.pawns}{hand}")
    else:
        pawns = _("{pawns} in hand").format(pawns=hand or 0)
    return f"{'+' + str(empire.vp):>3}  {'+'.join(trait(code) for code in empire.traits)} {pawns}"


def _cell(province: pb.Province, state: pb.State, place: int) -> Line:
    marks = ("*" if province.mine else "") + ("+" if province.port else "")
    owner, pawns, holding = state.owners[place], state.pawns[place], state.holdings[place]
    style = f"class:seat{owner}"
    if holding == pb.HOLDING_NEUTRAL:
        style, sign = "class:neutral", "n"
    elif holding == pb.HOLDING_ACTIVE:
        sign = f"{owner}:{pawns}"
    elif holding == pb.HOLDING_DECLINED:
        style, sign = f"class:seat{owner} class:declined", f"{owner}-"
    else:
        style, sign = "class:faint", "."
    sign += "^" if state.forts[place] else ""
    used = len(province.code) + 1 + len(marks) + 1 + len(sign)
    return [
        (style, province.code),
        (f"class:{province.terrain}", TERRAINS[province.terrain] + marks),
        (style, f" {sign}"),
        ("", " " * max(CELL - used, 1)),
    ]


def _cut(line: Line) -> Line:
    """Cut a line to the width of the table."""
    left = WIDTH
    fitting: Line = []
    for style, text in line:
        fitting.append((style, text[:left]))
        left -= len(text[:left])
    return fitting
