"""Builds the report of a league from its folder. It depends only on the games that count."""

import shlex
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, groupby
from math import ceil
from statistics import fmean

from ..definition.league import League
from ..pairing.choice import Choice
from ..pairing.formats import outcome
from ..pairing.scores import Scores
from ..play.folder import Folder, FolderError, collection_paused
from ..play.live_ratings import MOST_POINTS
from ..play.progress import LeagueProgress
from ..results.result import Result
from ..stats.bootstrap import rounded
from ..stats.sequential_tests import bounds, interval
from ..stats.standings import SHARE, figures
from ..stats.values import Estimate
from .contents import REMOTE, Entrant, LeagueSection, Outcome, Report, TableSection, VerdictSection
from .wording import between, percent


@collection_paused()
def report_of(folder: Folder) -> Report:
    """Return the report of the games played so far. Raises FolderError if no block is complete."""
    league = folder.league()
    progress = LeagueProgress(league, folder.planned(league).values())
    if not progress.results:
        blocks = folder.blocks()
        part = f"; this folder is for blocks {blocks}, and blocks count from the first one" if blocks else ""
        raise FolderError(f"{folder.path}: no block is complete yet, so there is nothing to report{part}")
    notes = folder.notes()
    choices = folder.choices()
    seats = _tables(league, choices, progress.results)
    won = outcome(league, progress.results, seats[-1].bots if seats else (), is_over=progress.is_decided)
    section = LeagueSection(
        name=league.name,
        format=league.format,
        seats=league.seats,
        board=league.board,
        edition=league.edition,
        seed=league.seed if progress.is_decided or league.seeding == "block" else "",
        blocks=league.blocks,
        complete=progress.is_decided,
        engine=league.core.engine,
        rules_digest=league.core.digest,
        board_digest=league.core.board,
        bots=tuple(
            Entrant(bot.name, shlex.join(bot.command) or bot.policy or REMOTE, bot.digest, notes.get(bot.name, ""))
            for bot in league.bots
        ),
        conditions=league.conditions,
        options=dict(league.options) | ({} if league.target is None else {"target": league.target}),
        gates=_gates(league, progress),
        stopped=_stopped(league, progress),
        remarks=(*filter(None, [won]), *extensions(league), *course(league), *missing(league, progress.results)),
        tables=seats,
        history=_history(choices),
        left=tuple(bot.name for bot in league.bots if bot.name in league.gone),
    )
    return Report(section, figures(progress.results, line_ups=league.line_ups), tuple(progress.results))


def extensions(league: League) -> list[str]:
    """Return a sentence for each extension of a league, the first one first."""
    told: list[str] = []
    while league.extensions:
        before, settled = league.earlier, league.extensions[-1].settled
        if league.is_open_ended:
            change = f"After {settled} blocks {last_change(league)}"
        else:
            entered = ", ".join(bot.name for bot in league.bots[len(before.bots) :])
            number = f"from {before.blocks} to {league.definition.blocks} blocks"
            change = f"Extended when {settled} blocks were settled, {number}"
            change += f" and by {entered}" if entered else ""
        told.append(f"{change}; before, the digest of the league was {before.digest}.")
        league = before
    return told[::-1]


def course(league: League) -> list[str]:
    """Return a sentence for each event that changed the league, and one for games that nobody came to."""
    told = [event.told for event in league.events if event.event in ("withdrew", "returned", "changed")]
    void = [event.game for event in league.events if event.event == "voided"]
    return told + ([f"Nobody came to {', '.join(dict.fromkeys(void))}, so they were played later."] if void else [])


def missing(league: League, results: Iterable[Result]) -> list[str]:
    """Return a sentence for remote bots that have neither played nor connected; empty if there is none."""
    played = {bot for result in results for bot in result.bots}
    names = [name for name in league.never_connected if name not in played]
    return [f"{', '.join(names)} {'has' if len(names) == 1 else 'have'} never connected."] if names else []


def last_change(league: League) -> str:
    """Return who entered and who left with the last extension of a ladder."""
    before = league.earlier
    entered = ", ".join(bot.name for bot in league.bots[len(before.bots) :])
    left = ", ".join(name for name, _ in league.retired[len(before.retired) :])
    return " and ".join([f"{entered} entered"] * bool(entered) + [f"{left} left"] * bool(left))


