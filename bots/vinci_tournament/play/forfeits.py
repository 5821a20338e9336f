"""Forfeits of the bots of a league by reason, with the last words of each; for `status` and the page of the league."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, final

from vinci_bots.local.process import excerpt
from vinci_client.printable import printable, shortened

from ..results.result import ForfeitResult, Result, forfeit_reasons
from .files import log_file

LONGEST_LINE: Final = 300
"""Characters of a line that a bot wrote that are shown."""


@final
class Forfeits:
    """Counts forfeits as results come."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._reasons: Final[dict[str, Counter[str]]] = {}
        self._last: Final[dict[str, tuple[Result, ForfeitResult]]] = {}
        self._said: Final[dict[str, tuple[str, str]]] = {}
        """The log that was read last for each bot, and its last line."""

    def note(self, results: Iterable[Result]) -> None:
        """Count the forfeits of games that are over."""
        with_any = [result for result in results if result.forfeits]
        for bot, reasons in forfeit_reasons(with_any).items():
            self._reasons.setdefault(bot, Counter()).update(reasons)
        self._last.update(
            {result.bots[forfeit.seat]: (result, forfeit) for result in with_any for forfeit in result.forfeits}
        )

    def told(self) -> dict[str, dict[str, Any]]:
        """Return the forfeits of each bot that has any, by reason, and the last one with last words and cause."""
        return {bot: {"reasons": reasons, "last": self._told_last(bot)} for bot, reasons in self._reasons.items()}

    def _told_last(self, bot: str) -> dict[str, str]:
        result, forfeit = self._last[bot]
        log = log_file(result, forfeit.seat)
        if self._said.get(bot, ("", ""))[0] != log:
            *_before, line, why = "", "", *filter(None, excerpt(self._folder / log))
            said = f"{line} {why}" if why.startswith("(") else why
            self._said[bot] = log, shortened(printable(said.strip()), LONGEST_LINE)
        return {"game": result.key, "reason": forfeit.reason, "log": log, "said": self._said[bot][1]}
