"""Facts of games: civilizations with prices and offers, and changes of the lead, compared with the events of the rules."""

from dataclasses import replace
from pathlib import Path

import pytest

from vinci_bots.builtin import selfplay
from vinci_rules import record
from vinci_rules.board import load_board
from vinci_rules.editions import EDITIONS, options
from vinci_rules.events import CivilizationTaken
from vinci_rules.traits import KINDS
from vinci_tournament.balance.facts import GameFacts, facts_of, facts_of_folder
from vinci_tournament.definition import configuration
from vinci_tournament.definition.schedule import games
from vinci_tournament.play.folder import Folder
from vinci_tournament.play.worker import play, result_of
from vinci_tournament.results import game_facts
from vinci_tournament.results.result import Result


def played(edition: str, seed: str) -> tuple[Result, list[str]]:
    """Play a short game of three; return its result and record."""
    league = configuration.league(
        {"bots": configuration.bots(["easy", "random", "dummy"]), "board": "tiny", "edition": edition, "target": 60}
    )
    game = games(replace(league, seed=seed))[0]
    lines = play(replace(league, seed=seed), game).record.splitlines()
    return result_of(game, lines, game_facts.facts_of(lines)), lines


@pytest.mark.parametrize("edition", EDITIONS)
def test_takings_are_those_of_the_events(edition: str) -> None:
    """Seat, round, traits, price and VP received; what was taken is among what could be paid for."""
    result, lines = played(edition, f"facts-{edition}")
    facts = facts_of(result, lines)
    steps = [(step.state.round, event) for step in record.replay(lines) for event in step.events]
    events = [event for _, event in steps if isinstance(event, CivilizationTaken)]
    assert len(facts.takings) == len(events) >= 3
    for taking, event in zip(facts.takings, events, strict=True):
        assert (taking.seat, 2 * taking.slot, 2 * taking.markers) == (event.seat, event.paid, event.received)
        assert taking.cost == event.paid - event.received
        assert taking.traits == tuple(sorted(KINDS[trait].code for trait in event.traits))
        assert len(taking.offered) <= 6
    assert facts.costs == [sum(e.paid - e.received for e in events if e.seat == seat) for seat in range(3)]
    assert [taking.round for taking in facts.takings[:3]] == [0, 0, 0]
    assert GameFacts.from_json(facts.to_json()) == facts


def test_lead_changes_by_hand() -> None:
    """The sole leader at the end of each round, from the VP at the first decision of the next one and at the end."""
    result, lines = played("standard", "leads")
    by_round: dict[int, list[int]] = {}
    for step in record.replay(lines):
        by_round.setdefault(step.state.round, list(step.state.vp))
        final = list(step.state.vp)
    ends = [by_round[number + 1] for number in range(1, result.rounds)] + [final]
    leaders = [vp.index(max(vp)) for vp in ends if vp.count(max(vp)) == 1]
    changes = sum(leaders[place] != leaders[place - 1] for place in range(1, len(leaders)))
    assert facts_of(result, lines).lead_changes == changes


def test_records_are_replayed_once(tmp_path: Path) -> None:
    """The second time the facts come from the file, even without records; a damaged line is replayed."""
    league = configuration.league(
        {"bots": configuration.bots(["random"] * 3), "board": "tiny", "target": 12, "games": 3, "seed": "once"}
    )
    folder = Folder(tmp_path / "league")
    league = folder.begin(league)
    folder.keep([play(league, game) for game in games(league)])
    results = list(folder.results().values())
    told: list[int] = []
    file = tmp_path / "facts" / "league.jsonl"
    first = facts_of_folder(folder, results, file, map, told.append)
    assert facts_of_folder(folder, results, file, map, told.append) == first
    assert told == [3]
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], lines[1][:50], lines[2]]) + "\n")
    assert facts_of_folder(folder, results, file, map, told.append) == first
    assert told == [3, 1]


def test_a_game_with_changed_strengths_is_read() -> None:
    """Its record says so, and its facts are like those of any other game."""
    lines = selfplay.play(
        ["random"] * 3, load_board("tiny"), options((False,) * 3, strengths="BAR:9", target=20), "x"
    ).lines
    result = Result(0, 0, "x", ("a", "b", "c"), (1, 2, 3), (3, 2, 1), 5, 9, (), (), ((0,) * 3,) * 3, "hash")
    assert facts_of(result, lines).takings
