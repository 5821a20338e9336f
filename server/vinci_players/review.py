"""Review of a recorded game: each turn beside the one that a search prefers, and the luck of draws and dummies.

A lead is the VP of a seat less those of its best opponent at the end. Chances and luck come from simulations to the end
of the game (`search.outcome`), losses also from those to the horizon of `expert` (`estimates.gain`). Two courses of a
game are compared by simulations of equal numbers, and intervals of 95 % are those of the mean difference. The search is
the one of `expert`, with other numbers than the comparison after it, so that its choice is not flattered by the
simulations that chose it. It maximises the lead, as the comparison does, and the turn played is one of those to choose
from: otherwise a fifth of the turns of `expert` players was clearly better than the one preferred.
"""

from collections.abc import Iterable, Sequence
from math import exp, sqrt
from random import Random
from typing import Final, NamedTuple

from vinci_rules import record
from vinci_rules.actions import Action, Forfeit, Redeploy
from vinci_rules.chance import FastChance
from vinci_rules.engine import play, ranks
from vinci_rules.state import Seat, State

from . import policy, search
from .estimates import Course, Estimate, contradicted, difference, estimate, expected, gain, horizon, total
from .levels import LEVELS
from .plans import Plan, plans

SAMPLES: Final = LEVELS["expert"].samples
"""Expansions sampled by the search."""
SEARCHED: Final = 2
"""Simulations of the search for each one that compares its choice with the turn played."""
SCALE: Final = 10.0
"""Mean loss of a turn, in VP of the lead, at which the accuracy is 100 / e."""
SMALLEST: Final = 0.05
"""VP of the lead; a smaller loss is shown as 0 and is no mistake."""
MOST_TURNING_POINTS: Final = 5


class Turn(NamedTuple):
    """A turn of a record, or a part of it before or after a forfeit.

    Attributes:
        first, last: numbers of the action before it (0 for none) and of its last action.
        seat: whose turn it is.
        start: the position before it.
        actions: actions of the seat, without redeployments after attacks of others.
        end: the position after them.
        decided: whether the seat is no dummy.
        substituted: whether a substitute played some of the actions.
        suggested: whether a server suggested each of the actions at its position.
    """

    first: int
    last: int
    seat: Seat
    start: State
    actions: list[Action]
    end: State
    decided: bool
    substituted: bool
    suggested: bool = False


class TurnReview(NamedTuple):
    """Review of a turn.

    Attributes:
        preferred: the turn that the search prefers, or the turn played if simulations find that at least as good, or
            one kind of them clearly better; empty without a search.
        choices: number of different turns that the search found; 0 without a search.
        loss: lead by the preferred turn less the lead by the turn played; never negative.
        vp_loss: the same for the own VP.
        now: own VP right after the preferred turn less those after the turn played.
        leads, wins: lead and share of the first place of each seat after the turn, with the draws that followed.
        luck: by seat the lead after these draws, or after the turn of a dummy as it was, less that before them.
    """

    preferred: list[Action]
    choices: int
    loss: Estimate
    vp_loss: Estimate
    now: int
    leads: list[Estimate]
    wins: list[Estimate]
    luck: list[Estimate]


class PlayerReview(NamedTuple):
    """Review of a seat over a game.

    Attributes:
        turns: turns with a choice that the seat played itself.
        accuracy: see docs/players.md; with its lowest and highest value by the interval of the loss. 100 without turns.
        loss: sum of the losses of these turns.
        mistakes: turns that lost something by their interval, unless the seat wins in every simulation anyway
            or the turn was suggested.
        draws: luck by draws of civilizations. dummies: luck by turns of dummies.
    """

    turns: int
    accuracy: float
    lowest: float
    highest: float
    loss: Estimate
    mistakes: int
    draws: Estimate
    dummies: Estimate


class TurningPoint(NamedTuple):
    """A turn after which a seat had another chance of the first place: index of the turn, seat, shares."""

    turn: int
    seat: Seat
    before: float
    after: float


