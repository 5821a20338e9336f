"""Facts of a game: civilizations with their earnings, and attacks, from the events and from the record."""

from collections.abc import Sequence

import pytest

from vinci_bots.builtin import selfplay
from vinci_rules import record
from vinci_rules.board import load_board
from vinci_rules.editions import EDITIONS, STARTING_VP, options
from vinci_rules.events import CivilizationTaken, Conquered, Declined, Scored
from vinci_rules.traits import KINDS
from vinci_tournament.results.game_facts import FactCollector, Facts, facts_of


def game(players: Sequence[str], board: str, edition: str, seed: str) -> tuple[selfplay.SelfplayGame, Facts]:
    """Play a game; return it with the facts noted meanwhile."""
    noting = FactCollector(len(players))
    rules = options(tuple(player == "dummy" for player in players), edition, target=60)
    played = selfplay.play(players, load_board(board), rules, seed, look=noting.before)
    return played, noting.facts(played.end)


def by_events(lines: Sequence[str], seats: int) -> Facts:
    """Return the same facts from the events of the rules."""
    attacks = [[0] * seats for _ in range(seats)]
    taken: list[tuple[int, tuple[str, ...]]] = []
    earned: list[int] = []
    active, declined = [0] * seats, [0] * seats
    for event in (event for step in record.replay(lines) for event in step.events):
        match event:
            case CivilizationTaken(seat=seat, traits=traits):
                active[seat] = len(taken)
                taken.append((seat, tuple(sorted(KINDS[trait].code for trait in traits))))
                earned.append(0)
            case Declined(seat=seat):
                declined[seat] = active[seat]
            case Scored(seat=seat, items=items):
                for item in items:
                    earned[(active if item.empire == "active" else declined)[seat]] += item.vp
            case Conquered(seat=seat, defender=int(defender), lost=1) if defender != seat:
                attacks[seat][defender] += 1
            case _:
                pass
    civilizations = [(seat, traits, vp) for (seat, traits), vp in zip(taken, earned, strict=True)]
    return Facts(tuple(civilizations), tuple(map(tuple, attacks)))  # type: ignore[arg-type]  # tuples compare alike


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("board", ["tiny", "europe"])
@pytest.mark.parametrize("players", [("random", "dummy", "random"), ("dummy",) * 4, ("random",) * 5])
def test_facts_match_the_events(players: tuple[str, ...], board: str, edition: str) -> None:
    """Facts noted during the game, from the record and from the events are equal."""
    played, facts = game(players, board, edition, f"{edition}-{board}")
    assert facts == facts_of(played.lines)
    assert facts == by_events(played.lines, len(players))
    assert any(map(any, facts.attacks))


def test_scores_add_up_from_earnings_and_prices() -> None:
    """Scores are earnings of civilizations plus start VP, less prices plus markers."""
    played, facts = game(("dummy", "dummy", "random", "dummy"), "europe", "standard", "vp")
    paid = [0] * 4
    for step in record.replay(played.lines):
        for event in step.events:
            if isinstance(event, CivilizationTaken):
                paid[event.seat] += event.received - event.paid
    for seat, vp in enumerate(played.vp):
        earned = sum(one.vp for one in facts.civilizations if one.seat == seat)
        assert vp == STARTING_VP + earned + paid[seat]


def test_record_has_the_names_of_the_league() -> None:
    """A bot has its own name whatever its policy is; the game is the same."""
    plain = selfplay.play(["dummy"] * 3, load_board("tiny"), options((True,) * 3, target=20), "1")
    named = selfplay.play(
        ["dummy"] * 3, load_board("tiny"), options((True,) * 3, target=20), "1", names=["x", "y", "z"]
    )
    assert '"names":["x","y","z"]' in named.lines[0]
    assert plain.summary() == named.summary()
