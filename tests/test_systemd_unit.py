"""The systemd unit of docs/vinci.service and docs/operations.md is valid and hardened."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.cli_runner import parsed
from tests.support.paths import DOCS

UNIT: Final = DOCS / "vinci.service"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
def test_unit_is_valid(tmp_path: Path) -> None:
    """systemd-analyze knows every setting; only the command is replaced by an installed one."""
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/opt/vinci/bin/vinci", sys.executable))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
def test_unit_is_hardened(tmp_path: Path) -> None:
    """The exposure level of systemd-analyze, in tenths here, is at most 1.5 of 10; memory and threads are limited."""
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=15", UNIT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    limits = dict(re.findall(r"^(MemoryHigh|MemoryMax|TasksMax)=(\S+)$", UNIT.read_text(), re.MULTILINE))
    assert limits == {"MemoryHigh": "2G", "MemoryMax": "3G", "TasksMax": "256"}


def test_computer_players_may_lower_their_priority() -> None:
    """The call of `nice` is allowed again after the group that has it was taken away."""
    filters = re.findall(r"^SystemCallFilter=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    assert filters.index("setpriority") > filters.index("~@privileged @resources")


def test_command_of_the_unit_can_be_parsed() -> None:
    """Its options exist, and the database is in the writable folder."""
    (line,) = re.findall(r"^ExecStart=/opt/vinci/bin/(.*)$", UNIT.read_text(), re.MULTILINE)
    configured = parsed(line.replace("/etc/vinci/server.toml", str(DOCS / "server.toml"))).params
    assert configured["database"] == Path("/var/lib/vinci/server.db")
    assert configured["lan"]


def test_commented_settings_of_the_configuration_are_valid(tmp_path: Path) -> None:
    """The commented lines with a value are valid lines of the file."""
    text = (DOCS / "server.toml").read_text(encoding="utf-8")
    proposed = re.sub(r"^# (?=[a-z-]+ = )", "", text, flags=re.MULTILINE)
    path = tmp_path / "server.toml"
    path.write_text(proposed, encoding="utf-8")
    configured = parsed(f"vinci serve --config {path}").params
    assert (configured["tls"], configured["ssh"], configured["limits"]) == (True, 2222, ("matches=200",))
