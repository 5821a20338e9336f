"""Contents of lobby pages: servers, matches and server capabilities."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from vinci.v1 import game_pb2, lobby_pb2
from vinci_cli.connection.saved_seats import SavedSeat
from vinci_cli.full.lobby import settings_page
from vinci_cli.full.lobby.create import making
from vinci_cli.full.lobby.form import Form
from vinci_cli.full.lobby.matches import Listed, matches
from vinci_cli.full.lobby.menu import Waiting, menu
from vinci_cli.full.lobby.quick import levels, tables
from vinci_cli.full.lobby.records import RecordEntry, records
from vinci_cli.full.lobby.servers import KnownServers, servers
from vinci_cli.full.lobby.waiting_room import WaitingRoom, waiting_room
from vinci_cli.full.toolkit.block import Block
from vinci_cli.full.toolkit.menu import Menu, boxed, drawn
from vinci_cli.settings import SETTINGS
from vinci_client.discovery import FoundServer
from vinci_codec import catalogue, match_fields
from vinci_rules.board import DEFAULT_BOARD, board_names
from vinci_rules.editions import EDITIONS

NOW: Final = 1_800_000_000
INFO: Final = lobby_pb2.GetServerInfoResponse(
    version="0.1.0",
    editions=EDITIONS,
    boards=board_names(),
    options=catalogue.all_options(),
    board_texts=catalogue.boards(),
    edition_texts=catalogue.editions(),
    default_board=DEFAULT_BOARD,
    match_fields=match_fields.described().values(),
)
HUMAN, DUMMY, BOT = lobby_pb2.SEAT_KIND_HUMAN, lobby_pb2.SEAT_KIND_DUMMY, lobby_pb2.SEAT_KIND_BOT
INVITATION: Final = "vinci join 192.168.100.100:7654 --code xt93-82zj-f8xf-gadz-30tn-d003"


def seat(number: int, player: str = "", kind: int = HUMAN, *, away: bool = False) -> lobby_pb2.MatchSeat:
    """Return a seat; it is open if it has a person without a name."""
    is_taken = bool(player) or kind == DUMMY
    return lobby_pb2.MatchSeat(
        seat=number,
        kind=lobby_pb2.SeatKind.ValueType(kind),
        player=player,
        bot="greedy" if kind == BOT else "",
        taken=is_taken,
        connected=is_taken and not away,
    )


def match(number: int, status: int, *seats: lobby_pb2.MatchSeat, **more: object) -> lobby_pb2.Match:
    """Return a match that was created as many minutes ago as its number."""
    fields = {"board": "europe", "options": game_pb2.Options(edition="standard")} | more
    result = lobby_pb2.Match(
        match_id=f"match{number:03}",
        status=lobby_pb2.MatchStatus.ValueType(status),
        seats=seats,
        create_time=NOW - number * 60,
        **fields,  # type: ignore[arg-type]
    )
    result.choices.update(match_fields.choices(result))
    return result


OPEN: Final = match(
    1,
    lobby_pb2.MATCH_STATUS_OPEN,
    seat(1, "Ann"),
    seat(2),
    seat(3, kind=DUMMY),
    seat(4, kind=BOT),
    options=game_pb2.Options(edition="FR", settings={"give_up": "free", "target": "90"}),
    timing=lobby_pb2.Timing(bank_seconds=600, increment_seconds=15, absence_seconds=120),
)
RUNNING: Final = match(
    45,
    lobby_pb2.MATCH_STATUS_RUNNING,
    seat(1, "黄河清"),
    seat(2, "Bartholomew the Second of Somewhere", away=True),
    seat(3, "Élodie"),
    round=4,
    vp=[23, 41, 8],
    timing=lobby_pb2.Timing(decision_seconds=30),
)
OVER: Final = match(
    3000,
    lobby_pb2.MATCH_STATUS_OVER,
    *(seat(number, f"Player {number}") for number in range(1, 7)),
    vp=[100, 90, 80, 70, 60, 50],
    ranks=[1, 2, 3, 4, 5, 6],
    seed="friday",
)
FRIDAY: Final = FoundServer("Friday", "192.168.1.5:7654", "0.1.0", seats=2, open=1, running=0, access="open", tls=False)
CLUB: Final = FoundServer("囲碁クラブ", "[fd00::5]:7000", "0.1.0", seats=0, open=0, running=12, access="code", tls=True)
SEAT: Final = SavedSeat("192.168.1.5:7654", "match045", 1, "token")


def form() -> Form:
    """Return a form with a changed and an invalid field."""
    result = Form(INFO, ["human", "dummy", "greedy", "any bot"], {"names": "Ann", "clock": "10m+15s"})
    result.put("give_up", "free")
    result.wrong = ("target", "target 5: it must be above the 10 VP that a seat starts with (R-END-4)")
    return result


BOXED: Final = ("menu", "menu-away", "menu-first", "quick", "others", "settings")
"""Pages that are drawn in a box over the board."""


def page(name: str, columns: int, rows: int) -> Block:
    """Draw a page at this size, those in a box over a board that is not loaded yet."""
    sheet = sheets()[name]
    return boxed(sheet, Block(), columns, rows) if name in BOXED else drawn(sheet, columns, rows)


def sheets() -> dict[str, Menu]:
    """Return every page of the lobby with some content."""
    places = {"/home/ann/server.db": ("This machine, for everybody on the network", "Others find the table.")}
    waiting = [
        Waiting(SEAT, RUNNING, fields=INFO.match_fields),
        Waiting(replace(SEAT, match_id="match001"), OPEN, fields=INFO.match_fields),
        Waiting(replace(SEAT, match_id="match009"), problem="No answer from 192.168.1.9:7654."),
    ]
    listed = Listed(
        "Friday",
        ["Ann", "Ben"],
        matches=[OPEN, RUNNING, OVER],
        now=NOW,
        own={"match045": (1,)},
        info=INFO,
    )
    lost = Listed(
        "Friday",
        ["Ann"],
        matches=[OPEN],
        now=NOW,
        problem="No answer from 192.168.1.5:7654.",
        info=INFO,
    )
    many = [match(n, lobby_pb2.MATCH_STATUS_RUNNING, *RUNNING.seats, round=n) for n in range(1, 80)]
    room = WaitingRoom(OPEN, {1: "token"}, is_host=True, invitation=INVITATION, fields=INFO.match_fields)
    guest = WaitingRoom(
        OPEN, {2: "token"}, is_host=False, invitation=INVITATION, is_connected=False, fields=INFO.match_fields
    )
    played = [RecordEntry(Path("/home/ann/records/k3f9xa2m.jsonl"), 7200.0, ["Ann", "dummy", "dummy"], [101, 88, 64])]
    return {
        "menu": menu(waiting, "go match045 1", is_at_home=True),
        "menu-away": menu([], "others", is_at_home=False),
        "menu-first": menu([], "tutorial", is_at_home=True, is_first=True),
        "quick": levels("hard"),
        "others": tables("people 2", is_at_home=True),
        "settings": settings_page.menu(
            {setting.name: next(iter(setting.values), "Ann") for setting in SETTINGS} | {"pace": "0.8"}, "pace"
        ),
        "servers": servers("play on this network", KnownServers([FRIDAY, CLUB]), "at [fd00::5]:7000"),
        "servers-searching": servers(
            "where is the table to be?", KnownServers(places=places), "at /home/ann/server.db"
        ),
        "servers-none": servers(
            "watch", KnownServers([], "The network cannot be searched.", ["10.0.0.1:7654"]), "address"
        ),
        "matches": matches(listed, "match001"),
        "matches-over": matches(listed, "match3000"),
        "matches-many": matches(Listed("Friday", ["Ann"], matches=many, now=NOW, info=INFO), "match060"),
        "matches-none": matches(Listed("Friday", ["Ann"], matches=[], now=NOW), ""),
        "matches-lost": matches(lost, "match001"),
        "making": making(form(), "at Friday", "make"),
        "making-brief": making(form(), "at Friday", "options", in_full=False),
        "making-wrong": making(form(), "at Friday", "target"),
        "making-option": making(form(), "at Friday", "landless_empire"),
        "room": waiting_room(room, "seat 2"),
        "room-lost": waiting_room(guest, "seat 1"),
        "records": records(played, "file /home/ann/records/k3f9xa2m.jsonl"),
    }
