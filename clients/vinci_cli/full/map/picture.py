"""The board as an image in the terminal, as it is drawn as SVG."""

import asyncio

from ...game.client_match import ClientMatch
from ...graphics import board_svg
from ...installation import install_command
from ...text.i18n import _
from ..toolkit.app import App


async def show_board(app: App, game: ClientMatch) -> str:
    """Show the position that is shown as an image until a key is pressed; return why not, empty if it is shown."""
    if game.state is None:
        return ""
    if not await app.asks_pictures():
        return _(
            "This terminal shows no images. Those that know the protocol of kitty do: kitty, Ghostty, WezTerm, Konsole."
        )
    drawing = await asyncio.to_thread(board_svg.svg, game.board_map, game.names.board, game.state, game.names)
    try:
        await app.paint(drawing)
    except ImportError:
        return _("Images need resvg-py: {command}").format(command=install_command("picture"))
    return ""
