"""A stay at a table: playing, the record of the game, its check, another game."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Protocol

from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.errors import ServerRefused
from vinci_client.incoming import checked_id
from vinci_client.session import OVER, Session

from .connection import local_server, nonces, saved_seats
from .connection.saved_seats import SavedSeat
from .connection.seating import is_played, login_name
from .game.interface import SeatedMatch, UserInterface
from .game.loading import catalogue_of
from .text.i18n import _


class Check(Protocol):
    """A check of the draws of a game (`fairness.verdict`)."""

    def __call__(self, seat: SavedSeat, lines: Sequence[str], *, over: bool) -> str:
        """Return the result in a sentence, empty for none."""


async def going_on(session: Session, seats: Sequence[SavedSeat]) -> list[tuple[SavedSeat, lobby_pb2.Match]]:
    """Return the seats whose game goes on, each with its match; the others are forgotten."""
    found = []
    for seat in seats:
        try:
            match = await session.get(seat.match_id)
        except ServerRefused as error:
            if error.reason != "UNKNOWN_MATCH":
                raise
            saved_seats.forget(seat)
            continue
        if match.status in OVER:
            saved_seats.forget(seat)
        else:
            found.append((seat, match))
    return found


async def offer_to_go_on(
    ui: UserInterface,
    waiting: Sequence[tuple[SavedSeat, lobby_pb2.Match]],
    names: Sequence[str] = (),
    *,
    even_played: bool = False,
) -> SavedSeat | None:
    """Offer the latest of these seats, with names the latest of one of these players.

    One that is played now is not offered, unless `even_played`.
    """
    for seat, match in waiting:
        own = [match.seats[number - 1].player for number in seat.seats]
        if (is_played(match, seat.seats) and not even_played) or (names and not set(names) & set(own)):
            continue
        score = _(", you have {vp} VP").format(vp=match.vp[seat.seat - 1]) if match.vp else ""
        text = (
            _("A game is waiting for {names} (round {round}{score}). Go on with it?")
            if all(own)
            else _("A game is waiting (round {round}{score}). Go on with it?")
        )
        question = text.format(names=_(" and ").join(own), round=match.round, score=score)
        return seat if await ui.agrees(question) else None
    return None


async def look_on(
    ui: UserInterface, session: Session, match: lobby_pb2.Match, from_revision: int | None, own_name: str = ""
) -> None:
    """Watch a match until it is over or left. `own_name` defaults to the login name."""
    names = await catalogue_of(session, match)
    table = SeatedMatch(session, match, names, {}, own_name=own_name or login_name(), from_revision=from_revision)
    if await ui.play(table) == "over":
        await ui.wants_rematch(table, None, "", possible=False)


async def stay(
    ui: UserInterface,
    session: Session,
    seat: SavedSeat,
    folder: Path,
    command: str,
    check: Check,
    invitation: str = "",
    bots_log: Path | None = None,
) -> None:
    """Play seats, and the rematches after it, each with the bots that the people here have brought.

    Args:
        ui: the interface of the people here.
        session: the server.
        seat: the seats in the match.
        folder: where records are written.
        command: the command that goes on with a game that was left; empty if that need not be told.
        check: checks the draws of the game afterwards; runs in a thread.
        invitation: the command that lets another terminal in.
        bots_log: log of the bots that are started here; None starts none.
    """
    following: SavedSeat | None = seat
    while following is not None:
        saved_seats.save(following)
        with ExitStack() as stack:
            if following.bots and bots_log is not None:
                stack.enter_context(local_server.bots(session.address, following.bots, bots_log, session.access.code))
            following = await _sit(ui, session, following, folder, command, check, invitation)


async def _sit(
    ui: UserInterface, session: Session, seat: SavedSeat, folder: Path, command: str, check: Check, invitation: str
) -> SavedSeat | None:
    """Play seats until the game ends or the people leave; returns the seats in the rematch, if one is wanted."""
    match = await session.get(seat.match_id)
    if await nonces.send_due(session, match, seat.seats):
        match = await session.get(seat.match_id)
    table = SeatedMatch(session, match, await catalogue_of(session, match), seat.seats, invitation)
    ending = await ui.play(table)
    seat = saved_seats.find(seat.match_id, seat.seats.values()) or seat
    if ending == "left" and table.seats:
        (number, token), *others = table.seats.items()
        saved_seats.save(replace(seat, seat=number, token=token, others=tuple(others)))
        if command:
            ui.tell(_("The game waits for you. To go on with it: {command}").format(command=command))
        return None
    saved_seats.forget(seat)
    if ending == "lost":
        return None
    path = await _save_record(session, seat.match_id, folder)
    if path is not None:
        text = _("The record is in {path}; see it again with: vinci replay {path}")
        ui.tell(text.format(path=path))
    own_seat = replace(seat, nonces=tuple((number, nonce) for number, nonce in seat.nonces if number in table.seats))
    lines = path.read_text(encoding="utf-8").splitlines() if path is not None else []
    verdict = await asyncio.to_thread(check, own_seat, lines, over=ending == "over")
    if verdict:
        ui.tell(verdict)
    if path is None:
        return None
    if await ui.wants_rematch(table, path, verdict, possible=ending == "over" and not match.from_position):
        return await _rematch(session, replace(seat, others=tuple(table.seats.items())))
    return None


async def _save_record(session: Session, match_id: str, folder: Path) -> Path | None:
    """Write the record of a match into a folder and return its path; None if nothing was played."""
    lines = await session.call(session.match.GetRecord, match_pb2.GetRecordRequest(match_id=match_id))
    if not lines.lines:
        return None
    text = "".join(f"{line}\n" for line in lines.lines)
    path = _free_path(folder / "records", checked_id(match_id), text)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _free_path(folder: Path, match_id: str, text: str) -> Path:
    """Return a path for the record of a match under which there is no other record: servers choose their ids."""
    names = chain([match_id], (f"{match_id}-{number}" for number in count(2)))
    paths = (folder / f"{name}.jsonl" for name in names)
    return next(path for path in paths if not path.exists() or path.read_bytes() == text.encode())


async def _rematch(session: Session, seat: SavedSeat) -> SavedSeat:
    """Join another game with the same players and return the seats there."""
    given = [(token, nonces.new()) for _number, token in seat.others]
    joined = [
        (await session.join_rematch(seat.match_id, token, nonces.hash_of(nonce)), nonce) for token, nonce in given
    ]
    bots = [
        (name, token and (await session.join_rematch(seat.match_id, token)).seat_token) for name, token in seat.bots
    ]
    return replace(nonces.seated(seat.where, joined), bots=tuple(bots), access=seat.access)
