"""The stored format of each kind of log entry; databases and exports of earlier versions must stay readable."""

# ruff: noqa: D103  # the name of each test says what it checks

from dataclasses import replace
from typing import Final, get_args

import pytest

from vinci_rules.state import Seat
from vinci_server.match.log import entries as log
from vinci_server.match.seats.setup import SeatSetup, Setup
from vinci_server.match.time.clock import Timing
from vinci_server.storage.store import LogRow

SETUP: Final = Setup(
    board="tiny", edition="standard", settings={"target": 90}, seats=(SeatSetup("human"), SeatSetup("bot", "Ada", "ff")),
    seed="s", salt="", position="", start_when_full=True, host_hash="aa", timing=Timing(bank=60),
)  # fmt: skip
SETUP_TEXT: Final = (
    '{"board": "tiny", "edition": "standard", "settings": {"target": 90}, "seats": [{"kind": "human", "bot": "",'
    ' "reserved": ""}, {"kind": "bot", "bot": "Ada", "reserved": "ff"}], "seed": "s", "salt": "", "position": "",'
    ' "start_when_full": true, "host_hash": "aa", "timing": {"decision": 0, "bank": 60, "increment": 0, "on_timeout":'
    ' "default", "absence": 0, "substitute": ""}, "mistakes": {"tries": 3, "after": "default"}, "sealed": false,'
    ' "opening_seed": ""}'
)
NO: Final = log.NO_CHANCE
DRAWN: Final = '{"picks": ["ALP"], "rolls": ["3"]}'
STORED: Final[list[tuple[log.Entry, tuple[object, ...]]]] = [
    (log.Create(SETUP), ("create", 0, "", None, SETUP_TEXT, NO, 5.0, "", "")),
    (
        log.Create(replace(SETUP, no_advice=True)),
        ("create", 0, "", None, SETUP_TEXT[:-1] + ', "no_advice": true}', NO, 5.0, "", ""),
    ),
    (
        log.Create(replace(SETUP, maker=7)),
        ("create", 0, "", None, SETUP_TEXT[:-1] + ', "maker": 7}', NO, 5.0, "", ""),
    ),
    (
        log.Join(Seat(0), "Ann", "t", "n"),
        ("join", 1, "", None, '{"player": "Ann", "token_hash": "t", "nonce": "n"}', NO, 5.0, "", ""),
    ),
    (
        log.Join(Seat(0), "Ann", "t", "", "p"),
        ("join", 1, "", None, '{"player": "Ann", "token_hash": "t", "nonce": "", "promised": "p"}', NO, 5.0, "", ""),
    ),
    (
        log.Join(Seat(0), "Ann", "t", "n", "", 7),
        ("join", 1, "", None, '{"player": "Ann", "token_hash": "t", "nonce": "n", "person": 7}', NO, 5.0, "", ""),
    ),
    (log.AddToken(Seat(0), "t"), ("token", 1, "", None, "t", NO, 5.0, "", "")),
    (log.Leave(Seat(1)), ("leave", 2, "", None, "{}", NO, 5.0, "", "")),
    (log.Leave(Seat(1), withheld=True), ("leave", 2, "", None, '{"nonce": "withheld"}', NO, 5.0, "", "")),
    (
        log.ChangeSeat(Seat(2), SeatSetup("bot", "Ada")),
        ("seat", 3, "", None, '{"kind": "bot", "bot": "Ada"}', NO, 5.0, "", ""),
    ),
    (log.RevealNonces(), ("reveal", 0, "", None, "", NO, 5.0, "", "")),
    (log.GiveNonce(Seat(0), "n"), ("nonce", 1, "", None, '{"nonce": "n"}', NO, 5.0, "", "")),
    (log.GiveNonce(Seat(0), "", "p"), ("nonce", 1, "", None, '{"nonce": "", "promised": "p"}', NO, 5.0, "", "")),
    (
        log.Start({"vinci": 1, "hash": "h"}, ["a", ""], DRAWN, "h"),
        ("start", 0, "", None, '{"line": {"vinci": 1, "hash": "h"}, "nonces": ["a", ""]}', DRAWN, 5.0, "h", ""),
    ),
    (log.Act(Seat(0), "dummy", None, "x ALP", DRAWN, "h"), ("act", 1, "dummy", None, "x ALP", DRAWN, 5.0, "h", "")),
    (
        log.Act(Seat(0), "player", "id#2", "x ALP", NO, "h", log.Times(1, 2, 3)),
        ("act", 1, "player", "id#2", "x ALP", NO, 5.0, "h", '{"think": 1, "queue": 2, "network": 3}'),
    ),
    (
        log.Act(Seat(0), "bot", "id", "x ALP", NO, "h", log.Times(1, 2, 3, 4)),
        ("act", 1, "bot", "id", "x ALP", NO, 5.0, "h", '{"think": 1, "queue": 2, "network": 3, "left": 4}'),
    ),
    (log.Undo(Seat(0), "player", "id", 7, "h"), ("undo", 1, "player", "id", "7", NO, 5.0, "h", "")),
    (log.Undo(Seat(0), "player", "id", 7, "h", 9), ("undo", 1, "player", "id", "7", NO, 5.0, "h", '{"left": 9}')),
    (log.ReadClock(Seat(0), 9), ("clock", 1, "", None, "", NO, 5.0, "", '{"left": 9}')),
    (log.Substitute(Seat(0), "vote", 9), ("substitute", 1, "", None, "vote", NO, 5.0, "", '{"left": 9}')),
    (log.Substitute(Seat(0), "host", 9, "ada"), ("substitute", 1, "ada", None, "host", NO, 5.0, "", '{"left": 9}')),
    (log.Return(Seat(0), 9), ("return", 1, "", None, "", NO, 5.0, "", '{"left": 9}')),
    (log.Pause("admin"), ("pause", 0, "", None, "admin", NO, 5.0, "", "")),
    (log.Resume("players"), ("resume", 0, "", None, "players", NO, 5.0, "", "")),
    (
        log.Propose(Seat(0), "substitute", Seat(1), agrees=True),
        ("propose", 1, "", None, '{"kind": "substitute", "seat": 1, "agrees": true}', NO, 5.0, "", ""),
    ),
    (
        log.Propose(Seat(0), "pause", None, agrees=False),
        ("propose", 1, "", None, '{"kind": "pause", "seat": null, "agrees": false}', NO, 5.0, "", ""),
    ),
    (log.Chat(Seat(0), "Zoë", "hi"), ("chat", 1, "", None, '{"name": "Zoë", "text": "hi"}', NO, 5.0, "", "")),
    (log.Chat(None, "Eve", "hi"), ("chat", 0, "", None, '{"name": "Eve", "text": "hi"}', NO, 5.0, "", "")),
    (
        log.Chat(None, "Eve", "hi", 7),
        ("chat", 0, "", None, '{"name": "Eve", "text": "hi", "person": 7}', NO, 5.0, "", ""),
    ),
    (log.Rematch("abc"), ("rematch", 0, "", None, "abc", NO, 5.0, "", "")),
    (log.End("over"), ("end", 0, "", None, "over", NO, 5.0, "", "")),
]


