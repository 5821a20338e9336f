"""Two players at two terminals of a server, as processes: clocks, chat, undo, handover, rematch, times."""

# ruff: noqa: D103  # the name of each test says what it checks

import json
from contextlib import ExitStack
from pathlib import Path

from tests.support.processes.vinci_process import Vinci, run, server

MATCH = ("--board", "tiny", "--players", "human,human,dummy", "--option", "max_rounds=1", "--seed", "together")


def join(stack: ExitStack, home: Path, address: str, name: str) -> Vinci:
    """Start a client at a terminal with its own saved seats."""
    home.mkdir(exist_ok=True)
    return stack.enter_context(Vinci(home, "join", address, "--line", "--name", name, typed=True))


def play_turn(at: Vinci, prompt: str) -> None:
    """Play suggestions from an open prompt until another seat is to move."""
    at.type("suggest\n")
    at.expect("Suggestion: ")
    at.expect(prompt)
    at.type("ok\n")


def test_two_players_with_clocks_chat_and_rematch(tmp_path: Path) -> None:
    with ExitStack() as stack:
        clock = ("--clock", "10m+15s", "--on-timeout", "substitute")
        _, address = stack.enter_context(server(tmp_path, *MATCH, *clock, "--advice-workers", "0"))
        ann = join(stack, tmp_path / "ann", address, "Ann")
        ann.expect("Clock: 10 minutes for all decisions, and 15 seconds more with each turn")
        match_id = ann.out.partition("Match ")[2].partition(",")[0]
        ann.expect("Waiting for players at seat 2.")
        ben = join(stack, tmp_path / "ben", address, "Ben")
        ann.expect("Order of play: ")
        order = ann.expect("\n")
        players = {"Ann": (ann, "seat 1> "), "Ben": (ben, "seat 2> ")}
        names = sorted(players, key=order.index)
        first, second = (players[name] for name in names)
        for at, prompt in (first, second):  # the draft
            at.expect(prompt)
            at.type("say hello\n")
            at.expect(f"{'Ann (1)' if at is ann else 'Ben (2)'}: hello")  # before or after the next prompt
            at.type("take 1\n")
        for at, prompt in (first, second):  # the only round
            at.expect("Your turn: ")
            at.expect(prompt)
            play_turn(at, prompt)
            at.expect(prompt)
            at.type("undo\n")
            at.expect("You take back: conquer ")
            at.expect(prompt)
            play_turn(at, prompt)
            at.expect(prompt)
            at.type("hold\n")
        for at in (ann, ben):
            at.expect("The game is over.")
            at.expect("Type rematch, or Enter to leave: ")
            at.type("rematch\n")
        assert "seat 2." in ann.expect("Type help")
        assert "seat 3." in ben.expect("Type help")
        ann.expect("Order of play: ")
        lines = [
            json.loads(line)
            for line in run(tmp_path, "match", "times", match_id, "--server", address, "--json").out.splitlines()
        ]
        assert {line["by"] for line in lines if "by" in line} == {"player"}
        assert {line["seat"] for line in lines if "decisions" in line} == {1, 2}
        times = run(tmp_path, "match", "times", match_id, "--server", address).out
        assert times.startswith("revision  seat  who")
        assert "median" in times
        assert "Ben (2): hello" in ann.out
        assert "Ann (1): hello" in ben.out
        record = next((tmp_path / "ann" / "records").glob("*.jsonl"))
        assert "takes back: conquer " in run(tmp_path, "replay", str(record), "--verify").out


def test_seat_is_handed_over_to_another_terminal(tmp_path: Path) -> None:
    with ExitStack() as stack:
        _, address = stack.enter_context(server(tmp_path, "--board", "tiny", "--players", "human,dummy,dummy"))
        first = join(stack, tmp_path / "first", address, "Ann")
        first.expect("seat 1> ")
        first.type("handover\n")
        first.expect("vinci join ")
        typed = first.expect("\n").split()
        assert typed[0] == address
        (tmp_path / "second").mkdir()
        second = stack.enter_context(Vinci(tmp_path / "second", "join", "--line", *typed, typed=True))
        second.expect("seat 1> ")
        first.expect("Seat 1 is no longer played here")
        first.type("\n")
        assert first.ended() == 0
        assert json.loads((tmp_path / "first" / "seats.json").read_text()) == []
        second.type("take 1\n")
        second.expect("You take ")


def test_two_players_at_one_terminal_play_and_resume(tmp_path: Path) -> None:
    names = ("--name", "Ann", "--name", "Ben")
    with Vinci(
        tmp_path, "play", "--line", "--board", "tiny", "--players", "human,human,dummy", *names, typed=True
    ) as at:
        for _ in range(2):
            at.expect(")> ")
            at.type("take 1\n")
        at.expect("Your turn: ")
        at.expect(")> ")
        at.type("quit\n")
        assert at.ended() == 0
    assert "Ann (1)> take 1" in at.out
    assert "Ben (2)> take 1" in at.out
    with Vinci(tmp_path, "play", "--line", typed=True) as at:
        at.expect("Go on with it? Yes")
        at.expect("seats 1 and 2.")
        at.expect(")> ")
        at.type("quit\n")
        assert at.ended() == 0
