"""The wheel in an environment with only its declared requirements: every main command runs in an empty folder."""

# ruff: noqa: D103  # the name of each test says what it checks

import json
import re
import shlex
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.cli_runner import BORDER, commands_of
from tests.support.paths import PROJECT
from tests.support.terminals.real_terminals import Pty
from vinci_cli.main import main

pytestmark = pytest.mark.slow

QUICK_GAME: Final = ("--board", "tiny", "--target", "20", "--seed", "wheel")


class Built(NamedTuple):
    """The archives built from this folder: the source archive, and the wheel built from its unpacked sources."""

    sources: Path
    wheel: Path


class Installation(NamedTuple):
    """An environment with the wheel, and an empty folder to run commands in."""

    programs: Path
    folder: Path

    @property
    def variables(self) -> dict[str, str]:
        """Return the environment of commands, without settings of this project or its developer."""
        home = str(self.folder.parent / "home")
        return {
            "PATH": f"{self.programs}:/usr/bin:/bin",
            "HOME": home,
            "VINCI_HOME": f"{home}/vinci",
            "LANG": "C.UTF-8",
        }

    def run(self, *words: str, typed: str = "") -> str:
        """Run a command, which must succeed; return its standard output."""
        done = subprocess.run(
            [self.programs / words[0], *words[1:]],
            cwd=self.folder,
            env=self.variables,
            input=typed,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        return done.stdout

    def link(self, names: set[str]) -> None:
        """Make the packages of the running environment importable, by links to their files."""
        (packages,) = (self.programs.parent / "lib").glob("python*/site-packages")
        for name in names:
            for file in distribution(name).files or ():
                if ".." not in file.parts and "__pycache__" not in file.parts:
                    (packages / file).parent.mkdir(parents=True, exist_ok=True)
                    (packages / file).symlink_to(Path(str(file.locate())).resolve())

    @contextmanager
    def running(self, *words: str) -> Iterator[subprocess.Popen[str]]:
        """Run a command until the context is left."""
        command = [str(self.programs / words[0]), *words[1:]]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, cwd=self.folder, env=self.variables, stdin=pipe, stdout=pipe, text=True, start_new_session=True
        ) as process:
            try:
                yield process
            finally:
                process.kill()


def build(what: str, folder: Path, to: Path) -> Path:
    """Build one archive from the sources in a folder, as `make dist` does."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", what, "--directory", str(to)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (archive,) = to.iterdir()
    return archive


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build the source archive of this folder, and the wheel from it elsewhere."""
    root = tmp_path_factory.mktemp("built")
    archive = build("sdist", PROJECT, root / "sdist")
    with tarfile.open(archive) as file:
        file.extractall(root, filter="data")
    (sources,) = (path for path in root.iterdir() if path.name.startswith("vinci_server-"))
    return Built(sources, build("wheel", sources, root / "wheel"))


def required(name: str, extra: str = "") -> set[str]:
    """Return the names of the distributions that a distribution requires with an extra, directly and indirectly."""
    packages: set[str] = set()
    waiting = [name]
    while waiting:
        for line in distribution(waiting.pop()).requires or ():
            one = Requirement(line)
            wanted = canonicalize_name(one.name)
            if wanted not in packages and (one.marker is None or one.marker.evaluate({"extra": extra})):
                packages.add(wanted)
                waiting.append(wanted)
    return packages


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Return an environment for all tests."""
    return install(built, tmp_path_factory.mktemp("installed"))


def install(built: Built, root: Path) -> Installation:
    """Create an environment with the wheel and links to the files of its requirements, without network."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root / "venv"], check=True)
    python = root / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*pip, "install", "--no-index", "--no-deps", built.wheel], check=True)
    (root / "empty").mkdir()
    installation = Installation(root / "venv" / "bin", root / "empty")
    installation.link(required("vinci-server"))
    return installation


