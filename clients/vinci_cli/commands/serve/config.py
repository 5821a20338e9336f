"""Options of `vinci serve` from a TOML file and from the environment, and the options in effect as such a file."""

import difflib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from ...text.i18n import _
from ..base import Command, F, OldOption, flag, options, variable
from ..options import path_option

OWN: Final = ("config", "print-config")
"""Options about the configuration, which are no keys of it."""
SECRET: Final = ("password", "webhook")
"""Options whose values are not printed."""


class ConfiguredCommand(Command):
    """A command whose options can be given in a file (`--config`) and in variables with a prefix.

    The command line goes before variables, these before the file, and the file before the defaults.
    """

    variables = "VINCI_SERVE_"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse what was typed; a variable with a wrong name or value is refused by its name."""
        known = [variable(self, one) for one in self.params if isinstance(one, click.Option)]
        for name in sorted(os.environ):
            if name.startswith(self.variables) and name not in known and not ctx.resilient_parsing:
                raise click.UsageError(_unknown_variable(name, known), ctx)
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter as error:
            if isinstance(error.param, click.Option) and _source(ctx, error.param) is ParameterSource.ENVIRONMENT:
                error.param_hint = _variable(ctx, error.param)
            raise

    def invoke(self, context: click.Context) -> Any:
        """Run it, or print the options in effect if `--print-config` asks for them."""
        if not context.params.pop("print_config"):
            return super().invoke(context)
        for line in _effective(context):
            click.echo(line)
        return None


def _read(context: click.Context, _option: click.Parameter, path: Path | None) -> None:
    """Make the values of a file the defaults. Raises click.UsageError with file, line and what would be right."""
    if path is None:
        return
    import tomllib

    try:
        text = path.read_text(encoding="utf-8")
        values = tomllib.loads(text)
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}", context) from None
    except ValueError as error:  # of TOML or UTF-8
        raise click.UsageError(f"{path}: {error}", context) from None
    known = _configurable(context.command)
    context.default_map = {}
    for key, value in values.items():
        try:
            if key not in known:
                raise click.UsageError(_unknown(key, known))
            context.default_map[known[key].name or key] = _converted(context, known[key], key, value, path.parent)
        except click.UsageError as error:
            where = _("{file}, line {line}: ").format(file=path, line=_line(text, key))
            raise click.UsageError(where + error.message, context) from None


def config_options(command: F) -> F:
    """Add `--config` and `--print-config` to a ConfiguredCommand."""
    return options(
        path_option(
            "--config FILE",
            is_eager=True,
            expose_value=False,
            callback=_read,
            help="TOML file with options by name, such as lan = true. The command line goes first, then variables "
            "such as VINCI_SERVE_LAN, then the file.",
        ),
        flag("--print-config", help="Print the options in effect as such a file, with the source of each, and stop."),
    )(command)


def _configurable(command: click.Command) -> dict[str, click.Option]:
    """Return the options that a file can set, by name without dashes."""
    found = {}
    for parameter in command.params:
        if isinstance(parameter, click.Option) and (not parameter.hidden or isinstance(parameter, OldOption)):
            found[_name(parameter)] = parameter
    return {name: parameter for name, parameter in found.items() if name not in OWN}


def _name(parameter: click.Option) -> str:
    return parameter.opts[0].removeprefix("--")


def _unknown(key: str, known: Mapping[str, click.Option]) -> str:
    """Return a sentence about a key that no option has."""
    if near := difflib.get_close_matches(key.replace("_", "-"), known, 1):
        return _("unknown key {key}; did you mean {name}?").format(key=key, name=near[0])
    return _("unknown key {key}; known: {names}").format(
        key=key, names=", ".join(name for name, parameter in known.items() if not parameter.hidden)
    )


def _unknown_variable(name: str, known: list[str]) -> str:
    """Return a sentence about a variable of the command that sets no option."""
    names = {one.removeprefix(ConfiguredCommand.variables): one for one in known if one}
    if near := difflib.get_close_matches(name.removeprefix(ConfiguredCommand.variables), names, 1):
        return _("no option has the variable {variable}; did you mean {name}?").format(
            variable=name, name=names[near[0]]
        )
    return _("no option has the variable {variable}").format(variable=name)


def _converted(context: click.Context, parameter: click.Option, key: str, value: object, folder: Path) -> object:
    """Return a value of a file as its option takes it; paths are relative to the folder of the file.

    Raises click.UsageError for a value of another type, or one that the option refuses.
    """
    if parameter.multiple and isinstance(value, dict):
        value = [
            f"{name}={part}" if isinstance(part, str) or _is_number(part) else part for name, part in value.items()
        ]
    if parameter.is_flag:
        fits, right = isinstance(value, bool), "true"
    elif parameter.multiple:
        fits = isinstance(value, list) and all(isinstance(part, str) for part in value)
        right = '["{}"]'.format(parameter.metavar or "TEXT")
    elif isinstance(parameter.type, click.types.IntParamType):
        fits, right = _is_number(value), str(parameter.default if _is_number(parameter.default) else 7)
    else:
        fits, right = isinstance(value, str), '"{}"'.format(parameter.metavar or "TEXT")
    if not fits:
        text = _("{key} has a value of another type; write it as {example}")
        raise click.UsageError(text.format(key=key, example=f"{key} = {right}"))
    if isinstance(parameter.type, click.Path):
        return str(folder / str(value))
    if not parameter.multiple:
        try:
            parameter.type.convert(value, parameter, context)
        except click.BadParameter as error:
            raise click.UsageError(f"{key}: {error.message}") from None
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _line(text: str, key: str) -> int:
    """Return the number of the line on which a key stands in a TOML file."""
    import tomllib

    start = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[=.\]]""")
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if start.match(line):
            try:
                tomllib.loads("\n".join(lines[:number]))
            except tomllib.TOMLDecodeError:
                continue  # inside of a text or list
            return number + 1
    return 1


def _effective(context: click.Context) -> Iterator[str]:
    """Yield the options in effect as lines of a configuration file, with sources as comments."""
    for name, parameter in _configurable(context.command).items():
        value = context.params[parameter.name or name]
        match _source(context, parameter):
            case ParameterSource.COMMANDLINE:
                source = _("command line")
            case ParameterSource.ENVIRONMENT:
                source = _variable(context, parameter)
            case ParameterSource.DEFAULT_MAP:
                source = _("file")
            case _source_of_default if parameter.hidden:
                continue
            case _source_of_default:
                source = _("default value")
        if value in (None, "", ()):
            yield f"# {name}: {_('not set')}"
        elif name in SECRET:
            yield f"# {name}: {_('secret, not shown')} # {source}"
        else:
            yield f"{f'{name} = {_as_toml(value)}':<40} # {source}"


def _as_toml(value: object) -> str:
    """Return a value of an option in TOML, which writes texts, numbers, true, false and lists as JSON does."""
    plain = str(value.absolute()) if isinstance(value, Path) else value
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")


def _source(context: click.Context, parameter: click.Option) -> ParameterSource | None:
    return context.get_parameter_source(parameter.name or "")


def _variable(context: click.Context, parameter: click.Option) -> str:
    """Return the name of the environment variable from which an option has its value."""
    own = variable(context.command, parameter)
    return own if os.environ.get(own) else str(parameter.envvar)
