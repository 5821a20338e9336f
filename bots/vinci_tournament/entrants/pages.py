"""A page for each entrant, with what the doctor found, its games, logs and forfeits, and a list of all."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from vinci_html.pages import POLICY, environment

from ..play.files import log_file, record_file, replace_file, safe_name
from ..results.result import Result
from .prepare import Entrant, build_log

PAGES: Final = environment("vinci_tournament.entrants", "vinci_tournament.report")


def write(place: Path, entrants: Sequence[Entrant], results: Iterable[Result]) -> None:
    """Write the pages into the folder of the entrants, beside the league's folder of games. Raises OSError."""
    games = sorted(results, key=lambda result: (result.block, result.rotation))
    usual = {"language": "en", "style": "league.css", "policy": POLICY}
    for entrant in entrants:
        log = build_log(place, entrant.name)
        text = PAGES.get_template("entrant.html").render(
            **usual,
            title=entrant.name,
            entrant=entrant,
            build=log.name if log.exists() else "",
            games=list(_games(place.parent, entrant.name, games)) if entrant.plays else [],
        )
        replace_file(place / _page(entrant), [text.encode()])
    index = PAGES.get_template("entrants.html").render(
        **usual,
        title="Entrants",
        entrants=entrants,
        playing=sum(entrant.plays for entrant in entrants),
        page_of=_page,
        has_report=bool(games),
    )
    replace_file(place / "index.html", [index.encode()])


def _page(entrant: Entrant) -> str:
    return f"{safe_name(entrant.name)}.html"


def _games(folder: Path, name: str, games: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """Yield what the page shows of each game of a bot."""
    for game in games:
        for seat in [seat for seat, bot in enumerate(game.bots) if bot == name]:
            log = log_file(game, seat)
            yield {
                "key": game.key,
                "record": record_file(game.key),
                "others": [bot for place, bot in enumerate(game.bots) if place != seat],
                "rank": game.ranks[seat],
                "vp": game.vp[seat],
                "forfeit": ", ".join(forfeit.reason for forfeit in game.forfeits if forfeit.seat == seat),
                "log": log if (folder / log).exists() else "",
            }
