"""Where somebody looks: what is selected, opened and planned at a full-screen table. It changes nothing in the game."""

from dataclasses import dataclass, field
from typing import Final, final

from ...game.commands import Preview as Preview
from ...text.tables import Line

MAP: Final = "map"
"""The tab that is open when no pane is."""


@final
@dataclass(slots=True)
class Plan:
    """Pawns as they are being placed on the map, for `hold` or `redeploy`; `left` are not placed yet.

    `pawns` by code of the province; for a redeployment those that are added. `forts` are codes of provinces to fortify.
    """

    kind: str
    pawns: dict[str, int]
    forts: set[str] = field(default_factory=set)
    left: int = 0


@final
@dataclass(slots=True)
class UiState:
    """What somebody sees of a game.

    Attributes:
        province: code of the selected province, empty for none.
        slot: the selected slot of the market, from 1; 0 for none.
        tab: MAP or the name of a pane. back: rows that the pane with the scroll bar is scrolled back.
        preview: of the action that Enter would do. plan: the placement that is being made.
        notice: an answer that stays until the next key.
        heard: number of the last line of the chat when it was looked at last.
        popup: title and text of an explanation on top of all. popup_back: lines that it is scrolled down.
        pace: seconds for which what others do is shown, one after another.
    """

    province: str = ""
    slot: int = 0
    tab: str = "map"
    back: int = 0
    preview: Preview | None = None
    plan: Plan | None = None
    notice: list[Line] = field(default_factory=list)
    heard: int = 0
    popup: tuple[str, str] | None = None
    popup_back: int = 0
    pace: float = 0.4
