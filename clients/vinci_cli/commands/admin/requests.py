"""What the commands of `vinci admin` do: ask the server, and tell the answer as a table or as JSON."""

import asyncio
import json
import sys
import textwrap
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from vinci.v1 import admin_pb2 as pb
from vinci.v1 import lobby_pb2
from vinci_client.access import Access, BadAccess
from vinci_client.address import with_port
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session
from vinci_server.match.seats.tokens import ADMIN_FILE

from ...connection import saved_seats
from ...connection.connect import failure
from ...exceptions import Failed, Misused
from ...text import refusals
from ...text.i18n import N_, _, decimal, plural

WIDTH: Final = 80
POLL_SECONDS: Final = 1.0
UNITS: Final = {"m": 60, "h": 3600, "d": 86_400}
STATUSES: Final = {
    name.removeprefix("MATCH_STATUS_").lower(): code for name, code in lobby_pb2.MatchStatus.items() if code
}
STATUS_TEXTS: Final = {
    "open": N_("open"),
    "running": N_("running"),
    "over": N_("over"),
    "ended": N_("ended"),
}
KIND_TEXTS: Final = {"human": N_("human"), "dummy": N_("dummy"), "bot": N_("bot")}
STATUS_NAMES: Final = {code: name for name, code in STATUSES.items()}
KIND_NAMES: Final = {code: name.removeprefix("SEAT_KIND_").lower() for name, code in lobby_pb2.SeatKind.items()}


@dataclass(frozen=True, slots=True)
class AdminTarget:
    """Which server, what tells the admin token: itself, or the database that it lies beside; and what opens it."""

    server: str
    token: str
    database: Path | None
    access: Access

    def found_token(self) -> str:
        """The admin token. Raises Failed or Misused."""
        if self.token:
            return self.token
        host = with_port(self.server).rpartition(":")[0]
        if self.database is None and host not in ("localhost", "127.0.0.1", "[::1]"):
            told = _(
                "{server} is another machine; give its admin token with --token or in VINCI_ADMIN_TOKEN,"
                " or, if it is this one, its database with --db"
            )
            raise Misused(told.format(server=self.server))
        path = (self.database.parent if self.database is not None else saved_seats.home()) / ADMIN_FILE
        try:
            return path.read_text(encoding="ascii").strip()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            told = _(
                "no admin token in {path} ({reason}); name the database of the server with --db, or give the token"
                " with --token"
            )
            raise Failed(told.format(path=path, reason=reason)) from None


Ask = Callable[..., Awaitable[Any]]


@asynccontextmanager
async def _asking(at: AdminTarget) -> AsyncIterator[Ask]:
    """A function that makes the call which a request belongs to, with the admin token. Raises Failed or Misused."""
    token = at.found_token()
    try:
        async with Session(at.server, at.access) as session:

            async def ask(request: Message, **how: Any) -> Any:
                method = getattr(session.admin, type(request).__name__.removesuffix("Request"))
                return await session.call(method, request, token, **how)

            yield ask
    except (ServerRefused, ServerGone) as error:
        raise failure(error) from None
    except BadAccess as error:
        raise Misused(refusals.sentence(error)) from None


async def _asked(at: AdminTarget, request: Message, **how: Any) -> Any:
    """The answer to one call; `how` is as in `Session.call`: what must not be done twice is tried once."""
    async with _asking(at) as ask:
        return await ask(request, **how)


