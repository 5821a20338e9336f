"""Commands as click has them, with help in the language of the session that ends with examples, and errors that are one
clear sentence."""

import gettext
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import wraps
from typing import Any, TypeVar, cast

import click

from vinci_client.address import BadAddress
from vinci_client.printable import printable_lines

from ..exceptions import Failed, Misused
from ..text import i18n, refusals
from ..text.i18n import _

F = TypeVar("F", bound=Callable[..., Any])


class Option(click.Option):
    """An option whose help is in the language of the session."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """What it is called, and what it means."""
        shown = copy(self)
        shown.help = _(self.help) if self.help else None
        return super(Option, shown).get_help_record(ctx)


def option(*names: str, **how: Any) -> Callable[[F], F]:
    """What `click.option` is, for such an option."""
    return click.option(*names, cls=Option, **how)


LANGUAGE = Option(["--lang"], metavar="LANGUAGE", expose_value=False, help="en, fr, nl or de. Default: as the locale.")
"""The option of every command; `Commands.main` has read it before any other, so that errors are in that language."""


class _Told(click.Command):
    """Help in the language of the session, with examples at its end."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The own options, and those that every command has."""
        found = list(super().get_params(ctx))
        if not any(LANGUAGE.opts[0] in one.opts for one in self.params):
            found.insert(len(self.params), LANGUAGE)
        return found

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option that shows the help; click keeps the first one."""
        found = super().get_help_option(ctx)
        if found is not None:
            found.help = _("Show this message and exit.")
        return found

    def get_short_help_str(self, limit: int = 45) -> str:
        """Its line in the help of the group."""
        return super(_Told, self._translated()).get_short_help_str(limit)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What it does."""
        super(_Told, self._translated()).format_help_text(ctx, formatter)

    def _translated(self) -> "_Told":
        found = copy(self)
        found.help = _(inspect.cleandoc(self.help)) if self.help else None
        return found

    def invoke(self, context: click.Context) -> Any:
        """Run it; what goes wrong becomes one line and a status."""
        try:
            return super().invoke(context)
        except (Misused, BadAddress) as error:
            raise click.UsageError(printable_lines(refusals.sentence(error)), context) from None
        except Failed as error:
            raise click.ClickException(printable_lines(str(error))) from None
        except BrokenPipeError:
            sys.stderr.close()  # whoever read the output has seen enough
            sys.exit(0)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""  # what follows is the system's own word
            raise click.ClickException(f"{where}{error.strerror or error}") from None

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples."""
        if self.epilog:
            formatter.write_paragraph()
            formatter.write(f"{_('Examples:')}\n")
            for line in self.epilog.strip().splitlines():
                formatter.write(f"  {line.strip()}\n")


class Command(_Told):
    """A command."""


class Commands(_Told, click.Group):
    """A group of commands."""

    command_class = Command
    group_class = type

    def main(self, args: Sequence[str] | None = None, *more: Any, **how: Any) -> Any:
        """Run the command that was typed, in the language that was asked for."""
        arguments = list(sys.argv[1:] if args is None else args)
        try:
            i18n.choose(_language_in(arguments))
        except Misused as error:
            click.UsageError(str(error)).show()
            sys.exit(2)
        os.environ["LANGUAGE"] = i18n.language()  # click asks gettext, which asks the environment
        gettext.bindtextdomain(i18n.DOMAIN, str(i18n.FOLDER))
        gettext.textdomain(i18n.DOMAIN)
        return super().main(arguments, *more, **how)


def each(words: Sequence[str], *options: str) -> Iterator[str]:
    """A command line in which some options take all words up to the next option: with the option before each."""
    many = ""
    for word in words:
        if word in options:
            many = word
        elif word.startswith("-"):
            many = ""
            yield word
        else:
            yield from (many, word) if many else (word,)


def _language_in(arguments: Sequence[str]) -> str:
    """The value of the last `--lang` among what was typed, before or behind the name of the command.

    That of `vinci bot new` may be a language of another kind.
    """
    found = [""]
    for name, value in zip(arguments, [*arguments, ""][1:], strict=True):
        if name == "--":
            break
        if name == "--lang":
            found.append(value)
        elif name.startswith("--lang="):
            found.append(name.partition("=")[2])
    return [code for code in found if code not in i18n.OF_PROGRAMS][-1]


def access_options(command: F) -> F:
    """The options that say what opens a server; the command takes them as `access`."""

    @wraps(command)
    def run(*args: Any, code: str, password: str, tls: bool, tls_ca: str, **kwargs: Any) -> Any:
        from ..connection import connect

        return command(*args, access=connect.access(code, password, tls, tls_ca), **kwargs)

    found: Any = run
    for one in (
        option("--tls-ca", default="", envvar="VINCI_TLS_CA", help="TLS, trusting the authorities in this file."),
        option("--tls", is_flag=True, help="TLS, trusting the authorities that this machine trusts."),
        option(
            "--password",
            default="",
            envvar="VINCI_PASSWORD",
            help="Password of the server. Better in VINCI_PASSWORD: options are seen by all users of this machine.",
        ),
        option("--code", default="", envvar="VINCI_CODE", help="Join code of the server."),
    ):
        found = one(found)
    return cast(F, found)
