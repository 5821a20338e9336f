"""Administration of a server process: status, backup, drain, stop, restore, resumed games."""

# ruff: noqa: D103  # the name of each test says what it checks

import json
import signal
import urllib.request
from contextlib import ExitStack
from pathlib import Path

from tests.support.processes.vinci_process import Vinci, fails, run, server

GAME = (
    *("--players", "random,random,random,random", "--board", "tiny", "--seed", "e2e"),
    *("--option", "max_rounds=100", "--target", "5000"),
)


def test_admin_drains_backs_up_and_restores_a_server(tmp_path: Path) -> None:
    restored = tmp_path / "restored"
    restored.mkdir()
    with ExitStack() as stack:
        process, address = stack.enter_context(server(tmp_path, *GAME, "--metrics", "0"))
        at = ("--server", address.replace("127.0.0.1", "localhost"))
        page = process.line("metrics at ")
        bot = stack.enter_context(Vinci(tmp_path, "bot", "random", address, "--at-once", "4"))
        bot.expect("seat 4 of match")
        bot.send(signal.SIGSTOP)  # it is there, is to act, and takes its time
        (listed,) = run(tmp_path, "admin", "list", *at, "--json").out.splitlines()
        match_id = json.loads(listed)["match_id"]
        assert f"match     {match_id}, running" in run(tmp_path, "admin", "inspect", match_id, *at).out
        with urllib.request.urlopen(page) as metrics:
            assert 'vinci_matches{status="running"} 1.0' in metrics.read().decode()
        run(tmp_path, "admin", "backup", str(restored / "server.db"), *at)
        run(tmp_path, "admin", "drain", *at)
        assert "about to restart" in fails(tmp_path, "join", address, "--line", "--create", "human,dummy,dummy")
        waiting = stack.enter_context(Vinci(tmp_path, "admin", "drain", "--wait", "--quiet", "0", *at))
        waiting.expect("Active matches: 1.")
        bot.kill()
        assert waiting.ended() == 0
        assert waiting.out.endswith("Active matches: 0.\n")
        process.send(signal.SIGTERM)
        assert process.ended() == 0
        assert "Traceback" not in process.err
    with ExitStack() as stack:
        _, address = stack.enter_context(server(restored))
        bot = stack.enter_context(Vinci(restored, "bot", "random", address, "--games", "4", "--at-once", "4"))
        bot.expect("is over: rank")
        shown = run(restored, "admin", "inspect", match_id, "--server", address, "--json").out
        assert json.loads(shown)["activity"]["status"] == "MATCH_STATUS_OVER"
