"""Playback of actions of others: one after another at a set pace, however they arrive."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from tests.support.full_screen import games
from tests.support.full_screen.games import game, text_of
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_cli.full.map.map import Art
from vinci_cli.full.table.messages import Event, MyMove
from vinci_cli.full.table.playback import Playback
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.table.update.reducer import Table, update
from vinci_cli.game.client_match import ClientClocks, ClientMatch

FOR_EVER: Final = 100_000.0
"""Seconds of a pace at which nothing follows by itself."""


@asynccontextmanager
async def showing(here: ClientMatch, moves: list[bool]) -> AsyncIterator[Playback]:
    """Show a match very slowly; `moves` records whether each announced move was new."""

    def take(event: Event) -> None:
        if isinstance(event, MyMove):
            moves.append(event.is_new)

    shown = Playback(cast(Any, None), here, take, FOR_EVER)
    task = asyncio.create_task(shown.show())
    try:
        yield shown
    finally:
        task.cancel()


async def happens(shown: Playback, here: ClientMatch, revision: int, seat: int) -> None:
    """Receive an update of a seat, and leave time to show it."""
    update = game_pb2.Update(revision=revision, seat=seat, by="player", state=here.state)
    shown.take(match_pb2.WatchResponse(update=update))
    for _ in range(10):
        await asyncio.sleep(0)


async def test_later_updates_wait_for_the_playback() -> None:
    """A move of others that arrives during playback waits; space shows it."""
    here = game(text_of(4, "conquer"))
    others = [seat for seat in (1, 2, 3) if seat not in here.seats]
    async with showing(here, []) as shown:
        await happens(shown, here, 58, others[0])
        assert here.revision == 58
        await happens(shown, here, 59, others[1])
        await happens(shown, here, 60, others[0])
        assert (here.revision, len(here.waiting)) == (58, 2)
        shown.skip()
        await shown.until_shown(60)


async def test_own_actions_are_shown_at_once() -> None:
    """Neither waiting updates nor the pace delay own actions, nor the answers of others to them."""
    here = game(text_of(4, "conquer"))
    other = next(seat for seat in (1, 2, 3) if seat not in here.seats)
    async with showing(here, []) as shown:
        await happens(shown, here, 58, other)
        await happens(shown, here, 59, here.seat)
        await happens(shown, here, 60, other)
        assert here.revision == 60


async def test_move_is_announced_once_after_the_moves_of_others() -> None:
    """The bell rings once for a move, not after each own action."""
    here = game(text_of(4, "conquer"))
    other = next(seat for seat in (1, 2, 3) if seat not in here.seats)
    moves: list[bool] = []
    async with showing(here, moves) as shown:
        await happens(shown, here, 58, other)
        await happens(shown, here, 59, here.seat)
        await happens(shown, here, 60, here.seat)
    assert moves == [True, False, False]


async def test_lost_connection_removes_the_preview() -> None:
    """A lost connection removes the preview and keeps the placement."""
    here = game(text_of(4, "conquer"))
    table = Table(here, Art(here.board_map, here.names))
    states = [UiState(preview=games.conquest(here), plan=games.plan(here))]
    shown = Playback(cast(Any, None), here, lambda event: states.append(update(table, states[-1], event)[0]), FOR_EVER)
    shown.tell_connection(False)
    assert len(states) == 2
    assert states[1].preview is None
    assert states[1].plan is not None


async def test_own_clock_stops_at_a_lost_connection() -> None:
    """The clock stays as it was until the next message of the server."""
    here = game(text_of(4, "conquer"), clocks=True)
    now = [0.0]
    here.clocks = ClientClocks(here.match.timing, lambda: now[0])
    here.clocks.take(match_pb2.Clocks(left=[60_000] * 4, running=here.seat))
    shown = Playback(cast(Any, None), here, lambda _event: None, FOR_EVER)
    now[0] = 10.0
    shown.tell_connection(False)
    now[0] = 40.0
    assert here.clocks.face(here.seat) == "0:50"
    shown.take(match_pb2.WatchResponse(clocks=match_pb2.Clocks(left=[48_000] * 4, running=here.seat)))
    now[0] = 50.0
    assert here.clocks.face(here.seat) == "0:38"


def test_player_who_is_back_at_once_was_never_gone() -> None:
    """The waiting room ends its stream before the table begins one; the log tells of no absence."""
    here = game(text_of(4, "conquer"))
    before = len(here.log)
    other = here.seat % 4 + 1

    def connected(value: bool) -> None:
        match = lobby_pb2.Match()
        match.CopyFrom(here.match)
        match.seats[other - 1].connected = value
        here.take(match_pb2.WatchResponse(match=match))

    connected(False)
    assert here.log[-1].text.endswith("is away.")
    connected(True)
    assert len(here.log) == before
