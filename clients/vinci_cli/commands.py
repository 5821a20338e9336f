"""Commands as click has them, with examples at the end of their help and errors that are one clear sentence."""

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from vinci_client.address import BadAddress

from .failed import Failed, Misused

F = TypeVar("F", bound=Callable[..., Any])


class _Examples(click.Command):
    """Help that ends with examples."""

    def format_epilog(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        if self.epilog:
            formatter.write_paragraph()
            formatter.write("Examples:\n")
            for line in self.epilog.strip().splitlines():
                formatter.write(f"  {line.strip()}\n")


class Command(_Examples):
    """A command."""

    def invoke(self, context: click.Context) -> Any:
        """Run it; what goes wrong becomes one line and a status."""
        try:
            return super().invoke(context)
        except (Misused, BadAddress) as error:
            raise click.UsageError(str(error), context) from None
        except Failed as error:
            raise click.ClickException(str(error)) from None
        except BrokenPipeError:
            sys.stderr.close()  # whoever read the output has seen enough
            sys.exit(0)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise click.ClickException(f"{where}{error.strerror or error}") from None


class Commands(_Examples, click.Group):
    """A group of commands."""

    command_class = Command
    group_class = type


def access_options(command: F) -> F:
    """The options that say what opens a server; the command takes them as `access`."""

    @wraps(command)
    def run(*args: Any, code: str, password: str, tls: bool, tls_ca: str, **kwargs: Any) -> Any:
        from . import entrance

        return command(*args, access=entrance.access(code, password, tls, tls_ca), **kwargs)

    found: Any = run
    for option in (
        click.option("--tls-ca", default="", envvar="VINCI_TLS_CA", help="TLS, trusting the authorities in this file."),
        click.option("--tls", is_flag=True, help="TLS, trusting the authorities that this machine trusts."),
        click.option("--password", default="", envvar="VINCI_PASSWORD", help="Password of the server."),
        click.option("--code", default="", envvar="VINCI_CODE", help="Join code of the server."),
    ):
        found = option(found)
    return cast(F, found)