@pytest.fixture
def here(installed: Installation, tmp_path: Path) -> Installation:
    """Return the environment with an empty folder for each test."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return installed._replace(folder=folder)


def test_the_source_archive_has_every_file_of_the_project(built: Built) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("this is no clone")
    wanted = {name for name in listed.stdout.splitlines() if (PROJECT / name).is_file()}
    there = {str(path.relative_to(built.sources)) for path in built.sources.rglob("*") if path.is_file()}
    built_documents = {name for name in there if name.startswith("site/")}
    assert there - built_documents == wanted | {"PKG-INFO"}


def test_tests_run_in_the_unpacked_source_archive(built: Built) -> None:
    files = ("tests/rules/test_perft.py", "tests/test_requirements_lock.py", "tests/test_structure.py")
    command = [sys.executable, "-P", "-m", "pytest", "-n0", "-p", "no:cacheprovider", *files]
    done = subprocess.run(command, cwd=built.sources, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_wheel_has_all_data_but_no_sources_of_translations(built: Built) -> None:
    names = zipfile.ZipFile(built.wheel).namelist()
    packages = {name.partition("/")[0] for name in names if name.endswith("/__init__.py") or "/v1/" in name}
    assert {f"{package}/py.typed" for package in packages} <= set(names)
    assert sum(name.endswith("/vinci.mo") for name in names) == 3
    assert not [name for name in names if name.endswith((".po", ".pot"))]


def test_environment_has_required_packages_only(installed: Installation) -> None:
    """Other packages would hide missing requirements from the other tests."""
    tell = "import vinci_cli; print(vinci_cli.__file__)\nimport pytest"
    done = subprocess.run([installed.programs / "python", "-c", tell], capture_output=True, text=True, check=False)
    assert str(installed.programs.parent) in done.stdout
    assert "No module named 'pytest'" in done.stderr


def test_the_manual_page_is_where_man_looks(installed: Installation) -> None:
    pages = installed.programs.parent / "share" / "man" / "man1"
    assert {page.name for page in pages.iterdir()} == {"vinci.1", "vinci-server.1"}


@pytest.mark.parametrize("program", ["vinci", "vinci-server"])
def test_both_command_names_print_version_and_help(here: Installation, program: str) -> None:
    assert distribution("vinci-server").version in here.run(program, "--version")
    assert here.run(program, "--help").startswith(f"Usage: {program} ")


def test_every_command_has_help(built: Built, tmp_path: Path) -> None:
    """With the extras without which some commands only say what to install."""
    here = install(built, tmp_path)
    here.link((required("vinci-server", "leagues") | required("vinci-server", "rl")) - required("vinci-server"))
    lines = []
    for name, command in commands_of(main).items():
        lines += [(name,), *((name, below) for below in commands_of(command))]
    assert len(lines) > 35
    for line in lines:
        assert f"Usage: vinci {' '.join(line)} " in here.run("vinci", *line, "--help")


def test_games_without_a_server(here: Installation) -> None:
    here.run("vinci", "selfplay", "--players", "greedy,random,dummy", *QUICK_GAME, "--records", "games")
    (record,) = (here.folder / "games").iterdir()
    assert "verified" in here.run("vinci", "replay", str(record), "--verify")
    here.run("vinci", "replay", str(record), "--html", "game.html")
    assert "<svg" in (here.folder / "game.html").read_text()
    here.run("vinci", "board", "--svg", "europe.svg")
    assert (here.folder / "europe.svg").read_text().startswith("<svg")
    assert '"COL"' in here.run("vinci", "analyze", "--position", BORDER)
    assert "Regels van Vinci" in here.run("vinci", "--lang", "nl", "rules")


def test_completion(here: Installation) -> None:
    script = here.run("vinci-server", "completion", "bash")
    words = {"COMP_LINE": "vinci serve --board ", "_VINCI_COMPLETE": "bash_complete"}
    done = subprocess.run(
        [here.programs / "vinci"],
        env=here.variables | words,
        cwd=here.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "_VINCI_SERVER_COMPLETE" in script
    assert done.stdout == "plain,europe\nplain,tiny\n"


def test_play_without_a_terminal(here: Installation) -> None:
    words = ("vinci", "play", "--line", "--players", "human,greedy,dummy", *QUICK_GAME)
    assert "The game waits for you." in here.run(*words, typed="suggest\nquit\n")
    assert "The game is over." in here.run("vinci", "play", "--players", "human,greedy,dummy", "--new", *QUICK_GAME)


def test_the_tutorial_in_a_terminal(here: Installation) -> None:
    home = here.folder.parent / "home"
    (home / "vinci").mkdir(parents=True, mode=0o700)
    command = ["env", "-C", str(here.folder), *(f"{key}={value}" for key, value in here.variables.items())]
    with Pty(home / "vinci", [*command, str(here.programs / "vinci"), "tutorial"]) as window:
        window.until("Welcome")


def test_a_server_with_a_player_and_a_bot(here: Installation) -> None:
    game = ("--players", "human,greedy,dummy", *QUICK_GAME)
    with here.running("vinci", "serve", "--port", "0", "--db", "server.db", *game) as server:
        assert server.stdout is not None
        address = next(line for line in server.stdout if line.startswith("listening on ")).split()[-1]
        with here.running("vinci", "bot", "greedy", address):
            output = here.run("vinci", "join", address, "--line", "--name", "Ann", typed="suggest\nok\nquit\n")
            assert "Suggestion: " in output
        assert json.loads(here.run("vinci", "admin", "status", "--server", address, "--db", "server.db", "--json"))
        server.terminate()
        assert server.wait(30) == 0
    assert '"matches":1' in here.run("vinci", "export", "--db", "server.db")


def test_a_bot_from_the_template(here: Installation) -> None:
    here.run("vinci", "bot", "new", "hermit")
    here.run("vinci", "bot", "new", "walker", "--lang", "typescript")
    assert (here.folder / "walker" / "package.json").exists()
    (bot,) = (path for path in (here.folder / "hermit").glob("*.py") if "test" not in path.name)
    here.run("vinci", "match", "--bots", str(bot), "greedy", "dummy", *QUICK_GAME, "--out", "game")
    assert json.loads((here.folder / "game" / "result.json").read_text())["seats"][0]["forfeit"] is None
    assert "handshake" in here.run("vinci", "bot", "check", "--only", "handshake", str(bot))


def test_a_league_needs_the_extra(here: Installation) -> None:
    command = [str(here.programs / "vinci"), "tournament", "run", "--bots", "greedy", "random"]
    done = subprocess.run(command, cwd=here.folder, env=here.variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert "'vinci-server[leagues] @ file://" in done.stderr
    here.link(required("vinci-server", "leagues") - required("vinci-server"))
    bots = ("--bots", "greedy", "random", "dummy", "--board", "tiny", "--target", "20")
    here.run("vinci", "tournament", "run", *bots, "--games", "6", "--workers", "1", "--out", "league")
    assert "greedy" in here.run("vinci", "tournament", "report", "league")
    here.run("vinci", "tournament", "verify", "league")
    assert (here.folder / "league" / "report.html").exists()


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("rl", ("vinci", "dataset", "--players", "random", "--games", "1", *QUICK_GAME, "--out", "games.parquet")),
        ("mcp", ("vinci", "mcp", "localhost")),
        ("picture", ("python", "-c", "import resvg_py")),
        ("web", ("python", "-c", "from vinci_server.web import server")),
    ],
)
def test_other_extras_are_for_those_who_ask(built: Built, tmp_path: Path, extra: str, words: tuple[str, ...]) -> None:
    """Without the extra the packages are not there, and commands name it; with it they work."""
    here = install(built, tmp_path)
    with pytest.raises(AssertionError, match=r"No module named|not installed") as failed:
        here.run(*words)
    assert words[0] != "vinci" or f"'vinci-server[{extra}] @ file://" in str(failed.value)
    here.link(required("vinci-server", extra) - required("vinci-server"))
    here.run(*words)


def test_links_of_the_description_lead_somewhere_in_an_index(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        links = re.findall(r"\]\(([^)]+)\)", wheel.read(name).decode())
    assert len(links) > 20
    assert [link for link in links if not link.startswith("https://")] == []
