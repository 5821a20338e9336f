"""Click commands with help in the language of the session, examples at its end, and errors of one sentence."""

import gc
import gettext
import inspect
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from copy import copy
from functools import wraps
from io import TextIOWrapper
from typing import Any, Final, TypeAlias

import click

from vinci_client.address import BadAddress
from vinci_client.printable import printable_lines

from .. import settings
from ..exceptions import Failed, Misused
from ..text import i18n, refusals
from ..text.i18n import _

CORE_VARIABLE: Final = "VINCI_RULES"
"""Name of the ImportError of rules that cannot run as this variable says; importing it from them would raise it."""

F: TypeAlias = Callable[..., Any]
"""The function of a command."""


class Option(click.Option):
    """An option whose help is in the language of the session."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return its names and its help."""
        shown = copy(self)  # the option serves all calls of a process, in any language
        shown.help = _(self.help) if self.help else None
        return super(Option, shown).get_help_record(ctx)

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        """Return the value of its variable in the environment; one with the prefix of the command goes first."""
        return os.environ.get(variable(ctx.command, self)) or super().resolve_envvar_value(ctx)


class OldOption(Option):
    """An option that another one has replaced: it is still accepted, also in files and variables, but not shown."""

    def __init__(self, *names: Any, **attributes: Any) -> None:
        super().__init__(*names, **attributes)
        self.hidden = True


def variable(command: click.Command, parameter: click.Option) -> str:
    """Return the name of an option as a variable with the prefix of its command, empty if the command has none."""
    prefix = getattr(command, "variables", "")
    is_settable = prefix and (not parameter.hidden or isinstance(parameter, OldOption))
    return prefix + parameter.opts[0].strip("-").replace("-", "_").upper() if is_settable else ""


NOT_A_TEXT: Final = {"type", "is_flag", "flag_value", "multiple", "required"}
"""Attributes of options whose value is no text, or one that must be given."""


def option(
    declared: str, *names: str, least: int | None = None, most: int | None = None, **attributes: Any
) -> Callable[[F], F]:
    """Add an option to a command, as `click.option` does, declared as its help shows it: `--start SECONDS`.

    With `least` its value is a whole number from there on, or up to `most`. A text is empty by default. The help shows
    any other default, unless `show_default=False`.
    """
    name, _blank, metavar = declared.partition(" ")
    usual: dict[str, Any] = {"metavar": metavar or None, "show_default": bool(attributes.get("default"))}
    if least is not None:
        usual["type"] = click.IntRange(least, most)
    elif not attributes.keys() & NOT_A_TEXT:
        usual["default"] = ""
    return click.option(name, *names, cls=Option, **usual | attributes)


def flag(*names: str, **attributes: Any) -> Callable[[F], F]:
    """Add an option without a value to a command."""
    return option(*names, is_flag=True, **attributes)


LANGUAGE = Option(
    ["--lang"],
    metavar="LANGUAGE",
    expose_value=False,
    shell_complete=lambda _context, _option, typed: [code for code in i18n.LANGUAGES if code.startswith(typed)],
    help="en, fr, nl or de. Default: as the locale.",
)
"""The option of every command; `Commands.main` reads it before any other, so that errors are in that language."""


class Command(click.Command):
    """A command with help in the language of the session and examples at its end."""

    variables = ""
    """Prefix of the environment variables that set its options; none without it."""

    @property
    def options_of_words(self) -> list[str]:
        """Options that take all words up to the next option, such as `--bots BOT ...`."""
        options = (one for one in self.params if isinstance(one, click.Option))
        return [one.opts[0] for one in options if one.metavar and one.metavar.endswith("...")]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse what was typed, with these options before each of their words."""
        return super().parse_args(ctx, list(each(args, *self.options_of_words)))

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return its own options and those that every command has."""
        parameters = list(super().get_params(ctx))
        if not any(LANGUAGE.opts[0] in parameter.opts for parameter in self.params):
            parameters.insert(len(self.params), LANGUAGE)
        return parameters

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option that shows the help; click keeps the first one."""
        help_option = super().get_help_option(ctx)
        if help_option is not None:
            help_option.help = _("Show this message and exit.")
        return help_option

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return its first sentence for the help of the group, as long as it is: the lines of a list wrap."""
        return super(Command, self._translated()).get_short_help_str(limit=1000)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write its description."""
        super(Command, self._translated()).format_help_text(ctx, formatter)

    def _translated(self) -> "Command":
        translated = copy(self)
        translated.help = _(inspect.cleandoc(self.help)) if self.help else None
        return translated

    def invoke(self, context: click.Context) -> Any:
        """Run it; an error becomes one line and an exit status."""
        try:
            return super().invoke(context)
        except (Misused, BadAddress) as error:
            raise click.UsageError(printable_lines(refusals.sentence(error)), context) from None
        except Failed as error:
            raise click.ClickException(printable_lines(str(error))) from None
        except BrokenPipeError:
            sys.stderr.close()  # the reader of the output has closed it
            sys.exit(0)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise click.ClickException(f"{where}{error.strerror or error}") from None

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        if self.epilog:
            formatter.write_paragraph()
            formatter.write(f"{_('Examples:')}\n")
            for line in self.epilog.strip().splitlines():
                formatter.write(f"  {line.strip()}\n")


@contextmanager
def quick_imports() -> Iterator[None]:
    """Import without garbage collection: it finds nothing in modules and takes a tenth of a start."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()  # modules stay to the end: later collections need not go through them


