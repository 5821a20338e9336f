"""The manual page of `vinci`, made of the commands and their help."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from vinci_cli.commands.base import LANGUAGE, LazyCommand
from vinci_cli.main import main as vinci

ROOT = Path(__file__).parents[1]
SITE = "https://github.com/vinci-server/vinci-server/tree/main/docs"

VARIABLES = {
    "VINCI_HOME": "Folder for games and seats, instead of the usual one of this machine.",
    "VINCI_LANG": "Language of everything shown: en, fr, nl or de.",
    "VINCI_THEME": "Colours of the full screen, dark or light, instead of those that fit the background.",
    "VINCI_BLOCKS": "Characters of the map: sextants, quadrants or halves, instead of those that the terminal draws.",
    "VINCI_CODE, VINCI_PASSWORD, VINCI_TLS_CA": "Join code or password of a server, and whom to trust with TLS.",
    "VINCI_ADMIN_TOKEN": "Token for vinci admin.",
    "VINCI_ADDRESS, VINCI_SEAT_TOKEN, VINCI_BOT_KEY": "Server of a bot, token of its seat, and key of its name.",
    "VINCI_SERVE_...": "Any option of vinci serve: VINCI_SERVE_LISTEN for --listen.",
}
STATUS = {
    "0": "The command did what it was asked to do.",
    "1": "It failed, or a check that it made found something.",
    "2": "It was used in a wrong way.",
}


def loaded_members(command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield the commands of a group by name, imported; none for a command that is no group."""
    for name, member in command.commands.items() if isinstance(command, click.Group) else ():
        yield name, member.load() if isinstance(member, LazyCommand) else member


def visible(command: click.Command) -> list[click.Parameter]:
    """Return the options and arguments of a command that are for people, without `--lang`, which all have."""
    return [one for one in command.params if one is not LANGUAGE and not getattr(one, "hidden", False)]


def roff(text: str) -> str:
    """Return a text with everything escaped that roff would take for a request."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^(?=[.'])", r"\\&", escaped, flags=re.MULTILINE)


def paragraphs(text: str) -> Iterator[str]:
    """Yield a text of several paragraphs as lines of roff."""
    for number, paragraph in enumerate(re.split(r"\n\s*\n", inspect.cleandoc(text))):
        if number:
            yield ".PP"
        yield roff(" ".join(paragraph.split()))


def tagged(rows: dict[str, str]) -> Iterator[str]:
    """Yield names, each with its description below."""
    for name, text in rows.items():
        yield from (".TP", rf"\fB{roff(name)}\fR", roff(text) or r"\&")


def section(name: str, command: click.Command) -> Iterator[str]:
    """Yield a command with its usage, options and examples, and those of the commands below it."""
    context = click.Context(command, info_name=name)
    yield f'.SS "{roff(" ".join([name, *command.collect_usage_pieces(context)]))}"'
    yield from paragraphs(command.help or "")
    options = (one for one in visible(command) if isinstance(one, click.Option))
    yield from tagged(dict(record for one in options if (record := one.get_help_record(context))))
    examples = [line.strip() for line in (command.epilog or "").strip().splitlines()]
    if examples:
        yield from (".PP", "Examples:", ".PP", ".RS 4", ".nf", *map(roff, examples), ".fi", ".RE")
    for below, member in loaded_members(command):
        yield from section(f"{name} {below}", member)


def page() -> str:
    """Return the manual page in the format of man(7), with version and date of the last release."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (version, date), *_earlier = re.findall(r"^## (\d\S*) - (\S+)$", changes, re.MULTILINE)
    lines = [
        r".\" Written by tools/command_table.py from the commands and their help.",
        f'.TH VINCI 1 "{date}" "Vinci {version}" "Vinci"',
        ".SH NAME",
        r"vinci, vinci\-server \- the board game Vinci, as a game server, a client, a kit for bots, and bot leagues",
        ".SH SYNOPSIS",
        r"\fBvinci\fR [\fB\-\-lang\fR \fILANGUAGE\fR] [\fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]]",
        ".SH DESCRIPTION",
        *paragraphs(vinci.help or ""),
        ".PP",
        roff("Every command has --help, and --lang LANGUAGE (en, fr, nl or de) anywhere on its line."),
        ".SH COMMANDS",
        *(line for name, command in loaded_members(vinci) for line in section(f"vinci {name}", command)),
        ".SH ENVIRONMENT",
        *tagged(VARIABLES),
        ".SH EXIT STATUS",
        *tagged(STATUS),
        ".SH SEE ALSO",
        roff(f"The documents at {SITE}"),
    ]
    return "\n".join(lines) + "\n"