def _gates(league: League, progress: LeagueProgress) -> tuple[VerdictSection, ...]:
    """Return the verdict of a gate with the score that decided it; nothing for another league."""
    if progress.verdict is None:
        return ()
    new, base = (bot.name for bot in league.bots)
    stop, scores, outcome = league.stop, progress.scores, progress.verdict.outcome
    low, high = interval(scores, 2 * stop.alpha)[0], interval(scores, 2 * stop.beta)[1]
    share = Estimate(rounded(fmean(scores), SHARE.digits), low, high)
    if outcome == "inconclusive":
        reason = f"No variation: both bots had equal scores in all {progress.verdict.blocks} blocks."
    elif outcome == "open" and not progress.is_decided:
        reason = f"Undecided after {progress.verdict.blocks} of {league.blocks} blocks: {progress.evidence}."
    elif stop.elo0 is not None and stop.elo1 is not None:
        reason = _strength(league, outcome, share)
    else:
        reason = _win_share(league, outcome)
    kind: Outcome = "inconclusive" if outcome == "open" else outcome
    return (VerdictSection(f"{new} against {base}", kind, reason, stop.score, stop.elo0, stop.elo1, share),)


def _win_share(league: League, outcome: str) -> str:
    """Describe the result of a gate without hypotheses."""
    margin = league.stop.margin
    above = f"{100 / league.seats:.0f} %" + (f" and {100 * margin:+.1f} points" if margin else "")
    known = f"with an error rate of {100 * league.stop.alpha:g} %"
    match outcome:
        case "pass":
            return f"It wins more than {above} of its games, {known}."
        case "fail":
            return f"It wins less than {above} of its games, {known}."
        case _:
            return f"All {league.blocks} blocks were played, and neither more nor less than {above} of wins is certain."


def _strength(league: League, outcome: str, share: Estimate) -> str:
    """Describe the result of a gate between two strengths."""
    stop = league.stop
    low, high = (percent(bound) for bound in bounds(stop, league.seats)[1:])
    elo0, elo1 = (f"{points:+g}" for points in (stop.elo0 or 0.0, stop.elo1 or 0.0))
    value = percent(share.value)
    score = f"By wins: it wins {value} of its games"
    if stop.score == "places":
        score = f"By places: it is ahead of {value} of its opponents"
    match outcome:
        case "pass":
            known = f"at least {percent(share.low)} with an error rate of {100 * stop.alpha:g} %"
            return f"{score}, {known}, so it is more than {elo0} points better ({low})."
        case "fail":
            known = f"at most {percent(share.high)} with an error rate of {100 * stop.beta:g} %"
            return f"{score}, {known}, so it is less than {elo1} points better ({high})."
        case _:
            known = f"and after all {league.blocks} blocks {between(share, percent)} are possible"
            return f"{score}, {known}: neither above {elo0} points ({low}) nor below {elo1} ({high}) is certain."


def _stopped(league: League, progress: LeagueProgress) -> str:
    """Return why the league ended before all its blocks were played; empty if it did not."""
    if progress.verdict is not None and progress.verdict.outcome != "open" and progress.verdict.blocks < league.blocks:
        return f"The gate ended after {progress.verdict.blocks} blocks."
    if progress.precision is not None and progress.precision.reached and progress.precision.blocks < league.blocks:
        width = f"{100 * (league.stop.width or 0):g}"
        return f"All win shares are known within {width} points after {progress.precision.blocks} blocks."
    return ""


def _tables(league: League, choices: Sequence[Choice], results: Sequence[Result]) -> tuple[TableSection, ...]:
    """Return the tables of all rounds, each with its bots by the scores there; games are those that count."""
    played = _by_block(results)
    drawn = []
    seats = groupby(enumerate(choices), key=lambda each: (each[1].why.get("round", 0), each[1].why.get("table", 0)))
    for (number, table), blocks in seats:
        each = list(blocks)
        if not number or not all(block in played for block, _ in each):
            continue
        scores = Scores(league, chain.from_iterable(played[block] for block, _ in each))
        choice = each[0][1]
        bots = scores.shown(scores.ordered(choice.bots))
        drawn.append(
            TableSection(number, table, tuple(bots.items()), tuple(choice.why.get("byes", ())) if table == 1 else ())
        )
    return tuple(drawn)


def _history(choices: Sequence[Choice]) -> tuple[tuple[str, tuple[tuple[int, float], ...]], ...]:
    """Return for each bot blocks with it, at most MOST_POINTS evenly chosen ones, and its rating at their choice."""
    points = defaultdict[str, list[tuple[int, float]]](list)
    for block, choice in enumerate(choices):
        for bot, (rating, _deviation) in choice.why.get("ratings", {}).items():
            points[bot].append((block, rating))
    return tuple((bot, tuple(each[:: -ceil(len(each) / MOST_POINTS)][::-1])) for bot, each in points.items())


def _by_block(results: Sequence[Result]) -> dict[int, list[Result]]:
    blocks = defaultdict[int, list[Result]](list)
    for result in results:
        blocks[result.block].append(result)
    return blocks
