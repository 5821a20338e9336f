"""State of the interface at a full-screen table: what is selected, opened and planned. It is no part of the game."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Final, final

from vinci.v1 import game_pb2

from ...game.typed import Preview as Preview
from ...text.tables import Line
from .. import LEAST_COLUMNS, LEAST_ROWS

MAP: Final = "map"
"""The tab that is open when no pane is."""

ZOOM_KEY: Final = "z"
"""The key that shows the whole map where there is little room, and the part around the selection again."""

PICTURE_KEY: Final = "i"
"""The key that shows the board as an image, where the terminal shows images."""


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """Pawns as they are being placed on the map, for `hold` or `redeploy`.

    Attributes:
        kind: hold or redeploy.
        pawns: pawns by code of the province; for a redeployment those that are added.
        forts: codes of the provinces to fortify.
        left: pawns that are not placed yet.
    """

    kind: str
    pawns: Mapping[str, int]
    forts: Set[str] = frozenset()
    left: int = 0


@final
@dataclass(frozen=True, slots=True)
class UiState:
    """State of the interface at a table; every change gives a new one (see `update`).

    Attributes:
        province: code of the selected province, empty for none.
        clicked: code of the province that was selected last with the mouse.
        slot: the selected slot of the market, from 1; 0 for none.
        tab: MAP or the name of a pane.
        back: rows that the pane that scrolls is scrolled back.
        preview: preview of the action that Enter would do.
        plan: the placement that is being made.
        planned_in: the situation in which it was begun, see `cursor.situation`.
        begun: revision at which the own move began; -1 before the first one.
        suggested: the action that was suggested and is played by Enter; None after the selection or the game changed.
        leaving: whether the next key that leaves does so unasked.
        notice: an answer that stays until the next key.
        is_recap: whether the notice tells what happened since the own last turn, with arrows on the map.
        thinking: number of searches of the server that have not ended.
        heard: number of the last line of the chat when the chat was open last.
        popup: title and text of an explanation over everything.
        popup_back: rows that it is scrolled down.
        pace: seconds for which each thing that others do is shown.
        is_whole: the whole map is shown even where there is little room, not the part around the selection.
        size: columns and rows of the window.
    """

    province: str = ""
    clicked: str = ""
    slot: int = 0
    tab: str = MAP
    back: int = 0
    preview: Preview | None = None
    plan: Plan | None = None
    planned_in: Sequence[object] = field(default=(), compare=False)
    begun: int = -1
    suggested: game_pb2.Action | None = None
    leaving: bool = False
    notice: Sequence[Line] = ()
    is_recap: bool = False
    thinking: int = 0
    heard: int = 0
    popup: tuple[str, str] | None = None
    popup_back: int = 0
    pace: float = 0.4
    is_whole: bool = False
    size: tuple[int, int] = (LEAST_COLUMNS, LEAST_ROWS)
