"""Files with secrets are readable by their owner alone, whatever the umask and earlier modes."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.support.processes.vinci_process import Vinci, run
from vinci_cli.connection import saved_seats
from vinci_cli.home import HOME, private_folder
from vinci_server.storage.database import connect
from vinci_server.storage.store import Store


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """Set the umask of most machines, which lets everybody read new files."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> dict[str, str]:
    """Return the files and folders that others can access, with their modes; the folder itself is called '.'."""
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*"))}
    return {str(path.relative_to(folder)): f"{mode:o}" for path, mode in modes.items() if mode & 0o077}


def served(home: Path, *arguments: str) -> str:
    """Start and stop a server; returns its output on standard error."""
    with Vinci(home, "serve", "--port", "0", *arguments, "--with-stdin", typed=True) as process:
        process.expect("listening on ")
        files = open_to_others(home)
        process.hang_up()
        assert process.ended() == 0
    assert {name for name in files if not name.endswith(".log")} <= {"elsewhere", "made"}
    return process.err


def test_all_files_of_a_server_are_private(tmp_path: Path) -> None:
    """This holds in a new folder, and in one of an earlier version with readable files."""
    home = tmp_path / "home"
    assert "get at the database" not in served(home, "--code", "--tls")
    home.chmod(0o755)
    (home / "server.db").chmod(0o644)
    (home / "server.db-wal").touch()
    assert "get at the database" not in served(home)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "server.db").stat().st_mode) == 0o600


def test_other_folder_keeps_its_mode_with_a_warning(tmp_path: Path) -> None:
    """A folder named by --db may have other contents; the files of the server are private all the same."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    tmp_path.chmod(0o700)
    output = served(tmp_path, "--db", str(elsewhere / "games.db"))
    assert f'"change": "chmod 700 {elsewhere}"' in output
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o755
    made = tmp_path / "made" / "here"
    assert "get at the database" not in served(tmp_path, "--db", str(made / "games.db"))
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_database_whose_mode_cannot_change_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mode cannot be changed if the owner is somebody else."""
    path = tmp_path / "games.db"
    connect(path).close()
    path.chmod(0o644)

    def refused(_path: Path, _mode: int) -> None:
        raise PermissionError

    with monkeypatch.context() as patched, structlog.testing.capture_logs() as logs:
        patched.setattr(Path, "chmod", refused)
        connect(path).close()
    assert [log["change"] for log in logs if log["log_level"] == "warning"] == [f"chmod 600 {path}"]


def test_database_of_another_program_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    path.write_text("no database at all, but of another program")
    path.chmod(0o644)
    with pytest.raises(Exception, match="this is no database"):
        connect(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_backups_and_saved_seats_are_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv(HOME, str(home))
    saved_seats.save(saved_seats.SavedSeat("here:1", "k3f9xa2m", 1, "token"))
    store = Store(home / "server.db")
    asyncio.run(store.backup(home / "copy.db"))
    assert open_to_others(home).keys() == {"seats.lock"}  # which is empty
    store.close()


def test_files_of_a_local_game_are_private(tmp_path: Path) -> None:
    home = tmp_path / "home"
    run(home, "play", "--players", "greedy,dummy,dummy", "--board", "tiny", "--target", "20")
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "play.db").stat().st_mode) == 0o600


def test_sticky_folder_keeps_its_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder such as /tmp, which VINCI_HOME may name, keeps its mode."""
    tmp_path.chmod(0o1777)
    monkeypatch.setenv(HOME, str(tmp_path))
    assert private_folder() == tmp_path
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777
