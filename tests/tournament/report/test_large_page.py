"""The page of a large league: its games are packed, and a script shows them, filtered, a page at a time."""

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from tests.support.chromium import in_chromium
from tests.support.tournament import report_leagues
from tests.support.tournament.reports import page
from vinci_tournament.report.contents import REMOTE, Report
from vinci_tournament.report.page import MOST_FORFEITS
from vinci_tournament.report.sections import MOST_GAMES, SCRIPT
from vinci_tournament.results.result import ForfeitResult

BUDGET: Final = 10_000
"""Time in ms for the script to unpack the games."""
BOTS: Final = ("ann", "ben", "<cat & dog>")


def large() -> Report:
    """Return a report with the games of a small league, several times over, and a forfeit in every fourth block."""
    small = report_leagues.report(list(BOTS), 3, 3, ())
    repeated = [
        replace(game, block=game.block + 3 * again)
        for again in range(MOST_GAMES // len(small.games) + 1)
        for game in small.games
    ]
    forfeit = (ForfeitResult(1, "exit", 3, "x"),)
    return replace(
        small,
        results=tuple(
            replace(game, forfeits=forfeit, ranks=(1, 3, 2)) if not game.block % 4 else game for game in repeated
        ),
    )


def test_games_are_packed_and_the_page_stays_small() -> None:
    """The packed data are the games; only the script of the page may run; forfeits in the table are limited."""
    report = large()
    text = page(report)
    root = ElementTree.fromstring(text)
    (packed,) = (one.text or "" for one in root.iter("script") if one.get("id") == "packed")
    data = json.loads(zlib.decompress(base64.b64decode(packed)))
    assert len(data["rotations"]) == len(report.games) > MOST_GAMES
    block = 0
    for place, game in enumerate(report.games):
        block += data["blocks"][place]
        assert (block, data["rotations"][place]) == (game.block, game.rotation)
        circle = [data["bots"][bot] for bot in data["line_ups"][data["line_up"][place]]]
        assert circle[game.rotation :] + circle[: game.rotation] == list(game.bots)
        assert tuple(column[place] for column in data["vp"]) == game.vp
        ranks = data["ranks"].get(str(place), [1 + sum(other > own for other in game.vp) for own in game.vp])
        assert tuple(ranks) == game.ranks
        assert {int(seat): reason for seat, reason in data["forfeits"].get(str(place), {}).items()} == {
            forfeit.seat: forfeit.reason for forfeit in game.forfeits
        }
    policy = root.find(".//meta[@http-equiv='Content-Security-Policy']")
    assert policy is not None
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    assert policy.get("content", "").endswith(f"script-src 'sha256-{digest}'")
    assert len(report.forfeits) > MOST_FORFEITS
    assert f"The first {MOST_FORFEITS} of {len(report.forfeits)} forfeits" in text


def test_script_shows_the_games_that_fit(tmp_path: Path) -> None:
    """In a browser the page has 50 rows; the filters in its address select games, and the last page has the rest."""
    report = large()
    remote = tuple(replace(bot, command=REMOTE) if bot.name == "ann" else bot for bot in report.league.bots)
    report = replace(report, league=replace(report.league, bots=remote))
    (tmp_path / "report.html").write_text(page(report), encoding="utf-8")
    address = (tmp_path / "report.html").as_uri()
    every = in_chromium(address, tmp_path, BUDGET)
    assert f"{len(report.games)} of {len(report.games)} games; page 1 of {-(-len(report.games) // 50)}" in every
    assert _rows(every) == [game.key for game in report.games[:50]]
    assert [
        re.findall(r'<span class="who[^"]*">([^<]*)', row) for row in re.findall("<tr>.*?</tr>", _table(every))
    ] == [
        [bot.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for bot in game.bots]
        for game in report.games[:50]
    ]
    assert 'ben.log">✗ exit</a>' in every
    assert " ✗ exit</td>" in every, "that of ann, whose log is elsewhere"
    wanted = [
        game.key
        for game in report.games
        if game.forfeits and any(bot == "ann" and rank == 1 for bot, rank in zip(game.bots, game.ranks, strict=True))
    ]
    numbers = "bot=1&result=1&forfeits=on&page=99"  # names are sorted: the one that begins with < is number 0
    found = in_chromium(f"{address}#games:{numbers}", tmp_path, BUDGET)
    assert f"{len(wanted)} of {len(report.games)} games" in found
    assert _rows(found) == wanted[len(wanted) // 50 * 50 :] or len(wanted) % 50 == 0
    assert "&lt;cat &amp; dog&gt;" in found
    assert "✗ exit" in found


def _table(document: str) -> str:
    return document[document.index('id="rows"') :]


def _rows(document: str) -> list[str]:
    return re.findall(r'<tr><td><a href="games/[^"]*">([^<]*)</a></td>', _table(document))
