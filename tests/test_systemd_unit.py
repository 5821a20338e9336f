"""docs/operations.md and docs/vinci.service: what they tell an admin to use exists."""

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
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    """Every setting is known; the command alone is replaced by one that is installed here."""
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/opt/vinci/bin/vinci", sys.executable))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
def test_the_unit_lets_the_server_do_little(tmp_path: Path) -> None:
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


def test_what_the_unit_starts_can_be_typed() -> None:
    """Its options exist, and the database is in the folder that it may write to."""
    (line,) = re.findall(r"^ExecStart=/opt/vinci/bin/(.*)$", UNIT.read_text(), re.MULTILINE)
    assert parsed(line).params["database"] == Path("/var/lib/vinci/server.db")
