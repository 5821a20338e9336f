"""Effects of traits and pairs: the influence of blocks, and what is adjusted for."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.tournament.simulated_studies import arm
from vinci_tournament.balance.comparison import ArmGames, Comparison, compare
from vinci_tournament.balance.effects import CODES, FEWEST_BLOCKS, OUTCOMES, Effects, effects_of
from vinci_tournament.balance.facts import GameFacts
from vinci_tournament.balance.forms import FILES, text
from vinci_tournament.balance.inference import effects
from vinci_tournament.balance.wording import findings
from vinci_tournament.report.wording import percent, whole

NONE = dict.fromkeys(CODES, 0.0)


def fitted(games: list[GameFacts]) -> Effects:
    """Return the effects of games of which there are enough."""
    found = effects_of(games)
    assert found is not None
    return found


def test_influence_is_the_change_without_the_block() -> None:
    """The closed form agrees with a second fit without the block, but for the centre of the traits."""
    games = arm(1, "base", 40, NONE)
    whole, part = fitted(games), fitted([game for game in games if game.block != 7])
    for outcome in OUTCOMES:
        change = whole.traits[outcome].value - part.traits[outcome].value
        influence = whole.traits[outcome].influence[7]
        assert np.ptp(change - influence) < 0.02 * np.ptp(influence)


def test_true_worth_is_found() -> None:
    """In 800 games each estimate is within 4 errors of the truth relative to the mean trait, whatever was paid."""
    worth = {code: 8.0 if code == "WEA" else -6.0 if code == "LIV*" else 0.0 for code in CODES}
    games = arm(2, "base", 200, worth)
    traits = fitted(games).traits["worth"]
    truth = np.array(list(worth.values()))
    taken = np.array([sum(code in taking.traits for game in games for taking in game.takings) for code in CODES])
    error = (traits.value - (truth - truth @ taken / taken.sum())) / traits.errors
    assert np.abs(error).max() < 4
    found = effects(traits)
    assert {code for code in CODES if found[code].is_found} == {"WEA", "LIV*"}


def test_bots_and_places_are_adjusted_for() -> None:
    """A trait that only the better bot takes is worth no more for that."""
    games = []
    for game in arm(3, "base", 100, NONE):
        takings = tuple(
            taking._replace(slot=0, offered=("WEA+MIL",))
            if game.bots[taking.seat] == "strong" and not taking.round
            else taking
            for taking in game.takings
        )
        games.append(replace(game, takings=takings))
    found = effects(fitted(games).traits["margin"])
    assert not found["WEA"].is_found
    assert not found["MIL"].is_found
    strong = [vp for game in games for vp, bot in zip(game.vp, game.bots, strict=True) if bot == "strong"]
    assert np.mean(strong) > 4 + np.mean([vp for game in games for vp in game.vp])


def test_a_pair_is_measured_beyond_its_traits() -> None:
    """Two traits that are worth 12 VP more together are found as a pair; each trait alone hardly changes."""
    games = []
    for game in arm(4, "base", 150, NONE):
        vp = list(game.vp)
        takings = []
        for number, taking in enumerate(game.takings):
            if (game.block + number) % 6 == 0:
                taking = taking._replace(offered=("WEA+MED",) * 6)
                vp[taking.seat] += 12
            takings.append(taking)
        games.append(replace(game, vp=tuple(vp), takings=tuple(takings)))
    pairs = effects(fitted(games).pairs["worth"])
    assert pairs["MED+WEA"].is_found
    assert pairs["MED+WEA"].raw.value > 8


def test_places_that_win_more_are_findings() -> None:
    """The simulated first place is worth 4 VP more than the last one; the text has their intervals.

    Where the order of play is another one, no place is found.
    """
    games = arm(3, "base", 150, NONE)
    (base,) = compare([ArmGames("base", (), {4: games})])
    assert base.places[4][0].is_found
    assert base.places[4][0].raw.low > 0 > base.places[4][3].raw.high
    first = next(line for line in findings(base) if line.startswith("Place 1 of 4 in the order of play wins "))
    share = whole(base.wins[4][0], percent)
    assert f"wins {share}; an even share is 25.0 %" in first
    report = text(Comparison(("strong", "weak"), (4,), "europe", "", 600, True, "0", (base,)))
    assert share in report.partition("SEATS")[2].partition("TRAITS")[0]
    chance = np.random.default_rng(1)
    shuffled = [replace(game, order=tuple(chance.permutation(4).tolist())) for game in games]
    (other,) = compare([ArmGames("base", (), {4: shuffled})])
    assert not any(effect.is_found for effect in other.places[4])


@pytest.mark.parametrize("blocks", [1, FEWEST_BLOCKS - 1])
def test_few_games_give_no_effects(blocks: int) -> None:
    """Fewer blocks than are needed for errors give none."""
    assert effects_of(arm(5, "base", blocks, NONE)) is None


def test_an_arm_with_few_games_has_no_charts_of_effects() -> None:
    """A study that was stopped during its second arm is shown, with the effects of the first one only."""
    games = arm(3, "base", 150, NONE)
    arms = compare([ArmGames("base", (), {4: games}), ArmGames("few", (), {4: games[:8]})])
    page = FILES["balance.html"](Comparison(("strong",), (4,), "europe", "", 1200, False, "0", tuple(arms)))
    charts = page.partition('<section id="prices">')[2].partition("</section>")[0]
    assert "<h3>base</h3>" in charts
    assert "<h3>few</h3>" not in charts
    assert "<h3>Rounds: few</h3>" in page
