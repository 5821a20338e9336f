"""The report of a league from its folder: the same games that count give the same report."""

import shlex

from .course import Course
from .folder import Folder, FolderError
from .league import League
from .report.contents import Entrant, Report, Verdict
from .report.contents import League as Told
from .standings import figures


def report_of(folder: Folder) -> Report:
    """What the league proves so far. Raises FolderError where no block is complete."""
    league = folder.league()
    course = Course(league, folder.planned(league).values())
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


def _gates(league: League, course: Course) -> tuple[Verdict, ...]:
    if course.verdict is None:
        return ()
    new, base = (bot.name for bot in league.bots)
    even, margin = 1 / league.seats, league.stop.margin
    above = f"{100 * even:.0f} %" + (f" and {100 * margin:+.1f} points" if margin else "")
    blocks, known = course.verdict.blocks, f"with an error rate of {100 * league.stop.alpha:g} %"
    match course.verdict.outcome:
        case "pass":
            return (Verdict(f"{new} against {base}", "pass", f"It wins more than {above} of its games, {known}."),)
        case "fail":
            return (Verdict(f"{new} against {base}", "fail", f"It wins less than {above} of its games, {known}."),)
        case "inconclusive":
            reason = f"Nothing varies: in {blocks} blocks both did exactly alike."
        case "open" if course.is_decided:
            reason = f"All {blocks} blocks were played, and neither more nor less than {above} of wins is certain."
        case _:
            reason = f"After {blocks} of {league.blocks} blocks it is open."
    return (Verdict(f"{new} against {base}", "inconclusive", reason),)


def _stopped(league: League, course: Course) -> str:
    """Why the league ended before all its blocks were played."""
    if course.verdict is not None and course.verdict.outcome != "open" and course.verdict.blocks < league.blocks:
        return f"The gate ended after {course.verdict.blocks} blocks."
    if course.precision is not None and course.precision.reached and course.precision.blocks < league.blocks:
        width = f"{100 * (league.stop.width or 0):g}"
        return f"All win shares are known within {width} points after {course.precision.blocks} blocks."
    return ""
