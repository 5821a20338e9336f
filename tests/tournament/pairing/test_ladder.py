"""Ladders: which bots meet, who enters and leaves, and that the choice is a function of the results."""

import random
from collections import Counter
from dataclasses import replace
from math import log

import numpy as np
import pytest

from tests.support.tournament.simulated_rounds import Skill, by_name, played
from tests.support.tournament.small_leagues import bots, league
from vinci_ratings.plackett_luce import ELO, design, fit
from vinci_tournament.definition.configuration import LeagueError, league_bots
from vinci_tournament.definition.extension import extended
from vinci_tournament.definition.league import League
from vinci_tournament.pairing.chooser import wrong_choice
from vinci_tournament.pairing.ladder import LAG
from vinci_tournament.pairing.scores import meetings
from vinci_tournament.stats.running_ratings import RunningRatings


def ladder(number: int, seats: int = 4) -> League:
    """Return a ladder of so many bots."""
    return league(*["random"] * number, format="ladder", seats=seats)


def spread(points: float, seed: int = 1) -> Skill:
    """Return skills so many Elo points apart from letter to letter, the first being the best, with luck."""
    luck = random.Random(seed)
    return lambda bot: -ord(bot[0]) * points / ELO - log(-log(luck.random()))


def joined(before: League, number: int = 0, retired: tuple[str, ...] = ()) -> League:
    """Return a ladder that bots enter and leave."""
    new = league_bots(bots(*["random"] * (len(before.bots) + number))[len(before.bots) :])
    return extended(before, new, None, played=0, is_stopped=False, retired=retired)


def test_close_bots_meet_often_and_all_play() -> None:
    """Neighbours meet more often than bots that are far apart, and nobody waits for long."""
    chosen, _ = played(ladder(8), spread(150), 80)
    met = meetings(one.bots for one in chosen)
    near = [met[pair] for pair in zip("abcdefg", "bcdefgh", strict=True)]
    far = [met[pair] for pair in zip("abc", "fgh", strict=True)]
    assert min(near) > max(far)
    for name in "abcdefgh":
        blocks = [block for block, one in enumerate(chosen) if name in one.bots]
        assert max(after - before for before, after in zip([-1, *blocks], [*blocks, 80], strict=True)) <= 8


def test_first_blocks_are_even() -> None:
    """Before there are results, those who waited longest play."""
    chosen, _ = played(ladder(12), by_name, 3)
    assert Counter(name for one in chosen for name in one.bots) == dict.fromkeys("abcdefghijkl", 1)
    assert [one.why["results"] for one in played(ladder(5), by_name, LAG + 3)[0]] == [0] * (LAG + 1) + [1, 2]


def test_choice_depends_on_results_only() -> None:
    """The order in which games finish changes nothing; other results give other blocks, which is found."""
    configured = ladder(6)
    skills = {name: -number for number, name in enumerate("cafebd")}
    chosen, results = played(configured, skills.__getitem__, 30)
    for seed in range(3):
        assert played(configured, skills.__getitem__, 30, shuffled=seed) == (chosen, results)
    assert wrong_choice(configured, chosen, results) == ""
    assert wrong_choice(configured, chosen, results[: 4 * (30 - LAG - 1)]) == ""
    assert f"Block {29} was chosen before" in wrong_choice(configured, chosen, results[: 4 * (30 - LAG - 1) - 1])
    turned = played(configured, lambda name: -skills[name], 1)[1] + results[4:]
    assert f"Block {LAG + 1} does not follow" in wrong_choice(configured, chosen, turned)


def test_bots_enter_and_leave() -> None:
    """A new bot plays in the next block, one that left never again; earlier blocks are those of the ladder before."""
    configured = ladder(6)
    before, _ = played(configured, by_name, 20)
    known = replace(configured, planned=tuple(one.bots for one in before), blocks=20)
    after = joined(known, 1, ("c", "d"))
    assert after.earlier.digest == configured.digest
    assert League.from_json(after.definition.to_json()) == after.definition
    chosen, results = played(replace(after, planned=()), by_name, 40)
    assert [one.bots for one in chosen[:20]] == [one.bots for one in before]
    assert "g" in chosen[20].bots
    assert {name for one in chosen[20:] for name in one.bots} == set("abefg")
    again = joined(replace(after, planned=tuple(one.bots for one in chosen), blocks=40), 1, ("a",))
    assert again.active(19) == list("abcdef")
    assert again.active(39) == list("abefg")
    assert again.active(40) == list("befgh")
    assert again.earlier.definition == after.definition
    assert wrong_choice(again, chosen, results) == ""


def test_what_a_ladder_refuses() -> None:
    """Bots can only leave where they are, and enough have to be left; a ladder has no number of games."""
    with pytest.raises(LeagueError, match="no bot 'z' to leave; in the ladder are a, b, c, d"):
        joined(ladder(4), 0, ("z",))
    with pytest.raises(LeagueError, match="fewer bots would be left than a game has seats, 4"):
        joined(ladder(4), 0, ("a",))
    with pytest.raises(LeagueError, match="limits a run"):
        extended(ladder(4), (), 3, played=0, is_stopped=False)
    with pytest.raises(LeagueError, match="leave a ladder only"):
        extended(league("random", "random", "random"), (), 1, played=0, is_stopped=False, retired=("a",))
    with pytest.raises(
        LeagueError, match="games: not with the format 'ladder': it has no end; limit a run with --games"
    ):
        league("random", "random", "random", format="ladder", games=3)


def test_running_ratings_are_close_to_the_fit_of_all_games() -> None:
    """After 60 blocks of bots within 420 points, they differ by less than the error of either."""
    _, results = played(ladder(8), spread(60), 60)
    running = RunningRatings(tuple("abcdefgh"), 4)
    for block in range(60):
        running.note([one for one in results if one.block == block])
    fitted = fit(design(results, running.bots), np.ones(len(results)))[:8]
    errors = np.sqrt(np.diag(running.covariance(np.zeros((8, 8)))))
    difference = (fitted - fitted.mean()) - (running.strengths - running.strengths.mean())
    assert np.abs(difference).max() * ELO < 40
    assert np.abs(difference).max() < errors.max()
