"""Hooks of the documentation site: the page of commands, and links to files outside of docs/ as addresses.

mkdocs calls `on_page_markdown` for each page; the files stay as GitHub and a clone show them.
"""

import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).parents[1]))  # mkdocs loads this file by its path

from tools.manual_page import loaded_members
from vinci_cli.main import main as vinci
from vinci_cli.text import i18n

REPOSITORY = "https://github.com/vinci-server/vinci-server/blob/main/"
LINK = re.compile(r"\]\(((?:\.\./)+[^)\s]*)\)")
COMMANDS = "site/commands.md"


def on_page_markdown(markdown: str, *, page: Any, **_unused: Any) -> str:
    """Return the text of a page with its links to files of the repository as addresses, and with the commands."""
    folder = posixpath.dirname(f"docs/{page.file.src_uri}")

    def link(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, found[1]))
        return found[0] if target.startswith("docs/") else f"]({REPOSITORY}{target})"

    text = LINK.sub(link, markdown)
    if page.file.src_uri == COMMANDS:
        i18n.choose("en")
        text += "\n".join(_helps(vinci, "vinci"))
    return text


def _helps(command: click.Command, name: str) -> Iterator[str]:
    """Yield the help of a command and of those below it, as Markdown."""
    with click.Context(command, info_name=name, terminal_width=100) as context:
        yield f"\n## {name}\n\n```text\n{command.get_help(context)}\n```\n"
    for word, below in loaded_members(command):
        yield from _helps(below, f"{name} {word}")
