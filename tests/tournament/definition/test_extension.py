"""Extension of leagues: line-ups and games that were played stay, and new bots catch up."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.tournament.small_leagues import bots, league, played
from vinci_tournament.definition.configuration import LeagueError, league_bots
from vinci_tournament.definition.extension import extended
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import games, line_ups
from vinci_tournament.play import worker
from vinci_tournament.play.folder import Folder, FolderError
from vinci_tournament.play.progress import LeagueProgress
from vinci_tournament.report.build import report_of
from vinci_tournament.report.writing import write
from vinci_tournament.verify import check

DATA = Path(__file__).parents[2] / "data"


def entered(one: League, *policies: str, blocks: int | None = None, settled: int | None = None) -> League:
    """Return a league with further bots, all of whose blocks were played unless `settled` names how many."""
    new = league_bots(bots(*["dummy"] * len(one.bots), *policies)[len(one.bots) :])
    return extended(one, new, blocks, played=one.blocks if settled is None else settled, is_stopped=False)


@pytest.mark.parametrize("form", ["round-robin", "gauntlet"])
@pytest.mark.parametrize(
    ("number", "seats", "blocks", "new"), [(4, 3, 8, 1), (9, 4, 30, 1), (12, 4, 60, 4), (7, 6, 20, 6)]
)
def test_new_bots_catch_up_and_meet_everybody(form: str, number: int, seats: int, blocks: int, new: int) -> None:
    """By default new bots play about as often as the others had before, with old and new bots."""
    before = league(*["random"] * number, format=form, seats=seats, blocks=blocks)
    after = entered(before, *["random"] * new)
    assert games(after)[: seats * blocks] == games(before)
    old = Counter(name for line_up in line_ups(before) for name in line_up)
    further = line_ups(after)[blocks:]
    times = Counter(name for line_up in further for name in line_up)
    most = max((old + times)[bot.name] for bot in before.bots[1:])
    for bot in after.bots[number:]:
        assert 0.8 * min(old.values()) <= times[bot.name] <= most + 1
        met = {name for line_up in further if bot.name in line_up for name in line_up}
        assert len(met) >= 0.75 * len(after.bots)


def test_extension_without_bots_keeps_all_line_ups() -> None:
    """Further blocks balance those before, also where the new number of blocks allows for all combinations."""
    before = league(*["random"] * 6, seats=4, blocks=10)
    after = entered(before, blocks=35)
    assert line_ups(after)[:10] == line_ups(before)
    assert set(Counter(line_ups(after)).values()) == {3}
    gate = league("greedy", "random", format="gate", blocks=3)
    assert games(entered(gate, blocks=2))[: 3 * gate.seats] == games(gate)
    given = league("greedy", "random", format="line-ups", line_ups=[["a", "b"], ["b", "a"]], blocks=3)
    assert line_ups(entered(given, blocks=3)) == [("a", "b", "b", "b"), ("b", "a", "a", "a")] * 3


def test_stopped_league_takes_bots_after_the_blocks_that_were_begun() -> None:
    """The rest of the schedule is made anew, with at least as many blocks."""
    before = league(*["random"] * 5, seats=3, blocks=40)
    after = entered(before, "random", settled=7)
    assert (line_ups(after)[:7], after.blocks) == (line_ups(before)[:7], 40)
    assert "f" in line_ups(after)[7]
    assert games(after)[21].seed == games(before)[21].seed


def test_new_seed_is_for_new_games_only() -> None:
    """The seed of a complete league, which its report tells, predicts no game that was added."""
    before = league("random", "random", "random", blocks=2)
    after = extended(before, (), 2, played=2, is_stopped=False, seed="secret")
    assert games(after)[:6] == games(before)
    foreseen = {game.seed for game in games(replace(before, blocks=4))}
    assert foreseen.isdisjoint(game.seed for game in games(after)[6:])
    assert after.earlier == before
    assert League.from_json(after.to_json()) == after


@pytest.mark.parametrize("file", sorted(DATA.glob("league-*/league.json")), ids=lambda file: file.parent.name)
def test_stored_league_keeps_its_text_and_digest(file: Path) -> None:
    """New fields are left out while they have their default, so leagues of this version have the digest they had."""
    stored = League.from_json(file.read_text())
    assert not {"planned", "extensions"} & set(stored.to_json().split('"'))
    assert '"extensions"' in replace(stored, extensions=entered(stored, blocks=1).extensions).to_json()
    assert League.from_json(stored.to_json()).digest == stored.digest


@pytest.mark.parametrize(
    ("before", "new", "why"),
    [
        (league("random", "random", format="gate"), ["random"], "a gate has two"),
        (
            league("random", "random", format="line-ups", line_ups=[["a", "b"]]),
            ["random"],
            "line-ups that its file gives",
        ),
        (league("dummy", "dummy", "dummy"), ["random"], "only dummies"),
    ],
)
def test_what_cannot_be_extended_is_told(before: League, new: list[str], why: str) -> None:
    """The error says why, and what to do instead."""
    with pytest.raises(LeagueError, match=why):
        entered(before, *new)
    with pytest.raises(LeagueError, match="a name of its own"):
        extended(league("random", "random", "random"), before.bots[:1], None, played=0, is_stopped=False)


def test_extended_league_keeps_its_games_and_is_verified(tmp_path: Path) -> None:
    """Results and records are unchanged, the folder is verified before and after, and `begin` names the way on."""
    before = league("random", "random", "random", "dummy", seats=3, blocks=4)
    folder = played(tmp_path, before)
    write(report_of(folder), tmp_path)
    assert not [finding for finding in check(folder, 1) if finding.is_fault]
    kept = {path: path.read_bytes() for path in folder.games.iterdir()}
    results = (tmp_path / "results.jsonl").read_text()
    after = entered(before, "greedy")
    assert LeagueProgress(before, folder.results().values()).is_decided
    folder.extend(after)
    assert not LeagueProgress(after, folder.results().values()).is_decided
    folder = played_on(folder, after)
    write(report_of(folder), tmp_path)
    assert not [finding for finding in check(folder, 1) if finding.is_fault]
    assert (tmp_path / "results.jsonl").read_text().startswith(results)
    assert all(path.read_bytes() == content for path, content in kept.items())
    assert f"by e; before, the digest of the league was {before.digest}" in (tmp_path / "report.md").read_text()
    with pytest.raises(FolderError, match="was extended; continue it with: vinci tournament resume "):
        folder.begin(before)


def played_on(folder: Folder, after: League) -> Folder:
    """Play the missing games of a league in this process."""
    done = folder.results()
    folder.keep([worker.play(after, game) for game in games(after) if game.key not in done])
    return folder
