"""The table of typed commands: the handler of each line, and the players who may type it."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final, assert_never, cast, final

import pytest

from tests.support.full_screen.games import game, text_of
from vinci.v1 import game_pb2, match_pb2
from vinci_cli.game import typed
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.game.commands import COMMANDS, Commands


def recorded(answer: typed.Answer) -> str:
    """Return an answer in words."""
    match answer:
        case typed.CommandAnswer(text):
            return f"host says {text}"
        case typed.ShowLine(line):
            return line
        case typed.ShowPart(part):
            return f"show {part}"
        case typed.ShowRule(name):
            return f"rule {name}"
        case typed.Chosen(actions):
            return f"chosen {'; '.join(action.notation for action in actions)}"
        case typed.Leave() | typed.Acted() | typed.Thinking() | typed.Suggested():
            return type(answer).__name__.lower()
    assert_never(answer)


@final
class Server:
    """A session that records requests and refuses none."""

    def __init__(self, calls: list[str]) -> None:
        self._calls: Final = calls

    async def act(self, _match: str, _token: str, actions: Sequence[game_pb2.Action], _revision: int) -> Any:
        """Note actions."""
        self._calls.append(f"act {'; '.join(action.notation for action in actions)}")
        return match_pb2.ActResponse()

    async def say(self, _match: str, text: str, _token: str = "", _name: str = "") -> None:
        """Note a chat line."""
        self._calls.append(f"say {text}")

    async def undo(self, _match: str, _token: str, _revision: int, to: int | None) -> Any:
        """Note an undo."""
        self._calls.append(f"undo {to}")
        return match_pb2.UndoResponse()


def run(line: str, here: ClientMatch, seat: int | None = None) -> list[str]:
    """Run a typed line; return the answers to the client and the calls of the server in their order."""
    calls: list[str] = []

    async def take(answer: typed.Answer) -> None:
        calls.append(recorded(answer))

    asyncio.run(Commands(cast(Any, Server(calls)), here, take).run(line, seat))
    return calls


@pytest.mark.parametrize(
    ("line", "calls"),
    [
        ("q", ["leave"]),
        ("EXIT", ["leave"]),
        ("?", ["show help"]),
        ("market", ["show market"]),
        ("legal", ["show legal"]),
        ("rules R-CONQ-3", ["rule R-CONQ-3"]),
        ("clock", ["host says This match has no clock; everybody is waited for.", "show clock"]),
        ("chat hello  you", ["say hello  you"]),
        ("undo", ["undo None", "acted"]),
        ("undo 5", ["undo 5", "acted"]),
        ("undo it", ["host says undo takes back your last action, undo 5 all since revision 5."]),
        ("x ALP", ["chosen x ALP", "act x ALP", "acted"]),
        ("x ALP; x PYR", ["chosen x ALP; x PYR", "act x ALP; x PYR", "acted"]),
    ],
)
def test_lines_call_their_handlers(line: str, calls: list[str]) -> None:
    """Words and aliases in any case call their handlers; every other line is actions."""
    assert run(line, game(text_of(4, "conquer"))) == calls


def test_spectator_can_only_look_and_chat() -> None:
    """Player commands and actions of a spectator are answered with the permitted commands."""
    here = game(text_of(4, "conquer"))
    here.seats.clear()
    here.seat = 0
    for line in ("undo", "x ALP"):
        assert run(line, here)[0].startswith("host says You look on. What you can type: help, ")
    assert run("say hello", here) == ["say hello"]


def test_line_typed_for_another_seat_is_not_played() -> None:
    """A line is dropped if the move has passed to another player at the terminal; chat is not."""
    here = game(text_of(4, "conquer"))
    other = here.seat % 4 + 1
    (answer,) = run("take 1", here, other)
    assert answer.startswith("host says It is the move of ")
    assert run("say x", here, other) == ["say x"]
    assert run("take 1", here, here.seat) == ["chosen take 1", "act take 1", "acted"]


def test_words_are_unique() -> None:
    """No word or alias stands for two commands."""
    words = [word for command in COMMANDS for word in (command.word, *command.aliases)]
    assert len(words) == len(set(words))
