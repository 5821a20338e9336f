"""The review of a game that is computed in the background, while its summary and its replay are shown."""

import asyncio
from pathlib import Path
from typing import Final, final

from ...review.model import GameReview
from ...review.process import NoReview, review
from ...text.i18n import _
from ..toolkit.app import App


@final
class BackgroundReview:
    """The review of a game, once it is there.

    Attributes:
        review: the review; None without one.
        said: the progress, or why there is no review; empty for nothing to say.
    """

    def __init__(self, app: App, record: Path | None, review: GameReview | None) -> None:
        """Begin with the review of the record, if it has one; without a record none can be made."""
        self.review = review
        self.said = ""
        self._app: Final = app
        self._record: Final = record
        self._work: asyncio.Task[None] | None = None

    @property
    def can_start(self) -> bool:
        """Whether there is a record whose review is neither there nor under way."""
        return self._record is not None and self.review is None and (self._work is None or self._work.done())

    def start(self) -> None:
        """Start the review, if that is possible."""
        if self.can_start and self._record is not None:
            self.said = _("The game is being reviewed …")
            self._work = asyncio.create_task(self._run(self._record))
            self._work.add_done_callback(self._app.fail_with)

    async def stop(self) -> None:
        """End a review that is under way."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _run(self, record: Path) -> None:
        try:
            self.review = await review(record, self._tell)
            self.said = ""
        except NoReview as error:
            self.said = _("There is no review: {error}").format(error=error)
        self._app.redraw()

    def _tell(self, done: int, number: int) -> None:
        self.said = _("{done} of {number} turns reviewed").format(done=done, number=number)
        self._app.redraw()
