"""`vinci rules`: the rules as text."""

import shutil
import sys

import click

from ...exceptions import Misused
from ...text import manual
from ..base import Command


@click.command(
    cls=Command,
    epilog="""
    vinci rules R-CONQ-3
    vinci rules Weapons
    """,
)
@click.argument("name", default="")
def rules(name: str) -> None:
    """Show a rule by its id, a group of rules or a trait; without a name, all rules."""
    if not name:
        click.echo_via_pager(manual.rules_document())
        return
    try:
        text = manual.rule(name)
    except manual.UnknownRule as error:
        raise Misused(str(error)) from None
    width = shutil.get_terminal_size().columns
    click.echo("\n".join(manual.wrapped(text, width)) if sys.stdout.isatty() else text)
