"""`vinci tutorial`: a short game that teaches the game."""

from dataclasses import replace
from pathlib import Path

from vinci.v1 import lobby_pb2
from vinci_client import processes
from vinci_client.access import OPEN, Access
from vinci_client.errors import ServerRefused
from vinci_client.session import Session

from . import entrance, faces, local, saved
from .failed import Failed, Misused
from .full import LEAST_COLUMNS, LEAST_ROWS
from .full.game import Game
from .full.lesson import Lesson
from .full.question import Question
from .full.stage import Stage
from .full.table_page import TablePage
from .full.tutorial import SEAT, Tutor, request, steps
from .language import _
from .line import catalogue_of
from .played import board_map, fetch
from .saved import SavedSeat
from .seats import login_name, seat_people


def tutorial(database: Path, *, new: bool) -> None:
    """Learn the game, on a server of its own. Raises Failed or Misused."""
    if not faces.fills_screen():
        raise Misused(
            _("the tutorial needs a terminal of at least {columns}x{rows}; vinci rules tells the rules as text").format(
                columns=LEAST_COLUMNS, rows=LEAST_ROWS
            )
        )

    async def work(_access: Access) -> None:
        async with faces.filled() as face:
            await learn_here(face.stage, database, new=new)

    entrance.run(work, OPEN, "vinci tutorial")


async def learn_here(stage: Stage, database: Path, *, new: bool = False) -> None:
    """The tutorial on a server of its own. Raises Failed."""
    try:
        async with local.in_thread(local.server(database)) as address, Session(address) as session:
            await learn(stage, session, str(database.resolve()), new=new)
    except processes.InUse:
        raise Failed(_("the tutorial is open already, perhaps in another window")) from None
    except processes.NotStarted as error:
        raise Failed(str(error)) from None


async def learn(stage: Stage, session: Session, where: str, *, new: bool = False) -> None:
    """The tutorial from its start, or from where it was left; `where` is what its seat is remembered for."""
    seat = None if new else await _left(stage, session, where)
    if seat is None:
        match_id = (await session.create(request())).match.match_id
        seat = replace(await seat_people(session, match_id, [login_name()], SEAT), where=where)
        saved.save(seat)
    match = await session.get(seat.match_id)
    names = await catalogue_of(session, match)
    page = TablePage(stage, session, Game(names, await board_map(session, match), match, seat.seats))
    tutor = Tutor(steps())
    for update in (await fetch(session, seat.match_id)).updates:
        tutor.take(update)
    lesson = Lesson(tutor, page.game, page.look, stage.leave)
    page.guide = lesson
    if await page.play() != "left" or lesson.over:
        saved.forget(seat)


async def _left(stage: Stage, session: Session, where: str) -> SavedSeat | None:
    """The seat in a tutorial that was left, if the person wants to go on with it."""
    for seat in saved.at(where):
        try:
            match = await session.get(seat.match_id)
        except ServerRefused:
            saved.forget(seat)
            continue
        if match.status == lobby_pb2.MATCH_STATUS_RUNNING:
            question = _("Go on with the tutorial where you left it?")
            answers = [("y", _("yes")), ("n", _("from the start"))]
            if await stage.show(Question(stage, question, answers)) == "y":
                return seat
        saved.forget(seat)
    return None
