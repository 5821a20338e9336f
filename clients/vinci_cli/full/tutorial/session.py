"""`vinci tutorial`: a short game with explanations."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from vinci.v1 import game_pb2, lobby_pb2
from vinci_client import processes
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session

from ...connection import local_server, saved_seats
from ...connection.saved_seats import SavedSeat
from ...connection.seating import own_name, seat_people
from ...exceptions import Failed
from ...game.client_match import ClientMatch
from ...game.loading import board_map, catalogue_of, fetch
from ...text.i18n import _
from ..map.symbols import signs
from ..table.page import TablePage
from ..toolkit.app import App
from ..toolkit.dialog import Question
from .overlay import Lesson
from .steps import SEAT, Tutor, request, steps


async def learn_here(app: App, database: Path, *, new: bool = False) -> bool:
    """Run the tutorial on a new local server; returns whether its last step was read. Raises Failed."""
    try:
        async with local_server.in_thread(local_server.server(database)) as address, Session(address) as session:
            return await learn(app, session, str(database.resolve()), new=new)
    except processes.InUse:
        raise Failed(_("the tutorial is open already, perhaps in another window")) from None
    except processes.NotStarted as error:
        raise Failed(str(error)) from None


async def learn(app: App, session: Session, where: str, *, new: bool = False) -> bool:
    """Run the tutorial from its start or from where it was left; its seat is saved for `where`.

    Returns whether its last step was read.
    """
    seat = None if new else await _left(app, session, where)
    if seat is None:
        match_id = (await session.create(request())).match.match_id
        seat = replace(await seat_people(session, match_id, [own_name()], SEAT), where=where)
        saved_seats.save(seat)
    match = await session.get(seat.match_id)
    names = await catalogue_of(session, match)
    page = TablePage(app, session, ClientMatch(names, await board_map(session, match), match, seat.seats))
    tutor = Tutor(steps(signs(app.depth)))
    for update in (await fetch(session, seat.match_id)).updates:
        tutor.take(update)
    lesson = page.overlay = Lesson(tutor, page.game, page.dispatch)
    if await page.play() != "left" or lesson.over:
        await _end(session, seat)
    return lesson.over


async def _end(session: Session, seat: SavedSeat) -> None:
    """Leave the match of a tutorial for good: it would stay among the running ones."""
    saved_seats.forget(seat)
    forfeit = game_pb2.Action(forfeit=game_pb2.Forfeit(seat=seat.seat))
    with suppress(ServerGone, ServerRefused):
        await session.act(seat.match_id, seat.token, [forfeit])


async def _left(app: App, session: Session, where: str) -> SavedSeat | None:
    """The saved seat of a tutorial that was left, if the person wants to continue it."""
    for seat in saved_seats.at(where):
        try:
            match = await session.get(seat.match_id)
        except ServerRefused:
            saved_seats.forget(seat)
            continue
        if match.status == lobby_pb2.MATCH_STATUS_RUNNING:
            question = _("Go on with the tutorial where you left it?")
            answers = [("y", _("yes")), ("n", _("from the start"))]
            if await app.show(Question(app, question, answers)) == "y":
                return seat
        await _end(session, seat)
    return None