def status(at: AdminTarget, *, as_json: bool) -> None:
    """Tell how the server does."""
    found: pb.GetServerStatusResponse = asyncio.run(_asked(at, pb.GetServerStatusRequest()))
    if as_json:
        _tell_json(found)
        return
    counts = ", ".join(f"{found.matches[name]} {_(STATUS_TEXTS[name])}" for name in STATUSES if found.matches[name])
    started = _("{version}, started {date} ({ago} ago)")
    ago = _ago(found.start_time)
    _row(_("version"), started.format(version=found.version, date=_date(found.start_time), ago=ago))
    _row(_("matches"), _("{counts}; {awake} awake").format(counts=counts or _("none"), awake=found.awake))
    there = (
        plural("{n} seat", "{n} seats", found.connected_seats),
        plural("{n} watcher", "{n} watchers", found.watchers),
        plural("{n} bot", "{n} bots", found.bots),
    )
    _row(_("there"), ", ".join(there))
    _row(_("database"), f"{found.database} ({_size(found.database_bytes)})")
    if found.draining:
        _tell(_("It drains: it takes nobody new."))


def list_matches(at: AdminTarget, statuses: Sequence[str], *, as_json: bool) -> None:
    """Tell the matches of these statuses."""

    found = asyncio.run(_activity(at, statuses))
    if as_json:
        for activity in found:
            _tell_json(activity)
        return
    if not found:
        shown = _(" or ").join(_(STATUS_TEXTS[name]) for name in statuses)
        _tell(_("No match is {statuses}.").format(statuses=shown))
        return
    _tell(_("match     status   round  there  watchers  idle    players"))
    for activity in found:
        match = activity.match
        there = f"{activity.connected_seats}/{len(match.seats)}" if match.seats else "-"
        players = ", ".join(seat.player or _kind(seat) for seat in match.seats) or _("(asleep)")
        line = (
            f"{activity.match_id:<8}  {_status(activity.status):<7}  {match.round or '-':>5}  {there:>5}"
            f"  {activity.watchers:>8}  {_ago(activity.last_activity):<6}  {players}"
        )
        _tell(line if len(line) <= WIDTH else f"{line[: WIDTH - 4]} ...")


async def _activity(at: AdminTarget, statuses: Sequence[str]) -> list[pb.MatchActivity]:
    found: list[pb.MatchActivity] = []
    async with _asking(at) as ask:
        for name in statuses:
            request = pb.ListActivityRequest(status=STATUSES[name])
            while True:
                page = await ask(request)
                found += page.matches
                if not page.next_page_token:
                    break
                request.page_token = page.next_page_token
    return found


def inspect(at: AdminTarget, match_id: str, entries: int, *, as_json: bool) -> None:
    """Tell one match."""

    found: pb.InspectMatchResponse = asyncio.run(_asked(at, pb.InspectMatchRequest(match_id=match_id, entries=entries)))
    if as_json:
        _tell_json(found)
        return
    activity, match = found.activity, found.activity.match
    rules = " ".join([match.options.edition, *(f"{name}={value}" for name, value in match.options.settings.items())])
    told = _(", round {round}, revision {revision}")
    course = told.format(round=match.round, revision=match.revision) if match.vp else ""
    course += _(", paused") if match.paused else f": {refusals.phrase(match.ended)}" if match.ended else ""
    _row(_("match"), f"{match.match_id}, {_status(match.status)}{course}")
    _row(_("rules"), _("{rules}, board {board}").format(rules=rules, board=match.board))
    told = _("{date}; last activity {ago} ago")
    _row(_("made"), told.format(date=_date(activity.create_time), ago=_ago(activity.last_activity)))
    _row(_("watchers"), str(activity.watchers))
    kinds = max(len(_(text)) for text in KIND_TEXTS.values())
    for place, seat in enumerate(match.seats):
        vp = f"  {_('{vp:>3} VP').format(vp=match.vp[place])}" if match.vp else ""
        there = _("connected") if seat.connected else _("away") if seat.taken else _("free")
        acts = f"  {_('to act')}" if seat.seat == found.seat_to_act else ""
        acts += f"  {_('substituted')}" if seat.substituted else ""
        if found.HasField("clocks"):
            vp += f"  {_('{seconds:.0f} s left').format(seconds=found.clocks.left[place] / 1000)}"
        who = _("seat {number}").format(number=seat.seat)
        _row(who, f"{_kind(seat):<{kinds}}  {there:<9}{vp}  {seat.player}{acts}")
    if found.position:
        text = f"{_('position'):<8}  {found.position}"
        _tell(textwrap.fill(text, WIDTH, subsequent_indent=" " * 10, break_on_hyphens=False))
    for entry in found.entries:
        who = (
            _("seat {number}").format(number=entry.seat)
            if entry.seat
            else " " * len(_("seat {number}").format(number=1))
        )
        _tell(f"{entry.number:>8}  {_date(entry.time)}  {who}  {entry.by:<7}  {entry.notation or entry.kind}".rstrip())


