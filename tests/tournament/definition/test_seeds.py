"""Seeds of leagues: games of a block reveal nothing about each other, and leagues with shared seeds continue unchanged."""

import json
import re
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from math import sqrt
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import DATA
from tests.support.tournament.small_leagues import league, left, played
from vinci_bots.builtin import selfplay
from vinci_bots.seeds import bot_seed
from vinci_rules import record
from vinci_rules.actions import Take
from vinci_rules.board import load_board
from vinci_rules.chance import FairChance, commitment
from vinci_rules.engine import apply, new_game
from vinci_tournament import reproduce, verify
from vinci_tournament.definition import configuration
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import ScheduledGame, block_seed, derived, games
from vinci_tournament.play import runner, worker
from vinci_tournament.play.folder import Folder
from vinci_tournament.report.build import report_of

SHARED: Final = DATA / "league-shared"
"""Two blocks of a league whose games share the seed of their block, as an earlier version played and kept them."""

Draws = dict[tuple[str, tuple[int, ...]], tuple[str, tuple[str, ...]]]


class RecordingChance:
    """A source of chance that records the candidates and the result of each draw."""

    def __init__(self, seed: str, draws: Draws) -> None:
        self._fair: Final = FairChance(seed)
        self._draws: Final = draws

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """The fair pick, noted."""
        picked = self._fair.pick(purpose, key, candidates)
        self._draws[purpose, key] = picked, tuple(candidates)
        return picked


def draws_of(configured: League, game: ScheduledGame, monkeypatch: pytest.MonkeyPatch) -> Draws:
    """Return the draws of a game from its first decision on; the opening draws are public."""
    draws: Draws = {}
    with monkeypatch.context() as patched:
        patched.setattr(selfplay, "FairChance", lambda seed: RecordingChance(seed, draws if seed == game.seed else {}))
        worker.play(configured, game)
    return draws


def foreseen(configured: League, monkeypatch: pytest.MonkeyPatch) -> float:
    """Return how much better than chance the draws of one game predict those of the next one, in standard deviations. The prediction is that a draw present in both games has the same result.

    In standard deviations: at each place that both games have, the pick of the game before is expected again.
    """
    before: Draws = {}
    hits = expected = spread = 0.0
    for game in games(configured):
        draws = draws_of(configured, game, monkeypatch)
        for place, (picked, candidates) in draws.items():
            guess, _ = before.get(place, ("", ()))
            if guess in candidates:
                chance = 1 / len(candidates)
                hits += guess == picked
                expected += chance
                spread += chance * (1 - chance)
        before = draws if game.rotation < configured.seats - 1 else {}
    assert expected > 20
    return (hits - expected) / sqrt(spread)


