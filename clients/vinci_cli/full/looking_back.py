"""Looking back at a game: its summary and its replay, each a key away from the other, and the HTML page of it."""

from pathlib import Path

from .. import report
from ..language import _
from ..played import Played
from ..story import story
from .replay import Replay
from .replay_page import ReplayPage
from .stage import Stage
from .summary_page import SummaryPage


async def look_back(stage: Stage, played: Played, html: Path, *, summary: bool, can_rematch: bool = False) -> bool:
    """Show a game, first its summary or its replay, until it is left; whether another one is wanted.

    `html` is where its page is saved if somebody asks for that.
    """

    def save() -> str:
        try:
            report.save(html, played)
        except OSError as error:
            return _("{path} cannot be written: {error}").format(path=html, error=error.strerror)
        return _("saved: {path}").format(path=html)

    replay = ReplayPage(stage, Replay(played))
    after = SummaryPage(
        stage, story(played.updates, played.times), played.names, save, can_replay=True, can_rematch=can_rematch
    )
    while True:
        if not summary and await stage.show(replay) != "summary":
            return False
        result = await stage.show(after)
        if result != "replay":
            return bool(result == "rematch")
        summary = False
