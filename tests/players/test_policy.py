"""The policy of computer players, and its weights."""

import ast
import doctest
from pathlib import Path
from random import Random

import pytest

from tests.support.paths import PROJECT
from tests.support.rules import at
from vinci_players import policy, weights
from vinci_players.policy import Policy
from vinci_rules.actions import Conquer, Decline, Hold
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.conquest import conquests, price
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import check, new_game, play


def test_example_in_docstring() -> None:
    """The example has the output written below it; the source is read, as a compiled module has no docstring."""
    source = PROJECT / "server" / "vinci_players" / "policy.py"
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    example = doctest.DocTestParser().get_doctest(text, dict(vars(policy)), "policy", str(source), 0)
    results = doctest.DocTestRunner().run(example)
    assert results.attempted
    assert not results.failed


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [3, 6])
def test_actions_are_legal_in_every_edition(edition: str, seats: int) -> None:
    """The policy plays legal actions from the first choice to the end, for any seat."""
    random, chance = Random(seats), FastChance(2)
    state = new_game(load_board("europe"), options((False,) * (seats - 1) + (True,), edition, target=60), chance)
    while state.phase != "over":
        action = policy.choose(state, random, policy.trained(), 3.0)
        assert check(state, action) is None, (action, check(state, action))
        play(state, action, chance)
    with pytest.raises(ValueError, match="over"):
        policy.choose(state, random, policy.trained(), 0.0)


def test_a_quick_turn_ends_where_the_next_seat_begins() -> None:
    """A quick turn plays one seat to the end of its turn, and equal random numbers repeat it."""
    ends = []
    for _ in range(2):
        state = new_game(load_board("europe"), options((False,) * 4), FastChance(1))
        while state.round < 3:
            seat, turn = state.actor, (state.round, state.turn)
            assert seat == state.order[state.turn]
            assert policy.quick_turn(state, FastChance(5), Random(state.round), policy.trained())
            assert turn != (state.round, state.turn)
        ends.append(state)
    assert ends[0] == ends[1]


def test_targets_are_the_legal_conquests_at_their_prices() -> None:
    """Targets are the provinces of the legal conquests; Spies are used only where they save pawns."""
    seen = 0
    for seed in range(6):
        random, chance = Random(seed), FastChance(seed)
        state = new_game(load_board("europe"), options((False,) * 4), chance)
        while state.phase != "over" and state.round < 5:
            if state.phase in ("start", "abandon", "conquer") and state.actor not in state.must_decline:
                legal = conquests(state)
                places, prices = policy.targets(state)
                assert sorted(places) == sorted({action.province for action in legal})
                for place, pawns in zip(places, prices, strict=True):
                    action = policy.conquest_of(state, place)
                    assert action in legal
                    assert price(state, action) == pawns
                    assert pawns == min(price(state, other) for other in legal if other.province == place)
                    seen += 1
            play(state, policy.choose(state, random, policy.trained(), 1.0), chance)
    assert seen > 500


ONLY_STOP = Policy([0.0] * 9 + [1.0, 0.0], [0.0] * len(weights.TAKE), [-1.0] + [0.0] * 9)


def test_weights_decide() -> None:
    """Weights of stopping, taking and declining decide these; without weight the first candidate is taken."""
    state = at("tiny; seat 1 | BAR+CUR reserve=9 COL=1; seat 2 | DIP+REN; seat 3 | WEA+MIL")
    assert isinstance(policy.choose(state, Random(1), ONLY_STOP, 0.0), Hold)
    greedy = Policy([1.0] + [0.0] * 9 + [0.0], ONLY_STOP.take, ONLY_STOP.decline)
    assert isinstance(policy.choose(state, Random(1), greedy, 0.0), Conquer)
    tired = Policy(greedy.conquest, greedy.take, [1.0] + [0.0] * 9)
    assert policy.choose(state, Random(1), tired, 0.0) == Decline()


def test_a_price_per_pawn_makes_cheap_conquests() -> None:
    """With weight on the price alone, the cheapest target is conquered."""
    thrifty = Policy([0.0, -1.0] + [0.0] * 7 + [-99.0, 0.0], ONLY_STOP.take, ONLY_STOP.decline)
    state = at("europe; seat 1 | BAR+CUR reserve=12; seat 2 | DIP+REN; seat 3 | WEA+MIL")
    places, prices = policy.targets(state)
    chosen = policy.conquest(state, Random(1), thrifty, 0.0)
    assert chosen is not None
    assert prices[places.index(chosen.province)] == min(prices) < max(prices)


def test_the_last_round_counts_as_none_left() -> None:
    """The estimate of the rounds left falls to 0 when the target is reached and is bounded by max_rounds."""
    state = new_game(load_board("europe"), options((False,) * 4, max_rounds=5), FastChance(1))
    assert policy.rounds_left(state) == 5
    state.vp[2] = state.options.target
    state.target_reached = True
    assert policy.rounds_left(state) == 0


def test_written_weights_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A written table is read back to four digits; an effect without lines weighs 0; another missing line or a
    word is refused.
    """
    given = {kind: [place / 7 for place, _ in enumerate(names)] for kind, names in weights.DECISIONS.items()}
    text = weights.written(given, ["source: a test"])
    table = tmp_path / "policy.csv"
    monkeypatch.setattr(weights, "DATA", tmp_path)
    for broken, fault in (
        (text.replace("take,strength,", "take,height,"), "take height, take strength"),
        (text.replace("conquest,price,0.1429", "conquest,price,cheap"), "cheap"),
    ):
        table.write_text(broken, encoding="utf-8")
        with pytest.raises(weights.WeightsError, match=fault):
            weights.read.__wrapped__()
    table.write_text("".join(line for line in text.splitlines(True) if "weapons" not in line), encoding="utf-8")
    untrained = weights.read.__wrapped__()
    assert [untrained["take"][place] for place, name in enumerate(weights.TAKE) if "weapons" in name] == [0.0, 0.0]
    assert untrained["take"][:3] == pytest.approx(given["take"][:3], rel=1e-3)
    table.write_text(text, encoding="utf-8")
    read = weights.read.__wrapped__()
    assert {kind: pytest.approx(numbers, rel=1e-3) for kind, numbers in read.items()} == given
