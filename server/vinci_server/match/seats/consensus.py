"""Votes and chat: pause, resume, substitutes, and the corresponding decisions of an admin."""

from collections.abc import Sequence
from typing import Final

from vinci.v1 import match_pb2
from vinci_rules.state import Seat

from ...errors import ServiceError
from ..command_queue import command
from ..log import entries as log
from ..log.ledger import ChatEntry, Proposed
from ..match import Match
from ..planning import check_changes, check_goes_on, numbers, started
from .names import check_person, different, one_line

LONGEST_LINE: Final = 300
LONGEST_REASON: Final = 300
MOST_LINES: Final = 1000
"""Lines of the chat of one match that each seat can say, and those of all spectators that one host can."""
MOST_SPECTATOR_LINES: Final = 3000
"""Lines that all spectators of one match can say."""


@command
async def propose(match: Match, seat: Seat, proposed: Proposed, *, agrees: bool) -> None:
    """Agree to a proposal, or withdraw; it takes effect once every player who may vote agrees."""
    _check_running(match)
    ledger = match.ledger
    _check_proposal(match, seat, proposed)
    check_changes(ledger, seat)
    known = ledger.proposals.get(proposed, set())
    agreed = known | {seat} if agrees else known - {seat}
    entries = [log.Propose(seat, proposed.kind, proposed.seat, agrees)] if agreed != known else []
    # The last vote and its effect are stored together.
    if agrees and set(ledger.people()) - {proposed.seat} <= agreed:
        match proposed.kind:
            case "pause":
                await pause(match, "players", entries)
            case "resume":
                await resume(match, "players", entries)
            case "substitute":
                assert proposed.seat is not None
                await match.substitute(proposed.seat, "vote", entries)
    elif entries:
        await match.change_seats(entries)


def _check_proposal(match: Match, seat: Seat, proposed: Proposed) -> None:
    ledger = match.ledger
    if seat not in ledger.people():
        raise ServiceError("BAD_PROPOSAL", "NO_SAY", seat=seat + 1)
    match proposed.kind:
        case "pause" if ledger.paused:
            raise ServiceError("BAD_PROPOSAL", "PAUSED")
        case "resume" if not ledger.paused:
            raise ServiceError("BAD_PROPOSAL", "NOT_PAUSED")
        case "substitute":
            absent = [other for other in ledger.people() if not match.audience.is_present(other)]
            if proposed.seat not in absent:
                raise ServiceError("BAD_PROPOSAL", "GONE" if absent else "NOBODY_GONE", seats=numbers(absent))


@command
async def pause(match: Match, by: str, before: Sequence[log.Entry] = ()) -> None:
    """Pause the game and its clocks, after storing `before`."""
    _check_running(match)
    if match.ledger.paused:
        return
    entries = [*before, log.Pause(by)]
    if (seat := match.ledger.to_act()) is not None and match.ledger.setup.timing.has_clock:
        entries.append(log.ReadClock(seat, match.timekeeper.left_ms(seat)))
    await match.change_seats(entries)
    match.log("match paused", by=by)
    match.timekeeper.arm()
    match.show_clocks()


@command
async def resume(match: Match, by: str, before: Sequence[log.Entry] = ()) -> None:
    """Resume a paused game, after storing `before`."""
    _check_running(match)
    if not match.ledger.paused:
        return
    await match.change_play([*before, log.Resume(by)], match.ledger.seats())
    match.log("match resumed", by=by)


@command
async def end(match: Match, reason: str, *, only_open: bool = False) -> None:
    """End a match before its game is over; with `only_open` only if it has not started."""
    if only_open and match.ledger.state is not None:
        raise ServiceError("ALREADY_STARTED")
    if match.is_finished:
        raise ServiceError("MATCH_ENDED", "ALREADY")
    await match.change_seats([log.End(reason)], "ended")
    match.log("match ended", reason=reason)
    match.finish()


def _check_running(match: Match) -> None:
    check_goes_on(match.ledger)
    started(match.ledger)


@command
async def say(match: Match, seat: Seat | None, host: str, name: str, text: str, person: int = 0) -> match_pb2.ChatLine:
    """Write a line of chat, as a player to everybody or as a spectator to spectators; `person` is a spectator's id."""
    line = one_line(text, LONGEST_LINE)
    if not line:
        raise ServiceError("BAD_CHAT", most=LONGEST_LINE)
    _check_lines(match, seat, host)
    if seat is None and name:
        check_person(name, match.ledger.names())
    speaker = different(name or "spectator", match.ledger.names()) if seat is None else match.ledger.name(seat)
    person = person if seat is None else match.ledger.sitters[seat].person
    await match.append([log.Chat(seat, speaker, line, person)])
    if seat is None:
        match.audience.chat_lines[host] += 1
    message = chat_message(match.ledger.chat[seat is not None][-1])
    match.audience.show_chat(message)
    return message


def _check_lines(match: Match, seat: Seat | None, host: str) -> None:
    """Raises ServiceError if a seat, a spectator's host or all spectators have reached their limit of chat lines."""
    said = match.ledger.said
    if seat is not None and said[seat] >= MOST_LINES:
        raise ServiceError("TOO_MUCH_CHAT", "SEAT", seat=seat + 1, most=MOST_LINES)
    for lines, most in ((match.audience.chat_lines[host], MOST_LINES), (said[None], MOST_SPECTATOR_LINES)):
        if seat is None and lines >= most:
            raise ServiceError("TOO_MUCH_CHAT", "SPECTATORS", most=most)


def heard(match: Match, seat: Seat | None, after: int) -> list[match_pb2.ChatLine]:
    """Return the lines after a number that a player or spectator may read."""
    hears_all = seat is None or match.ledger.status == "over"
    lines = [*match.ledger.chat[True], *(match.ledger.chat[False] if hears_all else ())]
    return [chat_message(line) for line in sorted(lines) if line.number > after]


def chat_message(line: ChatEntry) -> match_pb2.ChatLine:
    """Return a line of the chat as a message."""
    seat = 0 if line.seat is None else line.seat + 1
    return match_pb2.ChatLine(number=line.number, seat=seat, name=line.name, text=line.text, time=int(line.time))
