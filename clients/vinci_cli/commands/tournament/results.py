"""`vinci tournament status`, `report`, `verify` and `reproduce`. Their output is in English only."""

import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Final

import click

from vinci_tournament.definition import digests
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import games
from vinci_tournament.play.folder import Folder, FolderError
from vinci_tournament.play.forfeits import Forfeits
from vinci_tournament.play.live import LiveState, awaited, opening, read_live, read_page, too_few
from vinci_tournament.play.live_ratings import MOST_RATED, LiveRatings
from vinci_tournament.play.progress import LeagueProgress
from vinci_tournament.play.resource_usage import described
from vinci_tournament.play.worker import GameError
from vinci_tournament.play.worker_pool import pool_of
from vinci_tournament.report.build import report_of
from vinci_tournament.report.contents import Report
from vinci_tournament.report.data import plain
from vinci_tournament.report.sections import league_document
from vinci_tournament.report.terminal import sections
from vinci_tournament.report.writing import FILES, write
from vinci_tournament.reproduce import described as described_difference
from vinci_tournament.reproduce import difference
from vinci_tournament.results.result import Result, in_words
from vinci_tournament.verify import LeagueFinding, bundle_digest, check

from ...exceptions import Failed, Misused
from ...text.i18n import _
from ..base import Command, flag, option
from ..options import json_option, path_option
from ..progress import Line
from .group import folder_argument, workers_option

MOST_IN_STATUS: Final = 5_000
"""Games of which `status` computes ratings without being asked, which takes about a second then."""
REPLAYS: Final = 2
"""Games of each bot that `verify` plays again by default, which excludes bots that are commands."""


@contextmanager
def _unreadable_as_failure() -> Iterator[None]:
    """Raise Failed for a folder that cannot be read, or a game that cannot be played."""
    try:
        yield
    except (FolderError, GameError) as error:
        raise Failed(str(error)) from None


@click.command(cls=Command, epilog="vinci tournament status league\nvinci tournament status league --json")
@folder_argument
@flag("--ratings", "with_ratings", help="Compute ratings and pairs of bots of more than 5,000 games, too, in seconds.")
@json_option
@_unreadable_as_failure()
def status(path: Path, with_ratings: bool, as_json: bool) -> None:
    """Show the progress and provisional standings of a league, also while it runs."""
    folder = Folder(path)
    league = folder.league()
    results = folder.outlines(league)
    used = folder.used()
    live = LiveRatings(bot.name for bot in league.bots)
    live.note_many(results)
    forfeits = Forfeits(path)
    forfeits.note(results)
    progress = LeagueProgress(league, results)
    evidence = progress.evidence
    blocks = folder.blocks()
    planned = (blocks.number if blocks else league.blocks) * league.rotations
    planned -= sum(len(event.dropped) for event in league.events)
    complete = progress.is_decided or (blocks is not None and len(results) == planned)
    state, links = read_live(path), read_page(path)
    report = _interim(folder) if with_ratings or len(results) <= MOST_IN_STATUS else None
    if as_json:
        content = {
            "name": league.name,
            "format": league.format,
            "games": len(results),
            "planned": planned,
            "complete": complete,
            "state": "finished" if complete else "running" if league.is_started or results else "open",
            **({"blocks": str(blocks)} if blocks else {}),
            "forfeits": sum(len(result.forfeits) for result in results),
            "forfeits_by_bot": forfeits.told(),
            **({"gate": evidence.told() | {"score": league.stop.score}} if evidence else {}),
            **({"left": sorted(league.gone)} if league.gone else {}),
            "provisional": [standing._asdict() for standing in live.standings()],
            **({"standings": plain(report.figures.standings)} if report else {}),
            "used": [cost._asdict() | {"seats": seats} for seats, cost in used.values()],
            **_remote_as_json(league, results, state),
            **({"page": links} if links else {}),
        }
        click.echo(json.dumps(content))
        return
    how = "open it again as before" if league.remote else f"continue with: vinci tournament resume {path}"
    if complete:
        done = "complete"
    elif state and state.start:
        done = f"open, {opening(state.start, state.missing)}"
    else:
        waits = awaited(state.missing, state.running, path) if state else ""
        done = f"running, but {waits}" if waits else "running" if state or links else how
    of = f", blocks {blocks}" if blocks else ""
    number = f"{len(results)} games so far" if league.is_open_ended else f"{len(results)} of at most {planned} games"
    click.echo(f"{league.name}: {league.format}{of}, {number}; {done}")
    for link in links:
        click.echo(f"in a browser: {link}")
    if evidence:
        click.echo(f"gate of {league.bots[0].name}, by {league.stop.score}: {evidence}")
    rated = f", from the last {MOST_RATED} games" if len(results) > MOST_RATED else ""
    click.echo(f"provisional standings, by openskill{rated}:")
    shown = [standing for standing in live.standings() if standing.games or standing.bot not in league.gone]
    for place, standing in enumerate(shown, start=1):
        name = f"{standing.bot} (left)" if standing.bot in league.gone else standing.bot
        click.echo(f"{place:>3}  {name:<24}  {standing.skill:>6.1f}  {standing.games:>6} games")
    for line in chain(
        _forfeit_lines(forfeits.told(), league.remote),
        _remote_lines(league, results, state),
        described(used, len(results)),
    ):
        click.echo(line)
    if report:
        click.echo(f"\n{sections(league_document(report), 'S')}", nl=False)
    elif len(results) > MOST_IN_STATUS:
        click.echo(f"ratings in Elo points, and pairs of bots: vinci tournament status {path} --ratings")


