"""Access of commands to servers: from options, from saved seats, or by asking."""

import asyncio
import signal
import sys
import threading
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Final, NoReturn, TypeVar

import click
from grpc import StatusCode

from vinci_client import processes
from vinci_client.access import OPEN, SYSTEM, Access, BadAccess
from vinci_client.address import with_port
from vinci_client.errors import ServerGone, ServerRefused

from ..exceptions import Failed, Misused
from ..text import refusals
from ..text.i18n import _
from . import saved_seats

T = TypeVar("T")

INTERRUPTED: Final = 130
"""Exit status of an interrupted command."""
MISSING: Final = ("NO_ACCESS", "NEEDS_TLS")
"""Reasons of refusals that ask for a code or password."""


def failure(error: Exception) -> Failed:
    """Return the error that ends a command after a refusal or a lost server: Misused for an invalid argument."""
    is_misuse = getattr(error, "code", None) is StatusCode.INVALID_ARGUMENT
    return (Misused if is_misuse else Failed)(refusals.sentence(error))


def access(code: str, password: str, tls: bool, tls_ca: str) -> Access:
    """Return the access that was typed as options. Raises Misused."""
    if code and password:
        raise Misused(
            _("a server has a code or a password: leave out --code or --password (or VINCI_CODE, VINCI_PASSWORD)")
        )
    try:
        return Access(code, password, tls_ca or (SYSTEM if tls else ""))
    except BadAccess as error:
        raise Misused(refusals.sentence(error)) from None


def remembered(address: str, typed: Access) -> Access:
    """Return the access to the server at an address: what was typed, else what was saved."""
    seats = saved_seats.at(with_port(address)) if typed == OPEN else []
    return seats[0].access if seats else typed


def options(access: Access) -> list[str]:
    """Return the options for others to get the same access, without the password."""
    tls = [] if not access.tls else ["--tls"] if access.tls == SYSTEM else ["--tls-ca", access.tls]
    code = ["--code", access.code] if access.code else []
    return [*tls, *code, *(["--password", "PASSWORD"] if access.password else [])]


def run(
    work: Callable[[Access], Coroutine[Any, Any, None]], given: Access, command: str, *, asks: bool = False
) -> None:
    """Run work that needs a server; `command` is what was typed. Raises Failed.

    A person at a terminal can be asked for code or password until it is right.
    """
    while True:
        try:
            asyncio.run(_interruptible(work(given)))
            return
        except ServerRefused as error:
            if error.reason not in (*MISSING, "BAD_ACCESS"):
                raise failure(error) from None
            needs = error.facts.get("needs", "code")
            if not (asks and sys.stdin.isatty() and sys.stdout.isatty()):
                if error.reason not in MISSING:
                    raise failure(error) from None
                template = _("{error}. Type: {command}")
                raise Failed(
                    template.format(error=refusals.sentence(error), command=f"{command} --{needs} {needs.upper()}")
                ) from None
            click.echo(refusals.full_sentence(error))
            given = _asked(needs, given.tls)
        except ServerGone as error:
            raise failure(error) from None
        except BadAccess as error:
            raise Misused(refusals.sentence(error)) from None
        except (KeyboardInterrupt, asyncio.CancelledError):
            raise Failed(_("interrupted; nothing is lost")) from None
        except (Failed, click.ClickException, OSError, EOFError):
            raise
        except Exception as error:
            template = _(
                "an answer of the server cannot be shown ({error}). The server may be newer than this client, or "
                "not to be trusted. For a report of the fault: {path}"
            )
            path = saved_seats.keep_traceback(error)
            raise Failed(template.format(error=traceback.format_exception_only(error)[-1].strip(), path=path)) from None


def run_here(work: Coroutine[Any, Any, T]) -> T:
    """Run work at a server that this command starts, with processes that end with it.

    Raises Failed. Ctrl-C and SIGTERM end it in order.
    """
    stop_in_order()
    try:
        return asyncio.run(work)
    except (ServerRefused, ServerGone) as error:
        raise failure(error) from None
    except processes.NotStarted as error:
        raise Failed(str(error)) from None
    except KeyboardInterrupt:
        click.echo(_("Interrupted."), err=True)
        sys.exit(INTERRUPTED)


async def pages(call: Callable[..., Awaitable[Any]], request: Any) -> AsyncIterator[Any]:
    """Yield all pages of a list, by calls of the request with one page token after the other."""
    while True:
        page = await call(request)
        yield page
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def stop_in_order() -> None:
    """Treat SIGTERM like Ctrl-C, so that processes and files are cleaned up."""

    def interrupt(_number: int, _frame: object) -> NoReturn:
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, interrupt)


async def _interruptible(work: Coroutine[Any, Any, None]) -> None:
    """Cancel the work on Ctrl-C, whichever thread gets the signal; without a handler the loop might sleep on."""
    task = asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):  # Windows, where Ctrl-C is an exception
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
    await work


def _asked(needs: str, tls: str) -> Access:
    while True:
        question = _("Password") if needs == "password" else _("Code")
        typed = click.prompt(question, hide_input=needs == "password").strip()
        try:
            return Access(tls=tls, **{needs: typed})
        except BadAccess as error:
            click.echo(refusals.full_sentence(error))
