"""Looking back at a game: summary, replay and HTML page."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from ...game.replay import PlayedGame, ReplayPosition
from ...game.statistics import story
from ...graphics import animation, html_report
from ...text.i18n import _
from ..toolkit.app import App, Page
from .background import BackgroundReview
from .page import ReplayPage
from .summary_page import SummaryPage


def save_page(played: PlayedGame, html: Path) -> str:
    """Write a game as an HTML page; returns a sentence with its path, or why it failed."""
    try:
        html_report.save(html, played)
    except OSError as error:
        return _("{path} cannot be written: {error}").format(path=html, error=error.strerror or error)
    return _("The game as a page for browsers: {path}").format(path=html)


def save_animation(played: PlayedGame, path: Path) -> str:
    """Write a game as an animated picture; returns a sentence with its path, or why it failed."""
    try:
        animation.save(path, played)
    except OSError as error:
        return _("{path} cannot be written: {error}").format(path=path, error=error.strerror or error)
    return _("The game in 20 seconds, as an animated picture for browsers: {path}").format(path=path)


async def look_back(
    app: App,
    played: PlayedGame,
    html: Path | None,
    *,
    summary: bool,
    record: Path | None = None,
    can_rematch: bool = False,
    first: int = 0,
    notice: str = "",
    news: Callable[[Callable[[str], None]], AbstractAsyncContextManager[None]] | None = None,
) -> bool:
    """Show a game, first its summary or its replay, until it is left; returns whether another game is wanted.

    `html` is the path of its HTML page, None if none can be saved, `record` that of its record, for a review. `first`
    is the first step of the replay, `notice` a text below the summary until the next key. `news` tells the summary
    what happens meanwhile.
    """
    steps = ReplayPosition(played)
    steps.go(first)
    background = BackgroundReview(app, record, played.review)
    replay = ReplayPage(app, steps, background)
    statistics = story(played.updates, played.times)

    def save() -> str:
        if html is None:
            return ""
        said = [save_page(replace(played, review=background.review), html)]
        if record is None:
            return "\n".join([*said, _("Send the page to whoever wants to see the game.")])
        said.append(_("Its record: {path}").format(path=record))
        return "\n".join([*said, _("Send either file to whoever wants to see the game.")])

    after = SummaryPage(
        app,
        statistics,
        played.names,
        save if html is not None else None,
        None if html is None else partial(save_animation, played, html.with_suffix(".svg")),
        background=background,
        can_rematch=can_rematch,
        notice=notice,
    )
    page: Page = after if summary else replay
    after.goes_back = not summary
    try:
        async with news(after.tell) if news is not None else nullcontext():
            while True:
                result = await app.show(page)
                if result == "replay":
                    page = replay
                elif page is replay and (summary or result == "summary"):
                    page = after
                else:
                    return bool(result == "rematch")
    finally:
        await background.stop()
