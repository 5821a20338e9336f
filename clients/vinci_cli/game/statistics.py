"""Statistics of a game from its updates: VP, turns and civilizations. It knows no rules and draws nothing."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, final

from vinci.v1 import game_pb2, match_pb2

from .replay import lasting

LAND: Final = "province"
"""The source of the VP that every province scores, as the server calls it."""


@final
@dataclass(slots=True)
class CivilizationStatistics:
    """A civilization that a seat has played.

    Attributes:
        traits: codes of its traits. taken: the round in which it was taken; 0 for the opening draft.
        paid, received: VP for it and with it.
        active, as_declined: VP by source, while it was active and in decline.
        declined: the round in which it declined; None for never.
    """

    seat: int
    traits: tuple[str, ...]
    taken: int
    paid: int = 0
    received: int = 0
    active: Counter[str] = field(default_factory=Counter)
    as_declined: Counter[str] = field(default_factory=Counter)
    declined: int | None = None

    def earned(self) -> int:
        """Return the VP that it scored, active and in decline, without price and markers."""
        return sum(self.active.values()) + sum(self.as_declined.values())


@final
@dataclass(frozen=True, slots=True)
class TurnScore:
    """The score of a seat at the end of a turn."""

    round: int
    seat: int
    vp: int
    traits: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Thought:
    """Thinking time of a seat: number of decisions, seconds of all of them and of the longest."""

    decisions: int
    seconds: float
    longest: float


@final
@dataclass(slots=True)
class GameStatistics:
    """Figures of a game.

    Attributes:
        rounds: the rounds that were played, from the one in which the story starts.
        vp: for each seat its VP at the end of each of these rounds, the last one being its score.
        start: VP of each seat before the first action.
        ranks: of each seat, seat 1 first; empty if the game is not over.
        civilizations: in the order in which they were taken. turns: every score, in order.
        target: VP that end the game.
        forfeited: seats that left the game.
        thought: by seat, as far as it is known.
    """

    start: tuple[int, ...]
    target: int
    rounds: list[int] = field(default_factory=list)
    vp: dict[int, list[int]] = field(default_factory=dict)
    ranks: tuple[int, ...] = ()
    civilizations: list[CivilizationStatistics] = field(default_factory=list)
    turns: list[TurnScore] = field(default_factory=list)
    forfeited: set[int] = field(default_factory=set)
    thought: dict[int, Thought] = field(default_factory=dict)

    def score(self, seat: int) -> int:
        """Return the score of a seat at the end."""
        return self.vp[seat][-1]

    def ranking(self) -> list[tuple[int, int]]:
        """Return (rank, seat), best first; by score while the game is not over."""
        scores = [self.score(seat) for seat in sorted(self.vp)]
        ranks = self.ranks or [1 + sum(other > score for other in scores) for score in scores]
        return sorted((rank, seat) for seat, rank in enumerate(ranks, start=1))

    def civilizations_of(self, seat: int) -> list[CivilizationStatistics]:
        """Return the civilizations of a seat in the order in which they were taken."""
        return [civilization for civilization in self.civilizations if civilization.seat == seat]

    def sources(self, seat: int) -> tuple[int, int, int]:
        """Return the VP of a seat by active and by declined civilizations, and the balance of their prices."""
        own = self.civilizations_of(seat)
        active = sum(sum(civilization.active.values()) for civilization in own)
        declined = sum(sum(civilization.as_declined.values()) for civilization in own)
        return active, declined, sum(civilization.received - civilization.paid for civilization in own)

    def biggest(self, number: int) -> list[TurnScore]:
        """Return the turns that scored most, best first, the earlier of equal ones first."""
        return sorted(self.turns, key=lambda turn: -turn.vp)[:number]


def story(updates: Iterable[game_pb2.Update], times: Iterable[match_pb2.DecisionTime] = ()) -> GameStatistics:
    """Return the statistics of a game from its updates, the first with the position before the first action."""
    played = lasting(updates)
    game = _started(played[0].state)
    active = {civilization.seat: civilization for civilization in game.civilizations if civilization.declined is None}
    declined = {
        civilization.seat: civilization for civilization in game.civilizations if civilization.declined is not None
    }
    for update in played:
        for event in update.events:
            _note(event, game, active, declined)
    game.thought = _thoughts(times)
    return game


def _started(state: game_pb2.State) -> GameStatistics:
    game = GameStatistics(tuple(seat.vp for seat in state.seats), state.target, [state.round])
    for seat in state.seats:
        game.vp[seat.seat] = [seat.vp]
        if seat.HasField("declined"):
            traits = tuple(seat.declined.traits)
            game.civilizations.append(CivilizationStatistics(seat.seat, traits, state.round, declined=state.round))
        if seat.HasField("active"):
            game.civilizations.append(CivilizationStatistics(seat.seat, tuple(seat.active.traits), state.round))
    return game


def _note(
    event: game_pb2.Event,
    game: GameStatistics,
    active: dict[int, CivilizationStatistics],
    declined: dict[int, CivilizationStatistics],
) -> None:
    now = game.rounds[-1]
    match event.WhichOneof("kind"):
        case "turn_started" if event.turn_started.round != now:
            game.rounds.append(event.turn_started.round)
            for vp in game.vp.values():
                vp.append(vp[-1])
        case "civilization_taken":
            taken = event.civilization_taken
            civilization = CivilizationStatistics(taken.seat, tuple(taken.traits), now, taken.paid, taken.received)
            active[taken.seat] = civilization
            game.civilizations.append(civilization)
            game.vp[taken.seat][-1] += taken.received - taken.paid
        case "declined":
            declined[event.declined.seat] = civilization = active.pop(event.declined.seat)
            civilization.declined = now
        case "scored":
            scored = event.scored
            game.vp[scored.seat][-1] += scored.vp
            own = active.get(scored.seat)
            game.turns.append(TurnScore(now, scored.seat, scored.vp, () if own is None else own.traits))
            for item in scored.items:
                if item.empire == game_pb2.HOLDING_DECLINED:
                    declined[scored.seat].as_declined[item.source] += item.vp
                elif own is not None:
                    own.active[item.source] += item.vp
        case "seat_forfeited":
            game.forfeited.add(event.seat_forfeited.seat)
        case "game_over":
            game.ranks = tuple(event.game_over.ranks)


def _thoughts(times: Iterable[match_pb2.DecisionTime]) -> dict[int, Thought]:
    by_seat: dict[int, list[float]] = {}
    for time in times:
        by_seat.setdefault(time.seat, []).append(time.think / 1000)
    return {seat: Thought(len(taken), sum(taken), max(taken)) for seat, taken in sorted(by_seat.items())}
