"""Pages in Chromium, if there is one."""

import shutil
import subprocess
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


def in_chromium(address: str, folder: Path, budget: int = 0) -> str:
    """Return the document of a page after its scripts have run; the test is skipped without Chromium.

    `budget` is the time in ms that passes for a page whose scripts go on after it is loaded.
    """
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    if browser is None:
        pytest.skip(f"no browser to show the page in: {' or '.join(NAMES)}")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser", "--dump-dom"]
    later = [f"--virtual-time-budget={budget}"] if budget else []
    command = [browser, *options, *later, address]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8", timeout=90).stdout
