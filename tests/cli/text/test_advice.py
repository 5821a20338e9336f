"""Sentences for the reasons of a suggestion."""

from typing import Final

import pytest

from vinci.v1 import game_pb2 as pb
from vinci_cli.records.loader import names_of
from vinci_cli.text import advice, i18n
from vinci_rules.board import load_board

NAMES: Final = names_of(load_board("europe"), ("Ann", "Bob", "Cleo"))
MARKET: Final = [pb.MarketSlot(traits=["WEA", "MIL"]), pb.MarketSlot(traits=["BAR", "CUR"])]
ADVICE: Final = pb.Advice(
    seat=1,
    plan=["x ALP", "hold ALP=3"],
    vp=pb.Estimate(mean=80.25, half_width=1.5),
    margin=pb.Estimate(mean=4.0, half_width=2.0),
    rival=3,
    rival_vp=76.0,
    threat=pb.Threat(seat=2, vp=2.5, provinces=["ALP", "LOM"], shares=[0.5, 0.25]),
    decline=pb.DeclineAdvice(slot=2, gain=pb.Estimate(mean=-6.0, half_width=2.0)),
    simulations=100,
)


def changed(**fields: object) -> pb.Advice:
    """Return the advice with other fields."""
    result = pb.Advice()
    result.CopyFrom(ADVICE)
    result.MergeFrom(pb.Advice(**fields))  # type: ignore[arg-type]
    return result


def test_reasons_in_words() -> None:
    """The plan is in words; numbers have intervals, and the last sentence says of what."""
    assert advice.reasons(ADVICE, MARKET, NAMES) == [
        "The whole turn: conquer the Alps; defend with Alps 3",
        "At the end of the game Ann (1) would have about 80.2 ± 1.5 VP, 4.0 ± 2.0 VP more than the best opponent, usually Cleo (3).",
        "Main threat until your next turn: Bob (2) may take the Alps and Lombardy. On average over the simulated games this costs you "
        "2.5 VP a turn.",
        "By the end of the game, declining now and taking Barbarians+Currency is 6.0 ± 2.0 VP worse than going on.",
        "± is the error of the mean of 100 simulations; a single game can end much further from it.",
    ]


def test_reasons_that_do_not_apply_are_left_out() -> None:
    """A plan of one action, no threat, no decline, and a slot that the market does not have."""
    short = pb.Advice(seat=1, plan=["take 1"], vp=ADVICE.vp, margin=pb.Estimate(mean=-4.0, half_width=2.0), rival=2)
    behind = "At the end of the game Ann (1) would have about 80.2 ± 1.5 VP, 4.0 ± 2.0 VP less than the best opponent, usually Bob (2)."
    basis = "A suggestion counts the price and all turns to the end of the game; the list tells only what each would score a turn now."
    assert advice.reasons(short, MARKET, NAMES) == [behind, basis]
    short.next_taken.plan.append("take 3")
    assert advice.reasons(short, MARKET, NAMES) == [behind, basis]
    short.decline.slot = 3
    assert advice.reasons(short, MARKET, NAMES) == [behind, basis]


@pytest.mark.parametrize(
    ("mean", "words"),
    [
        (-3.0, "is Barbarians+Currency: with it, your result against the best opponent is 3.0 ± 2.0 VP worse"),
        (-1.0, "Barbarians+Currency, is about as good: -1.0 ± 2.0 VP"),
    ],
)
def test_next_civilization_is_compared(mean: float, words: str) -> None:
    """The best plan that takes another civilization is worse only by a clear difference."""
    other = pb.ActionComparison(plan=["take 2", "x ALP"], margin=pb.Estimate(mean=mean, half_width=2.0))
    drafted = pb.Advice(seat=1, plan=["take 1"], vp=ADVICE.vp, margin=ADVICE.margin, rival=2, next_taken=other)
    assert words in advice.reasons(drafted, MARKET, NAMES)[1]


@pytest.mark.parametrize(
    ("mean", "words"),
    [(3.0, "is 3.0 ± 2.0 VP better"), (-3.0, "is 3.0 ± 2.0 VP worse"), (1.0, "as good as going on: +1.0 ± 2.0 VP")],
)
def test_only_a_clear_difference_is_better_or_worse(mean: float, words: str) -> None:
    """A decline is better or worse if the interval of the difference does not contain 0."""
    found = changed(decline=pb.DeclineAdvice(gain=pb.Estimate(mean=mean, half_width=2.0)))
    assert words in advice.reasons(found, MARKET, NAMES)[-2]


def test_an_action_is_compared() -> None:
    """Differences have signs; the best plan itself is no comparison."""
    other = pb.ActionComparison(
        plan=["hold ALP=3"], vp=pb.Estimate(mean=-2.0, half_width=1.0), margin=pb.Estimate(mean=-0.01, half_width=1.0)
    )
    assert advice.compared(changed(comparison=other), MARKET, NAMES) == (
        "Beginning with “defend with Alps 3 (hold ALP=3)” instead of “conquer the Alps (x ALP)” changes your VP at the end of the game by -2.0 ± 1.0, and your result against the best opponent by +0.0 ± 1.0 VP. "
        "± is the error of the mean of 100 simulations; a single game can end much further from it."
    )
    same = advice.compared(changed(comparison=pb.ActionComparison(plan=ADVICE.plan)), MARKET, NAMES)
    assert same.startswith(
        "The best turn that was found begins like this. At the end of the game Ann (1) would have about 80.2 ± 1.5 VP"
    )


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("take 2", "take Barbarians+Currency"),
        ("peace 2", "peace with Bob (2)"),
        ("abandon ALP", "abandon the Alps"),
        ("x ALP spy", "conquer the Alps"),
        ("hold ALP=3 LOM=2 fort ALP LOM", "defend with Alps 3, Lombardy 2; fortify the Alps and Lombardy"),
        ("hold", "conquer nothing"),
        ("redeploy ALP=1 LOM=2", "place Alps 1, Lombardy 2"),
        ("stay", "do not decline"),
        ("decline", "decline"),
        ("take 9", "take 9"),
        ("jump ALP", "jump ALP"),
    ],
)
def test_actions_are_told_in_words_and_as_they_are_typed(action: str, said: str) -> None:
    """An action without words, such as one of a newer server, is shown as it is."""
    assert advice.typed(action, MARKET, NAMES) == (said if said == action else f"{said} ({action})")


@pytest.mark.parametrize("language", ["fr", "nl", "de"])
def test_reasons_are_translated(language: str) -> None:
    """Every sentence differs from English, and decimals have a comma."""
    english = advice.reasons(ADVICE, MARKET, NAMES)
    i18n.choose(language)
    try:
        translated = advice.reasons(ADVICE, MARKET, NAMES)
    finally:
        i18n.choose("en")
    assert len(translated) == len(english)
    assert not set(translated) & set(english)
    assert "80,2 ± 1,5" in translated[1]
