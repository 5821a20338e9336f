"""`vinci bot check`: the bot doctor at a terminal or in CI. What it says is for authors of bots, in English."""

import asyncio
import json
import shlex
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import click

from vinci_bots import environment
from vinci_bots.doctor.checks import CHECKS, REMOTE_CHECKS
from vinci_bots.doctor.host import Host
from vinci_bots.doctor.results import Check, CheckResult
from vinci_bots.doctor.runner import examine
from vinci_bots.doctor.tested_bot import Deadlines, Invitation, LocalBot, RemoteBot, invited
from vinci_bots.local import manifest
from vinci_bots.local.manifest import BadManifest
from vinci_bots.local.participants import Player, UnusableBot, players
from vinci_bots.local.process import MEGABYTE
from vinci_client.address import LOOPBACK, joined, split
from vinci_client.printable import printable, shortened

from ...connection import connect
from ...exceptions import Failed, Misused
from ...serve.access import addresses_to_type
from ...text.i18n import _
from ..base import Command, flag, option
from ..options import check_empty, json_option, path_option
from ..progress import Line
from .sandbox import sandbox_option

WIDTH: Final = max(len(check.name) for check in (*CHECKS, *REMOTE_CHECKS))
LISTEN: Final = "127.0.0.1:7654"
LOCAL_START: Final = 30
REMOTE_START: Final = 300
LONGEST_LINE: Final = 500
"""Characters of a line that a bot wrote that are shown."""


@click.command(
    cls=Command,
    epilog="""
    vinci bot check first.py
    vinci bot check --sandbox mybot
    vinci bot check --only handshake --only exit -- node bot.js
    vinci bot check --json --out checked -- ./bot
    vinci bot check --remote ann --listen 192.168.1.5
    """,
)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@option("--only NAME", multiple=True, help="Only this check; may be repeated.")
@flag("--slow", help="Also run the checks that take half a minute with any bot.")
@flag("--list", "lists", help="List the checks without running them.")
@option("--start SECONDS", least=1, help="Time to connect; default: 30, with --remote 300.")
@option("--decision SECONDS", least=1, default=10, help="Time for a decision.")
@option("--back SECONDS", least=1, default=15, help="Time to come back after a lost connection.")
@option("--memory MB", least=16, default=2048, help="Memory limit of the bot.")
@sandbox_option
@path_option("--out FOLDER", help="Folder for what the bot writes.")
@option("--remote NAME", help="Wait for a bot that connects by itself under this name.")
@option(
    "--listen ADDRESS",
    default=LISTEN,
    help="With --remote: address, or address:port, to listen on; 0.0.0.0 for every one.",
)
@option(
    "--tls/--no-tls",
    default=None,
    help="With --remote: a certificate and a join code, or none. Default: only where others can connect.",
)
@json_option
def check(
    command: tuple[str, ...],
    only: tuple[str, ...],
    slow: bool,
    lists: bool,
    start: int | None,
    decision: int,
    back: int,
    memory: int,
    sandboxed: bool,
    out: Path | None,
    remote: str,
    listen: str,
    tls: bool | None,
    as_json: bool,
) -> None:
    """Check whether a bot can play in a league, as docs/doctor.md tells; the status is 1 if it cannot."""
    table = REMOTE_CHECKS if remote else CHECKS
    if lists:
        for each in table:
            entry = {"check": each.name, "proves": each.proves, "docs": each.docs}
            click.echo(json.dumps(entry) if as_json else f"{each.name:{WIDTH}}  {each.proves}")
        return
    checks = _chosen(table, only, slow)
    start = start or (REMOTE_START if remote else LOCAL_START)
    limits = Deadlines(start=start, decision=decision, back=back, memory=memory * MEGABYTE)
    results = _Results(len(checks), as_json)
    if remote:
        if command or out is not None or sandboxed:
            raise Misused(_("with --remote the bot starts elsewhere: leave out its command, --out and --sandbox"))
        connect.run_here(_examine_remote(remote, listen, tls, limits, checks, results))
        results.end({"name": remote}, None)
        return
    if tls is not None or listen != LISTEN:
        raise Misused(_("--listen, --tls and --no-tls need --remote: only a remote bot connects from elsewhere"))
    if not command:
        raise Misused(_("which bot? As in: vinci bot check first.py"))
    player = player_of(command)
    if out is not None:
        check_empty(out)
        out.mkdir(parents=True, exist_ok=True)
    folder = out or Path(tempfile.mkdtemp(prefix="vinci-check-"))
    try:
        connect.run_here(_examine(player, checks, limits, folder, results, sandboxed=sandboxed))
    finally:
        is_saved = out is not None or bool(results.verdicts["FAIL"])
        if not is_saved:
            shutil.rmtree(folder)
    results.end({"command": player.command}, folder if is_saved else None)


