"""A container of prompt-toolkit that writes a block straight into the cells of the terminal."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, final

from prompt_toolkit.layout.containers import Container
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from ...text.i18n import untied
from ...text.tables import Line
from .block import Block
from .display import current

ASCII: Final = str.maketrans("│─┌┐└┘┤▶▷▸◂▴●•·…‖█▌▐▒░▓▀▄“”—→←↑↓≥≤", '|-+++++>>><^**..|#||=:=^_""-><^v><')
"""ASCII for characters that terminals without UTF-8 lack. Each is one cell wide."""


@final
class Canvas(Container):
    """Draws the block that `draw` returns for a size; unchanged lines are reused."""

    # The windows of prompt-toolkit process every character of each frame: 10 ms at 160x50, of the 20 of an event.

    def __init__(
        self,
        draw: Callable[[int, int], Block],
        click: Callable[[str], None],
        scroll: Callable[[str, int], None],
    ) -> None:
        self._draw: Final = draw
        self._click: Final = click
        self._scroll: Final = scroll
        self._block = Block()
        self._rows: list[dict[int, Char]] = []

    def reset(self) -> None:
        """Do nothing: there is no state."""

    def preferred_width(self, max_available_width: int) -> Dimension:
        """All of it."""
        return Dimension()

    def preferred_height(self, width: int, max_available_height: int) -> Dimension:
        """All of it."""
        return Dimension()

    def get_children(self) -> list[Container]:
        """None."""
        return []

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """Draw the block and handle the mouse."""
        before, rows_before = self._block, self._rows
        self._block = block = self._draw(write_position.width, write_position.height)
        self._rows = []
        for number, line in enumerate(block.lines):
            is_same = number < len(rows_before) and before.lines[number] == line
            self._rows.append(rows_before[number] if is_same else _row(line, is_unicode=current().is_unicode))
            screen.data_buffer[number].update(self._rows[number])
        screen.width, screen.height = write_position.width, write_position.height
        mouse_handlers.set_mouse_handler_for_range(
            0, write_position.width, 0, write_position.height, self._handle_mouse
        )

    def _handle_mouse(self, event: MouseEvent) -> None:
        target = self._block.at(event.position.y, event.position.x)
        match event.event_type:
            case MouseEventType.MOUSE_UP:
                self._click(target)
            case MouseEventType.SCROLL_UP:
                self._scroll(target, -1)
            case MouseEventType.SCROLL_DOWN:
                self._scroll(target, 1)


def _row(line: Line, *, is_unicode: bool) -> dict[int, Char]:
    """The cells of a line."""
    row: dict[int, Char] = {}
    place = 0
    for style, text in line:
        for letter in text if is_unicode else text.translate(ASCII):
            row[place] = char = _char(letter, style)
            if char.width == 2:
                row[place + 1] = _char("", style)
            place += char.width
    return row


@lru_cache(maxsize=50_000)
def _char(letter: str, style: str) -> Char:
    """A cell of the terminal, cached, as creating one is slow."""
    return Char(untied(letter), style)
