"""The doctor for remote bots: correct bots pass, also over TLS, and each broken bot fails the check for its fault."""

import asyncio
import signal
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Final

import pytest

from tests.support.bots.broken_remote_bots import (
    ALSO_BROKEN_REMOTE,
    BROKEN_REMOTE,
    NEVER_CONNECTED,
    REMOTE,
    SOUND,
    BrokenRemote,
)
from tests.support.bots.remote_doctor import free_address, passes_all, passes_quickly, started
from tests.support.paths import DOCS
from tests.support.processes.vinci_process import LIMIT, Vinci, fails, run
from vinci_bots import environment as variables
from vinci_bots.doctor.checks import REMOTE_CHECKS
from vinci_bots.doctor.results import CheckResult
from vinci_bots.doctor.runner import examine
from vinci_bots.doctor.tested_bot import Deadlines, RemoteBot, invited

SHORT: Final = Deadlines(start=int(LIMIT), decision=4, back=3)
"""Of broken bots, which take as long as they may."""
LONG: Final = Deadlines(start=int(LIMIT), back=30)


def expected(folder: Path, limits: Deadlines, access: str = "") -> AbstractAsyncContextManager[RemoteBot]:
    """Run a server for a remote bot with the name ann on a free port."""
    return invited(folder, ("127.0.0.1", 0), access, "ann", limits)


async def examined(bot: RemoteBot, *names: str) -> dict[str, CheckResult]:
    """Run the named checks on a bot and return the results by name."""
    checks = [check for check in REMOTE_CHECKS if check.name in names]
    return {result.check.name: result async for result in examine(bot, checks)}


def raw(code: str) -> list[str]:
    """Return the command of a bot with this code."""
    return [sys.executable, "-c", REMOTE + code]


@pytest.mark.parametrize("broken", NEVER_CONNECTED, ids=[broken[0] for broken in NEVER_CONNECTED])
async def test_doctor_tells_why_a_bot_is_not_connected(broken: tuple[str, str, str], tmp_path: Path) -> None:
    """While the doctor waits, it knows what is wrong with what has come."""
    _name, code, trouble = broken
    async with expected(tmp_path, SHORT) as bot:
        assert bot.trouble().startswith("nothing has connected")
        with started(raw(code), bot.invitation.variables(), tmp_path):
            async with asyncio.timeout(LIMIT):
                while trouble not in bot.trouble():
                    await asyncio.sleep(0.02)
            assert bot.stream() is None


async def test_doctor_tells_of_a_bot_without_tls_or_code(tmp_path: Path) -> None:
    """A bot that uses no TLS at a server with TLS is told apart from one that sends no code."""
    async with expected(tmp_path, SHORT, "tls") as bot:
        with started(raw(SOUND), bot.invitation.variables(), tmp_path):
            async with asyncio.timeout(LIMIT):
                while "it connects without TLS" not in bot.trouble():
                    await asyncio.sleep(0.02)
    async with expected(tmp_path / "code", SHORT, "code") as bot:
        with started(raw(SOUND), bot.invitation.variables(), tmp_path):
            async with asyncio.timeout(LIMIT):
                while "its stream ended: UNAUTHENTICATED" not in bot.trouble():
                    await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    "broken",
    [
        *(pytest.param(broken, id=broken.name) for broken in BROKEN_REMOTE),
        *(pytest.param(broken, id=broken.name, marks=pytest.mark.slow) for broken in ALSO_BROKEN_REMOTE),
    ],
)
async def test_broken_remote_bot_fails_the_check_for_its_fault(broken: BrokenRemote, tmp_path: Path) -> None:
    """A broken bot fails the check for its fault with the expected message, and no check that has nothing to do with it."""
    async with expected(tmp_path, SHORT) as bot:
        with started(raw(broken.code), bot.invitation.variables(), tmp_path):
            results = await examined(bot, broken.fails, *broken.passes)
    assert {name: result.verdict for name, result in results.items()} == {
        broken.fails: "FAIL",
        **dict.fromkeys(broken.passes, "ok"),
    }, results
    assert broken.message in results[broken.fails].text


