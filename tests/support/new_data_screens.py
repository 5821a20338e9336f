"""Prints what a client shows of a new trait and a new board in each language, as JSON; run in a process of its own.

A real server sends them: PYTHONPATH names copies of the packages, with other data than those of the tests.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Final

from tests.support.server.in_process import serving, table
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_cli.full.lobby.form import Form
from vinci_cli.full.map.map import Art
from vinci_cli.full.table import layout
from vinci_cli.full.table.panes import market
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.game.loading import board_map, catalogue_of
from vinci_cli.text import events, i18n, manual, tables
from vinci_client.session import Session
from vinci_server.operations import logs

POSITION: Final = (
    "pond; turn 1 conquer; seat 1 | FIS+WEA reserve=9 HAM; seat 2 | BAR+CUR; seat 3 | AST+SLA; "
    "market FIS+AGR LIV+MIN POR+SPI FOR+GAL GEN+MIL MOU+DIP"
)


async def seen(session: Session, language: str) -> dict[str, str]:
    """The screens in a language, by what they show."""
    i18n.choose(language)
    at = await table(session, POSITION)
    match = await session.get(at.match_id)
    names = await catalogue_of(session, match)
    game = ClientMatch(names, await board_map(session, match), match, {1: at.tokens[0]})
    detail = match_pb2.WatchRequest(state=True, legal=True)
    async for response in session.watch(at.match_id, at.tokens[0], detail=detail):
        game.take(response)
        if game.show_next() is not None:
            break
    assert game.state is not None
    held = await session.preview(at.match_id, at.tokens[0], game_pb2.Action(notation="hold HAM=10"))
    happened = [event for update in held.updates for event in update.events]
    info = await session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest(match_fields=True))
    form = Form(info)
    form.put("board", "pond")
    board = form.field("board")
    return {
        "market": "\n".join(map(tables.plain, tables.market(game.state, names))),
        "pane": "\n".join("".join(part.text for part in row) for row in market.sentences(game, 1)),
        "screen": layout.draw(game, UiState(), Art(game.board_map, names), 160, 50, 0).text(),
        "board": "\n".join(map(tables.plain, tables.board(game.state, names))),
        "score": "\n".join(line for event in happened for line in events.event_lines(event, names)),
        "form": "\n".join([board.show("pond"), *board.help]),
        "help": manual.rule("Fishing"),
    }


async def main(folder: Path) -> None:
    """Print the screens of all languages."""
    logs.configure("error")
    async with serving(folder / "server.db") as (_server, session):
        print(json.dumps({language: await seen(session, language) for language in i18n.LANGUAGES}))  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
