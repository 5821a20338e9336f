"""Playback of the actions of others: one after another, at a set pace, however they arrive."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from tests.support.full_screen import games
from tests.support.full_screen.games import game, text_of
from vinci.v1 import game_pb2, match_pb2
from vinci_cli.full.map.map import Art
from vinci_cli.full.table.messages import Event, MyMove
from vinci_cli.full.table.playback import Playback
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.table.update.reducer import Table, update
from vinci_cli.game.client_match import ClientMatch

FOR_EVER: Final = 100_000.0
"""Seconds of a pace at which nothing follows by itself."""


@asynccontextmanager
async def showing(here: ClientMatch, moves: list[bool]) -> AsyncIterator[Playback]:
    """A match that is shown very slowly; `moves` tells how often it was the own move, and whether that was new."""

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
    """Something that a seat did arrives, and there is time to show it."""
    update = game_pb2.Update(revision=revision, seat=seat, by="player", state=here.state)
    shown.take(match_pb2.WatchResponse(update=update))
    for _ in range(10):
        await asyncio.sleep(0)


async def test_what_arrives_later_waits_for_what_is_being_shown() -> None:
    """A second move of others, that comes when the first is shown already, waits; space shows it."""
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


async def test_ones_own_actions_are_shown_at_once() -> None:
    """Neither what others did before nor the pace delays them; what others answer is shown at once, too."""
    here = game(text_of(4, "conquer"))
    other = next(seat for seat in (1, 2, 3) if seat not in here.seats)
    async with showing(here, []) as shown:
        await happens(shown, here, 58, other)
        await happens(shown, here, 59, here.seat)
        await happens(shown, here, 60, other)
        assert here.revision == 60


async def test_a_move_is_new_only_after_what_others_did() -> None:
    """The bell rings for it once, and not again after each action of a turn."""
    here = game(text_of(4, "conquer"))
    other = next(seat for seat in (1, 2, 3) if seat not in here.seats)
    moves: list[bool] = []
    async with showing(here, moves) as shown:
        await happens(shown, here, 58, other)
        await happens(shown, here, 59, here.seat)
        await happens(shown, here, 60, here.seat)
    assert moves == [True, False, False]


async def test_what_would_happen_is_not_told_while_the_connection_is_lost() -> None:
    """The preview goes with it; what is being placed stays."""
    here = game(text_of(4, "conquer"))
    table = Table(here, Art(here.board_map, here.names))
    states = [UiState(preview=games.conquest(here), plan=games.plan(here))]
    shown = Playback(cast(Any, None), here, lambda event: states.append(update(table, states[-1], event)[0]), FOR_EVER)
    shown.tell_connection(False)
    assert len(states) == 2
    assert states[1].preview is None
    assert states[1].plan is not None