def pause(at: AdminTarget, match_id: str) -> None:
    """Stop a game."""
    asyncio.run(_asked(at, pb.PauseMatchRequest(match_id=match_id)))
    _tell(_("Match {match} is paused.").format(match=match_id))


def resume(at: AdminTarget, match_id: str) -> None:
    """Let a game go on."""
    asyncio.run(_asked(at, pb.ResumeMatchRequest(match_id=match_id)))
    _tell(_("Match {match} goes on.").format(match=match_id))


def end(at: AdminTarget, match_id: str, reason: str) -> None:
    """End a match."""
    asyncio.run(_asked(at, pb.EndMatchRequest(match_id=match_id, reason=reason), tries=1))
    _tell(_("Match {match} is ended.").format(match=match_id))


def end_older(at: AdminTarget, older: str, statuses: Sequence[str], reason: str, *, really: bool) -> None:
    """End the matches in which nothing has happened for a duration and to which nobody is connected, or tell them."""
    latest = time.time() - duration(older)
    asyncio.run(_end_older(at, latest, statuses, reason, really=really))


async def _end_older(at: AdminTarget, latest: float, statuses: Sequence[str], reason: str, *, really: bool) -> None:
    found = [
        activity.match_id
        for activity in await _activity(at, statuses)
        if activity.last_activity < latest and not activity.watchers and not activity.connected_seats
    ]
    if not really:
        for match_id in found:
            _tell(match_id)
        _tell(plural("{n} match would be ended.", "{n} matches would be ended.", len(found)))
        if found:
            _tell(_("Add --yes to end them."))
        return
    ended = 0
    async with _asking(at) as ask:
        for match_id in found:
            try:
                await ask(pb.EndMatchRequest(match_id=match_id, reason=reason), tries=1)
                ended += 1
            except ServerRefused as error:
                if error.reason not in ("MATCH_ENDED", "MATCH_UNREADABLE"):
                    raise
                print(f"{match_id}: {refusals.sentence(error)}", file=sys.stderr)  # noqa: T201
    _tell(plural("{n} match is ended.", "{n} matches are ended.", ended))


def duration(text: str) -> int:
    """The seconds of a duration like 90m, 12h or 3d. Raises Misused."""
    if not (text[:-1].isascii() and text[:-1].isdecimal() and len(text) < 7 and text[-1:] in UNITS):
        raise Misused(_("--older {text}: a whole number with m, h or d for minutes, hours or days").format(text=text))
    return int(text[:-1]) * UNITS[text[-1]]


def kick(at: AdminTarget, match_id: str, seat: int) -> None:
    """Take a seat away."""
    asyncio.run(_asked(at, pb.KickSeatRequest(match_id=match_id, seat=seat), tries=1))
    _tell(_("Seat {seat} of match {match} is free.").format(seat=seat, match=match_id))


