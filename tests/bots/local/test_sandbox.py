"""Hostile bots in the sandbox: they reach nothing but their game, and the game ends."""

import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.bots.attacks import ATTACKS, attacker, needs_sandbox, running, targets, told
from tests.support.bots.python_commands import python
from tests.support.cli_runner import vinci
from vinci.v1 import lobby_pb2
from vinci_bots.doctor.checks import CHECKS
from vinci_bots.doctor.host import Host
from vinci_bots.doctor.runner import examine
from vinci_bots.doctor.tested_bot import Deadlines, LocalBot
from vinci_bots.local import sandbox
from vinci_bots.local.local_match import BotLimits, LocalGame, Seating, door, play_game, server
from vinci_bots.local.participants import Player
from vinci_bots.local.process import MEGABYTE
from vinci_client import processes

DUMMY: Final = Player("dummy")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a short path, as sockets need; skip where there is no sandbox."""
    needs_sandbox()
    return tmp_path_factory.mktemp("s")


@pytest.fixture(scope="module")
def address(place: Path) -> Iterator[str]:
    """Start a server with a door for bots in the sandbox; yield its address."""
    with server(place / "games.db", has_door=True) as server_address:
        yield server_address


async def played(
    address: str, folder: Path, way: Path | None, *players: Player, limits: BotLimits | None = None
) -> LocalGame:
    """Play a short game of these players on the tiny board."""
    request = lobby_pb2.CreateMatchRequest(board="tiny", seed="1")
    request.options.settings["target"] = "25"
    seatings = [
        Seating(player, "5eed", folder / f"{number}.log", door=way) for number, player in enumerate(players, start=1)
    ]
    return await play_game(address, request, seatings, limits or BotLimits())


def test_compiled_module_beside_the_packages_is_seen(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled rules have a module that is a file of its own; a bot sees it, and the sandbox starts."""
    module = tmp_path / "vinci_compiled__mypyc.py"
    module.touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    for known in (sandbox.check, sandbox._installed):
        known.cache_clear()
    try:
        sandbox.check()
        assert str(module) in sandbox.confined(["true"], place)
    finally:
        sandbox._installed.cache_clear()


@pytest.mark.parametrize("is_confined", [True, False], ids=["sandbox", "plain"])
async def test_no_attack_succeeds_in_the_sandbox(
    address: str, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_confined: bool
) -> None:
    """Every attack is refused, while the bot plays its game to the end; without a sandbox every attack succeeds."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    files = {name: tmp_path / name.lower() for name in ("OTHER", "LEAGUE", "SECRET", "OWN", "LEFT", "SHARED")}
    for name, file in files.items():
        if name != "SHARED":
            file.write_text("secret")
    (tmp_path / "games").mkdir()
    memory = f"vinci-{secrets.token_hex(8)}"
    shared = Path("/dev/shm", memory)
    shared.write_text("secret")
    try:
        with targets(memory) as others:
            names = {name: str(file) for name, file in files.items()} | {"DATABASE": str(place), **others}
            game = await played(
                address, tmp_path, door(place / "games.db") if is_confined else None, attacker(names), DUMMY, DUMMY
            )
    finally:
        shared.unlink()
    log = (tmp_path / "1.log").read_text()
    assert told(log) == [f"{'refused' if is_confined else 'succeeded'}: {name}" for name in ATTACKS], log
    assert game.forfeits == ()
    assert files["SHARED"].exists() is not is_confined


async def test_own_files_are_all_that_a_bot_sees(address: str, place: Path, tmp_path: Path) -> None:
    """A bot sees the file that its command names; with a manifest in its folder, it sees the folder."""
    alone, whole = tmp_path / "alone", tmp_path / "whole"
    for folder in (alone, whole):
        folder.mkdir()
        (folder / "bot.py").write_text(
            python("x", "print(sorted(os.listdir(sys.path[0])), flush=True); run()").command[2]
        )
        (folder / "weights").write_text("1")
    (whole / sandbox.MANIFEST).write_text("")
    bots = [Player(folder.name, (str(folder / "bot.py"),)) for folder in (alone, whole)]
    game = await played(address, tmp_path, door(place / "games.db"), *bots, DUMMY)
    assert game.forfeits == ()
    assert (tmp_path / "1.log").read_text().startswith("['bot.py']")
    assert (tmp_path / "2.log").read_text().startswith("['bot.py', 'bot.toml', 'weights']")


MANY_PROCESSES: Final = """
for number in range(1000):
    if not os.fork():
        time.sleep(600)
        os._exit(0)
"""
MUCH_MEMORY: Final = "hoard = b'1' * (400 << 20); time.sleep(600)"
MUCH_CPU: Final = "while True: pass"
MUCH_OUTPUT: Final = "os.system('cat /dev/zero')"
FULL_DISK: Final = """
for folder in ("/tmp", "/dev/shm"):
    with open(f"{folder}/big", "wb", 0) as file:
        written = 0
        try:
            while True:
                written += file.write(bytes(1 << 20))
        except OSError as error:
            print(folder, written >> 20, type(error).__name__, flush=True)
