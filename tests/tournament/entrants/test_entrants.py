"""A folder of bots that others handed in becomes a league: what is broken is told, and harms nothing."""

import json
import re
import stat
import subprocess
import zipfile
from pathlib import Path
from typing import Final

import pytest

from tests.support.bots.attacks import needs_sandbox
from tests.support.processes.vinci_process import Vinci, environment, fails, run
from tests.support.tournament.handed_in import BROKEN, FILES, RUN, handed_in, tarred, zipped
from vinci_bots.local import manifest
from vinci_bots.local.manifest import BadManifest
from vinci_client.processes import COMMAND
from vinci_tournament.definition import configuration
from vinci_tournament.definition.configuration import LeagueError
from vinci_tournament.entrants import archive, prepare
from vinci_tournament.entrants.archive import BadArchive
from vinci_tournament.results.result import Result

TINY: Final = ("--sandbox", "--seats", "3", "--board", "tiny", "--target", "25", "--clock", "10")


@pytest.fixture
def _has_sandbox() -> None:
    """Skip where there is no sandbox."""
    needs_sandbox()


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "top.zip", "folder"])
def test_all_kinds_are_unpacked(tmp_path: Path, name: str) -> None:
    """A folder, both kinds of archives, and one with a folder around all give the same files."""
    source, target = tmp_path / name, tmp_path / "target"
    match name:
        case "a.zip" | "top.zip":
            zipped(source, FILES, "bot-1.0/" if name == "top.zip" else "")
        case "a.tar.gz":
            tarred(source, FILES)
        case _:
            source.mkdir()
            for file, text in FILES.items():
                (source / file).write_text(text, encoding="utf-8")
            (source / "link").symlink_to("/etc/passwd")
    archive.unpack(source, target)
    assert {path.name: path.read_text(encoding="utf-8") for path in target.iterdir()} == FILES


@pytest.mark.parametrize(
    "name", ["/etc/evil", "../evil", "a/../../evil", "a\\..\\evil"], ids=["absolute", "up", "inside-up", "backslash"]
)
def test_files_outside_are_refused(tmp_path: Path, name: str) -> None:
    """A zip archive that leads out of its folder is refused."""
    zipped(tmp_path / "a.zip", {name: "x"})
    with pytest.raises(BadArchive, match="is no file inside of the archive"):
        archive.unpack(tmp_path / "a.zip", tmp_path / "in" / "target")
    assert not [*tmp_path.rglob("evil")]


