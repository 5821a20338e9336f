"""The `vinci` command: its sub-commands are imported when they are typed, so that `--help` is quick."""

from typing import Final

import click

from .commands.base import Commands, LazyCommand, Option
from .commands.options import screen_options
from .text.i18n import N_, _

GROUPS: Final = {
    N_("Play"): (
        LazyCommand("play", "play:play", N_("Play a game here, alone or several at one terminal.")),
        LazyCommand("tutorial", "play:tutorial", N_("Learn the rules in a short game.")),
        LazyCommand("join", "join:join", N_("Take a seat at another server.")),
        LazyCommand("watch", "join:watch", N_("Watch a match at another server.")),
        LazyCommand(
            "person", "person.group:person", N_("Show or change your name at a server, or use it on another device.")
        ),
        LazyCommand("players", "person.players:players", N_("List the players of a server with their ratings.")),
        LazyCommand("replay", "study.replay:replay", N_("Show, verify or convert a recorded game.")),
        LazyCommand("review", "study.review:review", N_("Review a recorded game: mistakes, turning points, luck.")),
        LazyCommand("rules", "study.rules:rules", N_("Show the rules, or one of them.")),
        LazyCommand("board", "study.positions:board", N_("Draw a board, empty or with a position on it.")),
    ),
    N_("Serve and operate"): (
        LazyCommand("serve", "serve.serve:serve", N_("Serve matches to people and bots.")),
        LazyCommand("analysis", "serve.analysis:analysis", N_("Run a service that computes playouts for bots.")),
        LazyCommand("admin", "admin:admin", N_("Look after a server and its matches.")),
        LazyCommand("mcp", "serve.mcp:mcp", N_("Let an agent play, by the Model Context Protocol.")),
        LazyCommand("health", "health:health", N_("Tell whether a server answers.")),
        LazyCommand("export", "study.transfer:export", N_("Write matches of a database as text.")),
        LazyCommand("import", "study.transfer:import_", N_("Take exported matches into a database.")),
    ),
    N_("Bots and leagues"): (
        LazyCommand("bot", "bot.group:bot", N_("Let bots play at a server, write or check one.")),
        LazyCommand("match", "match.group:match", N_("Play one game between bots, with record, times and logs.")),
        LazyCommand("selfplay", "study.selfplay:selfplay", N_("Play games of built-in bots in one process.")),
        LazyCommand("dataset", "study.dataset:dataset", N_("Write games of computer players as a table of decisions.")),
        LazyCommand(
            "tournament", "tournament.group:tournament", N_("Play leagues among bots and verify their results.")
        ),
        LazyCommand(
            "analyze", "study.positions:analyze", N_("Show what is legal in one position, or try actions there.")
        ),
    ),
    N_("Shell"): (
        LazyCommand(
            "completion", "completion.completion:completion", N_("Print the script with which a shell completes vinci.")
        ),
    ),
}
"""The commands by the heading above them in the help."""


class _Vinci(Commands):
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in groups. Own lines, as cloup takes as long to import as the whole help to be shown."""
        width = max(len(name) for name in self.commands)
        for title, commands in GROUPS.items():
            with formatter.section(_(title)):
                formatter.write_dl([(f"{one.name:{width}}", one.get_short_help_str()) for one in commands])


def _show_version(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    """Show the version and the core of the rules that runs, if it was asked for, and exit."""
    if asked and not context.resilient_parsing:
        from importlib.metadata import version

        from vinci_rules.core import active

        rules = _("compiled rules") if active() == "compiled" else _("interpreted rules")
        click.echo(_("vinci, version {version}, {rules}").format(version=version("vinci-server"), rules=rules))
        context.exit()


@click.group(cls=_Vinci, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
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
        from .commands import interface_choice

        if interface_choice.fills_screen():
            from . import lobby_session

            lobby_session.menu()
        else:
            click.echo(context.get_help())


for commands in GROUPS.values():
    for command in commands:
        main.add_command(command)


if __name__ == "__main__":
    main()