run()
"""


@pytest.mark.parametrize(
    ("code", "reasons"),
    [
        (MANY_PROCESSES, {"processes", "exit"}),  # exit: the system refuses another process, but not to root
        (MUCH_MEMORY, {"memory"}),
        (MUCH_CPU, {"cpu", "exit"}),  # exit: one process used all of it before the next look
        (MUCH_OUTPUT, {"output", "exit"}),  # exit: it reached the size of a file before it was looked at
    ],
    ids=["processes", "memory", "cpu", "output"],
)
async def test_greedy_bot_forfeits(
    address: str, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, reasons: set[str]
) -> None:
    """A bot that takes too many processes, too much memory, time or space forfeits, and the others play on."""
    if code is MUCH_CPU:
        monkeypatch.setattr(sandbox, "MOST_CPU", 2)
    # Pages that its processes share count for each of them, so many processes would often exceed the memory first.
    limits = BotLimits(memory=(256 if code is MUCH_MEMORY else 2**20) * MEGABYTE)
    player = python("greedy", f"{code}\nrun()")
    game = await played(address, tmp_path, door(place / "games.db"), player, python("good"), DUMMY, limits=limits)
    (forfeit,) = game.forfeits
    assert (forfeit.seat, forfeit.reason in reasons) == (0, True), forfeit
    assert (tmp_path / "1.log").stat().st_size <= sandbox.FILE_BYTES


async def test_bot_cannot_fill_the_disk(address: str, place: Path, tmp_path: Path) -> None:
    """A bot can write to two folders of limited size, which are not those of this machine."""
    game = await played(address, tmp_path, door(place / "games.db"), python("full", FULL_DISK), DUMMY, DUMMY)
    assert game.forfeits == ()
    told = [line for line in (tmp_path / "1.log").read_text().splitlines() if line.startswith("/")]
    assert told == ["/tmp 64 OSError", "/dev/shm 64 OSError"]


async def test_nothing_outlives_the_game(address: str, place: Path, tmp_path: Path) -> None:
    """A process that left its group, session and parent ends with the bot."""
    mark = f"outlives-{secrets.token_hex(8)}"
    stays = f"import time; time.sleep(600) # {mark}"
    code = f"""
if not os.fork():
    os.setsid()
    if not os.fork():
        os.execve(sys.executable, [sys.executable, "-c", {stays!r}], {{}})
    os._exit(0)
run()
"""
    game = await played(address, tmp_path, door(place / "games.db"), python("parent", code), DUMMY, DUMMY)
    assert game.forfeits == ()
    assert not running(mark)


async def test_doctor_examines_a_bot_in_the_sandbox(place: Path, tmp_path: Path) -> None:
    """A bot in the sandbox comes back to its seat after the server was started again."""
    bot = Player("good", python("good").command)
    async with Host(place) as host:
        examined = LocalBot(bot, Deadlines(), host, tmp_path, sandboxed=True)
        checks = [check for check in CHECKS if check.name in ("handshake", "restart")]
        results = [result async for result in examine(examined, checks)]
    assert [result.verdict for result in results] == ["ok", "ok"], results


@pytest.mark.parametrize(
    ("programs", "fault"),
    [
        ((), r"install bubblewrap and util-linux \(Debian: apt install bubblewrap util-linux\)"),
        (
            ("prlimit", "bwrap"),
            r"this system does not permit it \(bwrap: setting up uid map: Permission denied\); allow",
        ),
    ],
    ids=["missing", "not-permitted"],
)
def test_command_is_refused_where_no_bot_can_be_confined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, programs: tuple[str, ...], fault: str
) -> None:
    """A command says what would help and plays no game if the sandbox is missing or not permitted."""
    for name in programs:
        (tmp_path / name).write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox.check.cache_clear()
    folder = tmp_path / "game"
    try:
        result = vinci("match", "--bots", "greedy", "dummy", "dummy", "--sandbox", "--out", str(folder))
    finally:
        sandbox.check.cache_clear()
    assert result.status == 1
    assert re.search(f"^Error: --sandbox: no bot can be confined here: {fault}", result.text), result.text
    assert not folder.exists()


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("missing/vinci.sock", "No such file or directory"),
        (f"{'x' * 120}.sock", "AF_UNIX path too long"),
    ],
    ids=["folder", "length"],
)
def test_socket_that_cannot_be_made_is_refused(tmp_path: Path, path: str, why: str) -> None:
    """A server whose socket cannot be made does not start, and says why and which option to change."""
    socket_path = str(tmp_path / path)
    with pytest.raises(
        processes.NotStarted, match=f"cannot listen at .*({why}).*choose another path with --bot-socket"
    ):
        processes.serve(tmp_path / "games.db", "--bot-socket", socket_path)