def player_of(words: Sequence[str]) -> Player:
    """Return the bot of a command, of words or of a folder with a bot.toml. Raises Misused."""
    if len(words) == 1 and (folder := Path(words[0])).is_dir():
        try:
            known = manifest.read(folder, folder.absolute().name)
            manifest.check(known, folder)
        except BadManifest as error:
            raise Misused(f"{folder}: {error}") from None
        return manifest.player(known.name, known.run, folder)
    try:
        player = players([words[0] if len(words) == 1 else shlex.join(words)])[0]
    except UnusableBot as error:
        raise Misused(str(error)) from None
    if player.is_dummy:
        raise Misused(_("the server plays a dummy; check a bot, as in: vinci bot check first.py"))
    return player


def _chosen(table: Sequence[Check], names: Sequence[str], slow: bool) -> list[Check]:
    unknown = set(names).difference(check.name for check in table)
    if unknown:
        text = _("there is no check {name!r}; vinci bot check --list names them all")
        raise Misused(text.format(name=min(unknown)))
    return [check for check in table if (check.name in names if names else slow or not check.slow)]


@dataclass(slots=True)
class _Results:
    """The results of the checks, each of which is printed as soon as it is known: lines of text or of JSON."""

    total: int
    as_json: bool
    line: Line = field(default_factory=Line)
    verdicts: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.monotonic)

    async def show(self, results: AsyncIterator[CheckResult]) -> None:
        """Print results and count their verdicts."""
        skipped: dict[str, list[CheckResult]] = {}
        shown: set[Path | None] = set()
        async for finding in results:
            self.verdicts[finding.verdict] += 1
            self.line.show("")
            if finding.verdict == "skip" and not self.as_json:
                skipped.setdefault(finding.text, []).append(finding)
                continue
            if self.as_json:
                click.echo(json.dumps(_as_json(finding)))
            else:
                for text in _lines(finding, shows_log=finding.log not in shown):
                    click.echo(text)
            shown.add(finding.log)
            if self.verdicts.total() < self.total:
                self.line.show(f"{self.verdicts.total()} of {self.total} checks")
        self.line.show("")
        for text, findings in skipped.items():
            name = findings[0].check.name if len(findings) == 1 else f"{len(findings)} checks"
            click.echo(f"skip  {name:{WIDTH}}  {text}")

    def end(self, bot: dict[str, object], folder: Path | None) -> None:
        """Print the summary, and exit with status 1 if a check failed."""
        counts = {verdict: self.verdicts[verdict] for verdict in ("ok", "FAIL", "skip")}
        seconds = round(time.monotonic() - self.began, 1)
        if self.as_json:
            saved = str(folder) if folder else None
            click.echo(json.dumps({"summary": counts, "seconds": seconds, **bot, "folder": saved}))
        else:
            where = f"; what the bot wrote is in {folder}" if folder else ""
            numbers = ", ".join(f"{number} {verdict}" for verdict, number in counts.items())
            click.echo(f"{numbers} in {seconds} s{where}")
        if self.verdicts["FAIL"]:
            sys.exit(1)


