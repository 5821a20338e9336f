"""Statistics of a game agree with its record, down to every VP."""

import json

import pytest

from tests.support.full_screen.records import lines_of, load, played
from vinci.v1 import game_pb2, match_pb2
from vinci_cli.game.replay import lasting
from vinci_cli.game.statistics import LAND, story
from vinci_rules import position, record
from vinci_rules.editions import EDITIONS

GAMES = [(edition, seats) for edition in (*EDITIONS,) for seats in (3, 4, 5, 6)]


@pytest.mark.parametrize(("edition", "seats"), GAMES)
def test_score_is_the_sum_of_earnings_and_prices(edition: str, seats: int) -> None:
    """Start VP, earnings of civilizations and markers, less prices, add up to each score of the record."""
    statistics = story(played(edition, seats).updates)
    result = json.loads(lines_of(edition, seats)[-1])["result"]
    for seat in range(1, seats + 1):
        own = [one for one in statistics.civilizations if one.seat == seat]
        total = statistics.start[seat - 1] + sum(one.earned() + one.received - one.paid for one in own)
        assert total == statistics.score(seat) == result["vp"][seat - 1]
    assert list(statistics.ranks) == result["ranks"]
    assert statistics.rounds == list(range(result["rounds"] + 1))


@pytest.mark.parametrize(("edition", "seats"), GAMES)
def test_vp_of_every_round_match_the_positions(edition: str, seats: int) -> None:
    """The VP at the end of each round are those of its last position."""
    game = played(edition, seats)
    statistics = story(game.updates)
    for update, following in zip(game.updates, [*game.updates[1:], None], strict=True):
        if following is not None and following.state.round == update.state.round:
            continue
        if following is None:
            place = len(statistics.rounds) - 1
        else:
            place = statistics.rounds.index(following.state.round) - 1
            update = following  # what ends a round begins the next one, too
            if any(event.HasField("civilization_taken") for event in following.events):
                continue
        assert [statistics.vp[seat][place] for seat in statistics.vp] == [seat.vp for seat in update.state.seats]


def test_rounds_of_each_civilization() -> None:
    """A civilization lasts from the draft, or the decline of the one before, to its own decline."""
    statistics = story(played("standard", 6).updates)
    for seat in statistics.vp:
        own = [one for one in statistics.civilizations if one.seat == seat]
        assert own[0].taken == 0
        assert [one.taken for one in own[1:]] == [one.declined for one in own[:-1]]
        assert own[-1].declined is None


def test_biggest_turns_come_first() -> None:
    """No omitted turn scored more than a listed one."""
    statistics = story(played("standard", 4).updates)
    best = statistics.biggest(5)
    assert len(best) == 5
    assert min(turn.vp for turn in best) >= max(turn.vp for turn in statistics.turns if turn not in best)


def test_incomplete_game_is_ranked_by_score() -> None:
    """Without final ranks the ranking follows the scores, and equal scores share a rank."""
    statistics = story(load(lines_of("standard", 4)[:60]).updates)
    assert statistics.ranks == ()
    ranking = statistics.ranking()
    scores = {seat: statistics.score(seat) for _rank, seat in ranking}
    assert [rank for rank, _seat in ranking] == [
        1 + sum(other > scores[seat] for other in scores.values()) for _rank, seat in ranking
    ]


def test_undone_actions_do_not_count() -> None:
    """Undone actions leave the statistics, and a later undo may return to an undo."""
    updates = [game_pb2.Update(revision=number) for number in range(4)]
    updates.append(game_pb2.Update(revision=4, undo_to=1))
    updates.append(game_pb2.Update(revision=5))
    assert [update.revision for update in lasting(updates)] == [0, 1, 5]
    updates.append(game_pb2.Update(revision=6, undo_to=4))
    assert [update.revision for update in lasting(updates)] == [0, 1]


def test_game_from_a_position_lists_its_empires() -> None:
    """Empires of the start position are listed: earnings count from then on, earlier costs are unknown."""
    text = "tiny; seat 1 | WEA+MIL reserve=9 ARA BOS; seat 2 | BAR+CUR COL=4; seat 3 | AST+SLA reserve=15"
    state = position.read(text)
    game = load((record.dump(record.start_line(state, start=text)),))
    statistics = story(game.updates)
    assert [(one.seat, one.traits) for one in statistics.civilizations] == [
        (1, ("WEA", "MIL")),
        (2, ("BAR", "CUR")),
        (3, ("AST", "SLA")),
    ]


def test_decision_times_are_summed_by_seat() -> None:
    """Each seat has the number, sum and maximum of its decision times."""
    times = [match_pb2.DecisionTime(seat=2, think=think) for think in (1500, 500)]
    statistics = story(played("standard", 3).updates, times)
    assert list(statistics.thought) == [2]
    assert statistics.thought[2].decisions == 2
    assert (statistics.thought[2].seconds, statistics.thought[2].longest) == (2.0, 1.5)


def test_sources_of_vp_have_names() -> None:
    """A source is land or a trait, without the star of its lasting kind."""
    names = played("standard", 3).names
    assert names.score_source(LAND) == "provinces"
    assert names.score_source("agriculture") == "Agriculture"
