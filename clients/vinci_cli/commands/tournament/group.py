"""`vinci tournament`: its commands, which are imported when they are typed, and the options that they share."""

from pathlib import Path
from typing import Final

import click

from ...text.i18n import N_
from ..base import Commands, LazyCommand, option

COMMANDS: Final = (
    LazyCommand("run", "tournament.play:run", N_("Play a league and write its report.")),
    LazyCommand("resume", "tournament.play:resume", N_("Continue a stopped league.")),
    LazyCommand("extend", "tournament.extend:extend", N_("Add games or bots to a league.")),
    LazyCommand("open", "tournament.open:open_league", N_("Play a league with bots on other machines.")),
    LazyCommand("invite", "tournament.open:invite", N_("Print what a bot on another machine needs to play.")),
    LazyCommand("start", "tournament.changes:start", N_("Start a league with bots on other machines.")),
    LazyCommand("withdraw", "tournament.changes:withdraw", N_("Withdraw a bot from a league.")),
    LazyCommand("readmit", "tournament.changes:readmit", N_("Take a bot back into a league.")),
    LazyCommand("change", "tournament.changes:change", N_("Change conditions or the end of a league.")),
    LazyCommand("merge", "tournament.play:merge", N_("Merge folders with blocks of one league.")),
    LazyCommand("status", "tournament.results:status", N_("Show the progress and standings of a league.")),
    LazyCommand("report", "tournament.results:report", N_("Write and print the report of a league.")),
    LazyCommand("balance", "tournament.balance:balance", N_("Compare editions, or the game with changed traits.")),
    LazyCommand("verify", "tournament.results:verify", N_("Verify a league and play some games again.")),
    LazyCommand("reproduce", "tournament.results:reproduce", N_("Play one game of a league again.")),
)

folder_argument = click.argument("path", metavar="FOLDER", type=click.Path(path_type=Path))
workers_option = option("--workers", least=1, help="Games played in parallel. Default: one for each core.")


@click.group(
    cls=Commands,
    epilog="""
    vinci tournament run league.toml
    vinci tournament open weekend.toml --listen 0.0.0.0 --tls
    vinci tournament merge first second
    vinci tournament status league
    vinci tournament resume league
    vinci tournament extend league --games 120
    vinci tournament report league --markdown
    vinci tournament verify league
    vinci tournament reproduce league 12-3
    """,
)
def tournament() -> None:
    """Play leagues among bots and verify their results. See docs/tournaments.md."""


for command in COMMANDS:
    tournament.add_command(command)
