"""Swiss and knock-out leagues: who meets whom, who does not play, who goes on, and what `verify` makes of it."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import pytest

from tests.support.tournament.simulated_rounds import by_name, played
from tests.support.tournament.small_leagues import league
from vinci_tournament.definition.configuration import LeagueError
from vinci_tournament.definition.formats import knock_out
from vinci_tournament.pairing.choice import Choice
from vinci_tournament.pairing.chooser import wrong_choice
from vinci_tournament.pairing.rounds import even_tables
from vinci_tournament.pairing.scores import meetings

SIZES = [(4, 4), (5, 4), (8, 3), (9, 4), (13, 5), (16, 4), (7, 6)]


def rounds(chosen: Sequence[Choice]) -> list[list[Choice]]:
    """Return the blocks of each round."""
    return [list(blocks) for _, blocks in groupby(chosen, key=lambda one: one.why["round"])]


@pytest.mark.parametrize(("number", "seats"), SIZES)
def test_swiss_round_seats_everybody_but_the_rest(number: int, seats: int) -> None:
    """In a round a bot has one table or none; none of them is left out twice before all others were once."""
    configured = league(*["random"] * number, format="swiss", seats=seats, rounds=6)
    chosen, _ = played(configured, by_name)
    idle = Counter[str]()
    assert len(rounds(chosen)) == 6
    for tables in rounds(chosen):
        seated = [name for table in tables for name in table.bots]
        assert len(seated) == len(set(seated)) == number - number % seats
        assert set(tables[0].why["byes"]) == {bot.name for bot in configured.bots}.difference(seated)
        idle.update(tables[0].why["byes"])
        times = [idle[bot.name] for bot in configured.bots]
        assert max(times) - min(times) <= 1


def test_swiss_brings_equals_together_and_avoids_meetings() -> None:
    """After the first rounds the best of 16 share a table, and few pairs have met twice."""
    chosen, _ = played(league(*["random"] * 16, format="swiss", seats=4, rounds=4), by_name)
    last = rounds(chosen)[-1]
    assert set("abc") <= {*last[0].bots}
    assert set("op") <= {*last[-1].bots}
    met = meetings(one.bots for one in chosen)
    assert sum(times > 1 for times in met.values()) / 2 <= 20
    assert rounds(chosen)[0][0].bots != ("a", "b", "c", "d")


def test_tables_trade_distance_for_meetings() -> None:
    """Bots that met sit apart if a table's distance is enough for that."""
    ordered = list("abcdefgh")
    assert even_tables(ordered, 4, {}) == [list("abcd"), list("efgh")]
    met = meetings([("a", "b", "c", "d"), ("e", "f", "g", "h")])
    again = meetings(map(tuple, even_tables(ordered, 4, met)))
    assert sum(min(met[pair], again[pair]) for pair in met) == 2 * 6  # one of each table changes it


@pytest.mark.parametrize(("number", "seats"), SIZES)
@pytest.mark.parametrize("each", [1, 2])
def test_best_bot_wins_the_knock_out(number: int, seats: int, each: int) -> None:
    """The better half of each table goes on with those that did not play; the final has the best bot."""
    configured = league(*["random"] * number, format="knock-out", seats=seats, table_blocks=each)
    chosen, _ = played(configured, by_name)
    sizes = knock_out(number, seats)
    assert [len(tables) for tables in rounds(chosen)] == [one.tables * each for one in sizes]
    for tables, after in zip(rounds(chosen), rounds(chosen)[1:], strict=False):
        seated = {name for table in tables for name in table.bots}
        left = {name for table in after for name in table.bots}.union(after[0].why["byes"])
        assert {*tables[0].why["byes"]} <= left
        assert left <= seated.union(tables[0].why["byes"])
        for table in tables:
            assert set(sorted(table.bots)[: seats // 2]) <= left
        assert len(left) == sizes[tables[0].why["round"] - 1].left
    assert chosen[-1].bots[0] == "a"
    assert chosen[-1].why["byes"] == []


@pytest.mark.parametrize("form", ["swiss", "knock-out"])
def test_choice_depends_on_results_only(form: str) -> None:
    """The order in which games finish changes nothing; another result, or another table, is found."""
    configured = league(*["random"] * 9, format=form, seats=3)
    chosen, results = played(configured, by_name)
    assert played(configured, by_name, shuffled=1) == (chosen, results)
    assert wrong_choice(configured, chosen, results) == ""
    assert wrong_choice(configured, chosen[:5], results[: 3 * 3]) == ""
    assert "Block 3 was chosen before" in wrong_choice(configured, chosen[:4], results[:8])
    turned = [*played(configured, lambda bot: -by_name(bot))[1][:9], *results[9:]]
    assert "Block 3 does not follow" in wrong_choice(configured, chosen, turned)
    other = [*chosen[:3], chosen[3]._replace(bots=chosen[2].bots), *chosen[4:]]
    assert "Block 3 does not follow" in wrong_choice(configured, other, results)


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"format": "swiss", "games": 100}, "games: not with the format 'swiss': give rounds or table_blocks"),
        ({"format": "knock-out", "rounds": 2}, "rounds: not with the format 'knock-out': give table_blocks"),
        ({"format": "swiss", "stop": {"width": 0.1}}, "stop: not with the format 'swiss'"),
        ({"rounds": 2}, "rounds: not with the format 'round-robin'"),
        ({"format": "swiss", "rounds": 0}, "rounds: 0: expected a whole number"),
    ],
)
def test_keys_of_other_formats_are_refused(keys: dict[str, object], why: str) -> None:
    """Keys for the length of a league belong to its format."""
    with pytest.raises(LeagueError, match=why):
        league("random", "random", "random", **keys)
