"""`vinci join`: seats of this user that another terminal plays are not offered."""

from pathlib import Path

from tests.support.line_client import PreparedUi
from tests.support.server.in_process import DUMMY, HUMAN, create, played, serving
from vinci_cli import home
from vinci_cli.commands.join import _take_seats
from vinci_cli.connection import saved_seats
from vinci_cli.connection.saved_seats import SavedSeat
from vinci_cli.line.ui import LineInterface
from vinci_client.session import Session


async def joins(session: Session, *typed: str, is_terminal: bool = True) -> tuple[SavedSeat, str]:
    """Return the seats that a person gets who types these answers, and all that was shown and asked."""
    screen = PreparedUi(typed)
    if is_terminal:
        screen.asked.append(("", "", lambda _typed: ()))  # as if asked before
    seat = await _take_seats(LineInterface(screen), session, "", 0, (), None)
    saved_seats.save(seat)
    return seat, screen.text() + "".join(prompt for prompt, *_ in screen.asked)


async def test_seat_that_another_terminal_plays_is_not_offered(tmp_path: Path) -> None:
    """A second terminal of the same user asks for a name and takes a seat of its own; a pipe takes the login name."""
    async with serving(tmp_path / "server.db") as (_server, session):
        with home.kept_in(tmp_path):
            match_id = (await create(session, HUMAN, HUMAN, HUMAN, DUMMY)).match.match_id

            first, shown = await joins(session)
            assert (first.seat, shown) == (1, "")
            name = (await session.get(match_id)).seats[0].player
            async with played(session, match_id, first.seat, first.token):
                second, shown = await joins(session, "Ben")
            assert second.seat == 2
            assert f"{name} plays in another terminal." in shown
            assert "Go on with it?" not in shown
            assert (await session.get(match_id)).seats[1].player == "Ben"
            again, shown = await joins(session, is_terminal=False)
            assert "A game is waiting for Ben" in shown
            assert again.seat == 2
