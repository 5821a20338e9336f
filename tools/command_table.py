"""Writes the table of commands and options that completion reads, and the manual page, from the commands themselves.

Run as `python -m tools.command_table`; with `--check` it only tells whether the files are up to date.
"""

import json
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from tools import manual_page
from tools.generated import keep
from tools.manual_page import loaded_members, visible
from vinci_bots.doctor.checks import CHECKS
from vinci_cli.commands.base import Command
from vinci_cli.main import main as vinci
from vinci_cli.text import i18n
from vinci_server.limits import Limits

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "clients" / "vinci_cli" / "commands" / "completion" / "commands.json"
PAGE = ROOT / "docs" / "vinci.1"

KNOWN = {
    "--limit": [f"{field.name}={getattr(Limits(), field.name)}" for field in fields(Limits)],
    "--only": [check.name for check in CHECKS],
    "shell": ["bash", "zsh", "fish"],
}
"""Values of options that no machine or user can add to."""


def entry(command: click.Command) -> dict[str, Any]:
    """Return what completion needs of a command and of those below it."""
    found: dict[str, Any] = {
        "help": (command.help or "").partition("\n")[0],
        "words": command.options_of_words if isinstance(command, Command) else (),
        "parameters": [parameter(one) for one in visible(command)],
    }
    if below := dict(loaded_members(command)):
        found["commands"] = {name: entry(one) for name, one in below.items()}
    return found


def parameter(one: click.Parameter) -> dict[str, Any]:
    """Return what completion needs of a parameter."""
    values = list(one.type.choices) if isinstance(one.type, click.Choice) else KNOWN.get(one.opts[0], [])
    known = {"values": values} if values else {}
    if isinstance(one, click.Argument):
        return {"kind": "argument", "names": [one.name], "nargs": one.nargs, **known}
    assert isinstance(one, click.Option)
    kind = "flag" if one.is_flag else "option"
    return {"kind": kind, "names": one.opts, "multiple": one.multiple, "help": one.help or "", **known}


def table() -> str:
    """Return the table as JSON, a command a line."""
    lines = [f"{json.dumps(name)}: {json.dumps(entry(one))}" for name, one in loaded_members(vinci)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """0 if table and manual page are, or now are, up to date."""
    i18n.choose("en")
    return keep(TABLE, table(), "has other commands than vinci") | keep(
        PAGE, manual_page.page(), "has another help than vinci"
    )


if __name__ == "__main__":
    sys.exit(main())
