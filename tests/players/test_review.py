"""Review of games: bad turns, chance, undone actions, sums over a game."""

from typing import Any

import pytest

from tests.support.recorded import recorded
from tools.measure_reviews import Count, measure
from vinci_bots.builtin import selfplay
from vinci_players import review, search
from vinci_players.estimates import Course, Estimate, contradicted, difference, gain
from vinci_players.plans import Plan
from vinci_rules import notation, position, record
from vinci_rules.board import load_board
from vinci_rules.editions import options
from vinci_rules.state import Seat, State

START = (
    "tiny; rules standard target=40; seat 1 | BAR+CUR reserve=7; seat 2 | DIP+REN reserve=5; seat 3 | WEA+MIL reserve=5"
)
LAST = (
    "tiny; rules standard target=12; round 3 reached; seat 1 vp=12 | BAR+CUR reserve=9; seat 2 | DIP+REN reserve=5; "
    "seat 3 | WEA+MIL reserve=5"
)


def written(turn: review.Turn) -> list[str]:
    """Return the actions of a turn as text."""
    return [notation.write(action, turn.start.board) for action in turn.actions]


def test_turns_are_those_of_the_record_without_what_was_taken_back() -> None:
    """A turn has the actions that count; a substitute is noted."""
    typed = ["x FEN", "undo 0", "x GOR", "hold GOR=7", "substitute:x FEN", "substitute:hold FEN=5"]
    first, second = review.turns(recorded(START, typed))
    assert (first.first, first.last, first.seat, first.substituted) == (2, 4, 0, False)
    assert written(first) == ["x GOR", "hold GOR=7"]
    assert (second.first, second.last, second.seat, second.substituted) == (4, 6, 1, True)
    assert first.end == second.start


def test_a_forfeit_is_no_part_of_a_turn() -> None:
    """Actions before it are a turn of their own; the seat that forfeits is not asked for more."""
    turns = review.turns(recorded(START, ["x GOR", "forfeit 1", "x FEN", "hold FEN=5"]))
    assert [(turn.seat, written(turn)) for turn in turns] == [(0, ["x GOR"]), (1, ["x FEN", "hold FEN=5"])]


def test_a_bad_turn_loses_and_a_good_one_does_not() -> None:
    """In the last round, one province instead of several is a clear mistake; the preferred turn, played, is none."""
    (bad,) = review.turns(recorded(LAST, ["x GOR", "hold GOR=9"]))
    found = review.review(bad, 1, 30)
    assert found.loss.mean - found.loss.half > 2
    assert found.vp_loss.mean > 2
    assert found.now == found.vp_loss.mean  # the game ends with this round
    assert found.choices > 5
    preferred = [notation.write(action, bad.start.board) for action in found.preferred]
    (good,) = review.turns(recorded(LAST, preferred))
    again = review.review(good, 1, 30)
    assert again.preferred == found.preferred
    assert again.loss == Estimate(0.0, 0.0)
    assert again.leads[0].mean > found.leads[0].mean


def test_a_turn_that_wins_all_the_same_is_no_mistake() -> None:
    """It loses of the lead, but the seat wins in every simulation."""
    (turn,) = review.turns(recorded(LAST, ["x GOR", "hold GOR=9"]))
    found = review.review(turn, 1, 30)
    assert found.loss.mean > found.loss.half
    assert review.player(Seat(0), [turn], [found]).mistakes == 0
    behind = LAST.replace("seat 2 |", "seat 2 vp=14 |")
    (turn,) = review.turns(recorded(behind, ["x GOR", "hold GOR=9"]))
    found = review.review(turn, 1, 30)
    assert review.player(Seat(0), [turn], [found]).mistakes == 1
    assert review.player(Seat(0), [turn._replace(suggested=True)], [found]).mistakes == 0


