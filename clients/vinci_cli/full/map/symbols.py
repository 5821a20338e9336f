"""The signs on the board, and the texts of labels."""

from typing import Final, NamedTuple

from vinci.v1 import game_pb2 as pb

from ...graphics.palette import TERRAINS
from ...text.i18n import _
from ...text.names import Catalogue
from ..toolkit.block import Depth
from ..toolkit.display import current


class Signs(NamedTuple):
    """Signs of one character each."""

    farmland: str
    pasture: str
    hills: str
    forest: str
    mountain: str
    mine: str
    port: str
    fort: str
    cost: str
    becomes: str
    lost: str


ASCII: Final = Signs("f", "p", "h", "w", "M", "*", "+", "^", ">", "=", "!")
DRAWN: Final = Signs("≣", "✿", "◠", "↟", "▴", "⚒", "♆", "♜", "»", "→", "✗")
"""Signs whose width is the same in all terminals."""


def signs(depth: Depth) -> Signs:
    """The signs for a depth: terminals of sixteen colours often have few characters."""
    return DRAWN if depth != 4 and current().has_signs else ASCII


class Explained(NamedTuple):
    """A sign, its meaning, and the style in which it is shown."""

    sign: str
    meaning: str
    style: str = ""


def legend(depth: Depth, names: Catalogue) -> list[Explained]:
    """Each sign with its meaning; terrains with what their empty provinces cost."""
    its = signs(depth)
    terrains = (code for code in TERRAINS if code in names.terrains)
    return [
        *(Explained(getattr(its, code), _terrain(code, names), f"class:{code}") for code in terrains),
        Explained(its.mine, _("mine")),
        Explained(its.port, _("port")),
        Explained(its.fort, _("fort")),
        Explained("2:3", _("seat 2, 3 pawns"), "class:chip2"),
        Explained("2-", _("declined empire of seat 2"), "class:seat2 class:declined"),
        Explained("n", _("neutral pawn"), "class:neutral"),
        Explained(f"{its.cost}5", _("can be conquered with 5 pawns"), "class:target"),
        Explained(f"3{its.becomes}5", _("3 pawns now, 5 as planned")),
        Explained(its.lost, _("would be lost"), "class:lost"),
    ]


def _terrain(code: str, names: Catalogue) -> str:
    cost = _("(costs {pawns})").format(pawns=names.terrains[code].cost)
    return f"{names.terrain(code)} {cost}"


class ProvinceLook(NamedTuple):
    """Everything that the appearance of a province depends on; `cost` is -1 for no target, `planned` -1 for no plan.

    `own`: a seat whose land is emphasised holds it, in an active empire.
    """

    holding: pb.Holding.ValueType = pb.HOLDING_NOBODY
    owner: int = 0
    pawns: int = 0
    fort: bool = False
    selected: bool = False
    cost: int = -1
    changed: bool = False
    lost: bool = False
    planned: int = -1
    new_fort: bool = False
    own: bool = False

    @property
    def is_declined(self) -> bool:
        """Whether a declined empire holds it."""
        return self.holding == pb.HOLDING_DECLINED

    @property
    def empire(self) -> tuple[int, int]:
        """The empire that holds it: seat (0 for none), active or declined."""
        return self.owner, self.holding


def land(province: pb.Province, its: Signs) -> str:
    """Terrain, mine and port."""
    terrain = str(getattr(its, province.terrain))
    return terrain + (its.mine if province.mine else "") + (its.port if province.port else "")


def mark(look: ProvinceLook, its: Signs) -> str:
    """Mark of a province: its cost as a target, or that it would be lost."""
    if look.cost >= 0:
        return f"{its.cost}{look.cost or ''}"
    return its.lost if look.lost else ""


def garrison(look: ProvinceLook, its: Signs, most: int) -> str:
    """Garrison of a province in at most `most` cells; empty if there is none."""
    fort = its.fort if look.fort or look.new_fort else ""
    if look.planned >= 0:
        whole = f"{look.pawns}{its.becomes}{look.planned}{fort}"
        return whole if len(whole) <= most else f"{its.becomes}{look.planned}{fort}"
    if look.holding == pb.HOLDING_NEUTRAL:
        return f"n{fort}"
    if look.holding == pb.HOLDING_ACTIVE:
        return f"{look.owner}:{look.pawns}{fort}"
    if look.holding == pb.HOLDING_DECLINED:
        return f"{look.owner}-{fort}"
    return fort
