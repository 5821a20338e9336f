"""Example bots in other languages, as processes without any code of Vinci: whole games, lost servers, exit."""

import asyncio
import json
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Final

import pytest

from tests.support.bots.remote_doctor import passes_all, passes_quickly
from tests.support.paths import DOCS, PROJECT
from tests.support.processes.run_folder import run_folder
from tests.support.processes.vinci_process import LIMIT, Vinci, environment, run, server, until
from tests.support.server.in_process import DUMMY, HUMAN, bot_seat
from tests.support.tournament.open_leagues import VINCI, OpenLeague, free_port
from vinci.v1 import lobby_pb2, match_pb2
from vinci_bots import environment as bot_environment
from vinci_bots.doctor.checks import CHECKS
from vinci_client.access import OPEN, Access
from vinci_client.session import Session

UNREACHABLE: Final = re.compile(r"code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT)")
"""Error codes of npm when its registry cannot be reached."""

BUILT: Final = "built"
"""File that is made when a build is complete."""


class Bot:
    """The process of a bot that plays one seat. It is killed when the context is left."""

    def __init__(self, home: Path, command: Sequence[str], settings: Mapping[str, str]) -> None:
        self._log: Final = home / f"bot-{len(list(home.glob('bot-*')))}.log"
        with self._log.open("wb") as log:
            self._process: Final = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, env={**environment(home), **settings}
            )

    def __enter__(self) -> "Bot":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        self.hang_up()
        print(f"--- {self._log.name}\n{self.output}\n---")  # noqa: T201

    @property
    def output(self) -> str:
        """Return the output so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def hang_up(self) -> None:
        """Close the standard input of the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def ended(self) -> int:
        """Wait for the process to exit, with its standard input open; return the exit code."""
        code: int = self._process.wait(LIMIT)
        return code


@pytest.fixture(scope="session")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a copy of the TypeScript bot beside the .proto files, as in the repository; return its folder."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("needs node and npm")
    with run_folder(tmp_path_factory, "typescript") as root:
        if not (root / BUILT).is_file():
            shutil.rmtree(root, ignore_errors=True)  # what a worker has left that failed
            build_typescript(root)
    return root / "bots" / "typescript"


def build_typescript(root: Path) -> None:
    """Build the TypeScript bot in a folder."""
    folder = root / "bots" / "typescript"
    leave_out = shutil.ignore_patterns("node_modules", "dist", "generated", "*_pb2*", "__pycache__")
    shutil.copytree(PROJECT / "bots" / "typescript", folder, ignore=leave_out)
    shutil.copytree(PROJECT / "proto", root / "proto", ignore=leave_out)
    process = npm(folder, "ci", "--prefer-offline", "--no-audit", "--no-fund", "--fetch-retries=1")
    if process.returncode and UNREACHABLE.search(process.stderr):
        pytest.skip("npm cannot reach its registry")
    assert process.returncode == 0, process.stderr
    process = npm(folder, "run", "build")
    assert process.returncode == 0, process.stdout + process.stderr
    (root / BUILT).touch()


@pytest.fixture(params=["typescript", "reflection"])
def command(request: pytest.FixtureRequest) -> list[str]:
    """Return the command that starts one of the bots."""
    if request.param == "typescript":
        return ["node", str(request.getfixturevalue("typescript") / "dist" / "main.js")]
    return [sys.executable, str(PROJECT / "bots" / "reflection" / "bot.py")]


