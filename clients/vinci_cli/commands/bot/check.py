"""`vinci bot check`: the bot doctor at a terminal or in CI. What it says is for authors of bots, in English."""

import json
import shlex
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from vinci_bots.doctor.checks import CHECKS, REMOTE_CHECKS
from vinci_bots.doctor.host import Host
from vinci_bots.doctor.results import Check, CheckResult
from vinci_bots.doctor.runner import examine
from vinci_bots.doctor.tested_bot import Deadlines, LocalBot
from vinci_bots.local.local_match import MEGABYTE
from vinci_bots.local.participants import Player, UnusableBot, players
from vinci_client.printable import printable

from ...connection import connect
from ...exceptions import Misused
from ...text.i18n import _
from ..base import Command, flag, option
from ..options import check_empty, json_option, path_option
from ..progress import Line
from .remote import LISTEN, awaited

WIDTH: Final = max(len(check.name) for check in (*CHECKS, *REMOTE_CHECKS))
LOCAL_START: Final = 30
REMOTE_START: Final = 300
LONGEST_LINE: Final = 200
"""Characters of a line that a bot wrote that are shown."""


@click.command(
    cls=Command,
    epilog="""
    vinci bot check first.py
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
    limits = Deadlines(decision=decision, back=back, memory=memory * MEGABYTE)
    verdicts: Counter[str] = Counter()
    began = time.monotonic()
    if remote:
        if command or out is not None:
            raise Misused(_("with --remote the bot starts elsewhere: leave out its command, and --out"))
        limits = replace(limits, start=start or REMOTE_START)
        connect.run_here(_examine_remote(remote, listen, tls, limits, checks, verdicts, as_json))
        _end(verdicts, began, as_json, {"name": remote}, None)
        return
    if tls is not None or listen != LISTEN:
        raise Misused(_("--listen, --tls and --no-tls need --remote: only a remote bot connects from elsewhere"))
    if not command:
        raise Misused(_("which bot? As in: vinci bot check first.py"))
    limits = replace(limits, start=start or LOCAL_START)
    player = _player(command)
    if out is not None:
        check_empty(out)
        out.mkdir(parents=True, exist_ok=True)
    folder = out or Path(tempfile.mkdtemp(prefix="vinci-check-"))
    try:
        connect.run_here(_examine(player, checks, limits, folder, verdicts, as_json))
    finally:
        is_saved = out is not None or bool(verdicts["FAIL"])
        if not is_saved:
            shutil.rmtree(folder)
    _end(verdicts, began, as_json, {"command": player.command}, folder if is_saved else None)


def _end(verdicts: Counter[str], began: float, as_json: bool, bot: Mapping[str, object], folder: Path | None) -> None:
    """Print the summary, and exit with status 1 if a check failed."""
    counts = {verdict: verdicts[verdict] for verdict in ("ok", "FAIL", "skip")}
    seconds = round(time.monotonic() - began, 1)
    if as_json:
        saved = str(folder) if folder else None
        click.echo(json.dumps({"summary": counts, "seconds": seconds, **bot, "folder": saved}))
    else:
        where = f"; what the bot wrote is in {folder}" if folder else ""
        click.echo(f"{', '.join(f'{number} {verdict}' for verdict, number in counts.items())} in {seconds} s{where}")
    if verdicts["FAIL"]:
        sys.exit(1)


def _player(words: Sequence[str]) -> Player:
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


async def _examine(
    player: Player, checks: Sequence[Check], limits: Deadlines, folder: Path, verdicts: Counter[str], as_json: bool
) -> None:
    line = Line()
    line.show(f"0 of {len(checks)} checks; first a whole game")
    with tempfile.TemporaryDirectory(prefix="vinci-") as place:
        async with Host(Path(place)) as host:
            results = examine(LocalBot(player, limits, host, folder), checks)
            await _show(results, len(checks), verdicts, as_json, line)


async def _examine_remote(
    name: str,
    listen: str,
    tls: bool | None,
    limits: Deadlines,
    checks: Sequence[Check],
    verdicts: Counter[str],
    as_json: bool,
) -> None:
    line = Line()
    async with awaited(name, listen, tls, limits, line, as_json=as_json) as bot:
        await _show(examine(bot, checks), len(checks), verdicts, as_json, line)


async def _show(
    results: AsyncIterator[CheckResult], total: int, verdicts: Counter[str], as_json: bool, line: Line
) -> None:
    """Print each result of so many checks as soon as it is known, and count their verdicts."""
    skipped: dict[str, list[CheckResult]] = {}
    shown: set[Path | None] = set()
    async for finding in results:
        verdicts[finding.verdict] += 1
        line.show("")
        if finding.verdict == "skip" and not as_json:
            skipped.setdefault(finding.text, []).append(finding)
            continue
        for text in _lines(finding, as_json, shows_log=finding.log not in shown):
            click.echo(text)
        shown.add(finding.log)
        if verdicts.total() < total:
            line.show(f"{verdicts.total()} of {total} checks")
    line.show("")
    for text, findings in skipped.items():
        name = findings[0].check.name if len(findings) == 1 else f"{len(findings)} checks"
        click.echo(f"skip  {name:{WIDTH}}  {text}")


def _lines(finding: CheckResult, as_json: bool, *, shows_log: bool) -> Iterator[str]:
    """Yield the output lines about a check; the bot's own output is shown once for checks of one game."""
    check = finding.check
    if as_json:
        yield json.dumps(
            {
                "check": check.name,
                "verdict": finding.verdict,
                "told": finding.text,
                "seconds": round(finding.seconds, 2),
                "said": finding.output,
                "log": str(finding.log) if finding.log else None,
                "docs": check.docs,
            }
        )
        return
    yield f"{finding.verdict:4}  {check.name:{WIDTH}}  {finding.text}"
    if finding.verdict == "ok":
        return
    if finding.verdict == "FAIL":
        yield f"      what it should do: {check.proves} ({check.docs})"
    for line in finding.output if shows_log else ():
        yield f"      | {printable(line)[:LONGEST_LINE]}"
    if finding.log:
        yield f"      all that it wrote: {finding.log}"