async def test_bot_with_one_game_at_a_time_passes(tmp_path: Path) -> None:
    """A bot that offers one game is given one game after another; the check for several games is skipped."""
    names = ("handshake", "game", "draft", "entry", "unknown", "games-at-once", "restart", "ended-away")
    async with expected(tmp_path, LONG) as bot:
        with started(raw("remote(games=0)"), bot.invitation.variables(), tmp_path):
            results = await examined(bot, *names)
    assert {name: result.verdict for name, result in results.items()} == {
        **dict.fromkeys(names, "ok"),
        "games-at-once": "skip",
    }, results
    assert results["handshake"].text.endswith("as ann; it offers 1 game at a time")


async def test_other_checks_are_skipped_for_a_bot_that_never_connects(tmp_path: Path) -> None:
    """The handshake fails and the rest is skipped if nothing connects in time."""
    async with expected(tmp_path, Deadlines(start=0.1)) as bot:
        results = await examined(bot, "draft", "restart", "exit")
    assert [result.verdict for result in results.values()] == ["FAIL", "skip", "skip", "skip"]
    assert "nothing has connected" in results["handshake"].text
    assert "it did not connect" in results["draft"].text


def test_kit_bot_passes_over_tls_by_its_environment(tmp_path: Path) -> None:
    """A bot of the kit takes address, code, name, key and games from the environment and passes over TLS."""
    passes_quickly(tmp_path, [sys.executable, "-m", "vinci_cli", "bot", "random"])


@pytest.mark.slow
def test_kit_bot_passes_all_remote_checks(tmp_path: Path) -> None:
    """A bot of the kit passes all remote checks over TLS, slow ones included."""
    passes_all(tmp_path, [sys.executable, "-m", "vinci_cli", "bot", "random"])


def test_doctor_prints_the_line_to_type_and_ends_in_order_after_ctrl_c(tmp_path: Path) -> None:
    """Without --json the doctor prints the environment of the bot; Ctrl-C ends it and its server."""
    address = free_address()
    with Vinci(tmp_path, "bot", "check", "--remote", "ann", "--listen", address) as doctor:
        words = doctor.line("export ").split()
        assert [word.partition("=")[0] for word in words] == [
            variables.ADDRESS,
            variables.NAME,
            variables.KEY,
            variables.GAMES,
        ]
        doctor.expect("vinci bot run first.py")
        with Vinci(tmp_path, "bot", "check", "--remote", "ben", "--listen", address) as second:
            assert second.ended() == 1
            assert f"cannot listen on {address}" in second.err
            assert "--listen" in second.err
        doctor.send(signal.SIGINT)
        assert doctor.ended() == 130
        assert "Traceback" not in doctor.err


def test_wrong_usage_of_remote_is_refused(tmp_path: Path) -> None:
    """A command, or --out, does not go with --remote; --listen and --tls need it."""
    for arguments in (("--remote", "ann", "random"), ("--remote", "ann", "--out", str(tmp_path / "out"))):
        assert "starts elsewhere" in fails(tmp_path, "bot", "check", *arguments)
    assert "need --remote" in fails(tmp_path, "bot", "check", "--tls", "random")


def test_every_remote_check_has_a_section_in_the_docs(tmp_path: Path) -> None:
    """Every remote check is listed and has a section in docs/doctor.md."""
    listed = run(tmp_path, "bot", "check", "--list", "--remote", "ann").out
    page = (DOCS / "doctor.md").read_text(encoding="utf-8")
    sections = {part.partition("\n")[0].lower().replace(" ", "-"): part for part in page.split("\n## ")}
    for check in REMOTE_CHECKS:
        assert f"`{check.name}`" in sections[check.section], check.name
        assert f"{check.name} " in listed