def npm(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run npm in a folder and return the finished process."""
    return subprocess.run(["npm", *arguments], cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False)


class Host:
    """A server process, a session with it, and the bots that a test starts."""

    def __init__(self, home: Path, stack: ExitStack, process: Vinci, session: Session, metrics: str) -> None:
        self._home: Final = home
        self._stack: Final = stack
        self.process = process
        self.session: Final = session
        self._metrics: Final = metrics

    async def match(self, *seats: lobby_pb2.SeatSetup) -> str:
        """Return the id of a new match with a fixed seed, which starts when its human seats are taken."""
        request = lobby_pb2.CreateMatchRequest(seats=seats, board="tiny", seed="tongues", start_when_full=True)
        request.options.settings["target"] = "40"
        return (await self.session.create(request)).match.match_id

    async def bot(self, command: Sequence[str], match_id: str, seat: int, *, seed: str = "1", code: str = "") -> Bot:
        """Start a bot for a seat of a match."""
        joined = await self.session.join(match_id, "hermit", seat)
        settings = {
            bot_environment.ADDRESS: self.session.address,
            bot_environment.SEAT_TOKEN: joined.seat_token,
            bot_environment.SEAT: str(seat),
            bot_environment.SEED: seed,
            bot_environment.CODE: code,
        }
        return self._stack.enter_context(Bot(self._home, command, settings))

    def rival(self, name: str, *arguments: str) -> None:
        """Start a bot of the `vinci` command that plays one game."""
        self._stack.enter_context(Vinci(self._home, "bot", name, self.session.address, "--games", "1", *arguments))

    def restart(self) -> None:
        """Kill the server and start it again."""
        self.process.kill()
        port = int(self.session.address.rpartition(":")[2])
        self.process, _ = self._stack.enter_context(server(self._home, "--no-announce", port=port))

    async def over(self, match_id: str) -> list[tuple[int, str, str]]:
        """Return seat, author and text of each action of a finished game."""
        assert (await self.session.get(match_id)).status == lobby_pb2.MATCH_STATUS_OVER
        lines = (await self.session.match.GetRecord(match_pb2.GetRecordRequest(match_id=match_id))).lines
        entries = [json.loads(line) for line in lines[1:-1]]
        return [(entry["seat"], entry["by"], entry["do"]) for entry in entries]

    def refusals(self) -> list[str]:
        """Return the refusal counters from the metrics of the server."""
        with urllib.request.urlopen(self._metrics, timeout=LIMIT) as page:
            return re.findall(r"^vinci_refusals_total.*", page.read().decode(), re.MULTILINE)


@asynccontextmanager
async def hosting(home: Path, *arguments: str, access: Access = OPEN) -> AsyncIterator[Host]:
    """Start a server at which a test can start bots."""
    with ExitStack() as stack:
        process, address = stack.enter_context(server(home, "--no-announce", "--metrics", "0", *arguments))
        metrics = process.line("metrics at ")
        async with Session(address, access) as session:
            yield Host(home, stack, process, session, metrics)


async def end_of(bot: Bot) -> int:
    """Return the exit code of a bot that exits by itself."""
    return await asyncio.to_thread(bot.ended)


async def test_bot_plays_whole_games_without_a_refusal(command: list[str], tmp_path: Path) -> None:
    """Against dummies and built-in bots all actions of the seat are the bot's, and none is refused."""
    async with hosting(tmp_path) as host:
        alone = await host.match(bot_seat("hermit"), DUMMY, DUMMY)
        company = await host.match(bot_seat("greedy"), bot_seat("hermit"), bot_seat("random"))
        bots = [await host.bot(command, alone, 1), await host.bot(command, company, 2)]
        host.rival("greedy")
        host.rival("random")
        assert [await end_of(bot) for bot in bots] == [0, 0]
        for match_id, seat in ((alone, 1), (company, 2)):
            own = [by for actor, by, _ in await host.over(match_id) if actor == seat]
            assert len(own) > 10
            assert set(own) == {"bot"}
        assert host.refusals() == []


async def test_equal_seeds_give_equal_games(command: list[str], tmp_path: Path) -> None:
    """Equal seeds of match and bot give equal games; another seed of the bot gives another game."""
    async with hosting(tmp_path) as host:
        games = [await host.match(bot_seat("hermit"), DUMMY, DUMMY) for _ in range(3)]
        bots = [await host.bot(command, game, 1, seed=seed) for game, seed in zip(games, "112", strict=True)]
        assert [await end_of(bot) for bot in bots] == [0, 0, 0]
        first, second, other = [await host.over(game) for game in games]
        assert first == second != other


async def test_bot_reconnects_to_a_killed_server(command: list[str], tmp_path: Path) -> None:
    """After a kill of the server the bot plays on with the same token; another seat that waits keeps the game from ending."""
    async with hosting(tmp_path) as host:
        game = await host.match(bot_seat("hermit"), HUMAN, DUMMY)
        other = await host.session.join(game)
        bot = await host.bot(command, game, 1)
        await asyncio.to_thread(until, lambda: "seat" in bot.output, "the bot is seated")
        await asyncio.to_thread(host.restart)
        host.rival("random", "--token", other.seat_token)
        assert await end_of(bot) == 0
        assert {by for actor, by, _ in await host.over(game) if actor == 1} == {"bot"}


async def test_bot_exits_when_its_standard_input_closes(command: list[str], tmp_path: Path) -> None:
    """A bot that waits for another player, at a server with a join code, exits when its standard input closes."""
    async with hosting(tmp_path, "--password", "sesame", access=Access(password="sesame")) as host:
        game = await host.match(bot_seat("hermit"), HUMAN, DUMMY)
        bot = await host.bot(command, game, 1, code="sesame")
        await asyncio.to_thread(until, lambda: "seat" in bot.output, "the bot is seated")
        bot.hang_up()
        assert await end_of(bot) == 0


async def test_bot_with_an_invalid_token_exits_with_the_reason(command: list[str], tmp_path: Path) -> None:
    """With an invalid token the bot prints the reason and exits without retrying."""
    async with hosting(tmp_path) as host:
        settings = {bot_environment.ADDRESS: host.session.address, bot_environment.SEAT_TOKEN: "nosuchid.x"}
        with Bot(tmp_path, command, settings) as bot:
            assert await end_of(bot) == 1
            assert "no match" in bot.output


@pytest.mark.slow
async def test_bot_exits_half_a_minute_after_its_server_stopped(command: list[str], tmp_path: Path) -> None:
    """The bot retries for half a minute, then exits."""
    async with hosting(tmp_path) as host:
        game = await host.match(bot_seat("hermit"), HUMAN, DUMMY)
        bot = await host.bot(command, game, 1)
        await asyncio.to_thread(until, lambda: "seat" in bot.output, "the bot is seated")
        host.process.send(signal.SIGTERM)
        assert await end_of(bot) == 0


def test_bot_copied_to_another_folder_passes_its_own_test(typescript: Path, tmp_path: Path) -> None:
    """A copy of the bot in another folder, with `proto` inside, builds and passes its own test."""
    folder = tmp_path / "mine"
    shutil.copytree(typescript, folder, ignore=shutil.ignore_patterns("node_modules", "dist", "generated"))
    shutil.copytree(typescript.parents[1] / "proto", folder / "proto")
    (folder / "node_modules").symlink_to(typescript / "node_modules")
    process = npm(folder, "test")
    assert process.returncode == 0, process.stdout + process.stderr
    assert "# fail 0" in process.stdout


@pytest.fixture
def of_the_page(typescript: Path, tmp_path: Path) -> list[str]:
    """Set up the bot of docs/bot-protocol.md in a folder; return the command that starts it."""
    page = (DOCS / "bot-protocol.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```js\n(.*?)```", page, re.DOTALL)
    folder = tmp_path / "page"
    shutil.copytree(typescript.parents[1] / "proto", folder / "proto")
    (folder / "node_modules").symlink_to(typescript / "node_modules")
    (folder / "bot.js").write_text(code, encoding="utf-8")
    return ["node", str(folder / "bot.js")]


def examined(home: Path, command: Sequence[str], *arguments: str) -> str:
    """Return the doctor's output for a command that must pass every check."""
    with Vinci(home, "bot", "check", *arguments, "--", *command) as doctor:
        code = doctor.ended()
        assert code == 0, doctor.out
    assert ", 0 FAIL, 0 skip" in doctor.out
    return doctor.out


def test_bot_of_the_protocol_page_passes_the_league_checks(of_the_page: list[str], tmp_path: Path) -> None:
    """The bot of docs/bot-protocol.md passes the quick checks: a whole game, refusals, broken connections and exit."""
    names = ("game", "exit", "illegal", "tries", "unknown", "dropped-stream", "restart", "turned-away")
    examined(tmp_path, of_the_page, *(word for name in names for word in ("--only", name)))


@pytest.mark.slow
def test_bot_of_the_protocol_page_passes_all_checks(of_the_page: list[str], tmp_path: Path) -> None:
    """The bot of docs/bot-protocol.md passes all checks, slow ones included."""
    assert f"{len(CHECKS)} ok" in examined(tmp_path, of_the_page, "--slow")


@pytest.mark.slow
def test_bots_in_other_languages_pass_the_doctor(command: list[str], tmp_path: Path) -> None:
    """The example bots pass all checks of `vinci bot check`."""
    examined(tmp_path, command, "--slow")


def test_bots_in_other_languages_pass_as_remote_bots(command: list[str], tmp_path: Path) -> None:
    """The example bots take all settings from the environment and pass quick checks of remote bots over TLS."""
    passes_quickly(tmp_path, command)


@pytest.mark.slow
def test_bots_in_other_languages_pass_all_checks_of_remote_bots(command: list[str], tmp_path: Path) -> None:
    """The example bots pass all checks of `vinci bot check --remote` over TLS."""
    passes_all(tmp_path, command)


LEAGUE: Final = """
board = "tiny"
target = 60
seats = 3
games = 60
seed = "fedcba9876543210fedcba9876543210"
bots = [
    { name = "ann", remote = true },
    { name = "ben", remote = true },
    { name = "cat", remote = true },
]
"""
KILLS: Final = {6: "organiser", 12: "ann", 18: "organiser", 24: "ben", 30: "organiser", 36: "cat"} | dict.fromkeys(
    (42, 48), "organiser"
)
"""The process that is killed after a number of games."""


def played(place: Path, commands: Mapping[str, Sequence[str]], kills: Mapping[int, str]) -> Path:
    """Return the folder of a league of remote bots over TLS, on other loopback addresses where there are some."""
    port = free_port()
    with OpenLeague(place, "league", LEAGUE, "--listen", f"0.0.0.0:{port}", "--tls") as league:
        for number, (name, command) in enumerate(commands.items(), start=2):
            host = f"127.0.0.{number}" if sys.platform == "linux" else "127.0.0.1"
            league.enter(name, command, VINCI_ADDRESS=f"{host}:{port}", VINCI_SEED=name, VINCI_BOT_GAMES="2")
        for games, name in kills.items():
            league.play(games)
            league.restart(name)
        league.end()
        return league.folder


@pytest.mark.slow
def test_three_languages_finish_a_league_over_kills_with_the_report_of_an_undisturbed_one(
    typescript: Path, tmp_path: Path
) -> None:
    """Five kills of the organiser and one of each entrant change no byte of results and reports."""
    commands = {
        "ann": ["node", str(typescript / "dist" / "main.js")],
        "ben": [sys.executable, str(PROJECT / "bots" / "reflection" / "bot.py")],
        "cat": [sys.executable, str(PROJECT / "tests" / "support" / "bots" / "strongest.py")],
    }
    calm, killed = (played(tmp_path / name, commands, kills) for name, kills in (("calm", {}), ("killed", KILLS)))
    for name in ("results.jsonl", "report.txt", "report.json", "report.html", "standings.csv"):
        assert (calm / name).read_bytes() == (killed / name).read_bytes(), name
    run(tmp_path, "tournament", "verify", str(killed))


WEEKEND: Final = """
board = "tiny"
target = 60
seats = 3
games = 24
seed = "fedcba9876543210fedcba9876543210"
start = "command"
missing = "drop"
absence = 120
bots = [
    { name = "ann", remote = true },
    { name = "ben", remote = true },
    { name = "cat", remote = true },
    { name = "dan", remote = true },
    { name = "eva", remote = true },
]
"""
LINES: Final = """
/^action x / && best == "" { best = substr($0, 8) }
/^advice / { advice = substr($0, 8) }
/^go/ { print best == "" ? advice : best; fflush(); best = "" }
"""


def weekend(place: Path, commands: Mapping[str, Sequence[str]], kills: Mapping[int, str]) -> OpenLeague:
    """Play a league of entrants that answer their invitations late, and one who never does; return it."""
    port = free_port()
    with OpenLeague(place, "league", WEEKEND, "--listen", f"0.0.0.0:{port}", "--tls") as league:
        letters = {name: league.invite(name) for name in [*commands, "eva"]}
        for name, command in commands.items():
            variables = letters[name] | {
                "VINCI_ADDRESS": f"127.0.0.1:{port}",
                "VINCI_SEED": name,
                "VINCI_BOT_GAMES": "2",
            }
            assert league.games == 0
            league.enter_as(name, command, variables)
            league.wait_for("connected", name)
        started = subprocess.run(
            [*VINCI, "tournament", "start", str(league.folder)], capture_output=True, text=True, check=False
        )
        assert started.returncode == 0, started.stderr
        for games, name in kills.items():
            league.play(games)
            league.restart(name)
        league.end()
        return league


@pytest.mark.slow
def test_weekend_with_late_entrants_one_who_never_comes_and_kills(typescript: Path, tmp_path: Path) -> None:
    """Three languages and a program by lines play 24 games; nobody forfeits, whatever is killed; all is as undisturbed."""
    (tmp_path / "lines.awk").write_text(LINES, encoding="utf-8")
    commands = {
        "ann": ["node", str(typescript / "dist" / "main.js")],
        "ben": [sys.executable, str(PROJECT / "bots" / "reflection" / "bot.py")],
        "cat": [sys.executable, str(PROJECT / "tests" / "support" / "bots" / "strongest.py")],
        "dan": [*VINCI, "bot", "run", "--stdio", "--text", "--", "awk", "-f", str(tmp_path / "lines.awk")],
    }
    kills = {3: "organiser", 6: "dan", 9: "organiser", 12: "ann", 15: "organiser", 18: "ben"}
    calm, killed = (weekend(tmp_path / name, commands, of) for name, of in (("calm", {}), ("killed", kills)))
    for league in (calm, killed):
        assert league.forfeits() == []
        assert [event.bot for event in league.events() if event.event == "withdrew"] == ["eva"]
        assert "eva" not in {bot for result in league.results() for bot in result.bots}
        run(tmp_path, "tournament", "verify", str(league.folder))
    for name in ("results.jsonl", "standings.csv"):
        assert (calm.folder / name).read_bytes() == (killed.folder / name).read_bytes(), name