def test_a_turn_that_beats_all_of_the_search_is_the_preferred_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """It loses nothing, whether the search itself finds that or only the simulations after it."""
    (good,) = review.turns(recorded(LAST, ["x ARA", "x COL", "x ERB", "hold ARA=3 COL=3 ERB=3"]))
    (bad,) = review.turns(recorded(LAST, ["x GOR", "hold GOR=9"]))
    poor = Plan(bad.actions)
    monkeypatch.setattr(review, "plans", lambda *_: [poor, Plan(bad.actions)])
    found = review.review(good, 1, 30)
    assert (found.preferred, found.loss, found.vp_loss) == (good.actions, Estimate(0.0, 0.0), Estimate(0.0, 0.0))
    monkeypatch.setattr(search, "sifted", lambda *_, **__: [poor])
    assert review.review(good, 1, 30) == found


def test_a_difference_is_a_mean_of_simulations_to_the_end_and_to_the_horizon() -> None:
    """The horizon counts twice, in the lead and in the VP of the seat; without it the ends count alone."""
    end = position.read(START.replace("seat 1 |", "seat 1 vp=20 |"))
    better, best = end.copy(), end.copy()
    better.vp[0], best.vp[0] = 23, 26
    poor = Course([end, end], [[30.0, 10.0, -90.0], [30.0, 10.0, -90.0]])
    good = Course([better, best], [[31.0, 10.0, -90.0], [33.0, 10.0, -90.0]])
    ends, ahead = difference([3.0, 6.0], [0.0, 0.0]), difference([1.0, 3.0], [0.0, 0.0])
    assert gain(good._replace(expected=[]), poor, Seat(0)) == (ends, ends)
    half = ((ends.half**2 + 4 * ahead.half**2) ** 0.5) / 3
    for found in gain(good, poor, Seat(0)):
        assert found.mean == pytest.approx((4.5 + 2 * 2.0) / 3)
        assert found.half == pytest.approx(half)


def test_a_turn_is_worse_only_if_neither_kind_of_simulations_contradicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn that is better by the mean of both, but clearly worse by one, is as good, and the turn played preferred."""
    end = position.read(START.replace("seat 1 |", "seat 1 vp=20 |"))
    worse = end.copy()
    worse.vp[0] = 18
    low, high = ([[vp, 10.0, 10.0]] * 2 for vp in (20.0, 30.0))
    for of, to, is_so in (
        (Course([worse] * 2, high), Course([end] * 2, low), True),
        (Course([end] * 2, low), Course([worse] * 2, high), True),
        (Course([end] * 2, high), Course([worse] * 2, low), False),
        (Course([worse] * 2, []), Course([end] * 2, []), True),
    ):
        assert contradicted(of, to, Seat(0)) == is_so
    (bad,) = review.turns(recorded(LAST, ["x GOR", "hold GOR=9"]))
    assert review.review(bad, 1, 30).preferred != bad.actions
    monkeypatch.setattr(review, "contradicted", lambda *_: True)
    found = review.review(bad, 1, 30)
    assert (found.preferred, found.loss, found.vp_loss) == (bad.actions, Estimate(0.0, 0.0), Estimate(0.0, 0.0))


def test_only_without_dummies_a_review_looks_to_the_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a dummy turns are compared by the ends of games alone, as dummies are simulated as they play."""
    looks, real = list[State](), search.expected

    def counted(state: State, *given: Any) -> list[float]:
        looks.append(state)
        return real(state, *given)

    monkeypatch.setattr(search, "expected", counted)
    for dummy in (True, False):
        rules = options((False, False, dummy), "standard", target=20)
        played = selfplay.play(["random", "random", "dummy" if dummy else "random"], load_board("tiny"), rules, "look")
        losses = [review.review(turn, 1, 8).loss for turn in review.turns(played.lines) if turn.decided]
        assert any(loss.mean > loss.half for loss in losses)
        assert bool(looks) != dummy


