"""Random legal games of every kind, and the invariants after every action."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vinci_rules import conquest, dummy, notation, position
from vinci_rules.actions import Abandon, Action, Conquer, Decline, Forfeit, Hold, Peace, Redeploy, Stay, Take
from vinci_rules.board import MOST_PROVINCES, Province, board_names, load_board, members
from vinci_rules.chance import FairChance, FastChance, RecordedChance, RecordingChance
from vinci_rules.editions import EDITIONS, Options, Setting, option_kinds, options
from vinci_rules.engine import (
    EXPANSION_PHASES,
    IllegalAction,
    apply,
    check,
    default_action,
    legal_actions,
    new_game,
    open_decision,
    suggestion,
)
from vinci_rules.events import (
    CivilizationTaken,
    Conquered,
    Declined,
    DeclineVanished,
    EmpireCollapsed,
    Evacuated,
    Event,
    GameOver,
    Reorganised,
    Scored,
    TargetReached,
    TurnStarted,
)
from vinci_rules.market import full_bag
from vinci_rules.phases import PHASES
from vinci_rules.position import PositionError
from vinci_rules.state import Seat, State

FEW = settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))

SETTINGS: list[tuple[str, Setting]] = [(kind.name, value) for kind in option_kinds() for value in kind.values]
SETTINGS += [
    ("target", 25),
    ("target", 60),
    ("dummy_start_vp", 15),
    ("dummy_extra_pawns", 0),
    ("dummy_extra_pawns", 20),
]


@dataclass
class Play:
    """The setup of a random game, and the tendencies of its players."""

    board: str
    options: Options
    seed: int
    eager: float
    forfeits: bool


def games(edition: str, seats: int) -> st.SearchStrategy[Play]:
    """Games of one edition and table size: either board, any dummies, up to two options changed."""
    changes = st.lists(st.sampled_from(SETTINGS), max_size=2).map(dict)
    settled = st.builds(
        lambda dummies, changed, rounds: options(tuple(dummies), edition, **changed | {"max_rounds": rounds}),
        st.lists(st.booleans(), min_size=seats, max_size=seats) | st.just([False] * seats),
        changes,
        st.sampled_from([9, 14, 4, 25, 1]),
    )
    eager = st.sampled_from([0.5, 0.8, 0.95])
    return st.builds(Play, st.sampled_from(board_names()), settled, st.integers(0, 10**6), eager, st.booleans())


@dataclass
class Account:
    """Pawns and VP computed from the events: of active and declined empires by seat, and neutral ones."""

    active: Counter[Seat] = field(default_factory=Counter)
    declined: Counter[Seat] = field(default_factory=Counter)
    neutral: int = 0
    vp: Counter[Seat] = field(default_factory=Counter)

    def copy(self) -> "Account":
        """Return an independent copy."""
        return Account(Counter(self.active), Counter(self.declined), self.neutral, Counter(self.vp))

    def book(self, events: list[Event]) -> None:
        """Add the changes of an event."""
        for event in events:
            match event:
                case CivilizationTaken():
                    assert self.active[event.seat] == 0
                    self.active[event.seat] = event.pawns
                    self.vp[event.seat] += event.received - event.paid
                case TurnStarted():
                    self.active[event.seat] += event.by_medicine + event.by_general
                case Conquered():
                    assert event.lost == (event.held != "nobody")
                    assert (event.defender is None) == (event.held in ("nobody", "neutral"))
                    if event.held == "neutral":
                        self.neutral -= event.lost
                    elif event.defender is not None:
                        (self.active if event.held == "active" else self.declined)[event.defender] -= event.lost
                case EmpireCollapsed():
                    self.active[event.seat] -= event.pawns
                case Reorganised():
                    self.active[event.seat] -= event.by_general + event.lost
                case Declined():
                    self.active[event.seat] -= event.pawns + event.provinces.bit_count()
                    assert self.active[event.seat] == 0
                    self.declined[event.seat] = event.provinces.bit_count()
                case DeclineVanished() | Evacuated():
                    self.declined[event.seat] -= event.provinces.bit_count()
                case Scored():
                    assert event.vp == sum(item.vp for item in event.items)
                    self.vp[event.seat] += event.vp
                    assert self.vp[event.seat] == event.total
                case TargetReached():
                    assert self.vp[event.seat] == event.vp

    def audit(self, state: State) -> None:
        """Check that the position has exactly these pawns and VP, and no pawn outside an empire."""
        garrisons = held = 0
        for number in state.seats():
            seat = Seat(number)
            active, declined = state.active[seat], state.declined[seat]
            placed = sum(state.garrison[p] for p in members(active.provinces)) if active is not None else 0
            aside = state.survivors[seat]
            assert self.active[seat] == placed + aside + (active.reserve if active is not None else 0)
            assert active is not None or aside == 0
            assert self.declined[seat] == (declined.provinces.bit_count() if declined is not None else 0)
            assert declined is None or all(state.garrison[p] == 1 for p in members(declined.provinces))
            assert self.vp[seat] == state.vp[seat] >= 0
            garrisons += placed + self.declined[seat]
            for empire in (active, declined):
                assert empire is None or not held & empire.provinces
                held |= empire.provinces if empire is not None else 0
        assert self.neutral == state.neutral.bit_count()
        assert all(state.garrison[p] == 1 for p in members(state.neutral))
        assert sum(state.garrison) == garrisons + self.neutral
        assert min(state.garrison) >= 0
        assert not held & state.neutral
        assert not state.forts & ~held


def traits_out(state: State) -> tuple[int, ...]:
    """Return all traits in play and in the bag, by kind."""
    total = list(state.bag)
    empires = [empire.traits for empire in (*state.active, *state.declined) if empire is not None]
    for traits in (*empires, *(civilization.traits for civilization in state.market)):
        for trait in traits:
            total[trait] += 1
    return tuple(total)


def conceivable(state: State) -> Iterator[Action]:
    """Return every action that could be listed, and some that never can."""
    yield from (Take(slot) for slot in range(-1, 8))
    yield from (Decline(), Stay())
    yield from (Peace(Seat(seat)) for seat in range(-1, 7))
    for p in (*state.board.provinces, Province(MOST_PROVINCES - 1)):
        yield from (Abandon(p), Conquer(p), Conquer(p, spies=True))


def changed(state: State, action: Hold | Redeploy, random: Random) -> Hold | Redeploy:
    """Return the suggestion with a pawn moved, added or dropped, or a province doubled; legal or not."""
    pawns = dict(action.pawns)
    somewhere = random.choice(state.board.provinces)
    forts = action.forts if isinstance(action, Hold) else ()
    match random.randrange(8):
        case 0 | 1 if pawns:
            one, other = random.choice(list(pawns)), random.choice(list(pawns))
            pawns[one] -= 1
            pawns[other] += 1
        case 2 if pawns:
            gone = pawns.pop(random.choice(list(pawns)))
            if pawns and random.random() < 0.7:
                pawns[random.choice(list(pawns))] += gone
        case 3:
            pawns[somewhere] = pawns.get(somewhere, 0) + random.choice((-1, 1))
        case 4:
            return type(action)((*action.pawns, (somewhere, 1)))
        case 5:
            forts = tuple(sorted(random.sample(state.board.provinces, random.randint(1, 3))))
        case 6:
            forts = tuple(sorted(random.choices(list(pawns) or [somewhere], k=random.randint(1, 2))))
        case _:
            held = members(state.empire().provinces)
            kept = random.sample(held, random.randint(0, len(held)))
            total = sum(pawns.values())
            pawns = dict.fromkeys(kept, 1)
            if kept:
                pawns[random.choice(kept)] += total - len(kept)
    placement = tuple(sorted((p, number) for p, number in pawns.items() if number or random.random() < 0.1))
    return Hold(placement, forts) if isinstance(action, Hold) else Redeploy(placement)


def next_action(state: State, play: Play, random: Random) -> Action:
    """Return a random legal action, conquests more often than their end."""
    if state.options.dummies[state.actor]:
        return dummy.choose(state, FastChance(random.randrange(10**6)))
    if play.forfeits and random.random() < 0.005:
        return Forfeit(Seat(random.choice([seat for seat in state.seats() if seat not in state.forfeited])))
    listed = legal_actions(state)
    if open_decision(state) and (not listed or random.random() > play.eager):
        for _ in range(4):
            other = changed(state, suggestion(state), random)
            if check(state, other) is None:
                return other
        return suggestion(state)
    conquests = [action for action in listed if isinstance(action, Conquer)]
    return random.choice(conquests if conquests and random.random() < play.eager else listed)


def compare_listed_with_checked(state: State, random: Random) -> None:
    """`legal_actions`, `check` and `apply` agree about every action; a refusal leaves the state alone."""
    before = state.copy()
    listed = legal_actions(state)
    assert len(set(listed)) == len(listed)
    legal = [action for action in conceivable(state) if check(state, action) is None]
    assert set(legal) == set(listed)
    assert bool(listed) or open_decision(state) is not None
    for action in conceivable(state):
        if action in legal:
            copy = state.copy()
            apply(copy, action, FastChance(0))
            assert copy != state
        else:
            with pytest.raises(IllegalAction) as refused:
                apply(state, action, FastChance(0))
            assert refused.value.violation == check(state, action)
    assert state == before
    for wrong in (Hold(), Redeploy(()), Forfeit(Seat(9)), Forfeit(Seat(-1))):
        if check(state, wrong) is not None:
            with pytest.raises(IllegalAction):
                apply(state, wrong, FastChance(0))
    assert state == before


def try_open_decision(state: State, account: Account, random: Random) -> None:
    """Forms of `hold` and `redeploy`: what `check` allows can be played and keeps the account, the rest is refused."""
    if open_decision(state) is None:
        return
    before = state.copy()
    for _ in range(12):
        action = changed(state, suggestion(state), random)
        copy, after, events = state.copy(), account.copy(), list[Event]()
        if check(state, action) is None:
            apply(copy, action, FastChance(0), events)
            after.book(events)
            after.audit(copy)
        else:
            with pytest.raises(IllegalAction):
                apply(copy, action, FastChance(0), events)
            assert copy == state
            assert events == []
    assert state == before


def look_at(state: State, account: Account, random: Random) -> None:
    """Check the invariants of every position."""
    account.audit(state)
    assert traits_out(state) == full_bag(state.options.deck)
    assert len(state.market) == 6
    if state.phase in EXPANSION_PHASES and state.active[state.actor] is not None:
        kept, fresh = conquest.campaign_of(state), conquest.new_campaign(state)
        assert kept.reachable == fresh.reachable
        assert [kept.costs[p] for p in members(fresh.reachable)] == [fresh.costs[p] for p in members(fresh.reachable)]
        if fresh.reachable:
            p = random.choice(members(fresh.reachable))
            assert max(0, sum(pawns for _, pawns in conquest.cost_items(state, p))) == conquest.cost(state, p)
    if state.phase == "over":
        assert legal_actions(state) == []
        assert open_decision(state) is None
        return
    assert check(state, default_action(state)) is None
    assert check(state, dummy.advise(state)) is None
    if open_decision(state) is not None:
        assert check(state, suggestion(state)) is None
        assert type(suggestion(state)) is (Redeploy if open_decision(state) == "redeploy" else Hold)


def look_closer(state: State, account: Account, random: Random) -> None:
    """Check the invariants that are too slow for every position."""
    copy = state.copy()
    assert copy == state
    text = position.write(state)
    assert position.read(text) == state
    if state.phase != "over":
        compare_listed_with_checked(state, random)
        try_open_decision(state, account, random)
        for _ in range(3):
            if copy.phase != "over":
                apply(copy, default_action(copy), FastChance(0))
        assert copy != state
    assert position.write(state) == text


def play_through(play: Play) -> State:
    """Play a random game and look at it after every action."""
    random = Random(play.seed)
    chance = FairChance(str(play.seed))
    events: list[Event] = []
    state = new_game(load_board(play.board), play.options, chance, events)
    account = Account(neutral=state.neutral.bit_count(), vp=Counter({Seat(s): state.vp[s] for s in state.seats()}))
    account.book(events)
    look_at(state, account, random)
    for _ in range(play.options.max_rounds * play.options.seats * 200 + 100):
        if state.phase == "over":
            break
        if random.random() < 0.06:
            look_closer(state, account, random)
        action = next_action(state, play, random)
        assert notation.read(notation.write(action, state.board), state.board) == action
        before, phase = state.copy(), state.phase
        drawn = RecordingChance(chance)
        events = []
        apply(state, action, drawn, events)
        assert isinstance(action, Forfeit) or state.phase in PHASES[phase][type(action)]
        seat = action.seat if isinstance(action, Forfeit) else before.actor
        assert any(getattr(event, "seat", None) == seat for event in events), "every action is told"
        account.book(events)
        look_at(state, account, random)
        again: list[Event] = []
        recorded = RecordedChance(drawn.picks)
        apply(before, action, recorded, again)
        recorded.finish()
        assert (before, again) == (state, events)
    assert state.phase == "over"
    assert state.round <= play.options.max_rounds
    assert isinstance(events[-1], GameOver)
    assert events[-1].vp == tuple(state.vp)
    look_closer(state, account, random)
    return state


@pytest.mark.rule("R-END-5")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("edition", EDITIONS)
@FEW
@given(data=st.data())
def test_random_games(edition: str, seats: int, data: st.DataObject) -> None:
    """Games end in time, pawns and traits are conserved, and everything that says what is legal agrees."""
    play_through(data.draw(games(edition, seats)))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("edition", EDITIONS)
@MANY
@given(data=st.data())
def test_many_random_games(edition: str, seats: int, data: st.DataObject) -> None:
    """The same with many more games."""
    play_through(data.draw(games(edition, seats)))


@pytest.mark.parametrize(("name", "value"), SETTINGS)
def test_a_game_with_one_option_changed(name: str, value: Setting) -> None:
    """Every value of every option is played at a table with and without dummies."""
    for dummies in ((False,) * 3, (True, False, True, False)):
        changed: dict[str, Setting] = {name: value, "max_rounds": 6}
        settled = options(dummies, "standard", **changed)
        play_through(Play("tiny", settled, 11, 0.8, forfeits=False))


@pytest.mark.rule("R-END-5")
def test_a_game_ends_within_a_hundred_rounds_whatever_is_played() -> None:
    """Seats that never conquer more than they must come to the last round."""
    state = new_game(load_board("tiny"), options((False,) * 3, target=9999), FairChance("1"))
    while state.phase != "over":
        apply(state, default_action(state), FairChance("1"))
    assert state.round == 100


# Positions that do not occur in games


def from_text(text: str) -> State | None:
    """Return the position of a text, or None if it is invalid."""
    try:
        return position.read(text)
    except PositionError:
        return None


WELL = """
    tiny ; round 2 ; turn 1 start ; seat 1 | WEA+SPI reserve=3 ARA | - ERB ;
    seat 2 dummy | BAR+CUR GOR=4 ; seat 3 vp=30 | DIP+SLA reserve=2 ; neutral FEN
"""
WORDS = """
    tiny europe rules standard FR NL DE give_up=free round 0 2 3 reached order 1 turn start peace abandon conquer
    renaissance redeploy=2 draft over seat dummy vp=30 survivors=1 peace=2 must_decline forfeited=1 | - ; AGR+LIV
    WEA+MIL MIN* DIP+SPE GEN+MED reserve=3 ARA BOS=2 COL=0 DOL^ ERB FEN=4^ GOR HAM neutral market BAR+CUR:2 fills 7
"""


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 2), st.sampled_from(WORDS.split())), max_size=4))
def test_any_text_is_a_position_or_a_position_error(edits: list[tuple[int, int, str]]) -> None:
    """Any text gives a state that survives writing and reading, or a list of faults."""
    words = WELL.split()
    for place, kind, word in edits:
        at = place % len(words)
        words[at : at + (kind > 0)] = [word] if kind < 2 else []
    state = from_text(" ".join(words))
    if state is not None:
        assert position.read(position.write(state)) == state
