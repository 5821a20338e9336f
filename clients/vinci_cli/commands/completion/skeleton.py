"""Commands with their options, read from a generated table: completion needs no more, and the table loads quickly.

`tools/command_table.py` writes the table, `commands.json`, from the commands themselves.
"""

import json
from collections.abc import Container
from importlib.resources import files
from typing import Any

import click
from click.shell_completion import CompletionItem

from ...text.i18n import _
from ..base import Command, Commands, Option
from .values import values_of


def command(name: str) -> click.Command:
    """Return a command of `vinci` as the table has it: it can be completed, not run."""
    table = json.loads(files(__package__).joinpath("commands.json").read_text(encoding="utf-8"))
    return _command(name, table[name])


def _command(name: str, entry: dict[str, Any]) -> click.Command:
    parameters = [_parameter(name, inner_entry, entry["words"]) for inner_entry in entry["parameters"]]
    if "commands" not in entry:
        return Command(name, params=parameters, help=entry["help"])
    below = {inner: _command(inner, inner_entry) for inner, inner_entry in entry["commands"].items()}
    return Commands(name, params=parameters, help=entry["help"], commands=below)


def _parameter(command_name: str, entry: dict[str, Any], of_words: Container[str]) -> click.Parameter:
    known = entry.get("values", ())

    def complete(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        if known:
            return [CompletionItem(value) for value in known if value.startswith(incomplete)]
        return values_of(command_name, entry["names"][0], context, incomplete)

    if entry["kind"] == "argument":
        return click.Argument(entry["names"], nargs=entry["nargs"], required=False, shell_complete=complete)
    if entry["kind"] == "flag":
        return Option(entry["names"], is_flag=True, help=_(entry["help"]))
    words = "..." if entry["names"][0] in of_words else None
    return Option(
        entry["names"], multiple=entry["multiple"], metavar=words, help=_(entry["help"]), shell_complete=complete
    )
