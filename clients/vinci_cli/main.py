"""The `vinci` command: its sub-commands are imported when they are typed, so that `--help` is quick."""

from typing import Final

import click

from .commands.base import Commands, LazyCommand, Option
from .commands.options import screen_options
from .text.i18n import N_, _

COMMANDS: Final = (
    LazyCommand("play", "play:play", N_("Play a game here, alone or several at one terminal.")),
    LazyCommand("tutorial", "play:tutorial", N_("Learn the rules in a short game.")),
    LazyCommand("join", "join:join", N_("Take a seat at another server.")),
    LazyCommand("watch", "join:watch", N_("Watch a match at another server.")),
    LazyCommand("serve", "serve.serve:serve", N_("Serve matches to people and bots.")),
    LazyCommand("analysis", "serve.analysis:analysis", N_("Serve legal actions and playouts to bots.")),
    LazyCommand("bot", "bot.group:bot", N_("Let bots play at a server, write or check one.")),
    LazyCommand("match", "match.group:match", N_("Play one game between bots on this machine.")),
    LazyCommand("tournament", "tournament.group:tournament", N_("Play leagues among bots and verify their results.")),
    LazyCommand("export", "study.transfer:export", N_("Write matches of a database as text.")),
    LazyCommand("import", "study.transfer:import_", N_("Take exported matches into a database.")),
    LazyCommand("selfplay", "study.selfplay:selfplay", N_("Play games of bots in one process, without a server.")),
    LazyCommand("replay", "study.replay:replay", N_("Show, verify or convert a recorded game.")),
    LazyCommand("review", "study.review:review", N_("Review a recorded game: mistakes, turning points, luck.")),
    LazyCommand("analyze", "study.positions:analyze", N_("List what is legal in a position, or try actions there.")),
    LazyCommand("board", "study.positions:board", N_("Draw a board, empty or with a position on it.")),
    LazyCommand("rules", "study.rules:rules", N_("Show the rules, or one of them.")),
    LazyCommand(
        "completion", "completion.completion:completion", N_("Print the script with which a shell completes vinci.")
    ),
    LazyCommand("health", "health:health", N_("Tell whether a server answers.")),
    LazyCommand("admin", "admin:admin", N_("Look after a server and its matches.")),
)


def _show_version(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    """Show the version and the core of the rules that runs, if it was asked for, and exit."""
    if asked and not context.resilient_parsing:
        from importlib.metadata import version

        from vinci_rules.core import active

        rules = _("compiled rules") if active() == "compiled" else _("interpreted rules")
        click.echo(_("vinci, version {version}, {rules}").format(version=version("vinci-server"), rules=rules))
        context.exit()


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    cls=Option,
    help="Show the version and exit.",
)
@screen_options
@click.pass_context
def main(context: click.Context) -> None:
    """Vinci: the rise and fall of civilizations in Europe, for 3 to 6 seats.

    `vinci` alone opens a menu, `vinci play` a game against three dummies, which are harder than the level Easy and
    about as hard as Normal; `vinci COMMAND --help` has examples for each command.
    """
    if context.invoked_subcommand is None:
        from .commands import interface

        if interface.fills_screen():
            from . import lobby_session

            lobby_session.menu()
        else:
            click.echo(context.get_help())


for command in COMMANDS:
    main.add_command(command)


if __name__ == "__main__":
    main()
