"""Describes a pane to the registry: how it is opened, drawn and scrolled."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias, final

from ....game.client_match import ClientMatch
from ....text.i18n import _
from ...toolkit.text import Row, headed
from ..ui_state import UiState

Draw: TypeAlias = Callable[[ClientMatch, UiState, int, int], list[Row]]
"""Draws a pane for a number of columns; the last argument is the number of rows that are free for it."""

OPEN_RANK: Final = 1
"""Rank of the pane whose tab is open, see `Size`."""


class Size(NamedTuple):
    """A size of a pane beside the map.

    Attributes:
        rank: the sizes of all panes get room in the order of their ranks; a larger size replaces a smaller one.
        draw: draws the pane in this size.
    """

    rank: int
    draw: Draw


@final
@dataclass(frozen=True, slots=True)
class Pane:
    """A pane: a tab in place of the map in a small window, and a part of the column beside the map in a wide one.

    Attributes:
        name: name in `UiState.tab` and in click targets.
        draw: draws the tab, and the pane beside the map while its tab is open.
        key, label: the key that opens the tab and its name, marked with `N_`; empty for a pane without a tab.
        sizes: sizes beside the map while the tab is not open, if there is room.
        draw_open: draws the pane beside the map while its tab is open, if not as `draw`.
        fills: takes the rows that the other panes leave.
        scrolls: arrow keys scroll while the tab is open; otherwise they move the selection.
        length: rows of the whole contents, for a pane that scrolls by itself; other tabs scroll the log.
        unread: number shown behind the label.
        has_selection: whether the selection lies in this pane; the focus is then shown below it.
        in_replay: whether replays have the tab.
    """

    name: str
    draw: Draw
    key: str = ""
    label: str = ""
    sizes: Sequence[Size] = ()
    draw_open: Draw | None = None
    fills: bool = False
    scrolls: bool = False
    length: Callable[[ClientMatch, int], int] | None = None
    unread: Callable[[ClientMatch, UiState], int] = lambda _game, _ui: 0
    has_selection: Callable[[ClientMatch, UiState], bool] = lambda _game, _ui: False
    in_replay: bool = True

    def head(self, title: str, columns: int, more: str = "") -> Row:
        """Heading with the key that opens the tab, which a click on the heading does, too."""
        return headed(title, columns, more, self.key, f"tab {self.name}")

    def title(self) -> str:
        """Name of the tab in the language of the session."""
        return _(self.label)
