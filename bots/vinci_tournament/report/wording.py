"""Figures and facts of a league in words, the same in every form of the report."""

from collections.abc import Callable, Sequence
from typing import Final

from vinci_rules.traits import KINDS, TRAIT_BY_CODE

from ..figures import Estimate
from ..results import Result
from .contents import Outcome, Report

SIGNS: Final[dict[Outcome, str]] = {"pass": "✓ pass", "fail": "✗ fail", "inconclusive": "? inconclusive"}

SHORT_DIGEST: Final = 12
"""Digits of a digest that people see; JSON has all of it."""

MOST_TIMES: Final = 100
"""A variance reduction beyond this says only that luck and seats decide nearly everything."""
FEW_BLOCKS: Final = 10
"""Intervals from fewer blocks come with a warning."""

RATING: Final = (
    "Ratings are on the scale of Elo, 0 for the middle of the field; 100 more means to be ahead in 64 of 100 games."
)
INTERVAL: Final = "The line behind a figure is its 95 % interval: 19 of 20 such intervals hold the true value."


def printable(text: str) -> str:
    """The text with whatever a terminal or a page might obey, such as escape sequences, written out: `\\x1b`."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


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
    """The interval of an estimate."""
    low, high = form(estimate.low), form(estimate.high)
    return f"{low.removesuffix(' %')} to {high}"


def apart(estimate: Estimate, middle: float) -> bool:
    """Whether the interval leaves a value out."""
    return not estimate.low <= middle <= estimate.high


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
        f"seed {league.seed}",
        f"engine {league.engine}",
        f"rules {league.rules_digest[:SHORT_DIGEST]}",
        f"board digest {league.board_digest[:SHORT_DIGEST]}",
    ]


def notes(report: Report) -> list[str]:
    """What whoever reads the figures has to know: how it ended, who forfeited, what blocks were good for."""
    league, blocks = report.league, report.figures.standings.blocks
    found = [] if league.complete else ["Games are missing: these figures are of what was played so far."]
    if 0 < blocks < FEW_BLOCKS:
        told = f"{blocks} block{'' if blocks == 1 else 's'}"
        found.append(f"Intervals tell how much blocks differ: from {told} they are a guess.")
    found += [league.stopped] if league.stopped else []
    found += [f"{one.name}: {one.note}" for one in league.bots if one.note]
    number = sum(bool(result.forfeits) for result in report.results)
    if number:
        told = f"{number} of {len(report.results)} games had a forfeit, which counts as a last place."
        found.append(told + (" The standings without these games follow." if report.adjusted else ""))
    factor = report.figures.variance_reduction
    if factor is not None:
        times = f"{factor:.1f}" if factor < MOST_TIMES else f"more than {MOST_TIMES}"
        found.append(
            f"Shared luck and rotated seats: win shares are known as well as from {times} times as many games "
            "with luck and seats of their own."
        )
    return found


def forfeit_text(result: Result, number: int) -> str:
    """A forfeit of a game in a sentence; the number is its place among those of the game."""
    forfeit = result.forfeits[number]
    after = f"after {forfeit.action} action{'' if forfeit.action == 1 else 's'}"
    return f"{result.bots[forfeit.seat]} in seat {forfeit.seat + 1}, {after}: {forfeit.reason}"
