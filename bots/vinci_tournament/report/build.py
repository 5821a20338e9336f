"""The report of a league from its folder: the same games that count give the same report."""

import shlex
from statistics import fmean

from ..definition.league import League
from ..play.folder import Folder, FolderError
from ..play.progress import LeagueProgress
from ..stats.bootstrap import rounded
from ..stats.sequential_tests import bounds, interval
from ..stats.standings import SHARE, figures
from ..stats.values import Estimate
from .contents import Entrant, Outcome, Report, VerdictSection
from .contents import LeagueSection as Told
from .wording import between, percent


def report_of(folder: Folder) -> Report:
    """What the league proves so far. Raises FolderError where no block is complete."""
    league = folder.league()
    course = LeagueProgress(league, folder.planned(league).values())
    if not course.results:
        raise FolderError(f"{folder.path}: no block is complete yet, so there is nothing to report")
    notes = folder.notes()
    told = Told(
        name=league.name,
        format=league.format,
        seats=league.seats,
        board=league.board,
        edition=league.edition,
        seed=league.seed if course.is_decided or league.seeding == "block" else "",
        blocks=league.blocks,
        complete=course.is_decided,
        engine=league.core.engine,
        rules_digest=league.core.digest,
        board_digest=league.core.board,
        bots=tuple(
            Entrant(bot.name, shlex.join(bot.command) or bot.policy, bot.digest, notes.get(bot.name, ""))
            for bot in league.bots
        ),
        options=dict(league.options) | ({} if league.target is None else {"target": league.target}),
        gates=_gates(league, course),
        stopped=_stopped(league, course),
    )
    return Report(told, figures(course.results), tuple(course.results))


def _gates(league: League, course: LeagueProgress) -> tuple[VerdictSection, ...]:
    """Return the verdict of a gate, in terms of the score by which it was decided."""
    if course.verdict is None:
        return ()
    new, base = (bot.name for bot in league.bots)
    stop, scores, outcome = league.stop, course.scores, course.verdict.outcome
    low, high = interval(scores, 2 * stop.alpha)[0], interval(scores, 2 * stop.beta)[1]
    share = Estimate(rounded(fmean(scores), SHARE.digits), low, high)
    if outcome == "inconclusive":
        reason = f"Nothing varies: in {course.verdict.blocks} blocks both did exactly alike."
    elif outcome == "open" and not course.is_decided:
        reason = f"After {course.verdict.blocks} of {league.blocks} blocks it is open."
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
    low, high = (percent(one) for one in bounds(stop, league.seats)[1:])
    elo0, elo1 = (f"{points:+g}" for points in (stop.elo0 or 0.0, stop.elo1 or 0.0))
    value = percent(share.value)
    found = f"By wins: it wins {value} of its games"
    if stop.score == "places":
        found = f"By places: it is ahead in {value} of its meetings"
    match outcome:
        case "pass":
            known = f"at least {percent(share.low)} with an error rate of {100 * stop.alpha:g} %"
            return f"{found}, {known}, so it is more than {elo0} points better ({low})."
        case "fail":
            known = f"at most {percent(share.high)} with an error rate of {100 * stop.beta:g} %"
            return f"{found}, {known}, so it is less than {elo1} points better ({high})."
        case _:
            known = f"and after all {league.blocks} blocks {between(share, percent)} are possible"
            return f"{found}, {known}: neither above {elo0} points ({low}) nor below {elo1} ({high}) is certain."


def _stopped(league: League, course: LeagueProgress) -> str:
    """Why the league ended before all its blocks were played."""
    if course.verdict is not None and course.verdict.outcome != "open" and course.verdict.blocks < league.blocks:
        return f"The gate ended after {course.verdict.blocks} blocks."
    if course.precision is not None and course.precision.reached and course.precision.blocks < league.blocks:
        width = f"{100 * (league.stop.width or 0):g}"
        return f"All win shares are known within {width} points after {course.precision.blocks} blocks."
    return ""