@pytest.mark.slow
def test_turns_of_strong_players_seldom_beat_the_preferred_ones() -> None:
    """By simulations of other numbers, since the review takes the turn played where its own find that better."""
    count = Count()
    for game in range(6):
        rules = options((False,) * 3, "standard", target=50)
        played = selfplay.play(["expert:400"] * 3, load_board("tiny"), rules, f"turns-{game}")
        found = measure(played.lines, str(game), 80)
        count = Count._make(one + other for one, other in zip(count, found, strict=True))
    assert count.turns > 180
    assert count.preferred > 10
    assert count.better <= 0.05 * count.turns


def test_reviews_are_reproducible_and_do_not_change_the_game() -> None:
    """Equal seeds give equal reviews, others other ones."""
    (turn,) = review.turns(recorded(START, ["x GOR", "hold GOR=7"]))
    text = position.write(turn.start)
    assert review.review(turn, 5, 8) == review.review(turn, 5, 8)
    assert review.review(turn, 5, 8) != review.review(turn, 6, 8)
    assert review.start(turn.start, 5, 8) == review.start(turn.start, 5, 8)
    assert position.write(turn.start) == text


def test_luck_is_the_effect_of_draws_alone() -> None:
    """A turn without draws has none; that of a civilization taken is the same, however the turn was chosen."""
    (plain,) = review.turns(recorded(START, ["x GOR", "hold GOR=7"]))
    assert review.review(plain, 1, 8).luck == [Estimate(0.0, 0.0)] * 3
    (taken, *_rest) = review.turns(
        recorded("tiny; rules standard target=40; round 0; seat 1; seat 2; seat 3", ["take 1"])
    )
    drawn = review.review(taken, 1, 20)
    assert drawn.luck != [Estimate(0.0, 0.0)] * 3
    skipped = review.review(taken, 1, 20, compared=False)
    assert (skipped.preferred, skipped.choices, skipped.luck) == ([], 0, drawn.luck)


def test_a_whole_game_is_reviewed() -> None:
    """A player at random is less accurate than a strong one; dummies are lucky or not, but are not judged."""
    players = ["hard:20", "random", "dummy"]
    rules = options((False, False, True), "standard", target=40)
    played = selfplay.play(players, load_board("tiny"), rules, "review")
    turns = review.turns(played.lines)
    reviews = [review.review(turn, number, 10) for number, turn in enumerate(turns)]
    strong, weak, dummy = (review.player(Seat(seat), turns, reviews) for seat in range(3))
    assert strong.accuracy > weak.accuracy + 20
    assert weak.lowest < weak.accuracy < weak.highest
    assert weak.mistakes > strong.mistakes
    assert (dummy.turns, dummy.accuracy) == (0, 100.0)
    assert strong.dummies != Estimate(0.0, 0.0)
    wins = [review.start(turns[0].start, 0, 10)[1], *(found.wins for found in reviews)]
    points = review.turning_points(wins, turns)
    assert 1 <= len(points) <= review.MOST_TURNING_POINTS
    changes = [abs(point.after - point.before) for point in points]
    assert changes == sorted(changes, reverse=True)
    assert all(sum(share.mean for share in shares) == pytest.approx(1) for shares in wins)


def test_accuracy_falls_with_losses_and_stays_within_bounds() -> None:
    """It is 100 without a loss, also where turns were better than the preferred ones."""
    values = [review.accuracy(loss) for loss in (-3.0, 0.0, 1.0, 10.0, 1000.0)]
    assert values[:2] == [100.0, 100.0]
    assert values == sorted(values, reverse=True)
    assert values[2] == pytest.approx(90.5, abs=0.1)
    assert values[4] >= 0


def test_a_wrong_record_is_refused() -> None:
    """The error names the line."""
    lines = recorded(START, ["x GOR", "hold GOR=7"])
    with pytest.raises(record.RecordError, match="line 2"):
        review.turns([lines[0], lines[1].replace("x GOR", "x XXX")])
