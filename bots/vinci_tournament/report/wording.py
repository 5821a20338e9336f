"""Text of values and facts of a league, the same in every form of the report."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import isinf
from typing import Final, TypeAlias

from vinci_rules.traits import KINDS, TRAIT_BY_CODE

from ..definition.league import cpu_seconds
from ..results.result import ForfeitResult, Result
from ..stats.values import Estimate, MutualAttackFigures, Standings
from .contents import REMOTE, LeagueSection, Outcome, Report

Form: TypeAlias = Callable[[float], str]

SIGNS: Final[dict[Outcome, str]] = {"pass": "✓ pass", "fail": "✗ fail", "inconclusive": "? inconclusive"}

SHORT_DIGEST: Final = 12
"""Digits of a digest that are shown; JSON has all of them."""
MOST_NAMED: Final = 3
"""Bots that a sentence names."""

ONLY_DUMMIES: Final = "Only dummies play. They are identical, so each block is one game instead of one per seat."
UNKNOWN: Final = "\N{EN DASH}"
"""Shown instead of an unknown interval."""

INTERVAL: Final = "Lines are 95 % intervals: 19 of 20 contain the true value."


def signed(value: float, digits: int = 0) -> str:
    """Format a number with its sign; a number that rounds to 0 has none."""
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


rating: Final[Form] = signed
"""Format a rating in whole points."""
vp: Final[Form] = partial(signed, digits=1)
"""Format VP ahead (+) or behind (-)."""
plain: Final[Form] = "{:.2f}".format
"""Format a mean with two decimals."""


tenths: Final[Form] = "{:.1f}".format
"""Format a mean with one decimal."""
count: Final[Form] = str
"""Format a number of something."""


def percent(share: float) -> str:
    """Format a share from 0 to 1 as a percentage."""
    return f"{100 * share:.1f} %"


def whole_percent(share: float) -> str:
    """Format a share from 0 to 1 as a percentage without decimals."""
    return f"{100 * share:.0f} %"


def between(estimate: Estimate, form: Form) -> str:
    """Return the interval of an estimate as text, or the text that replaces it where none is known.

    Nor is one whose ends look the same: a few blocks that happen to be nearly equal tell nothing of the error.
    """
    if not estimate.is_told:
        return UNKNOWN
    if estimate.is_open:
        return f"no {'upper' if isinf(estimate.high) else 'lower'} end"
    low, high = form(estimate.low), form(estimate.high)
    if low == high:
        return UNKNOWN
    return f"{low.removesuffix(' %')} to {high}"


def shown(estimate: Estimate, form: Form) -> str:
    """Return the value of an estimate as text, or its bound where one end of the interval is open."""
    if not estimate.is_open:
        return form(estimate.value)
    return f"> {form(estimate.low)}" if isinf(estimate.high) else f"< {form(estimate.high)}"


def whole(estimate: Estimate, form: Form) -> str:
    """Return the value of an estimate with its interval as text, or its bound alone."""
    return shown(estimate, form) + ("" if estimate.is_open else f" ({between(estimate, form)})")


def hundredths(share: float) -> tuple[int, int]:
    """Return a share and its complement in whole percent, with a sum of 100."""
    first = round(100 * share)
    return first, 100 - first


def sure(standings: Standings) -> set[tuple[str, str]]:
    """Return the pairs of bots, in both orders, whose rating difference has an interval that excludes 0."""
    known = [pair for pair in standings.differences if pair.rating.is_told]
    pairs = [(pair.bot, pair.other) for pair in known if not pair.rating.low <= 0 <= pair.rating.high]
    return {*pairs, *((other, bot) for bot, other in pairs)}


def civilization(traits: Sequence[str]) -> str:
    """Return the English names of traits; an unknown code is shown as it is."""
    return " + ".join(KINDS[TRAIT_BY_CODE[code]].names["en"] if code in TRAIT_BY_CODE else code for code in traits)


def marked(bot: str, league: LeagueSection) -> str:
    """Return the name of a bot, with a mark if it left the league."""
    return f"{bot} (left)" if bot in league.left else bot


def facts(report: Report) -> list[str]:
    """Return the settings and the state of the league, a few words each."""
    league, standings = report.league, report.figures.standings
    options = (f"{name} {value}" for name, value in sorted(league.options.items()))
    played = {bot.bot for bot in standings.bots}
    return [
        league.format,
        f"{len(report.results)} games",
        f"{standings.blocks} of {league.blocks} blocks",
        "open-ended" if league.is_open_ended else "complete" if league.complete else "incomplete",
        f"{len({bot.name for bot in league.bots if bot.name not in league.left} | played)} bots",
        f"{league.seats} seats",
        f"board {league.board}",
        f"edition {league.edition}",
        *options,
        *conditions(league),
        f"seed {league.seed or ('secret' if league.is_open_ended else 'secret until the league is complete')}",
        f"engine {league.engine}",
        f"rules {league.rules_digest[:SHORT_DIGEST]}",
        f"board digest {league.board_digest[:SHORT_DIGEST]}",
    ]


def conditions(league: LeagueSection) -> list[str]:
    """Return the conditions under which the bots of a league play, a few words each; absence is for remote ones."""
    of = league.conditions
    if cpu := cpu_seconds(of.clock):
        each = f"{cpu} s of CPU"
    else:
        each = f"{of.clock} s" if isinstance(of.clock, int) else f"{of.clock.replace('+', ' s + ')} s a turn"
    absence = f"absence {of.absence} s" if of.absence else "no limit of absence"
    return [
        f"clock {each}",
        f"{of.tries} tries",
        f"memory {of.memory} MB",
        *([absence] if any(bot.command == REMOTE for bot in league.bots) else []),
        "analysis service" if of.analysis else "no analysis service",
        *(["bots in a sandbox"] if of.sandbox else []),
    ]


def outcome(report: Report) -> str:
    """Return a sentence with the result of a league and how certain it is; empty before the first block."""
    standings = report.figures.standings
    if not standings.blocks or len(standings.bots) < 2:
        return ""
    best, *others = (bot.bot for bot in standings.bots)
    certain = sure(standings)
    open_to = [bot for bot in others if (best, bot) not in certain]
    if not open_to:
        return f"{best} is stronger than each of the others, with a certainty of 95 % for each pair."
    named = ", ".join(open_to[:MOST_NAMED]) + (f" and {len(open_to) - MOST_NAMED} more" if open_to[MOST_NAMED:] else "")
    beaten = len(others) - len(open_to)
    leads = f"leads, and is stronger than {beaten} of {len(others)} others; but" if beaten else "leads, but"
    return f"{best} {leads} these games do not tell for certain (95 %) that it is stronger than {named}."


def opponents(line_up: Sequence[str]) -> str:
    """Return the bots of a line-up after the first, equal ones counted: `3 dummy`."""
    return ", ".join(f"{number} {bot}" for bot, number in Counter(line_up[1:]).items())


def spared(pair: MutualAttackFigures) -> str:
    """Return a sentence on how often two bots attack each other."""
    mutual, by_bot, by_other = (whole(ratio, plain) for ratio in (pair.mutual, pair.by_bot, pair.by_other))
    return (
        f"{pair.bot} and {pair.other} attack each other {mutual} times as often as others: {pair.bot} attacks "
        f"{pair.other} {by_bot} times as often, {pair.other} attacks {pair.bot} {by_other} times."
    )


def forfeit_text(result: Result, forfeit: ForfeitResult) -> str:
    """Describe a forfeit in a game."""
    after = f"after {forfeit.action} action{'' if forfeit.action == 1 else 's'}"
    return f"{result.bots[forfeit.seat]} in seat {forfeit.seat + 1}, {after}: {forfeit.reason}"
