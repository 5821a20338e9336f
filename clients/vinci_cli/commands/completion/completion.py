"""`vinci completion`: the script with which a shell completes commands, options and values."""

import click

from ..base import Command
from . import shells


@click.command(
    cls=Command,
    epilog="""
    vinci completion bash
    vinci completion zsh
    vinci completion fish
    """,
)
@click.argument("shell", type=click.Choice(shells.SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that lets a shell complete commands, options and values when Tab is pressed.

    For this session of bash: eval "$(vinci completion bash)". For all sessions, write the script to a file that the
    shell reads at its start.
    """
    root = context.find_root()
    program = root.info_name or "vinci"
    click.echo(shells.script(shell, root.command, program))