def test_sizes_that_lie_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive is as large as what comes out of it, whatever it tells."""
    zipped(tmp_path / "a.zip", {"bomb": "\0" * 2**20})
    data = (tmp_path / "a.zip").read_bytes()
    (tmp_path / "a.zip").write_bytes(data.replace((2**20).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    monkeypatch.setattr(archive, "MOST_BYTES", 2**16)
    with pytest.raises(BadArchive, match=r"too large|cannot be unpacked"):
        archive.unpack(tmp_path / "a.zip", tmp_path / "target")
    assert sum(path.stat().st_size for path in (tmp_path / "target").iterdir()) <= 2**16


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name = 5\nrun = 'x'", "name: 5: expected up to 24 letters"),
        ("run = 5", "run: 5: expected a command such as"),
        ("run = 'stdio:'", "run: 'stdio:': expected a command"),
        ("run = 'x'\nbuild = 5", 'build: 5: expected a command line, such as build = "make"'),
        ("run = 'x'\nruns = 'x'", "'runs' is unknown; known: name, run, build"),
        ("run = './plain'", "'./plain' is not executable; chmod"),
        ("run = 'nowhere'", "there is no program 'nowhere', neither here nor in the folder"),
    ],
)
def test_wrong_manifests(tmp_path: Path, text: str, why: str) -> None:
    """A manifest that cannot be used is told with what would be right."""
    (tmp_path / "bot.toml").write_text(text, encoding="utf-8")
    (tmp_path / "plain").write_text("", encoding="utf-8")
    with pytest.raises(BadManifest, match=re.escape(why)):
        manifest.check(manifest.read(tmp_path, "a"), tmp_path)


def test_bot_is_packed_as_it_is_unpacked(tmp_path: Path) -> None:
    """`vinci bot pack` makes an archive with the files and their modes, without caches, and replaces nothing."""
    bot = tmp_path / "mine"
    (bot / "__pycache__").mkdir(parents=True)
    (bot / "__pycache__" / "x.pyc").write_text("x")
    for file, text in FILES.items():
        (bot / file).write_text(text, encoding="utf-8")
    (bot / "main.py").chmod(0o755)
    packed = tmp_path / "mine.zip"
    assert "mine: 2 files in" in run(tmp_path, "bot", "pack", str(bot), "--out", str(packed)).out
    assert "is there already" in fails(tmp_path, "bot", "pack", str(bot), "--out", str(packed))
    assert sorted(zipfile.ZipFile(packed).namelist()) == sorted(FILES)
    archive.unpack(packed, tmp_path / "target")
    assert stat.S_IMODE((tmp_path / "target" / "main.py").stat().st_mode) == 0o755
    (bot / "bot.toml").unlink()
    assert "there is no bot.toml in it" in fails(tmp_path, "bot", "pack", str(bot), "--out", str(tmp_path / "b.zip"))


def test_entrants_need_the_sandbox_and_a_folder(tmp_path: Path) -> None:
    """Programs of others are not run without the sandbox; a wrong option is told before anything is built."""
    handed = tmp_path / "handed"
    handed.mkdir()
    options = ("tournament", "run", "--entrants", str(handed), "--out", str(tmp_path / "cup"))
    assert "add --sandbox" in fails(tmp_path, *options)
    assert "there is no folder" in fails(tmp_path, *options[:3], str(tmp_path / "none"), "--sandbox")
    assert "board: 'moon'" in fails(tmp_path, *options, "--sandbox", "--board", "moon")
    assert not (tmp_path / "cup").exists()


@pytest.mark.usefixtures("_has_sandbox")
def test_what_is_handed_in_is_built_in_the_sandbox(tmp_path: Path) -> None:
    """A build sees the folder of its bot, which it changes, and nothing else; it has no network."""
    handed, secret = tmp_path / "handed", tmp_path / "secret"
    handed.mkdir()
    secret.write_text("secret")
    build = f"cp main.py made.py; cat {secret} >> made.py; echo done > /source/left; cat /proc/net/dev | wc -l"
    run_made = 'run = "stdio:python3 made.py"\n'
    zipped(handed / "a.zip", FILES | {"bot.toml": f"{run_made}build = {json.dumps(build)}\n"})
    with Vinci(tmp_path, "tournament", "run", "--entrants", str(handed), *TINY, "--out", str(tmp_path / "cup")) as told:
        assert told.ended() == 2
        assert "bots: 1 given, but a game has 3 seats" in told.err
    place = tmp_path / "cup" / "entrants"
    assert [entrant.plays for entrant in prepare.stored(place)] == [True]
    assert (place / "a" / "made.py").read_text() == FILES["main.py"]
    log = prepare.build_log(place, "a").read_text()
    assert "No such file" in log
    assert "Read-only file system" in log
    assert not [*tmp_path.rglob("left")]


def _league_of(tmp_path: Path, good: int, games: int) -> None:
    handed, cup = tmp_path / "handed", tmp_path / "cup"
    handed_in(handed, good)
    command = ("tournament", "run", "--entrants", str(handed), *TINY, "--games", str(games), "--out", str(cup))
    # without a limit of time, as each bot is examined for some seconds
    told = subprocess.run([*COMMAND, *command], env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert f"{good} of {good + len(BROKEN)} entrants play." in told.stderr
    entrants = {entrant.source: entrant for entrant in prepare.stored(cup / "entrants")}
    for name, (_write, step, fault) in BROKEN.items():
        assert (entrants[name].step, fault in entrants[name].fault) == (step, True), entrants[name]
        assert f"{name} does not play: " in told.stderr
    assert {name for name, entrant in entrants.items() if entrant.plays}.isdisjoint(BROKEN)
    results = [Result.from_json(line) for line in (cup / "results.jsonl").read_text().splitlines()]
    assert len(results) == games
    assert not [forfeit for result in results for forfeit in result.forfeits]
    assert not (tmp_path / "evil.py").exists()
    index = (cup / "entrants" / "index.html").read_text(encoding="utf-8")
    for entrant in entrants.values():
        assert f'href="{entrant.name}.html"' in index
        page = (cup / "entrants" / f"{entrant.name}.html").read_text(encoding="utf-8")
        assert ("<h2>Games</h2>" in page) == entrant.plays
    assert "is verified" in run(tmp_path, "tournament", "verify", str(cup)).out
    assert "Report, records and logs" in run(tmp_path, *command).out  # the league is there, and nothing is built again


@pytest.mark.usefixtures("_has_sandbox")
def test_folder_of_archives_becomes_a_league(tmp_path: Path) -> None:
    """Three bots play, those broken in ten ways do not, and each has a page that says why."""
    _league_of(tmp_path, 3, 3)


@pytest.mark.slow
@pytest.mark.usefixtures("_has_sandbox")
def test_thirty_archives_become_a_league(tmp_path: Path) -> None:
    """Twenty bots play, those broken in ten ways do not, in one command."""
    _league_of(tmp_path, 20, 60)


def test_manifest_of_a_folder_in_a_league_file(tmp_path: Path) -> None:
    """The key `folder` takes a bot with a manifest from a league file."""
    (tmp_path / "mine").mkdir()
    for file, text in FILES.items():
        (tmp_path / "mine" / file).write_text(text, encoding="utf-8")
    bots = [{"bot": "random"}, {"bot": "random", "name": "b"}, {"folder": str(tmp_path / "mine")}]
    lines = [
        f"{key} = {json.dumps(value)}" for key, value in {"seats": 3, "games": 3, "board": "tiny", "target": 25}.items()
    ]
    tables = ["[[bots]]\n" + "\n".join(f"{key} = {json.dumps(value)}" for key, value in bot.items()) for bot in bots]
    (tmp_path / "cup.toml").write_text("\n".join([*lines, *tables]), encoding="utf-8")
    out = str(tmp_path / "cup")
    run(tmp_path, "tournament", "run", str(tmp_path / "cup.toml"), "--out", out)
    assert RUN in (tmp_path / "mine" / "bot.toml").read_text()
    assert "is verified" in run(tmp_path, "tournament", "verify", out).out
    (tmp_path / "mine" / "main.py").write_text("", encoding="utf-8")
    assert "its files have changed" in fails(tmp_path, "tournament", "resume", out)


def test_name_of_a_folder_in_a_league_file_is_checked(tmp_path: Path) -> None:
    """A name in the league file is one of a bot, also where the manifest has another."""
    for file, text in (FILES | {"bot.toml": f'{RUN}name = "mine"'}).items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(LeagueError, match=r"bots\[1\]\.name: 'a/b': expected up to 24 letters"):
        configuration.league_bots([{"folder": str(tmp_path), "name": "a/b"}])
