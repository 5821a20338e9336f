"""An untrusted server: its data neither leaves the folder of records nor reaches the terminal raw."""

# ruff: noqa: D103  # the name of each test says what it checks

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.network.forging_proxy import Refused, forging, with_match_id
from tests.support.processes.vinci_process import Vinci, fails, server
from tests.support.terminals.real_terminals import ENDED, Pty, vinci

LAST_TURN: Final = (
    "tiny; rules standard target=20; round 5; turn 1 conquer; seat 1 vp=25 | WEA+MIL ARA=5 BOS=4; "
    "seat 2 dummy vp=10 | BAR+CUR COL=4; seat 3 dummy vp=10 | AST+SLA DOL=4"
)
NEW: Final = ("--create", "human,dummy,dummy", "--position", LAST_TURN)
OSC: Final = "\x1b]52;c;cHduZWQ=\x07"
HOSTILE: Final = f"{OSC}\x9b2J\u202eevil\x00"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start an honest server; yield its address."""
    with server(tmp_path_factory.mktemp("real")) as (_process, address):
        yield address


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return the folder of the player."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def files(folder: Path) -> set[str]:
    """Return the files below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def ends_the_game(terminal: Pty) -> None:
    """Play `hold`, skip playback, and leave the page of the finished game."""
    terminal.until("hold")
    terminal.press("h")
    terminal.until("Enter done")
    terminal.press("enter")
    while "Enter go on" not in (shown := terminal.until(lambda text: "space skips" in text or "Enter go on" in text)):
        terminal.press(" ")
        terminal.changes_from(shown)
    terminal.press("enter")
    terminal.until("share as a file")
    terminal.press("q")
    terminal.until(ENDED)


@pytest.mark.parametrize("wanted", ["{tmp}/pwned", "../../pwned", "k3f9\nxa2m"])
def test_invalid_match_id_is_refused_first(wanted: str, tmp_path: Path, home: Path, real: str) -> None:
    ids: dict[str, str] = {}
    wanted = wanted.format(tmp=tmp_path)
    with forging(real, with_match_id(wanted, ids), ids) as address:
        output = fails(home, "join", address, "--line", *NEW)
    assert "as the id of a match; an id has 1 to 64 characters of 0-9 and a-z" in output
    assert files(tmp_path) <= {"home/keys.json", "home/seats.json", "home/seats.lock"}


def test_invalid_match_id_is_refused_in_full_screen(tmp_path: Path, home: Path, real: str) -> None:
    ids: dict[str, str] = {}
    with (
        forging(real, with_match_id("../../pwned", ids), ids) as address,
        Pty(home, vinci("join", address, *NEW)) as terminal,
    ):
        assert "the server sent '../../pwned' as the id of a match" in " ".join(terminal.until(ENDED).split())
    assert files(tmp_path) <= {"home/keys.json", "home/seats.json", "home/seats.lock"}


def test_record_of_another_match_is_not_overwritten(tmp_path: Path, home: Path, real: str) -> None:
    """The server gives its match the id of a game whose record is already there."""
    ids: dict[str, str] = {}
    record = home / "records" / "k3f9xa2m.jsonl"
    record.parent.mkdir()
    record.write_text("the record of a game at another server\n")
    (record.parent / "k3f9xa2m.html").write_text("its page")
    with forging(real, with_match_id("k3f9xa2m", ids), ids) as address:
        with Vinci(home, "join", address, "--line", *NEW, typed=True) as game:
            game.expect("seat 1> ")
            game.type("hold\n")
            game.expect("The record is in ")
            game.hang_up()
            assert game.ended() == 0
        with Pty(home, vinci("join", address, *NEW)) as terminal:
            ends_the_game(terminal)
    assert record.read_text() == "the record of a game at another server\n"
    assert (record.parent / "k3f9xa2m.html").read_text() == "its page"
    assert files(home) == {
        "keys.json",
        "seats.json",
        "seats.lock",
        *(f"records/k3f9xa2m{more}" for more in (".jsonl", ".html", "-2.jsonl", "-3.jsonl", "-3.html")),
    }


@pytest.mark.parametrize(
    "refusal",
    [
        Refused(HOSTILE, "UNHEARD_OF"),
        Refused("", "MATCH_ENDED", ended=HOSTILE),
    ],
    ids=lambda refusal: refusal.reason,
)
def test_refusals_are_printed_as_plain_text(refusal: Refused, home: Path, real: str) -> None:
    def forge(_method: str, _answer: object) -> None:
        raise refusal

    with forging(real, forge) as address:
        output = fails(home, "watch", address, "--line", "k3f9xa2m")
    assert output.isprintable()


def every_text(answer: Any) -> None:
    """Append control characters to the texts that players see."""
    for match in (getattr(answer, "match", None), *getattr(answer, "matches", ())):
        for seat in getattr(match, "seats", ()):
            seat.player = f"{seat.player}{HOSTILE}"
    for kind in ("board", "traits", "terrains"):
        messages = getattr(answer, kind, ())
        for one in [
            *getattr(messages, "provinces", ()),
            *getattr(messages, "seas", ()),
            *(() if kind == "board" else messages),
        ]:
            for code in one.names:
                one.names[code] = f"{one.names[code]}{HOSTILE}"
    updates = [answer.update] if hasattr(answer, "update") and answer.HasField("update") else []
    for update in [*updates, *getattr(answer, "updates", ())]:
        update.notation = f"{update.notation}{HOSTILE}"


def test_names_are_printed_as_plain_text(home: Path, real: str) -> None:
    with (
        forging(real, lambda _method, answer: every_text(answer)) as address,
        Vinci(home, "join", address, "--line", *NEW, typed=True) as game,
    ):
        for text in ("board", "market", "scores", "why x ZZZ", "x ZZZ", "suggest", "hold"):
            game.expect("seat 1> ")
            game.type(f"{text}\n")
        game.expect("The record is in ")
        game.hang_up()
        assert game.ended() == 0
    assert "evil" in game.out
    assert all(line.isprintable() for line in (game.out + game.err).splitlines())


def a_terrain(_method: str, answer: Any) -> None:
    for province in getattr(getattr(answer, "board", None), "provinces", ()):
        province.terrain = "lava"


def a_seat(_method: str, answer: Any) -> None:
    if hasattr(answer, "update") and answer.HasField("update"):
        answer.update.seat = answer.update.state.seat_to_act = 99


@pytest.mark.parametrize(
    ("forge", "expected"),
    [
        (a_terrain, "the server sent 'lava' as the terrain of ALP"),
        (a_seat, "an answer of the server cannot be shown"),
    ],
)
def test_unknown_values_are_a_clear_error_in_both_clients(forge: Any, expected: str, home: Path, real: str) -> None:
    new = (*NEW[:2], "--seed", "1")
    with forging(real, forge) as address:
        with Vinci(home, "join", address, "--line", *new, typed=True) as game:
            assert game.ended() == 1
        assert expected.replace("ALP", "") in game.err
        with Pty(home, vinci("join", address, *new, "--name", "Ben")) as terminal:
            shown = " ".join(terminal.until(ENDED).split())
    assert expected.replace("ALP", "") in shown
    assert "Traceback" not in game.err + shown
