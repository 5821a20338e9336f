"""The course of a game on its board: what stands in each province at each step, for its page and its animated picture.

Names, marks and pawns have one place for the whole game, wide enough for the most pawns that ever stand there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from vinci.v1 import game_pb2 as pb
from vinci_html.text import printable

from ..game.replay import PlayedGame, ReplayPosition, ReplayTurn
from ..review import words
from ..text.i18n import _
from ..text.names import Catalogue, round_title
from . import board_svg
from .labels import Box, LabelPart, labels
from .legend import MARGIN, legend_of

HOLDERS: Final = ("", *(f"own{seat}" for seat in range(7)), *(f"dec{seat}" for seat in range(1, 7)))
"""Classes of a province: held by nobody, neutral (`own0`), in an active empire, in a declined one."""
SEATS_OF: Final = ("", *map(str, range(7)), *map(str, range(1, 7)))
"""Number of the seat of each of HOLDERS."""


class Place(NamedTuple):
    """Contents of a province: number of its holder in HOLDERS, pawns, whether there is a fort."""

    holder: int
    pawns: int
    fort: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """The board without what changes.

    Attributes:
        parts: what is written on it. marks: places of pawns and forts, by code of the province.
        bounds: the bounds of the map with its legend.
        held: codes of the provinces that are held at some step.
    """

    parts: Sequence[LabelPart]
    marks: Sequence[tuple[str, LabelPart]]
    bounds: Box
    held: Sequence[str]


def places(state: pb.State) -> list[Place]:
    """Return what stands in each province, in board order."""
    rows = zip(state.holdings, state.owners, state.pawns, state.forts, strict=True)
    return [Place(_holder(holding, owner), pawns, fort) for holding, owner, pawns, fort in rows]


def _holder(holding: pb.Holding.ValueType, owner: int) -> int:
    if holding == pb.HOLDING_NOBODY:
        return 0
    return HOLDERS.index(f"dec{owner}" if holding == pb.HOLDING_DECLINED else f"own{owner}")


def stage(played: PlayedGame, *, legend: bool = True) -> Stage:
    """Place what is written on the board of a game, and its legend if wanted."""
    states = [update.state for update in played.updates]
    widest = pb.State()
    widest.CopyFrom(states[-1])
    del widest.pawns[:], widest.forts[:]
    widest.pawns.extend(max(pawns) for pawns in zip(*(state.pawns for state in states), strict=True))
    widest.forts.extend(any(forts) for forts in zip(*(state.forts for state in states), strict=True))
    board_map, names = played.board_map, played.names
    parts = labels(board_map, played.board, widest, names)
    below, end = legend_of(board_map, states[-1], names, seats=False) if legend else ([], board_map.height)
    kept = [part for part in parts if part.kind not in ("token", "fort")]
    marks = [(part.code, part) for part in parts if part.kind in ("token", "fort")]
    frame = MARGIN / 3
    bounds = Box(-frame, -frame, board_map.width + 2 * frame, end + 1.5 * frame)
    held = [
        code
        for code, holdings in zip(
            widest.provinces, zip(*(state.holdings for state in states), strict=True), strict=True
        )
        if any(holding != pb.HOLDING_NOBODY for holding in holdings)
    ]
    return Stage([*kept, *below], marks, bounds, held)


def page_board(played: PlayedGame) -> Markup:
    """Draw the board at the end of a game, with ids and classes by which the script of a page shows other steps."""
    scene = stage(played)
    codes = [province.code for province in played.board.provinces]
    last = dict(zip(codes, places(played.updates[-1].state), strict=True))
    held = {
        code: Markup('id="at-{}" class="holder {}"').format(code, HOLDERS[last[code].holder]) for code in scene.held
    }
    film = {
        "style": "film.css",
        "over": "film_marks.svg",
        "marks": scene.marks,
        "places": last,
        "holders": HOLDERS,
        "seats": SEATS_OF,
    }
    return Markup(board_svg.drawn(played.board_map, played.board, scene.parts, scene.bounds, held, film=film))


def steps(played: PlayedGame, first_round: int) -> dict[str, Any]:
    """Return what the script of a page needs to show a game at each step, as JSON; its chart begins with `first_round`.

    Keys: `codes` of provinces; `holders`, their classes, and `seats`, the text of a token for each; `empires`, names of
    active and declined ones; `turns`, each with its first step, title and remark of a review; `steps`, each with the
    number of its log lines, the place in the chart of VP, the turn's seat, the provinces that change (index, holder,
    pawns, fort, one after the other), the VP, and the empires of each seat (two indices); 0 in place of VP or empires
    that are as before.
    """
    names, replay = played.names, ReplayPosition(played)
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
                len(replay.happened(step)),
                _moment(state, first_round),
                state.turn_seat,
                [int(number) for change in changes for number in change],
                0 if vp == scores else vp,
                0 if shown == owned else shown,
            ]
        )
        scores, owned = vp, shown
    return {
        "codes": [province.code for province in played.board.provinces],
        "holders": HOLDERS,
        "seats": SEATS_OF,
        "empires": list(empires),
        "turns": [[turn.step, title(turn, played), _remark(turn, played)] for turn in replay.turns],
        "steps": found,
    }


def empires_of(seat: pb.SeatState, names: Catalogue) -> tuple[str, str]:
    """Return the names of the active and the declined empire of a seat; empty for none."""
    active = names.civilization(seat.active.traits) if seat.HasField("active") else ""
    declined = _("{traits} (declined)").format(traits=names.civilization(seat.declined.traits))
    return active, declined if seat.HasField("declined") else ""


def title(turn: ReplayTurn, played: PlayedGame) -> str:
    """Return round and seat of a turn in words."""
    return printable(f"{round_title(turn.round)} · {played.names.seat(turn.seat)}")


def _remark(turn: ReplayTurn, played: PlayedGame) -> str:
    """Return what a review says of a turn; empty without one."""
    after = min(turn.step + 1, len(played.updates) - 1)
    return printable(words.remark_at(played.review, played.updates[after].revision, played.names))


def _moment(state: pb.State, first_round: int) -> float:
    """Return the place of a position in a chart whose values are those at the ends of rounds, from the first one."""
    if state.phase == pb.PHASE_OVER:
        return state.round - first_round
    begun = list(state.order).index(state.turn_seat) / len(state.order) if state.turn_seat in state.order else 0.0
    return round(max(state.round - first_round - 1 + begun, 0.0), 2)
