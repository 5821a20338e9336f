"""Levels of computer players: their budgets, their games, and their strength."""

from collections.abc import Sequence
from random import Random

import pytest

from vinci_bots.builtin import selfplay
from vinci_players.levels import LEVELS, Player, level
from vinci_players.names import UnknownLevel
from vinci_players.policy import simulating
from vinci_players.search import ranked
from vinci_rules.board import load_board
from vinci_rules.chance import FairChance, FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import apply, new_game


def test_budgets_are_read() -> None:
    """A level has its own budget, or another number of simulations, or a time."""
    assert level("hard") == LEVELS["hard"]
    assert level("expert:2000") == LEVELS["expert"]._replace(simulations=2000)
    assert level("expert@500ms") == LEVELS["expert"]._replace(seconds=0.5)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "easy, normal, hard, expert"),
        ("Hard", "easy, normal, hard, expert"),
        ("hard:", "expert:2000"),
        ("hard@3s", "expert@500ms"),
        ("easy:5", "has no budget"),
        ("normal@5ms", "has no budget"),
        ("hard:0", "1 to 100000"),
        ("hard:999999999", "1 to 100000"),
        ("hard@0ms", "1 to 600000"),
    ],
)
def test_a_wrong_level_is_refused_with_what_would_be_right(text: str, reason: str) -> None:
    """The error names the text and says what is possible."""
    with pytest.raises(UnknownLevel, match=reason) as refused:
        level(text)
    assert repr(text) in str(refused.value)


def played(players: Sequence[str], seed: str, board: str = "tiny", edition: str = "standard") -> selfplay.SelfplayGame:
    """Play a game."""
    rules = options(tuple(player == "dummy" for player in players), edition, target=40)
    return selfplay.play(players, load_board(board), rules, seed)


@pytest.mark.parametrize("edition", EDITIONS)
def test_levels_play_whole_games(edition: str) -> None:
    """Levels and dummies play games of every edition to the end; equal seeds give equal records."""
    players = ["easy", "normal", "hard:4", "dummy"]
    first = played(players, "levels", "europe", edition)
    assert max(first.vp) >= 40
    if edition == "standard":
        assert first.lines == played(players, "levels", "europe", edition).lines
        assert first.lines != played(players, "other", "europe", edition).lines


def test_a_player_keeps_its_plan_only_while_the_game_follows_it() -> None:
    """After another action than the planned one, a player plans again, and its action is legal."""
    chance = FastChance(4)
    state = new_game(load_board("tiny"), options((False, True, True), target=40), chance)
    player, other = Player(level("hard:6")), Player(level("easy"))
    number = 0
    while state.phase != "over":
        number += 1
        chosen = player(state, FairChance(f"a-{number}"))
        apply(state, other(state, FairChance(f"b-{number}")) if number % 3 == 2 else chosen, chance)
    assert number > 20


def test_a_search_with_a_limit_ends_early() -> None:
    """It returns all plans, also those that it had no time for; a number of simulations within the limit is played out."""
    state = new_game(load_board("europe"), options((False,) * 3), FastChance(1))
    many, few = (ranked(state, Random(1), simulating(), 4, number, limit=0.2) for number in (1_000_000, 0))
    assert sum(plan.simulations for plan in many) < 1_000_000
    assert len(many) == len(few)
    assert level("expert@500ms").limit == 0.0


def shares(players: Sequence[str], games: int, seed: str) -> float:
    """Return the share of games that the first player wins, at each seat by turns; a shared first place counts in part."""
    board, total = load_board("europe"), 0.0
    for number in range(games):
        turned = [players[(place - number) % len(players)] for place in range(len(players))]
        rules = options(tuple(player == "dummy" for player in turned))
        ranks = selfplay.play(turned, board, rules, f"{seed}-{number}").ranks
        total += (ranks[number % len(players)] == 1) / ranks.count(1)
    return total / games


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_hard_wins_most_games_against_dummies() -> None:
    """Hard wins at least 60 % of 400 games against three dummies."""
    assert shares(["hard", "dummy", "dummy", "dummy"], 400, "hard") >= 0.6