def turns(lines: Iterable[str]) -> list[Turn]:
    """Return the turns of a record in order, without actions that were taken back. Raises record.RecordError."""
    kept: list[tuple[record.Step, State]] = []
    state: State | None = None
    for step in record.replay(lines):
        if step.undo is not None:
            kept = [(played, before) for played, before in kept if played.line - 1 <= step.undo]
        elif step.action is not None and state is not None:
            kept.append((step, state))
        state = step.state.copy()
    ends = [before for _step, before in kept[1:]]
    if state is not None:
        ends.append(state)
    found: list[Turn] = []
    is_open = False
    for (step, before), end in zip(kept, ends, strict=False):
        action, seat, number = step.action, step.seat, step.line - 1
        if action is None or seat is None or isinstance(action, Forfeit):
            is_open = False
        elif not isinstance(action, Redeploy):
            turn = found[-1] if is_open else None
            if turn is not None and (turn.start.round, turn.start.turn) == (before.round, before.turn):
                actions = [*turn.actions, action]
                substituted = turn.substituted or step.by == "substitute"
                found[-1] = turn._replace(last=number, actions=actions, end=end, substituted=substituted)
            else:
                decided = not before.options.dummies[seat]
                substituted = step.by == "substitute"
                found.append(Turn(number - 1, number, seat, before, [action], end, decided, substituted))
            is_open = True
    return found


def start(first: State, seed: int, simulations: int) -> tuple[list[Estimate], list[Estimate]]:
    """Return leads and shares of the first place at the beginning, as in `TurnReview`."""
    outcomes = _outcomes(first, [], Random(seed).getrandbits(48), simulations)
    return _leads(outcomes), _wins(outcomes)


def review(turn: Turn, seed: int, simulations: int, *, compared: bool = True) -> TurnReview:
    """Review a turn.

    Args:
        turn: the turn; its positions are not changed.
        seed: seed of plans and simulations; equal arguments give equal reviews.
        simulations: simulations of the turn played, and of the one that the search prefers, at least two; twice as many
            if the turn played seems to be better. The search has SEARCHED times as many.
        compared: whether to search for a preferred turn, if a player has decided.
    """
    random = Random(seed)
    weights = policy.simulating()
    nothing = Estimate(0.0, 0.0)
    seats = turn.start.seats()
    first = random.getrandbits(48)
    if not turn.decided:
        before = _outcomes(turn.start, [], first, simulations)
        after = _outcomes(turn.end, [], first, simulations)
        luck = [_gain(before, after, seat) for seat in seats]
        return TurnReview([], 0, nothing, nothing, 0, _leads(after), _wins(after), luck)
    played = _outcomes(turn.start, turn.actions, first, simulations)
    preferred: list[Action] = []
    choices = 0
    loss = vp_loss = nothing
    now = 0
    if compared:
        cut = horizon(turn.start)
        found = plans(turn.start, random, weights, SAMPLES, 0 if cut is None else cut.width)
        choices = len(found)
        left = [Plan(turn.actions), *(plan for plan in found if plan.actions != turn.actions)]
        searched = SEARCHED * simulations * (1 if cut is None else cut.ends)
        preferred = search.sifted(turn.start, left, random, weights, searched, first_place=0.0, cut=cut)[0].actions
        if preferred != turn.actions:
            ends = Course(played, expected(turn.start, turn.actions, weights, first, simulations))
            best = course(turn.start, preferred, first, simulations)
            vp_loss, loss = gain(best, ends, turn.seat)
            if loss.mean <= 0.0:
                more = first + simulations
                ends = _joined(ends, course(turn.start, turn.actions, more, simulations))
                best = _joined(best, course(turn.start, preferred, more, simulations))
                vp_loss, loss = gain(best, ends, turn.seat)
            if contradicted(best, ends, turn.seat):
                loss = nothing
        if loss.mean <= 0.0:
            preferred, loss, vp_loss = turn.actions, nothing, nothing
        now = _vp_after(turn, preferred) - turn.end.vp[turn.seat]
    after = played
    luck = [nothing for _ in seats]
    if turn.end.fills != turn.start.fills:
        after = _outcomes(turn.end, [], first, simulations)
        luck = [_gain(played, after, seat) for seat in seats]
    return TurnReview(preferred, choices, loss, vp_loss, now, _leads(after), _wins(after), luck)