@pytest.mark.parametrize(("entry", "columns"), STORED)
def test_entry_is_stored_in_its_format_and_read_back(entry: log.Entry, columns: tuple[object, ...]) -> None:
    row = log.encode(entry, 4, 5.0)
    assert row == (4, *columns)
    assert type(log.decode(row)) is type(entry)
    assert log.decode(row) == entry


def test_all_kinds_of_entries_are_tested() -> None:
    assert {type(entry) for entry, _ in STORED} == set(get_args(log.Entry))


def test_draws_are_decoded() -> None:
    act = log.Act(Seat(0), "dummy", None, "x ALP", DRAWN, "h")
    assert (act.picks, act.rolls) == (["ALP"], ["3"])
    assert log.chance_text(act.picks, act.rolls) == DRAWN
    assert (act._replace(chance=NO).picks, log.chance_text([])) == ([], NO)


def test_a_setup_without_later_fields_has_their_defaults() -> None:
    text = SETUP_TEXT[: SETUP_TEXT.index(', "timing"')] + "}"
    row = LogRow(1, "create", 0, "", None, text.replace(', "reserved": ""', ""), NO, 5.0, "")
    assert log.decode(row) == log.Create(replace(SETUP, timing=Timing()))


def test_row_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="row 3 is of unknown kind 'dance'; use the server that wrote it"):
        log.decode(LogRow(3, "dance", 0, "", None, "", NO, 5.0, ""))
