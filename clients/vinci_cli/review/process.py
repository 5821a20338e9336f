"""Runs `vinci review` in a process of its own, so that nobody waits for it."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, final

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


async def told(record: Path, say: Callable[[str], None], most: int = 10_000) -> GameReview | None:
    """Review a record as `review`, and say how far that is in `most` sentences, or why there is no review."""
    part = -1

    def tell(done: int, number: int) -> None:
        nonlocal part
        if most * done // max(number, 1) > part:
            part = most * done // max(number, 1)
            say(_("{done} of {number} turns reviewed").format(done=done, number=number))

    say(_("The game is being reviewed …"))
    try:
        return await review(record, tell)
    except NoReview as error:
        say(_("There is no review: {error}").format(error=error))
        return None


@final
class BackgroundReview:
    """The review of a game, made while its summary and its replay are shown.

    Attributes:
        review: the review; None without one.
        said: the progress, or why there is no review; empty for nothing to say.
    """

    def __init__(
        self,
        record: Path | None = None,
        review: GameReview | None = None,
        redraw: Callable[[], None] = lambda: None,
        end: Callable[[asyncio.Task[None]], None] = lambda _task: None,
    ) -> None:
        """Begin with the review of the record, if it has one; without a record none can be made.

        `redraw` is called when `said` changes, `end` with the finished task.
        """
        self.review = review
        self.said = ""
        self._record: Final = record
        self._redraw: Final = redraw
        self._end: Final = end
        self._work: asyncio.Task[None] | None = None

    @property
    def can_start(self) -> bool:
        """Whether there is a record whose review is neither there nor under way."""
        return self._record is not None and self.review is None and (self._work is None or self._work.done())

    def start(self) -> None:
        """Start the review, if that is possible."""
        if self.can_start and self._record is not None:
            self._work = asyncio.create_task(self._run(self._record))
            self._work.add_done_callback(self._end)

    async def stop(self) -> None:
        """End a review that is under way."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _run(self, record: Path) -> None:
        self.review = await told(record, self._say)
        if self.review is not None:
            self._say("")

    def _say(self, text: str) -> None:
        self.said = text
        self._redraw()
