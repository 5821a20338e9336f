"""Figures and facts of a league in words, the same in every form of the report."""

from collections.abc import Callable, Sequence
from math import isinf
from typing import Final

from vinci_rules.traits import KINDS, TRAIT_BY_CODE

from ..results.result import Result
from ..stats.values import Estimate, Standings
from .contents import Outcome, Report

SIGNS: Final[dict[Outcome, str]] = {"pass": "✓ pass", "fail": "✗ fail", "inconclusive": "? inconclusive"}

SHORT_DIGEST: Final = 12
"""Digits of a digest that people see; JSON has all of it."""

WITHOUT: Final = (
    "The standings without these games follow. They choose games by what happened in them: a bot that forfeits "
    "games it is losing looks better there than it is."
)
MOST_TIMES: Final = 100
"""A variance reduction beyond this says only that luck and seats decide nearly everything."""
FEW_BLOCKS: Final = 10
"""Intervals from fewer blocks come with a warning."""

RATING: Final = (
    "Ratings are on the scale of Elo; 100 more means to be ahead in 64 of 100 games. A bot of 0 would be ahead of the "
    "field in half of them."
)
LOOKS: Final = (
    "The verdict was looked for after every block and holds nevertheless; the intervals below are those of a single "
    "look, and can say more than is certain."
)
GATE: Final[dict[str, str]] = {
    "wins": f"The verdict counts first places only, the ratings and pairs below all places. {LOOKS}",
    "places": f"The verdict counts all places, as the ratings and pairs below do. {LOOKS}",
}
UNKNOWN: Final = "\N{EN DASH}"
"""Instead of an interval where none is known."""

ALIKE: Final = 0.1
"""Smallest difference of a variance reduction from 1 that is reported."""
INTERVAL: Final = "The line behind a figure is its 95 % interval: 19 of 20 such intervals hold the true value."


def signed(value: float, digits: int = 0) -> str:
    """A number with its sign, and no sign for what rounds to nothing."""
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def rating(value: float) -> str:
    """A rating, in whole points."""
    return signed(value)


def vp(value: float) -> str:
    """VP ahead or behind."""
    return signed(value, 1)


def plain(value: float) -> str:
    """A mean with its decimals."""
    return f"{value:.2f}"


def percent(share: float) -> str:
    """A share from 0 to 1."""
    return f"{100 * share:.1f} %"


def between(estimate: Estimate, form: Callable[[float], str]) -> str:
    """Return the interval of an estimate as text, or the text that replaces it where there is none."""
    if not estimate.is_told:
        return UNKNOWN
    if estimate.is_open:
        return f"no {'upper' if isinf(estimate.high) else 'lower'} end"
    low, high = form(estimate.low), form(estimate.high)
    return f"{low.removesuffix(' %')} to {high}"


def shown(estimate: Estimate, form: Callable[[float], str]) -> str:
    """Return the value of an estimate as text, or its bound where one end of the interval is open."""
    if not estimate.is_open:
        return form(estimate.value)
    return f"> {form(estimate.low)}" if isinf(estimate.high) else f"< {form(estimate.high)}"


def whole(estimate: Estimate, form: Callable[[float], str]) -> str:
    """Return the value of an estimate with its interval as text, or its bound alone."""
    return shown(estimate, form) + ("" if estimate.is_open else f" ({between(estimate, form)})")


def hundredths(share: float) -> tuple[int, int]:
    """A share and the rest in whole percent; together they are 100."""
    first = round(100 * share)
    return first, 100 - first


def apart(estimate: Estimate, middle: float) -> bool:
    """Whether an estimate has an interval that excludes a value."""
    return estimate.is_told and not estimate.low <= middle <= estimate.high


def sure(standings: Standings) -> set[tuple[str, str]]:
    """Return the pairs of bots, in both orders, whose rating difference has an interval that excludes 0."""
    found = [(one.bot, one.other) for one in standings.differences if apart(one.rating, 0)]
    return {*found, *((other, bot) for bot, other in found)}


def civilization(traits: Sequence[str]) -> str:
    """The English names of traits; a code that is not known stays as it is."""
    return " + ".join(KINDS[TRAIT_BY_CODE[code]].names["en"] if code in TRAIT_BY_CODE else code for code in traits)


def facts(report: Report) -> list[str]:
    """What the league is and how far it came, in few words each."""
    league, standings = report.league, report.figures.standings
    options = (f"{name} {value}" for name, value in sorted(league.options.items()))
    return [
        league.format,
        f"{len(report.results)} games",
        f"{standings.blocks} of {league.blocks} blocks",
        "complete" if league.complete else "not complete",
        f"{len(league.bots)} bots",
        f"{league.seats} seats",
        f"board {league.board}",
        f"edition {league.edition}",
        *options,
        f"seed {league.seed or 'secret until the league is complete'}",
        f"engine {league.engine}",
        f"rules {league.rules_digest[:SHORT_DIGEST]}",
        f"board digest {league.board_digest[:SHORT_DIGEST]}",
    ]


def notes(report: Report) -> list[str]:
    """What whoever reads the figures has to know: how it ended, who forfeited, what blocks were good for."""
    league, blocks = report.league, report.figures.standings.blocks
    found = [] if league.complete else ["Games are missing: these figures are of what was played so far."]
    if blocks == 1:
        found.append("Intervals tell how much blocks differ: from one block none is known.")
    elif 0 < blocks < FEW_BLOCKS:
        found.append(f"Intervals tell how much blocks differ: from {blocks} blocks they are a guess.")
    if any(one.rating.is_open for one in report.figures.standings.bots):
        found.append(
            "A rating with > or < is a bound: its bot was ahead of the others, or behind them, in so many games "
            "that it could be any higher, or lower."
        )
    if 0 < blocks == len(report.results):
        found.append("Only dummies play, which are all alike: each block is one game, not one for each seat.")
    found += [league.stopped] if league.stopped else []
    found += [GATE[gate.score] for gate in league.gates if gate.score]
    found += [f"{one.name}: {one.note}" for one in league.bots if one.note]
    number = sum(bool(result.forfeits) for result in report.results)
    if number:
        told = f"{number} of {len(report.results)} games had a forfeit, which counts as a last place."
        found.append(f"{told} {WITHOUT}" if report.adjusted else told)
    factor = report.figures.variance_reduction
    if factor is not None and abs(factor - 1) >= ALIKE:
        times = f"about {factor:.1f}" if factor < MOST_TIMES else f"more than {MOST_TIMES}"
        told = "save games: win shares are known" if factor > 1 else "cost games: win shares are known only"
        found.append(f"Blocks {told} as well as from {times} times as many games with luck and seats of their own.")
    return found


def forfeit_text(result: Result, number: int) -> str:
    """A forfeit of a game in a sentence; the number is its place among those of the game."""
    forfeit = result.forfeits[number]
    after = f"after {forfeit.action} action{'' if forfeit.action == 1 else 's'}"
    return f"{result.bots[forfeit.seat]} in seat {forfeit.seat + 1}, {after}: {forfeit.reason}"