def test_draws_of_a_block_do_not_predict_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The draws of a game predict those of the next one no better than guessing. With shared seeds the same prediction nearly always succeeds, so the test would find out.

    The same bot foresees nearly all of them where the games of a block share their seed, so it would find out.
    """
    configured = league(
        "random", "dummy", "random", "dummy", target=40, blocks=20, seed="5aecc9112da69100beb260b81b860a2d"
    )
    assert abs(foreseen(configured, monkeypatch)) < 3
    assert foreseen(replace(configured, seeding="block", blocks=6), monkeypatch) > 20


def test_seeds_cannot_be_derived_from_known_values() -> None:
    """No function that games use derives a seed from earlier seeds and salts or from VINCI_SEED."""
    configured = league("random", "random", "random", blocks=3, seed="5aecc9112da69100beb260b81b860a2d")
    all_games = games(configured)
    secrets = {text for game in all_games for text in (game.seed, game.salt)}
    openings = {game.opening_seed for game in all_games}
    assert (len(secrets), len(openings), secrets & openings) == (2 * len(all_games), configured.blocks, set())
    functions: list[Callable[[str], str]] = [
        lambda text: text,
        lambda text: sha256(text.encode()).hexdigest()[:32],
        *[lambda text, name=name: bot_seed(text, name) for name in "abc"],
        *[lambda text, game=game: block_seed(text, game.block) for game in all_games],
        *[lambda text, game=game: derived(text, f"game|{game.block}|{game.rotation}")[:32] for game in all_games],
        *[lambda text, game=game: derived(text, f"game|{game.block}|{game.rotation}")[32:] for game in all_games],
        *[lambda text, game=game: derived(text, f"opening|{game.block}")[:32] for game in all_games],
    ]
    for game in all_games:
        known = {
            game.seed,
            game.salt,
            game.opening_seed,
            configured.digest,
            *(bot_seed(game.seed, name) for name in game.bots),
        }
        others = secrets - {game.seed, game.salt}
        assert not {function(text) for text in known for function in functions} & others
    assert configured.seed not in str(all_games)


def test_games_of_a_block_have_equal_openings() -> None:
    """Market and first seat are equal; all later draws differ between the games."""
    configured = league("random", "random", "random", "random", blocks=12)
    starts, nexts = set(), set()
    for game in games(configured):
        state = new_game(load_board(configured.board), configured.rules(game.bots), FairChance(game.opening_seed))
        starts.add((game.block, state.actor, tuple(one.traits for one in state.market)))
        apply(state, Take(0), FairChance(game.seed))
        nexts.add((game.block, state.market[-1].traits))
        lines = worker.play(configured, game).record.splitlines()
        assert json.loads(lines[0])["opening_seed"] == game.opening_seed
        assert record.verify_chance(lines)
    assert len(starts) == 12
    assert len(nexts) > 40


def test_changed_opening_is_found_in_the_first_line() -> None:
    """The draws before the first decision follow from the opening seed, which must be a valid seed."""
    configured = league("random", "dummy", "random", blocks=1)
    first, *rest = worker.play(configured, games(configured)[0]).record.splitlines()
    start = next(record.replay([first])).state
    for opening_seed, expected in (("another", "the seed gives"), ("a|b", "opening_seed: seed 'a|b': use 1 to 128")):
        forged = record.chained(json.loads(first) | {"opening_seed": opening_seed}, "", start)
        with pytest.raises(record.RecordError, match="line 1: .*" + re.escape(expected)):
            record.verify_chance([record.dump(forged), *rest])


def test_seeds_follow_from_the_league() -> None:
    """Another league has other seeds, and more games change none; without a seed there are none."""
    few, more = (games(league("random", "random", "random", blocks=number)) for number in (3, 8))
    assert few == more[: len(few)]
    assert len({game.seed for game in more}) == 24
    other = games(league("random", "random", "random", blocks=8, seed="2"))
    assert not {game.seed for game in more} & {game.seed for game in other}
    assert FairChance(few[0].seed).seed == few[0].seed
    with pytest.raises(ValueError, match="the league has no seed yet"):
        games(replace(league("random", "random", "random"), seed=""))


def test_league_without_a_seed_gets_a_secret_one(tmp_path: Path) -> None:
    """The seed is stored privately, used when the league is resumed, and in no report before the end."""
    plain = configuration.league({"bots": [{"name": name, "bot": "random"} for name in "abc"], "board": "tiny"})
    plain = replace(plain, blocks=2, target=20)
    assert plain.seed == ""
    first, other = Folder(tmp_path / "one").begin(plain), Folder(tmp_path / "two").begin(plain)
    assert first == replace(plain, seed=first.seed)
    assert not configuration.is_guessable(first.seed)
    assert first.seed != other.seed
    file = tmp_path / "one" / "league.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert Folder(tmp_path / "one").begin(replace(plain, workers=5)) == replace(first, workers=5)
    folder = Folder(tmp_path / "one")
    folder.keep([worker.play(first, game) for game in games(first)[:3]])
    assert report_of(folder).league.seed == ""
    folder.keep([worker.play(first, game) for game in games(first)[3:]])
    assert report_of(folder).league.seed == first.seed


@pytest.mark.parametrize(
    ("seed", "guessable"),
    [("1", True), ("autumn-2026", True), ("0" * 40, True), ("5aecc9112da69100beb260b81b860a2d", False)],
)
def test_guessable_seeds(seed: str, guessable: bool) -> None:
    """Short seeds, and those of few different characters, are guessable."""
    assert configuration.is_guessable(seed) == guessable


def test_records_of_a_league_are_sealed() -> None:
    """The record begins with the commitment and ends with seed and salt, in process and at a server, with times; a replay has equal hashes."""
    configured = league("random", "dummy", "random", blocks=1)
    game = games(configured)[1]
    lines = worker.play(configured, game).record.splitlines()
    first, last = json.loads(lines[0]), json.loads(lines[-1])
    assert (first["commitment"], first["sealed"]) == (commitment(game.seed, game.salt), True)
    assert "seed" not in first
    assert last["reveal"] == {"seed": game.seed, "salt": game.salt}
    assert record.verify_chance(lines)
    at_table = worker.play_at_server(configured, game).record.splitlines()
    assert record.last_hash(at_table) == record.last_hash(lines)
    assert record.verify_chance(at_table)
    later = json.dumps(json.loads(at_table[3]) | {"time": 1.5})
    with pytest.raises(record.RecordError, match=f"line {len(at_table)}: a time was changed"):
        record.verify_chance([*at_table[:3], later, *at_table[4:]])


def test_league_of_an_earlier_version_is_verified_and_reported(tmp_path: Path) -> None:
    """Its games share the public seeds of their blocks; schedule, records and report are unchanged."""
    folder = Folder(shutil.copytree(SHARED, tmp_path / "league"))
    configured = folder.league()
    assert (configured.seeding, configured.seed) == ("block", "7")
    assert "seeding" not in json.loads((folder.path / "league.json").read_text())
    assert [game.seed for game in games(configured)] == [block_seed("7", game.block) for game in games(configured)]
    findings = list(verify.check(folder, 0))
    assert "6 of 6 games agree with their records and seeds." in [finding.text for finding in findings]
    assert not [finding for finding in findings if finding.is_fault and finding.text.startswith("Game")]
    assert report_of(folder).league.seed == "7"
    forged = folder.lines("1-1")
    (folder.games / "1-2.jsonl").write_text("".join(f"{line}\n" for line in forged))
    assert [finding for finding in verify.check(folder, 0) if finding.text.startswith("Game 1-2")]


def test_league_with_shared_seeds_is_resumed_unchanged(tmp_path: Path) -> None:
    """Resumed with today's configuration its games are unchanged and can be reproduced."""
    today = league("random", "dummy", "random", blocks=2)
    shared = replace(today, seeding="block")
    whole = played(tmp_path / "whole", shared)
    part = left(played(tmp_path / "part", shared), "0-0", "0-1", "0-2", "1-0")
    assert part.begin(today) == shared
    runner.run(part, lambda: ThreadPoolExecutor(1), 1)
    assert part.results() == whole.results()
    for game in games(shared):
        assert part.lines(game.key) == whole.lines(game.key)
        assert json.loads(part.lines(game.key)[0])["seed"] == block_seed("1", game.block)
        assert reproduce.difference(shared, game, part.lines(game.key)) is None


def test_league_of_dummies_has_no_variance_reduction(tmp_path: Path) -> None:
    """All games of a league of dummies count and are checked, but blocks of one game have no variance reduction."""
    folder = played(tmp_path / "league", league("dummy", "dummy", "dummy", blocks=6))
    report = report_of(folder)
    assert (report.figures.variance_reduction, len(report.results), report.league.complete) == (None, 6, True)
    assert not [finding.text for finding in verify.check(folder, 2) if finding.is_fault]