def _interim(folder: Folder) -> Report | None:
    """Return the report of the games so far, which has ratings and pairs; None without a block."""
    try:
        return report_of(folder)
    except FolderError:
        return None


def _forfeit_lines(found: Mapping[str, dict[str, Any]], remote: Sequence[str]) -> Iterator[str]:
    """Yield lines about the bots that forfeited games; what `remote` ones write is not known here."""
    if found:
        yield "forfeits by reason, and the last words of the bot in the last of these games:"
    for name, of in sorted(found.items(), key=lambda row: -row[1]["reasons"].total()):
        last = of["last"]
        said = "" if name in remote else f": {last['said'] or 'it wrote nothing'}"
        yield f"     {name:<24}  {in_words(of['reasons'])}; {last['game']}{said}"


def _missed(league: League, results: Sequence[Result]) -> dict[str, int]:
    """Return the number of games that each remote bot forfeited because it was away."""
    missed = dict.fromkeys(league.remote, 0)
    for result in results:
        for name in {result.bots[forfeit.seat] for forfeit in result.forfeits if forfeit.reason == "absent"}:
            missed[name] += 1
    return missed


def _remote_as_json(league: League, results: Sequence[Result], state: LiveState | None) -> dict[str, Any]:
    """Return what `status --json` has about remote bots and games under way."""
    if not league.remote:
        return {}
    return {
        "open": state is not None,
        "start": state.start if state else "",
        "missing": state.missing if state else sorted({*league.remote} - league.connected),
        "missed": _missed(league, results),
        "entrants": [entrant._asdict() for entrant in state.entrants] if state else [],
        "running": [{"game": key, "bots": bots} for key, bots in state.running] if state else [],
    }


def _remote_lines(league: League, results: Sequence[Result], state: LiveState | None) -> Iterator[str]:
    """Yield lines about remote bots and games under way."""
    missed = _missed(league, results)
    present = {entrant.name: entrant for entrant in state.entrants} if state else {}
    if league.remote:
        known = "games offered at once, games under way" if state else "the league is not open"
        yield f"remote bots: {known}; games missed:"
    for name in league.remote:
        entrant = present.get(name)
        if name in league.gone:
            how = "withdrew" if name in league.withdrawn else "left"
            never = ", never connected" if name in league.never_connected else ""
            where = f"{how}{league.withdrew_at(name)}{never}; "
        elif entrant is None:
            where = ""
        elif not entrant.offers:
            where = f"away for {entrant.away or 0:.0f} s; " if entrant.came else "not yet connected; "
        else:
            where = f"{entrant.offers} offered, {entrant.playing} under way; "
        yield f"     {name:<24}  {where}{missed[name]} missed"
        if entrant is not None and 0 < entrant.offers < entrant.needs:
            yield f"       {too_few(entrant)}"
    for key, bots in state.running if state else ():
        yield f"     game {key:<8}  {', '.join(bots)}"


