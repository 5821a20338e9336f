"""Commands as click has them, with examples at the end of their help and errors that are one clear sentence."""

import sys
from typing import Any

import click

from .failed import Failed, Misused


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
        except Misused as error:
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
