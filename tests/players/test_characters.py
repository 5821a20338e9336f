"""Characters of computer players: what they like in a turn, and how their games differ."""

from itertools import combinations
from random import Random
from statistics import fmean

import pytest

from tools.measure_characters import Measured, measured
from vinci_players.characters import CHARACTERS, NOBODY, Character, attacker, choose, liking
from vinci_players.levels import LEVELS, level
from vinci_players.policy import trained
from vinci_players.search import ranked
from vinci_rules import position
from vinci_rules.actions import Abandon, Action, Conquer, Decline, Take
from vinci_rules.board import Province, load_board, members
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import legal_actions, new_game, play
from vinci_rules.state import State

ALL: dict[str, Character] = {
    "attack": Character(attack=1.0),
    "leader": Character(leader=1.0),
    "revenge": Character(revenge=1.0),
    "province": Character(province=1.0),
    "decline": Character(decline=1.0),
}


def table() -> State:
    """Return a position in which seat 1 is to move, seat 2 leads and has an active and a declined empire, seat 3 one."""
    state = position.read("tiny; seat 1 | BAR+CUR reserve=9; seat 2 | DIP+REN; seat 3 | WEA+MIL")
    board = state.board
    places = [province for province in board.provinces if not state.garrison[province]]
    for seat, province in ((1, places[0]), (2, places[1])):
        empire = state.active[seat]
        assert empire is not None
        state.active[seat] = empire.having(1 << province, 0)
        state.garrison[province] = 2
    state.vp[1], state.vp[2] = 20, 10
    return state


def test_budgets_and_characters_are_read() -> None:
    """A character follows a level or its budget."""
    assert level("hard:raider") == LEVELS["hard"]._replace(character=CHARACTERS["raider"])
    assert level("expert:2000:hermit") == LEVELS["expert"]._replace(simulations=2000, character=CHARACTERS["hermit"])
    assert level("expert@500ms:avenger") == LEVELS["expert"]._replace(seconds=0.5, character=CHARACTERS["avenger"])


def held(state: State, seat: int) -> Province:
    """Return the only province of a seat."""
    empire = state.active[seat]
    assert empire is not None
    return members(empire.provinces)[0]


def test_what_a_turn_does_is_counted() -> None:
    """Provinces of others, of the best opponent and of the last attacker, provinces won, and declines count each."""
    state = table()
    free = next(p for p in state.board.provinces if state.owner(p) is None)
    turn: list[Action] = [Conquer(held(state, 1)), Conquer(held(state, 2)), Conquer(free)]
    worths = {name: liking(state, turn, character, foe=2) for name, character in ALL.items()}
    assert worths == {"attack": 2.0, "leader": 1.0, "revenge": 1.0, "province": 3.0, "decline": 0.0}
    assert liking(state, turn, ALL["revenge"], NOBODY) == 0.0
    assert liking(state, [Abandon(free)], ALL["province"], NOBODY) == -1.0
    assert liking(state, [Decline(), Take(0)], ALL["decline"], NOBODY) == 1.0


def test_the_last_attacker_is_who_holds_what_was_lost() -> None:
    """Of several that took provinces, the one that moved last; without a loss the answer stays."""
    state = table()
    first, second = 1 << held(state, 1), 1 << held(state, 2)
    order = list(state.seats_after(state.actor))
    assert attacker(state, first, NOBODY) == 1
    assert attacker(state, second, NOBODY) == 2
    assert attacker(state, first | second, NOBODY) == order[-1]
    assert attacker(state, 0, 2) == 2


@pytest.mark.parametrize("name", CHARACTERS)
def test_characters_without_search_play_legal_actions(name: str) -> None:
    """Whole games of one character at all seats, each with a grudge against the next one."""
    random, chance = Random(5), FastChance(5)
    state = new_game(load_board("tiny"), options((False,) * 4, target=40), chance)
    while state.phase != "over":
        action = choose(state, random, CHARACTERS[name], (state.actor + 1) % 4, 1.0)
        if isinstance(action, Conquer | Decline | Take):
            assert action in legal_actions(state)
        play(state, action, chance)
    assert max(state.vp) >= 40


def test_a_search_prefers_what_a_character_likes() -> None:
    """With a huge worth of attacks, the best turn is one with most attacks; without a character nothing is changed."""
    state = table()
    plain = ranked(state, Random(1), trained(), 10, 40)
    again = ranked(state, Random(1), trained(), 10, 40, character=None)
    assert [(plan.actions, plan.total) for plan in plain] == [(plan.actions, plan.total) for plan in again]
    fond = ranked(state, Random(1), trained(), 10, 40, character=Character(attack=1000.0))
    attacks = [liking(state, plan.actions, ALL["attack"], NOBODY) for plan in fond]
    assert attacks[0] == max(attacks) > 0


def test_characters_differ_in_direction() -> None:
    """Each character does more, or less, of what it is named after than a player without one; 40 games of each."""
    found: dict[str, list[Measured]] = {}
    players = ["easy", *(f"easy:{name}" for name in CHARACTERS)]
    for number, line_up in enumerate([*combinations(players, 4), *combinations(reversed(players), 4)]):
        for player, one in measured(list(line_up), f"directions-{number}"):
            found.setdefault(player, []).append(one)
    mean = {name: Measured(*(fmean(values) for values in zip(*games, strict=True))) for name, games in found.items()}
    plain = mean["easy"]
    assert mean["easy:raider"].attacks > plain.attacks
    assert mean["easy:builder"].provinces > mean["easy:turncoat"].provinces
    assert mean["easy:builder"].declines < plain.declines
    assert mean["easy:hermit"].attacks < plain.attacks
    assert mean["easy:turncoat"].declines > plain.declines
    assert mean["easy:avenger"].revenge > 1.5 * plain.revenge
    assert mean["easy:kingslayer"].on_best > 1.5 * plain.on_best
