"""Sessions in full screen: from the lobby to tables, replays and the tutorial, until the people leave."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from vinci_client.access import OPEN, Access
from vinci_client.errors import ServerGone, ServerRefused
from vinci_codec import states
from vinci_codec.catalogue import board_map
from vinci_rules import position

from . import home, table_session
from .connection import connect
from .connection.seating import own_name
from .exceptions import Failed
from .full.lobby.flow import lobby
from .full.lobby.lobby import (
    Entry,
    Leave,
    Result,
    ToMatches,
    ToMenu,
    ToReplay,
    ToServers,
    ToSpectating,
    ToTable,
    ToTutorial,
)
from .full.lobby.title import Scene
from .full.replay.page import look_back
from .full.toolkit.dialog import Question
from .full.tutorial.session import learn_here
from .full.ui import FullScreenInterface, filled
from .records import fairness, loader
from .text.i18n import _
from .text.refusals import full_sentence

POSITION: Final = (
    "europe; rules standard; round 6; order 1 2 3 4; turn 1 start; "
    "seat 1 vp=52 | MED+POR* reserve=5 LOM=1 NAP=1 MAC=1 HEL=1 THR=1 DAC=1 RUT=1 PON=1 BIT=1; "
    "seat 2 vp=50 | WEA+MOU reserve=13 | - IRL MER WES SVE DEN FLA SAX RHI; "
    "seat 3 vp=47 | AGR*+AGR LAP=5 NOV=4 | - BAV PAN DAL; "
    "seat 4 vp=66 | FOR+HER LUS=2 CAS=2 BAE=1 PYR=1^ AQU=2 ARM=2 NEU=2^ PRO=1 | - FIN LIV MUS VOL; neutral POM POL; "
    "market MIN*+MIL:1 AST+LIV AGR+MES POR*+POR SPE+FOR MED+GAL; fills 13"
)
"""The middle of a game, drawn where no game is shown."""


def scene() -> Scene:
    """Return this position with its board, named in the language of the session."""
    state = position.read(POSITION)
    return Scene(loader.names_of(state.board), board_map(state.board.name), states.state(state))


def menu() -> None:
    """Open the menu of everything that there is."""
    _run(ToMenu(), "vinci", [])


def find_table(command: str, names: Sequence[str], access: Access, address: str = "", only: str = "all") -> None:
    """Choose a server of this network and a match there; with an address, a match of that server.

    Args:
        command: what was typed.
        names: those of the people at this terminal.
        access: opens the server.
        address: the server, empty to choose one.
        only: the filter of its matches, `all` or `running`.
    """
    _run(ToMatches(address, access) if address else ToServers(access, only, only == "running"), command, names)


def _run(entry: Entry, command: str, names: Sequence[str]) -> None:
    async def work(_access: Access) -> None:
        async with filled() as ui:
            await visit(ui, entry, names or [own_name()], home.private_folder() / "play.db")

    connect.run(work, OPEN, command)


def offer_tutorial() -> None:
    """Ask whether the tutorial is wanted before the first game, and open it then. Raises Failed."""

    async def work(_access: Access) -> None:
        async with filled() as ui:
            if await ui.agrees(_("Is this your first game? The tutorial takes about ten minutes. Begin with it?")):
                await learn_here(ui.app, home.private_folder() / "tutorial.db")

    connect.run(work, OPEN, "vinci play")


def tutorial(database: Path, *, new: bool) -> None:
    """Open the tutorial, on a server of its own. Raises Failed."""

    async def work(_access: Access) -> None:
        async with filled() as ui:
            if await learn_here(ui.app, database, new=new):
                ui.tell(_("Now play: type vinci and choose a quick game, or vinci play."))
            else:
                ui.tell(_("The tutorial waits for you. To go on with it: vinci tutorial"))

    connect.run(work, OPEN, "vinci tutorial")


async def visit(ui: FullScreenInterface, entry: Entry, names: Sequence[str], here: Path | None = None) -> None:
    """Play, watch, replay and learn, with the lobby in between.

    `names` are those of the people at this terminal, `here` the database for games on this machine; without one,
    neither these nor the tutorial are offered. Failures are shown, and lead back to the lobby.
    """
    while True:
        async with lobby(ui.app, entry, names, here, scene=scene) as result:
            if isinstance(result, Leave):
                return
            if isinstance(entry, ToServers):
                entry = entry._replace(goes_in=False)
            try:
                await _follow(ui, result, names, here)
            except (Failed, ServerGone, ServerRefused) as error:
                await ui.app.show(Question(ui.app, full_sentence(error), [("b", _("back"))]))


async def _follow(ui: FullScreenInterface, result: Result, names: Sequence[str], here: Path | None) -> None:
    """Carry out the choice made in the lobby."""
    match result:
        case ToTable(session, seat, invitation):
            bot_log = None if here is None else here.with_suffix(".bots.log")
            await table_session.stay(ui, session, seat, home.folder(), "", fairness.verdict, invitation, bot_log)
        case ToSpectating(session, match):
            await table_session.look_on(ui, session, match, None, own_name=next(iter(names), ""))
        case ToReplay(path):
            await look_back(ui.app, loader.load(path), path.with_suffix(".html"), summary=False, record=path)
        case ToTutorial():
            await learn_here(ui.app, home.folder() / "tutorial.db")
