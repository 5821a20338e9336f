"""Hooks of the documentation site: the page of commands, addresses of files outside of docs/, no network, no dead link.

mkdocs calls `on_page_markdown` and `on_post_page` for each page, `on_post_build` at the end. The files stay as GitHub
and a clone show them.
"""

import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import click

sys.path.insert(0, str(Path(__file__).parents[1]))  # mkdocs loads this file by its path

from tools.manual_page import loaded_members
from vinci_cli.main import main as vinci
from vinci_cli.text import i18n

REPOSITORY = "https://github.com/vinci-server/vinci-server/blob/main/"
LINK = re.compile(r"\]\(((?:\.\./)+[^)\s]*)\)")
COMMANDS = "site/commands.md"
STARS = ' data-md-component="source"'
"""The mark by which the script of the theme finds the link to the repository, to ask GitHub for its stars."""
LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed|object|image|use)\b[^>]*\s(?:src|srcset|data|(?:xlink:)?href)=["']?(?:https?:)?//[^>]*>"""
    r"""|<link\b(?![^>]*\brel=["']?canonical)[^>]*\shref=["']?(?:https?:)?//[^>]*>"""
    r"""|(?:\burl\(|@import)\s*["']?(?:https?:)?//[^)"';\s]*"""
    r"""|<[^>]*\bclass=["']?(?:[^"'>]*\s)?mermaid\b[^>]*>"""
)
"""Parts of a page or style sheet for which a browser, or the script of the theme, asks another server."""


LINKED = re.compile(r"""<a\b[^>]*\shref=["']?(?![a-z]+:|/)([^"'\s>#?]+)""")
"""The file of the site that a link leads to, from the folder of its page."""


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


def on_post_page(output: str, **_unused: Any) -> str:
    """Return a page whose link to the repository is a link only."""
    return output.replace(STARS, "")


def on_post_build(*, config: Any) -> None:
    """Fail if a page or style sheet of the site loads anything from the network, or links a file that is not there."""
    site = Path(config["site_dir"])
    paths = [path for path in sorted(site.rglob("*")) if path.suffix in (".html", ".css", ".svg")]
    found = [
        f"{path.relative_to(site)}: {one}" for path in paths for one in loaded_from_elsewhere(path.read_text("utf-8"))
    ]
    if found:
        sys.exit("\n".join(["The site has to work without the network; these load something from it:", *found]))
    if dead := [f"{path.relative_to(site)}: {link}" for path in paths for link in dead_links(path)]:
        sys.exit("\n".join(["These links of the site lead nowhere:", *dead]))


def loaded_from_elsewhere(text: str) -> list[str]:
    """Return the parts of a page, style sheet or picture that load something from another server."""
    return LOADED.findall(text)


def dead_links(page: Path) -> list[str]:
    """Return the links of a page or picture to files that the site does not have, such as those that it leaves out."""
    links = sorted(set(LINKED.findall(page.read_text("utf-8"))))
    return [link for link in links if not (page.parent / unquote(link)).exists()]


def _helps(command: click.Command, name: str) -> Iterator[str]:
    """Yield the help of a command and of those below it, as Markdown."""
    with click.Context(command, info_name=name, terminal_width=100) as context:
        yield f"\n## {name}\n\n```text\n{command.get_help(context)}\n```\n"
    for word, below in loaded_members(command):
        yield from _helps(below, f"{name} {word}")
