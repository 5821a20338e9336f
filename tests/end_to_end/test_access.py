"""A server with access control as a process: its printed commands work, other credentials are refused with a reason."""

# ruff: noqa: D103  # the name of each test says what it checks

import re
import shlex
import signal
from pathlib import Path

from tests.support.network.certificates import signed
from tests.support.processes.vinci_process import Vinci, fails, run, server, until

TABLE = ("--players", "human,dummy,dummy", "--board", "tiny", "--seed", "friends")


def printed(process: Vinci) -> list[str]:
    """Return the arguments of the command to join that the server prints."""
    return shlex.split(process.line("  vinci "))


def at_home(arguments: list[str]) -> list[str]:
    """Return the same arguments with the loopback address."""
    return [re.sub(r"^[^-:]+(?=:\d+$)", "127.0.0.1", argument) for argument in arguments]


def test_printed_command_with_tls_joins_and_resumes_without_the_code(tmp_path: Path) -> None:
    friend = tmp_path / "friend"
    with server(tmp_path, "--lan", "--tls", *TABLE) as (process, address):
        command = at_home(printed(process))
        assert (command[0], command[2]) == ("join", "--code")
        port = int(address.rpartition(":")[2])
        with Vinci(friend, *command, "--line", typed=True) as joining:
            joining.expect("seat 1> ")
            joining.type("quit\n")
            joining.expect(f"To go on with it: vinci join {command[1]}\n")
            assert joining.ended() == 0
        process.send(signal.SIGTERM)
        assert process.ended() == 0
        assert command[3] not in process.err
    assert (friend / "seats.json").stat().st_mode & 0o077 == 0
    with server(tmp_path, "--lan", "--tls", *TABLE, port=port) as (process, _):
        assert at_home(printed(process)) == command
        with Vinci(friend, *command[:2], "--line", typed=True) as joining:
            joining.expect("Go on with it? Yes")
            joining.expect("seat 1> ")
            joining.type("quit\n")
            assert joining.ended() == 0


def test_two_players_of_one_login_resume_their_seats_by_name(tmp_path: Path) -> None:
    home = tmp_path / "shared"
    with server(tmp_path, "--players", "human,human,dummy", "--board", "tiny") as (serving, address):

        def sit(name: str) -> Vinci:
            return Vinci(home, "join", address, "--line", "--name", name, typed=True)

        with sit("Ann") as ann:
            ann.expect("Type help")  # the key of this home belongs to Ann when Ben comes
            with sit("Ben") as ben:
                ben.expect("Type help")
                until(lambda: "match started" in serving.err, "the start, for which both reveal their nonces")
        with sit("Ann") as ann, sit("Ben") as ben:
            for name, process in (("Ann", ann), ("Ben", ben)):
                process.expect(f"A game is waiting for {name} (round 0, you have 10 VP). Go on with it? Yes")
                process.expect("Type help")


def test_missing_or_wrong_code_is_refused(tmp_path: Path) -> None:
    with server(tmp_path, "--lan", "--tls", *TABLE) as (process, _):
        join, address, _, code = at_home(printed(process))
        fingerprint = code.partition("-")[2].partition("-")[2]
        other = tmp_path / "other"
        error = fails(other, join, address, "--line")
        assert error.endswith(f"Type: vinci join {address} --code CODE")
        assert fails(other, "watch", address).endswith(f"Type: vinci watch {address} --code CODE")
        assert "not the join code" in fails(other, "bot", "random", address, "--code", f"0000-0000-{fingerprint}")
        error = fails(other, "watch", address, "--code", code[:-1] + ("0" if code[-1] != "0" else "1"))
        assert "has another certificate than the one that the join code names" in error
        assert not (other / "seats.json").exists()


def test_bot_plays_on_a_server_with_a_code(tmp_path: Path) -> None:
    bots = ("--players", "random,dummy,dummy", "--board", "tiny", "--option", "max_rounds=3")
    with server(tmp_path, "--code", *bots) as (process, address):
        code = printed(process)[-1]
        assert (tmp_path / "server.code").stat().st_mode & 0o077 == 0
        assert f"Type: vinci bot random {address} --code CODE" in fails(tmp_path, "bot", "random", address)
        assert "is over: rank" in run(tmp_path, "bot", "random", address, "--games", "1", "--code", code).out


def test_password_gives_access_and_is_not_printed(tmp_path: Path) -> None:
    with server(tmp_path, "--password", "open Sesame", *TABLE) as (process, address):
        assert printed(process)[-1] == "PASSWORD"
        assert "--password PASSWORD" in fails(tmp_path, "watch", address)
        assert "no match is running" in fails(tmp_path, "watch", address, "--password", "open Sesame")
    assert "Sesame" not in process.out + process.err


def test_given_certificate_is_verified_by_its_authority(tmp_path: Path) -> None:
    files = signed(tmp_path, "localhost")
    given = ("--tls-cert", str(files.chain), "--tls-key", str(files.key))
    with server(tmp_path, *given, "--code", *TABLE) as (process, _):
        _, address, *opening = printed(process)
        assert address.startswith("localhost:")
        assert opening[:2] == ["--tls", "--code"]
        trusting = ("--tls-ca", str(files.authority), *opening[1:])
        assert "no match is running" in fails(tmp_path, "watch", address, *trusting)
        assert "is not trusted here" in fails(tmp_path, "watch", address, *opening)


def test_limits_are_set_by_options_of_serve(tmp_path: Path) -> None:
    with server(tmp_path, "--limit", "matches=1", "--limit", "streams=50", *TABLE) as (_, address):
        error = fails(tmp_path, "join", address, "--line", "--create", "human,dummy,dummy")
        assert "1 matches are open or running" in error
    error = fails(tmp_path, "serve", "--port", "0", "--db", str(tmp_path / "x.db"), "--limit", "spam=1")
    assert "known: matches, " in error


def test_unusable_certificates_end_the_command(tmp_path: Path) -> None:
    files = signed(tmp_path, "localhost")
    serve = ("serve", "--port", "0", "--db", str(tmp_path / "x.db"))
    for chain, key, expected in (
        (files.chain, tmp_path / "none", "none cannot be read"),
        (files.key, files.key, "is no certificate in PEM"),
        (files.chain, files.authority, "has no private key"),
    ):
        assert expected in fails(tmp_path, *serve, "--tls-cert", str(chain), "--tls-key", str(key))
    assert "give both" in fails(tmp_path, *serve, "--tls-cert", str(files.chain))
    assert "leave out --password" in fails(tmp_path, *serve, "--tls", "--password", "x")
    assert "leave out --code" in fails(tmp_path, *serve, "--code", "--password", "x")
    assert not (tmp_path / "x.db").exists()
