"""`vinci bot`: bots that play at a server, and templates and checks for new bots."""

import os
import re
import sys
from pathlib import Path
from typing import Any, Final

import click

from vinci_client import processes
from vinci_client.access import Access
from vinci_players.names import BOTS, is_bot

from ...connection import connect, saved_seats
from ...exceptions import Failed, Misused
from ...text.i18n import N_, _
from ...text.opponents import fault
from ..base import Command, Commands, LazyCommand, access_options, flag, option
from ..options import server_option, stdin_option

ABOUT: Final = {
    "greedy": N_("Play bot seats of a server to win."),
    "easy": N_("Play bot seats of a server as an easy opponent."),
    "normal": N_("Play bot seats of a server as a normal opponent."),
    "hard": N_("Play bot seats of a server as a hard opponent, who thinks for up to a second."),
    "expert": N_("Play bot seats of a server as the best opponent, who thinks for up to two seconds."),
    "random": N_("Play bot seats of a server with random legal actions."),
}


class Bots(Commands):
    """The commands of bots; levels can have a budget and a character, as in `expert:2000:raider`."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command of a bot, or None for an unknown name. Raises Misused for a level with a wrong budget."""
        found = super().get_command(ctx, name)
        if wrong := fault(name):
            raise Misused(wrong)
        return _command(name) if found is None and is_bot(name) else found


@click.group(
    cls=Bots,
    epilog="""
    vinci bot hard:raider localhost
    vinci bot random 192.168.1.5:7654 --at-once 4 --games 10
    vinci bot new hermit
    vinci bot run first.py localhost
    """,
)
def bot() -> None:
    """Let bots play at a server, or write one. See docs/bots.md."""


def _command(policy: str) -> click.Command:
    """Return the command that plays with a policy, a level with a budget or not."""

    @click.command(
        policy,
        cls=Command,
        help=ABOUT[re.split("[:@]", policy)[0]],
        epilog=f"""
        vinci bot {policy} localhost
        vinci bot {policy} 192.168.1.5:7654 --at-once 4 --games 10
        """,
    )
    @click.argument("address", default="localhost", envvar="VINCI_ADDRESS")
    @server_option()
    @option("--name", envvar="VINCI_BOT_NAME", help="Name under which it plays; default: its own.")
    @option(
        "--at-once",
        least=1,
        most=1000,
        default=1,
        envvar="VINCI_BOT_GAMES",
        help="Games to play at once, or VINCI_BOT_GAMES.",
    )
    @option("--games", least=1, help="Stop after so many games; without it, never.")
    @option(
        "--token",
        envvar="VINCI_SEAT_TOKEN",
        help="Token of a seat to play, from JoinMatch. Better in VINCI_SEAT_TOKEN: options are seen by all users of "
        "this machine.",
    )
    @option("--seed", envvar="VINCI_SEED", help="Seed of its random numbers; without it, a new one.")
    @option("--key", envvar="VINCI_BOT_KEY", help="Key of the bot's name, or VINCI_BOT_KEY: see vinci admin bot-key.")
    @access_options
    @stdin_option
    def play(address: str, access: Access, with_stdin: bool, **options: Any) -> None:
        from vinci_bots import sdk
        from vinci_bots.builtin.connected import PolicyFailed, policy_bot
        from vinci_bots.runtime import on_closed_stdin

        by_contract = bool(os.environ.get("VINCI_SEAT_TOKEN"))
        if with_stdin or by_contract:
            on_closed_stdin(lambda: os._exit(0))  # it may be thinking, and has nothing to save
        patience = sdk.PATIENCE if by_contract and not with_stdin else None

        def report(text: str) -> None:
            click.echo(f"{policy}: {text}")

        async def work(access: Access) -> None:
            kind = policy_bot(policy)
            try:
                await sdk.play(kind, address, access=access, patience=patience, on_event=report, **options)
            except PolicyFailed as error:
                text = _("the computer player {name} has failed ({error}). For a report of the fault: {path}")
                path = saved_seats.keep_traceback(error)
                raise Failed(text.format(name=policy, error=error, path=path)) from None

        connect.run(work, access, f"vinci bot {policy} {address}")

    return play


for policy in BOTS:
    bot.add_command(_command(policy))


@bot.command(
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True},
    epilog="""
    vinci bot run first.py localhost
    vinci bot run first.py 192.168.1.5:7654 --at-once 4
    vinci bot run --stdio -- ./mybot
    vinci bot run --stdio --text --server 192.168.1.5 --name ann -- awk -f mybot.awk
    """,
)
@flag("--stdio", help="Run any program as a bot that reads decisions as lines of JSON and writes answers.")
@flag("--text", help="With --stdio: lines of plain text instead of JSON.")
@flag("--many", help="With --stdio: one process for all games instead of one for each.")
@click.argument("words", metavar="FILE.py [ARGUMENT]...", nargs=-1, type=click.UNPROCESSED)
def run(words: tuple[str, ...], stdio: bool, text: bool, many: bool) -> None:
    """Run a Python file as a bot, with the Python that Vinci is installed for; further arguments go to the file.

    With --stdio, run a program that plays by lines of its standard input and output (docs/bots.md); before `--` can
    stand the options of every bot: --server ADDRESS, --name, --at-once, --games, --code, --key, --tls.
    """
    if stdio:
        place = words.index("--") if "--" in words else -1
        options, command = words[: max(place, 0)], words[place + 1 :]
        if not command:
            raise Misused(_("which program? As in: vinci bot run --stdio -- ./mybot"))
        form = [word for word, given in (("--text", text), ("--many", many)) if given]
        processes.replace_with([*processes.PYTHON, "-m", "vinci_bots.stdio", *form, *options, "--", *command])
    if text or many:
        raise Misused(_("--text and --many are about --stdio"))
    if not words:
        raise Misused(_("which file? As in: vinci bot run first.py localhost"))
    file, arguments = Path(words[0]), words[1:]
    if file.suffix != processes.SCRIPT:
        wrong = _("{file} is not a Python file (.py); other bots are commands and start by themselves")
        raise Misused(wrong.format(file=file))
    if not file.is_file():
        raise Misused(_("there is no file {file} in {folder}").format(file=file, folder=Path.cwd()))
    processes.replace_with([sys.executable, str(file), *arguments])


bot.add_command(
    LazyCommand("new", "bot.scaffold:new", N_("Write a new bot, ready to run, with a test: a folder of its own."))
)
bot.add_command(LazyCommand("check", "bot.check:check", N_("Check whether a bot can play in a league.")))
bot.add_command(LazyCommand("debug", "bot.debug:debug", N_("Ask a bot decisions of a recorded game again.")))
bot.add_command(LazyCommand("pack", "bot.pack:pack", N_("Pack a bot into an archive for a league of others.")))