@click.command(
    cls=Command,
    epilog="""
    vinci tournament report league
    vinci tournament report league --markdown
    vinci tournament report ladder --out www
    """,
)
@folder_argument
@option("--json", "form", flag_value="report.json", help="Print all values and games as JSON.")
@option("--csv", "form", flag_value="standings.csv", help="Print the standings as CSV.")
@option("--html", "form", flag_value="report.html", help="Print the HTML page with charts.")
@option("--markdown", "form", flag_value="report.md", help="Print Markdown, for the summary of a CI run.")
@option("--junit", "form", flag_value="junit.xml", help="Print the verdict of a gate as JUnit XML, for CI.")
@path_option("--out FOLDER", help="Folder for the files. Default: that of the league.")
@_unreadable_as_failure()
def report(path: Path, form: str | None, out: Path | None) -> None:
    """Write the report into the folder in all forms and print one of them. Default: text."""
    contents = report_of(Folder(path))
    try:
        write(contents, out or path)
    except OSError as error:
        raise Failed(str(error)) from None
    text = FILES[form or "report.txt"](contents)
    if not text:
        raise Failed(_("{form} is for gates, and this league is not a gate").format(form=form))
    click.echo(text, nl=False)


@click.command(
    cls=Command,
    epilog="""
    vinci tournament verify league
    vinci tournament verify league --replay 10 --workers 8
    vinci tournament verify league --partial
    vinci tournament verify league --json
    """,
)
@folder_argument
@option("--replay GAMES", least=0, help="Play this many games of each bot again, also of bots that are commands.")
@option("--seed", help="Seed for drawing the games to play again. Default: a random one.")
@flag("--partial", help="Accept missing games, for a league that still runs.")
@workers_option
@json_option
@_unreadable_as_failure()
def verify(path: Path, replay: int | None, seed: str, partial: bool, workers: int | None, as_json: bool) -> None:
    """Verify a league: rules, seeds, bots, every record and result, and the report; play some games again.

    Exits with status 1 if a check fails, and prints one digest of all files.
    """
    folder = Folder(path)
    seed = seed or secrets.token_hex(4)
    found: list[LeagueFinding] = []

    def tell(finding: LeagueFinding) -> None:
        found.append(finding)
        if not as_json:
            click.echo(f"{'✗' if finding.is_fault else '·'} {finding.text}")

    line = Line()
    number = workers or os.cpu_count() or 1
    notes = folder.notes()
    with pool_of(number) as pool:
        for finding in check(
            folder,
            REPLAYS if replay is None else replay,
            commands=replay is not None,
            partial_league=partial,
            seed=seed,
            spread=pool.map if pool else map,
            tell=lambda done, of: line.show(f"{done} of {of} games"),
        ):
            line.show("")
            tell(finding)
        line.show("")
    if folder.notes() != notes:
        write(report_of(folder), path)
        tell(LeagueFinding("report", "The report now has notes on these bots.", False))
    digest, files = bundle_digest(folder)
    faults = sum(finding.is_fault for finding in found)
    if as_json:
        click.echo(json.dumps(_verified_as_json(folder.league(), found, seed) | {"files": files, "sha256": digest}))
    else:
        click.echo(f"· SHA-256 of all {files} files: {digest}")
    if faults:
        raise Failed(f"{faults} {'fault' if faults == 1 else 'faults'} in {path}")
    if not as_json:
        click.echo(f"{path} is verified.")


def _verified_as_json(league: League, found: Sequence[LeagueFinding], seed: str) -> dict[str, Any]:
    """Return what `verify --json` has about a league and the findings in its folder."""
    findings = {
        kind: [
            {"check": one.check, "text": one.text, "games": one.games, "files": one.files}
            for one in found
            if one.is_fault is is_fault
        ]
        for kind, is_fault in (("faults", True), ("remarks", False))
    }
    return {
        "name": league.name,
        "verified": not findings["faults"],
        "checked": {one.check: dict(zip(("agree", "of"), one.agree, strict=True)) for one in found if one.agree},
        **findings,
        "conditions": league.conditions.stored(),
        "seed": seed,
    }


@click.command(cls=Command, epilog="vinci tournament reproduce league 12-3")
@folder_argument
@click.argument("key", metavar="GAME")
@_unreadable_as_failure()
def reproduce(path: Path, key: str) -> None:
    """Play one game again, named by block and rotation like its files. Exits with status 1 if it differs."""
    folder = Folder(path)
    league = folder.league()
    game = next((game for game in games(league) if game.key == key), None)
    if game is None:
        raise Misused(f"{league.name} has no game {key}; games are named by block and rotation, such as 0-0")
    if remote := [name for name in league.remote if name in game.bots]:
        raise Failed(f"game {key} cannot be played again: {', '.join(remote)} played on other machines")
    lines = folder.lines(key)
    for change in digests.changed(league):
        click.echo(f"· {change}")
    differs = difference(league, game, lines)
    if differs is not None:
        raise Failed(f"game {key} differs {described_difference(differs)}")
    click.echo(f"game {key} is reproduced: all {len(lines) - 2} actions are the same")
