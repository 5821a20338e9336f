"""The table of discovered servers and the choice among them; discovery is replaced by prepared results."""

import json
from collections.abc import Callable, Iterable
from typing import Final

import pytest

from tests.support.cli_runner import vinci
from vinci_cli import lobby_session
from vinci_cli.commands import interface_choice, join
from vinci_cli.commands import servers as finding
from vinci_cli.commands.servers import choose, table
from vinci_cli.exceptions import Failed
from vinci_client.access import OPEN
from vinci_client.discovery import FoundServer, SearchFailed

FRIDAY: Final = FoundServer("Friday", "192.168.1.5:7654", "0.1.0", seats=2, open=1, running=0, access="open", tls=False)
CLUB: Final = FoundServer("囲碁クラブ", "[fd00::5]:7000", "0.1.0", seats=0, open=0, running=12, access="code", tls=True)
OTHER: Final = FoundServer("Zoe", "192.168.1.9:7654", "0.2.0", seats=1, open=1, running=1, access="code", tls=False)


class Person:
    """A user interface with prepared answers."""

    always_asks = False

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.seen: list[str] = []

    def show(self, lines: Iterable[object]) -> None:
        """Keep what is shown."""
        self.seen += [str(line) for line in lines]

    async def ask(self, prompt: Callable[[], str], *_others: object) -> str | None:
        """The next answer; the end of input after the last."""
        self.seen.append(prompt())
        return self.answers.pop(0) if self.answers else None

    def interrupt(self) -> None:
        """Do nothing."""

    def give_back(self, typed: str) -> None:
        """Do nothing."""


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let these servers be found, or the search fail."""

    def prepare(*servers: FoundServer, failure: str = "") -> None:
        async def find() -> list[FoundServer]:
            if failure:
                raise SearchFailed(OSError(failure))
            return list(servers)

        monkeypatch.setattr(finding, "find", find)

    return prepare


def has_seats(server: FoundServer) -> bool:
    """Return whether a server has open seats."""
    return server.seats > 0


def test_table_has_a_line_for_each_server() -> None:
    """The columns are aligned, wide characters too; the last one says what access needs."""
    assert table([CLUB, FRIDAY, OTHER]) == [
        "   server      address           open seats  running  version",
        "1  囲碁クラブ  [fd00::5]:7000    0           12       0.1.0    code, TLS",
        "2  Friday      192.168.1.5:7654  2           0        0.1.0",
        "3  Zoe         192.168.1.9:7654  1           1        0.2.0    code",
    ]


def test_only_server_with_open_seats_is_chosen(there: Callable[..., None]) -> None:
    """The only server with open seats is chosen and named without a prompt."""
    there(CLUB, FRIDAY)
    person = Person()
    assert choose("join", has_seats, person) == FRIDAY
    assert person.seen[1:] == ["Friday at 192.168.1.5:7654: 2 open seats, 0 running games."]


def test_server_is_chosen_by_number(there: Callable[..., None]) -> None:
    """Input that is not a number of the table is asked for again."""
    there(CLUB, FRIDAY, OTHER)
    person = Person("Zoe", "0", "4", " 3 ")
    assert choose("join", has_seats, person) == OTHER
    assert person.seen[1:] == [
        *table([CLUB, FRIDAY, OTHER]),
        "Which one? [1-3] ",
        *["Type a number from 1 to 3, or nothing to leave.", "Which one? [1-3] "] * 3,
    ]


def test_single_server_is_chosen_without_open_seats(there: Callable[..., None]) -> None:
    """A single server is chosen even without open seats; the server itself answers that it is full."""
    there(CLUB)
    person = Person()
    assert choose("join", has_seats, person) == CLUB
    assert person.seen[1:] == ["囲碁クラブ at [fd00::5]:7000: 0 open seats, 12 running games."]


@pytest.mark.parametrize("answers", [[], [""], ["Zoe", " "]])
def test_empty_choice_exits_with_a_hint(there: Callable[..., None], answers: list[str]) -> None:
    """An empty line, Ctrl-C and the end of input exit with a hint how to name a server."""
    there(FRIDAY, OTHER)
    with pytest.raises(Failed, match=r"no server was chosen; name one, as in: vinci watch 192\.168\.1\.5:7654"):
        choose("watch", has_seats, Person(*answers))


def test_error_without_servers_has_commands(there: Callable[..., None]) -> None:
    """Without servers the error has the command with an address and the one that starts a server."""
    there()
    with pytest.raises(Failed, match=r"(?s)vinci watch 192\.168\.1\.5\. .*vinci serve --lan"):
        choose("watch", has_seats, Person())


def test_list_prints_the_table(there: Callable[..., None]) -> None:
    """`vinci join --list` prints the table without a terminal or a prompt."""
    there(FRIDAY)
    assert vinci("join", "--list") == (0, "".join(f"{line}\n" for line in table([FRIDAY])))
    there()
    status, text = vinci("join", "--list")
    assert status == 0
    assert text.startswith("No server was found on this network. To start one: vinci serve --lan")


def test_list_as_json(there: Callable[..., None]) -> None:
    """With --json the list is an object for each server, and empty without servers."""
    there(CLUB, FRIDAY)
    status, text = vinci("join", "--list", "--json")
    assert status == 0
    assert [json.loads(line)["name"] for line in text.splitlines()] == [CLUB.name, "Friday"]
    there()
    assert vinci("join", "--list", "--json") == (0, "")


def test_failed_search_is_reported(there: Callable[..., None]) -> None:
    """A failed search is reported with an alternative."""
    there(failure="Operation not permitted")
    assert vinci("join", "--list") == (
        1,
        "Error: the network cannot be searched: Operation not permitted. "
        "Where you know the address: vinci join 192.168.1.5\n",
    )


@pytest.mark.parametrize("arguments", [["localhost"], ["localhost", "--match", "k3f9xa2m"]])
def test_join_without_an_open_seat_leads_to_the_lobby(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The address that `vinci serve` prints works before a match is made there; a match that is named must be there."""
    visited = []

    def run(*_arguments: object, **_options: object) -> None:
        raise join.NoOpenSeat("no match at localhost:7654 has an open seat")

    monkeypatch.setattr(join, "_run", run)
    monkeypatch.setattr(interface_choice, "has_terminal", lambda: True)
    monkeypatch.setattr(interface_choice, "fills_screen", lambda **_options: True)
    monkeypatch.setattr(lobby_session, "find_table", lambda *arguments: visited.append(arguments))
    status, text = vinci("join", *arguments, "--name", "Ann")
    if len(arguments) > 1:
        assert (status, visited) == (1, [])
        assert "has an open seat" in text
    else:
        assert (status, visited) == (0, [("vinci join localhost", ("Ann",), OPEN, "localhost")])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["join"], "name it, as in: vinci join 192.168.1.5. Those on this network: vinci join --list"),
        (["join", "--line"], "name it, as in: vinci join 192.168.1.5"),
        (["watch"], "name it, as in: vinci watch 192.168.1.5"),
        (["join", "--list", "192.168.1.5"], "leave out --list or the address"),
        (["join", "--json", "192.168.1.5"], "--json is for --list"),
        (["serve", "--lan", "--name", "x" * 33], "--name: a name can have at most 32 characters"),
    ],
)
def test_invalid_options_are_refused(arguments: list[str], expected: str) -> None:
    """Several servers without a terminal, contradicting options and a name that is too long are refused."""
    status, text = vinci(*arguments)
    assert status == 2
    assert expected in " ".join(text.split())