def hand_over(at: AdminTarget, match_id: str, seat: int) -> None:
    """Tell a code for a seat."""
    found = asyncio.run(_asked(at, pb.HandOverSeatRequest(match_id=match_id, seat=seat)))
    told = _("Within {minutes} minutes, seat {seat} of match {match} is taken over with this code,")
    _tell(told.format(minutes=found.seconds // 60, seat=seat, match=match_id))
    _tell(_("as in: vinci join ADDRESS --take CODE"))
    _tell(found.code)


def rotate(at: AdminTarget, match_id: str, seat: int, name: str) -> None:
    """Tell a new token for a seat."""
    request = pb.RotateSeatTokenRequest(match_id=match_id, seat=seat, player=name)
    found = asyncio.run(_asked(at, request, tries=1))
    _tell(_("The new token of seat {seat} of match {match}:").format(seat=seat, match=match_id))
    _tell(found.seat_token)


def drain(at: AdminTarget, *, off: bool, wait: bool, quiet: int) -> None:
    """Begin or end draining; perhaps wait until no match moves."""

    try:
        asyncio.run(_drain(at, off=off, wait=wait, quiet=quiet))
    except KeyboardInterrupt:
        told = _("no longer waiting; the server still takes nobody new, until it restarts or drain --off")
        raise Failed(told) from None


async def _drain(at: AdminTarget, *, off: bool, wait: bool, quiet: int) -> None:
    async with _asking(at) as ask:
        await ask(pb.DrainServerRequest(draining=not off))
        again, no_more = _("The server takes matches, players and bots again."), _("The server takes nobody new.")
        _tell(again if off else no_more)
        before = -1
        while wait and before:
            found = await ask(pb.GetServerStatusRequest(quiet_seconds=quiet))
            if found.moving != before:
                before = found.moving
                _tell(_("Matches that move: {number}.").format(number=before))
            if before:
                await asyncio.sleep(POLL_SECONDS)


def bot_key(at: AdminTarget, name: str, *, remove: bool, as_json: bool) -> None:
    """Make or remove the key of a bot's name; without a name, list the names that have one."""
    if not name:
        if remove:
            raise Misused(_("--remove needs the name of a bot"))
        found = asyncio.run(_asked(at, pb.ListBotKeysRequest())).keys
        for key in found:
            if as_json:
                _tell_json(key)
            else:
                _row(key.name, _("key of {date}").format(date=_date(key.create_time)))
        if not found and not as_json:
            _tell(_("No name of a bot has a key."))
    elif remove:
        done = asyncio.run(_asked(at, pb.RemoveBotKeyRequest(name=name)))
        if as_json:
            _tell_json(done)
        else:
            _tell(_("Anybody may use the name {name} again.").format(name=name))
    else:
        made = asyncio.run(_asked(at, pb.MakeBotKeyRequest(name=name), tries=1))
        if as_json:
            _tell_json(made)
            return
        _tell(_("The key of {name}, for VINCI_BOT_KEY or --key; it is shown only now:").format(name=name))
        _tell(made.key)


def backup(at: AdminTarget, file: Path) -> None:
    """Have the database copied."""

    request = pb.BackupDatabaseRequest(path=str(file.absolute()))
    done = asyncio.run(_asked(at, request, tries=1, seconds=None))
    _tell(f"{file.absolute()} ({_size(done.bytes)})")


def _ago(seconds: float) -> str:
    """How long ago something was, in the largest unit of which it was one or more."""
    past = max(0, int(time.time() - seconds))
    if past >= 86400:
        return _("{n} d").format(n=past // 86400)
    if past >= 3600:
        return _("{n} h").format(n=past // 3600)
    return _("{n} min").format(n=past // 60) if past >= 60 else _("{n} s").format(n=past)


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def _size(number: int) -> str:
    return _("{number} MB").format(number=decimal(f"{number / 1e6:.1f}"))


def _status(code: lobby_pb2.MatchStatus.ValueType) -> str:
    name = STATUS_NAMES.get(code, "?")
    return _(STATUS_TEXTS.get(name, name))


def _kind(seat: lobby_pb2.MatchSeat) -> str:
    name = KIND_NAMES[seat.kind]
    return _(KIND_TEXTS.get(name, name))


def _row(label: str, text: str) -> None:
    _tell(f"{label:<8}  {text}")


def _tell_json(message: Message) -> None:
    fields = MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    _tell(json.dumps(fields))


def _tell(text: str) -> None:
    click.echo(text)
