"""The client in docs/protocol.md plays a whole game as it is printed there."""

import re
import subprocess
import sys
from pathlib import Path

from tests.support.paths import DOCS
from tests.support.processes.vinci_process import environment, server


def test_client_of_the_protocol_page_plays_a_game(tmp_path: Path) -> None:
    """The client makes a match, plays its seat to the end, and prints its rank."""
    (program,) = re.findall(
        r"^```python\n(.*?)^```", (DOCS / "protocol.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    with server(tmp_path) as (_, address):
        played = subprocess.run(
            [sys.executable, "-c", program, address],
            capture_output=True,
            text=True,
            timeout=60,
            env=environment(tmp_path),
        )
    assert re.fullmatch(r"rank [123]\n", played.stdout), played.stderr
