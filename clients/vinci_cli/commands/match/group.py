"""`vinci match`: one game between commands on this machine, and what a server keeps about a match."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...exceptions import Misused
from ...text.i18n import _
from ..base import Commands, access_options, each, option
from ..options import json_option, rules_options, seed_option

if TYPE_CHECKING:  # it takes its time
    from vinci_client.access import Access


class _Match(Commands):
    """The group; `--bots` takes all words up to the next option."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """What was typed, with `--bots` before each of its words."""
        return super().parse_args(context, list(each(args, "--bots")))


@click.group(
    "match",
    cls=_Match,
    invoke_without_command=True,
    epilog="""
    vinci match --bots first.py greedy dummy --seed 7
    vinci match --bots first.py "node bot.js" dummy dummy --board tiny --out games/7
    vinci match times k3f9xa2m
    """,
)
@option(
    "--bots",
    multiple=True,
    metavar="BOT ...",
    help="The players: Python files, commands in quotes, bots of ours, or dummy.",
)
@rules_options
@option(
    "--clock",
    default="60",
    show_default=True,
    help="30: seconds a decision; 10m+15s: a bank, and more with each turn.",
)
@option(
    "--tries",
    type=click.IntRange(1, 100),
    default=3,
    help="Invalid answers to a decision after which a bot forfeits. Default: 3.",
)
@seed_option
@option(
    "--memory", type=click.IntRange(16), default=2048, metavar="MB", help="Memory limit for each bot. Default: 2048."
)
@option("--analysis", is_flag=True, help="Let the bots ask an analysis service.")
@option("--out", type=click.Path(path_type=Path), metavar="FOLDER", help="Where the game is kept. Default: match-SEED.")
@json_option
@click.pass_context
def match(
    context: click.Context,
    /,
    bots: tuple[str, ...],
    clock: str,
    tries: int,
    seed: str,
    memory: int,
    analysis: bool,
    out: Path | None,
    as_json: bool,
    **rules: Any,
) -> None:
    """One game between bots on this machine, each a command of its own; record, times and logs are kept.

    A bot that ends, hangs, answers nonsense or needs too much memory forfeits.
    """
    if context.invoked_subcommand is not None:
        if bots:
            raise Misused(_("--bots plays a game; leave it out, or leave out {command}").format(command="times"))
        return
    if not bots:
        raise Misused(_("who plays? As in: vinci match --bots first.py greedy dummy"))
    from ...connection.match_request import match_request
    from . import run

    request = match_request(
        "", seed=seed, clock=clock, on_timeout="forfeit", tries=tries, on_refused="forfeit", **rules
    )
    run.play(bots, request, memory, out, analysis=analysis, as_json=as_json)


@match.command(
    epilog="""
    vinci match times k3f9xa2m
    vinci match times k3f9xa2m --server 192.168.1.5 --json
    """
)
@click.argument("match_id")
@option("--server", "address", default="localhost", show_default=True, help="Address of the server.")
@access_options
@json_option
def times(match_id: str, address: str, access: "Access", as_json: bool) -> None:
    """How long each decision took: thinking, waiting in the server, on the way; and for each seat together."""
    from . import times as times_command

    times_command.show(address, access, match_id, as_json=as_json)
