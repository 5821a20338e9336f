"""Runs `vinci review` in a process of its own, so that nobody waits for it."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from vinci_client import processes
from vinci_client.printable import printable

from ..text.i18n import _, language
from .model import GameReview, parse, path_of

LONGEST_LINE: Final = 2**20
"""Bytes of a line of a review at most."""


class NoReview(Exception):
    """The process failed; the text holds its error."""


async def review(record: Path, tell: Callable[[int, int], None]) -> GameReview:
    """Review a record, and keep the review beside it if that is possible.

    Args:
        record: the file of the record.
        tell: called with the turns reviewed so far and their number.

    Raises:
        NoReview: the process could not be started or has failed.
    """
    arguments = ["review", str(record), "--json", "--with-stdin", "--lang", language()]
    try:
        process = await asyncio.create_subprocess_exec(
            *processes.COMMAND,
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=processes.environment(),
            limit=LONGEST_LINE,
            **processes.APART,
        )
    except OSError as error:
        raise NoReview(error.strerror or str(error)) from None
    assert process.stdout is not None
    assert process.stderr is not None
    lines: list[str] = []
    number = 0
    try:
        async for line in process.stdout:
            lines.append(line.decode())
            number = number or int(json.loads(line)["turns"])
            tell(min(len(lines) - 1, number), number)
        errors = printable((await process.stderr.read()).decode(errors="replace").strip())
        if await process.wait():
            raise NoReview(errors.removeprefix("Error: ") or _("the review has failed"))
        found = parse(lines)
        with suppress(OSError):  # the review can be shown all the same
            path_of(record).write_text("".join(lines), encoding="utf-8")
        return found
    except ValueError as error:  # another program answered
        raise NoReview(str(error)) from None
    finally:
        if process.returncode is None:
            process.kill()  # its workers end with it
            await process.wait()
