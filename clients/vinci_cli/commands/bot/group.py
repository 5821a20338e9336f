"""`vinci bot`: bots that play at a server, and the beginning of a bot of one's own."""

import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ...connection.local_server import BOTS
from ...exceptions import Misused
from ...text.i18n import N_, OF_PROGRAMS, _
from ..base import Command, Commands, access_options, option
from ..options import json_option

if TYPE_CHECKING:  # it takes its time
    from vinci_client.access import Access

ABOUT: Final = {
    "greedy": N_("Play bot seats of a server to win."),
    "random": N_("Play bot seats of a server, anything that is legal."),
}


@click.group(
    cls=Commands,
    epilog="""
    vinci bot greedy localhost
    vinci bot random 192.168.1.5:7654 --at-once 4 --games 10
    vinci bot new hermit
    vinci bot run first.py localhost
    """,
)
def bot() -> None:
    """Let bots play at a server, or write one: docs/bots.md tells how."""


def _command(policy: str) -> click.Command:
    """The command that plays with a policy."""

    @click.command(
        policy,
        cls=Command,
        help=ABOUT[policy],
        epilog=f"""
        vinci bot {policy} localhost
        vinci bot {policy} 192.168.1.5:7654 --at-once 4 --games 10
        """,
    )
    @click.argument("address", default="localhost", envvar="VINCI_ADDRESS")
    @option("--at-once", type=click.IntRange(1, 1000), default=1, show_default=True, help="Seats to play at once.")
    @option("--games", type=click.IntRange(1), help="Stop after so many games; without it, never.")
    @option(
        "--token",
        default="",
        envvar="VINCI_SEAT_TOKEN",
        help="Token of a seat to play, from JoinMatch. Better in VINCI_SEAT_TOKEN: options are seen by all users of "
        "this machine.",
    )
    @option("--seed", default="", envvar="VINCI_SEED", help="What its chance comes from; without it, a new one.")
    @option(
        "--key",
        default="",
        envvar="VINCI_BOT_KEY",
        help="Key of the bot's name, or VINCI_BOT_KEY: see vinci admin bot-key.",
    )
    @access_options
    @option("--with-stdin", is_flag=True, hidden=True, help="Stop when standard input closes.")
    def play(address: str, access: "Access", with_stdin: bool, **how: Any) -> None:
        from ...connection import connect

        by_contract = bool(os.environ.get("VINCI_SEAT_TOKEN"))
        if with_stdin or by_contract:
            from vinci_bots.runtime import on_closed_stdin

            on_closed_stdin(lambda: os._exit(0))  # nothing of it is worth keeping, and it may be thinking

        def work(access: "Access") -> Coroutine[Any, Any, None]:
            return _play(policy, address, access, gives_up=by_contract and not with_stdin, **how)

        connect.run(work, access, f"vinci bot {policy} {address}")

    return play


async def _play(name: str, address: str, access: "Access", *, gives_up: bool, **how: Any) -> None:
    from vinci_bots import sdk
    from vinci_bots.builtin.connected import policy_bot

    patience = sdk.PATIENCE if gives_up else None
    await sdk.play(
        policy_bot(name),
        address,
        access=access,
        patience=patience,
        on_event=lambda text: click.echo(f"{name}: {text}"),
        **how,
    )


for policy in BOTS:
    bot.add_command(_command(policy))


@bot.command(
    epilog="""
    vinci bot new hermit
    vinci bot new hermit --lang typescript
    """
)
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
@option("--lang", "in_language", type=click.Choice(OF_PROGRAMS), default="python", help="What it is written in.")
def new(folder: Path, in_language: str) -> None:
    """Write a new bot, ready to run, with a test: a folder of its own."""
    from . import scaffold

    scaffold.write(folder, in_language)
    click.echo(_("{folder} is a bot that plays; its README says how. To see it play:").format(folder=folder))
    for line in scaffold.following(folder, in_language):
        click.echo(f"  {line}")


@bot.command(
    context_settings={"allow_interspersed_args": False},
    epilog="""
    vinci bot run first.py localhost
    vinci bot run first.py 192.168.1.5:7654 --at-once 4
    """,
)
@click.argument("file", metavar="FILE.py", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(file: Path, arguments: tuple[str, ...]) -> None:
    """Run a Python file as a bot, with the Python that Vinci is installed for; further arguments go to the file."""
    from vinci_client import processes

    if file.suffix != processes.SCRIPT:
        told = _("{file} is not a Python file (.py); other bots are commands and start by themselves")
        raise Misused(told.format(file=file))
    if not file.is_file():
        raise Misused(_("there is no file {file} in {folder}").format(file=file, folder=Path.cwd()))
    processes.replace_with([sys.executable, str(file), *arguments])


@bot.command(
    epilog="""
    vinci bot check first.py
    vinci bot check --only handshake --only exit -- node bot.js
    vinci bot check --json --out checked -- ./bot
    """
)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@option("--only", multiple=True, metavar="NAME", help="Only this check; may be repeated.")
@option("--slow", is_flag=True, help="Also run the checks that take half a minute with any bot.")
@option("--list", "lists", is_flag=True, help="Say what is checked, and check nothing.")
@option("--start", type=click.IntRange(1), metavar="SECONDS", default=30, show_default=True, help="To connect.")
@option("--decision", type=click.IntRange(1), metavar="SECONDS", default=10, show_default=True, help="For a decision.")
@option("--back", type=click.IntRange(1), metavar="SECONDS", default=15, show_default=True, help="To come back.")
@option("--memory", type=click.IntRange(16), default=2048, show_default=True, metavar="MB", help="Most of one bot.")
@option("--out", type=click.Path(path_type=Path), metavar="FOLDER", help="Where what the bot writes is kept.")
@json_option
@click.pass_context
def check(
    context: click.Context,
    /,
    command: tuple[str, ...],
    only: tuple[str, ...],
    slow: bool,
    lists: bool,
    start: int,
    decision: int,
    back: int,
    memory: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Check whether a bot can play in a league, as docs/doctor.md tells; the status is 1 if it cannot."""
    from vinci_bots.doctor.bot_under_test import Deadlines
    from vinci_bots.local.local_match import MEGABYTE

    from . import check as check_command

    if lists:
        check_command.show(as_json=as_json)
        return
    if not command:
        raise Misused(_("which bot? As in: vinci bot check first.py"))
    limits = Deadlines(start, decision, back, memory=memory * MEGABYTE)
    context.exit(not check_command.check(command, only, limits, out, slow=slow, as_json=as_json))