def player(seat: Seat, played: Sequence[Turn], reviews: Sequence[TurnReview]) -> PlayerReview:
    """Return the review of a seat from the turns of a game and their reviews."""
    counted = [
        (turn, found)
        for turn, found in zip(played, reviews, strict=True)
        if turn.seat == seat and turn.decided and not turn.substituted and found.choices > 1
    ]
    losses = [found.loss for _, found in counted]
    loss = total(losses)
    each = max(len(losses), 1)
    mistakes = [
        found
        for turn, found in counted
        if found.loss.mean > max(found.loss.half, SMALLEST) and found.wins[seat].mean < 1.0 and not turn.suggested
    ]
    return PlayerReview(
        len(losses),
        accuracy(loss.mean / each),
        accuracy((loss.mean + loss.half) / each),
        accuracy((loss.mean - loss.half) / each),
        loss,
        len(mistakes),
        total([found.luck[seat] for turn, found in zip(played, reviews, strict=True) if turn.decided]),
        total([found.luck[seat] for turn, found in zip(played, reviews, strict=True) if not turn.decided]),
    )


def accuracy(loss: float) -> float:
    """Return the accuracy, 0 to 100, of turns that lose so many VP of the lead on average, less than 0 as 0."""
    return 100.0 * exp(-max(loss, 0.0) / SCALE)


def turning_points(wins: Sequence[Sequence[Estimate]], played: Sequence[Turn]) -> list[TurningPoint]:
    """Return the turns that changed chances most, the greatest change first.

    Args:
        wins: shares of the first place by seat at the beginning, then after each turn.
        played: the turns.

    Returns:
        Turns whose change is greater than its interval of 95 %, each for the seat that it changed most, at most
        MOST_TURNING_POINTS.
    """
    found: list[TurningPoint] = []
    for index in range(len(played)):
        changes = [
            (abs(after.mean - before.mean), TurningPoint(index, Seat(seat), before.mean, after.mean))
            for seat, (before, after) in enumerate(zip(wins[index], wins[index + 1], strict=True))
            if abs(after.mean - before.mean) > sqrt(before.half**2 + after.half**2)
        ]
        if changes:
            found.append(max(changes)[1])
    found.sort(key=_change, reverse=True)
    return found[:MOST_TURNING_POINTS]


def _change(point: TurningPoint) -> float:
    return abs(point.after - point.before)


def _vp_after(turn: Turn, actions: list[Action]) -> int:
    """Return the VP of the seat after a turn with these actions."""
    state = turn.start.copy()
    for action in actions:
        play(state, action, FastChance(0))
    return state.vp[turn.seat]


def course(state: State, actions: list[Action], first: int, simulations: int) -> Course:
    """Return simulations to the end and to the horizon that begin with the actions."""
    ends = _outcomes(state, actions, first, simulations)
    return Course(ends, expected(state, actions, policy.simulating(), first, simulations))


def _joined(one: Course, more: Course) -> Course:
    return Course(one.ends + more.ends, one.expected + more.expected)


def _outcomes(state: State, actions: list[Action], first: int, simulations: int) -> list[State]:
    """Return the ends of simulations that begin with the actions; equal numbers draw alike."""
    weights = policy.simulating()
    return [search.outcome(state, actions, weights, first + number) for number in range(simulations)]


def _leads(ends: list[State]) -> list[Estimate]:
    return [estimate([end.lead(seat) for end in ends]) for seat in ends[0].seats()]


def _wins(ends: list[State]) -> list[Estimate]:
    """Return the share of the first place of each seat; a shared one counts in part."""
    shares = [[1.0 / standing.count(1) if rank == 1 else 0.0 for rank in standing] for standing in map(ranks, ends)]
    return [estimate([share[seat] for share in shares]) for seat in ends[0].seats()]


def _gain(before: list[State], after: list[State], seat: Seat) -> Estimate:
    """Return the difference of the leads of a seat in simulations of equal numbers."""
    return difference([end.lead(seat) for end in after], [end.lead(seat) for end in before])