def _as_json(finding: CheckResult) -> dict[str, object]:
    return {
        "check": finding.check.name,
        "verdict": finding.verdict,
        "told": finding.text,
        "seconds": round(finding.seconds, 2),
        "said": finding.output,
        "log": str(finding.log) if finding.log else None,
        "docs": finding.check.docs,
    }


def _lines(finding: CheckResult, *, shows_log: bool) -> Iterator[str]:
    """Yield the output lines about a check; the bot's own output is shown once for checks of one game."""
    check = finding.check
    yield f"{finding.verdict:4}  {check.name:{WIDTH}}  {finding.text}"
    if finding.verdict == "ok":
        return
    if finding.verdict == "FAIL":
        yield f"      what it should do: {check.proves} ({check.docs})"
    for line in finding.output if shows_log else ():
        yield f"      | {shortened(printable(line), LONGEST_LINE)}"
    if finding.log:
        yield f"      all that it wrote: {finding.log}"


async def _examine(
    player: Player, checks: Sequence[Check], limits: Deadlines, folder: Path, results: _Results, *, sandboxed: bool
) -> None:
    results.line.show(f"0 of {len(checks)} checks; first a whole game")
    with tempfile.TemporaryDirectory(prefix="vinci-") as place:
        async with Host(Path(place)) as host:
            await results.show(examine(LocalBot(player, limits, host, folder, sandboxed=sandboxed), checks))


async def _examine_remote(
    name: str, listen: str, tls: bool | None, limits: Deadlines, checks: Sequence[Check], results: _Results
) -> None:
    async with _awaited(name, listen, tls, limits, results) as bot:
        await results.show(examine(bot, checks))


@asynccontextmanager
async def _awaited(
    name: str, listen: str, tls: bool | None, limits: Deadlines, results: _Results
) -> AsyncIterator[RemoteBot]:
    """Run a server for a remote bot, print how to start the bot, and show what has come so far. Raises Failed."""
    host, port = split(listen)
    access = "tls" if tls or (tls is None and host not in LOOPBACK) else "code" if host not in LOOPBACK else ""
    async with AsyncExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vinci-")))
        try:
            bot = await stack.enter_async_context(invited(place, (host, int(port)), access, name, limits))
        except OSError as error:
            text = (
                f"the doctor cannot listen on {listen}: {error.strerror or error}; choose another address by --listen"
            )
            raise Failed(text) from None
        typed = bot.invitation
        addresses = [joined(address, int(port)) for address in addresses_to_type(host) or ["ADDRESS"]]
        if results.as_json:
            told = {"address": addresses[0], "name": name, "key": typed.key, "code": typed.code or None}
            click.echo(json.dumps({"invitation": told, "seconds": limits.start}))
        else:
            for text in _told(replace(typed, address=addresses[0]), addresses[1:], limits.start):
                click.echo(text)
        waiting = asyncio.create_task(_wait(bot, results.line))
        try:
            yield bot
        finally:
            waiting.cancel()
            results.line.show("")


def _told(invitation: Invitation, others: list[str], seconds: float) -> Iterator[str]:
    """Yield the lines that say how to start the bot."""
    words = " ".join(f"{name}={shlex.quote(value)}" for name, value in invitation.variables().items())
    yield f"Start the bot, on any machine that reaches {invitation.address}; it has {seconds:g} s to connect."
    if others:
        yield f"(Other addresses of this machine: {', '.join(others)}.)"
    yield "Every language takes these variables from the environment:"
    yield f"  export {words} {environment.GAMES}=4"
    yield "and then, for example:"
    yield "  vinci bot run first.py"
    yield "  node dist/main.js"


async def _wait(bot: RemoteBot, line: Line) -> None:
    """Show what has come so far until the bot is connected."""
    began = time.monotonic()
    while bot.stream() is None:
        line.show(f"{time.monotonic() - began:.0f} of {bot.limits.start:g} s: {bot.trouble()}")
        await asyncio.sleep(1)