class LazyCommand(Command):
    """A placeholder for a command, which is imported only when it is typed, since that takes time.

    `path` names the command as in "package.module:attribute", `summary` describes it in the help of its group.
    """

    def __init__(self, name: str, path: str, summary: str) -> None:
        super().__init__(name, help=summary)
        self._path: Final = path

    def load(self) -> click.Command:
        """Import the command.

        Raises:
            Failed: Packages of an extra are missing; the text has the command that installs them.
        """
        name = f"{__package__}.{self._path}"
        is_new = name.partition(":")[0] not in sys.modules
        try:
            with quick_imports() if is_new else nullcontext():
                command: click.Command = pkgutil.resolve_name(name)
        except ImportError as error:
            from ..installation import install_command, missing_extra

            extra = missing_extra(error)
            if extra is None:
                raise
            text = _("This command needs packages that are not installed ({error}): {command}")
            raise Failed(text.format(error=error, command=install_command(extra))) from None
        return command

    def skeleton(self) -> click.Command:
        """Return the command as it can be completed, without the imports of its work."""
        command: click.Command = pkgutil.resolve_name(f"{__package__}.completion.skeleton:command")(self.name)
        return command


class Commands(Command, click.Group):
    """A group of commands."""

    command_class = Command
    group_class = type

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that was typed, its name, and the words after it."""
        name, command, rest = super().resolve_command(ctx, args)
        if isinstance(command, LazyCommand):
            command = command.skeleton() if ctx.resilient_parsing else command.load()
        return name, command, rest

    def main(self, args: Sequence[str] | None = None, *more: Any, **attributes: Any) -> Any:
        """Run the command that was typed, in the language that was asked for."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
                stream.reconfigure(errors="replace")  # no command may fail because the console lacks a character
        arguments = list(sys.argv[1:] if args is None else args)
        try:
            i18n.choose(_language_in(arguments), setting=settings.get("language"))
        except Misused as error:
            click.UsageError(str(error)).show()
            sys.exit(2)
        if any(re.fullmatch(r"_VINCI\w*_COMPLETE", name) for name in os.environ):
            from .completion import shells

            shells.register()
        os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # else gRPC logs failed handshakes, which we report anyway
        os.environ["LANGUAGE"] = i18n.language()  # click asks gettext, which asks the environment
        gettext.bindtextdomain(i18n.DOMAIN, str(i18n.FOLDER))
        gettext.textdomain(i18n.DOMAIN)
        try:
            return super().main(arguments, *more, **attributes)
        except ImportError as error:
            if error.name != CORE_VARIABLE:
                raise
            click.ClickException(str(error)).show()
            sys.exit(1)


def each(words: Sequence[str], *options: str) -> Iterator[str]:
    """Yield a command line; some options, which take all words up to the next one, stand before each of these."""
    repeated = ""
    for word in words:
        if word in options:
            repeated = word
        elif word.startswith("-"):
            repeated = ""
            yield word
        else:
            yield from (repeated, word) if repeated else (word,)


def _language_in(arguments: Sequence[str]) -> str:
    """Return the value of the last `--lang` that was typed; programming languages (`vinci bot new`) do not count."""
    codes = [""]
    for name, value in zip(arguments, [*arguments, ""][1:], strict=True):
        if name == "--":
            break
        if name == "--lang":
            codes.append(value)
        elif name.startswith("--lang="):
            codes.append(name.partition("=")[2])
    return [code for code in codes if code not in i18n.OF_PROGRAMS][-1]


def options(*added: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that adds several options, which the help shows in this order."""

    def add(command: F) -> F:
        for add_option in reversed(added):
            command = add_option(command)
        return command

    return add


def grouped(name: str, build: Callable[..., Any], *added: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that adds options which the command takes together, as the argument `name`.

    `build` makes it of their values; its parameters have the names of the options. It may raise Misused or Failed.
    """
    taken = inspect.signature(build).parameters

    def add(command: F) -> F:
        @wraps(command)
        def run(*args: Any, **kwargs: Any) -> Any:
            values = {option: kwargs.pop(option) for option in taken}
            return command(*args, **{name: build(**values)}, **kwargs)

        return options(*added)(run)

    return add


def _access(code: str, password: str, tls: bool, tls_ca: str) -> Any:
    from ..connection import connect

    return connect.access(code, password, tls, tls_ca)


access_options: Final = grouped(
    "access",
    _access,
    option("--code", envvar="VINCI_CODE", help="Join code of the server."),
    option(
        "--password",
        envvar="VINCI_PASSWORD",
        help="Password of the server. Better in VINCI_PASSWORD: options are seen by all users of this machine.",
    ),
    flag("--tls", help="Use TLS and trust the certificate authorities of this machine."),
    option(
        "--tls-ca FILE", envvar="VINCI_TLS_CA", help="Use TLS and trust the certificate authorities in this PEM file."
    ),
)
"""The options for the access to a server."""
