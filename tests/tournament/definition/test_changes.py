"""Events that change a league: bots that withdraw and return, other conditions, another end."""

# ruff: noqa: D103  # the name of each test says what it checks

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.tournament.small_leagues import league
from vinci_tournament.definition.changes import changed, dropped, returned, withdrawn
from vinci_tournament.definition.configuration import LeagueError
from vinci_tournament.definition.events import Event
from vinci_tournament.definition.extension import extended
from vinci_tournament.definition.league import Conditions, LeagueBot
from vinci_tournament.definition.schedule import games, line_ups
from vinci_tournament.play import worker
from vinci_tournament.play.folder import Folder
from vinci_tournament.play.progress import LeagueProgress
from vinci_tournament.play.worker import request_id
from vinci_tournament.results.result import other_conditions
from vinci_tournament.verify import check

SIX = league(*["random"] * 6, seats=3, blocks=40)
NAMES = [bot.name for bot in SIX.bots]
REMOTE = replace(SIX, bots=tuple(LeagueBot(name, remote=True) for name in NAMES))


def keys(*blocks: int) -> set[str]:
    """Return the keys of the first games of blocks, which have thus begun."""
    return {f"{block}-0" for block in blocks}


def test_blocks_that_have_begun_stay_and_others_are_played_without_the_bot() -> None:
    """Block 3 waits, while 4 to 9 were played; no seed or seat of the blocks that stay changes."""
    begun = keys(0, 1, 2, *range(4, 10))
    event = withdrawn(SIX, "b", begun)
    after = SIX.after(event)
    before, now = line_ups(SIX), line_ups(after)
    assert [block for block in range(40) if "b" in before[block] and block not in (0, 1, 2, *range(4, 10))] == [
        *event.replaced
    ]
    assert {block for block in range(40) if "b" in now[block]} == {block for block in range(10) if "b" in before[block]}
    stay = [game for game in games(SIX) if game.block not in event.replaced]
    assert stay == [game for game in games(after) if game.block not in event.replaced]
    assert len(games(after)) == len(games(SIX))
    old, new = ({game.key: game for game in games(one)} for one in (SIX, after))
    for key, game in new.items():
        if game.block in event.replaced:
            assert {old[key].seed, old[key].opening_seed}.isdisjoint({game.seed, game.opening_seed})
            assert request_id(SIX, old[key]) != request_id(after, game)
    played = Counter(name for line_up in now for name in line_up if name != "b")
    assert max(played.values()) - min(played.values()) <= 3, played
    assert after.digest == SIX.digest


def test_bot_that_returns_catches_up() -> None:
    gone = SIX.after(withdrawn(SIX, "b", keys(0, 1)))
    back = gone.after(returned(gone, "b", keys(*range(20))))
    assert line_ups(back)[:20] == line_ups(gone)[:20]
    assert all("b" not in line_up for line_up in line_ups(back)[2:20])
    played = Counter(name for line_up in line_ups(back) for name in line_up)
    assert played["b"] >= 10 > Counter(name for line_up in line_ups(gone) for name in line_up)["b"]
    again = back.after(withdrawn(back, "b", keys(*range(20))))
    assert [line_up for line_up in line_ups(again)[2:] if "b" in line_up] == []
    assert len({game.seed for one in (SIX, gone, back, again) for game in games(one) if game.block == 39}) == len(
        {(game.seed, game.bots) for one in (SIX, gone, back, again) for game in games(one) if game.block == 39}
    ), "no draws are used for two line-ups"


def test_end_is_earlier_or_later_and_blocks_stay() -> None:
    cut = changed(SIX, "blocks", "25", keys(*range(20)))
    assert cut is not None
    shorter = SIX.after(cut)
    assert games(shorter) == games(SIX)[:75]
    further = changed(shorter, "blocks", "60", keys(*range(20)))
    assert further is not None
    longer = shorter.after(further)
    assert games(longer)[:75] == games(SIX)[:75]
    assert len(games(longer)) == 180
    played = Counter(name for line_up in line_ups(longer) for name in line_up)
    assert max(played.values()) - min(played.values()) <= 1
    assert longer.digest == SIX.digest
    assert changed(longer, "blocks", "60", ()) is None


def test_line_ups_of_a_file_go_on_without_the_bot() -> None:
    given = league("random", "random", "random", "random", format="line-ups", seats=3, blocks=9,
                   line_ups=[["a", "b"], ["c", "b"], ["a", "d"]])  # fmt: skip
    assert "c" not in {name for line_up in line_ups(given.after(withdrawn(given, "c", ()))) for name in line_up}
    one = given.after(withdrawn(given, "d", ()))
    with pytest.raises(LeagueError, match="no line-up would be left"):
        withdrawn(one, "b", ())


def test_conditions_of_games_change_with_their_blocks() -> None:
    events = [changed(REMOTE, "clock", "30s", keys(0, 4)), changed(REMOTE, "absence", "60", keys(0, 4))]
    after = REMOTE.after(*filter(None, events))
    old = REMOTE.conditions
    assert after.conditions_of(4) == [old, old._replace(absence=60)]
    assert after.conditions_of(5) == [old._replace(clock=30, absence=60)]
    assert (after.at(4).clock, after.at(4).absence, after.at(5).clock) == (60, 60, 30)
    assert after.conditions == old, "those at the start"
    assert after.events[1].told == (
        "From block 5 on, and in games of earlier blocks that had not begun, absence is 60 instead of 600."
    )


def test_result_under_conditions_of_another_block_is_told() -> None:
    event = changed(SIX, "clock", "30", keys(0))
    assert event is not None
    after = SIX.after(event)
    results = [worker.play(after, game).result for game in games(after)[:6]]
    assert [result.conditions.clock for result in results if result.conditions] == [60] * 3 + [30] * 3
    assert list(other_conditions(after, results)) == []
    [(text, played)] = other_conditions(SIX, results)
    assert (played, "clock 30 instead of 60" in text) == (["1-0", "1-1", "1-2"], True)


def test_games_that_nobody_is_left_to_play_are_dropped_and_their_block_counts(tmp_path: Path) -> None:
    """The last of three bots withdraws after two games of block 0 are over: the third game is not played."""
    bots = tuple(LeagueBot(name, remote=True) for name in ("a", "b", "c", "d", "e", "f"))
    given = replace(SIX, bots=bots, seats=3, blocks=4)
    first = line_ups(given)[0]
    after = given
    for name in first[:2]:
        after = after.after(withdrawn(after, name, {"0-0", "0-1"}))
    with pytest.raises(LeagueError, match="fewer bots would be left"):
        withdrawn(after.after(*dropped(after, [next(name for name in "abcdef" if name not in first)])), first[2], ())
    event = withdrawn(after, first[2], {"0-0", "0-1"})
    assert event.dropped == ("0-2",)
    after = after.after(event)
    assert [game.key for game in games(after)][:4] == ["0-0", "0-1", "1-0", "1-1"]
    here = replace(after, bots=SIX.bots)  # as bots of this machine, to have results
    results = [worker.play(here, game).result for game in games(here)]
    progress = LeagueProgress(after, results)
    assert (progress.is_decided, len(progress.results)) == (True, 11)


@pytest.mark.parametrize(
    ("keys_of", "bot", "why"),
    [
        ({}, "z", "there is no bot 'z' to withdraw; in the league are a, b, c"),
        ({}, "a", "fewer bots would be left than a game has seats, 3"),
        ({"format": "gauntlet"}, "a", "it plays in every block"),
        ({"format": "swiss"}, "a", "the rounds of this league need all of its bots"),
    ],
)
def test_bots_that_cannot_withdraw(keys_of: dict[str, object], bot: str, why: str) -> None:
    with pytest.raises(LeagueError, match=why):
        withdrawn(league("random", "random", "random", seats=3, **keys_of), bot, ())


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("clock", "soon", "clock: "),
        ("absence", "60", "absence: it is for leagues with remote bots"),
        ("blocks", "2", "games: at least 9, as the last block that has begun is finished"),
    ],
)
def test_changes_that_are_refused(key: str, value: str, why: str) -> None:
    with pytest.raises(LeagueError, match=why):
        changed(SIX, key, value, keys(2))


def test_league_with_other_line_ups_is_not_extended() -> None:
    after = SIX.after(withdrawn(SIX, "b", ()))
    with pytest.raises(LeagueError, match="vinci tournament change --games"):
        extended(after, [], 3, played=0, is_stopped=False)


def test_bots_of_a_ladder_are_out_of_blocks_that_are_chosen_later() -> None:
    ladder = replace(league("random", "random", "random", "random", format="ladder", seats=3), blocks=7)
    after = ladder.after(withdrawn(ladder, "b", ()))
    assert [after.active(block) for block in (6, 7)] == [["a", "b", "c", "d"], ["a", "c", "d"]]
    later = replace(after, blocks=9)
    assert later.after(returned(later, "b", ())).active(9) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    "event",
    [
        Event("started", time="2026-12-05T19:00:00+00:00"),
        Event("withdrew", bot="a", replaced=(3, 4), dropped=("0-1",)),
        Event("changed", key="absence", before=600, to=0, block=0),
        Event("changed", key="clock", before=60, to="600+15", block=3),
        Event("voided", game="3-1"),
    ],
)
def test_event_is_read_as_it_was_written(event: Event) -> None:
    assert Event.from_json(event.to_json()) == event


def test_league_that_a_bot_left_is_verified_and_forged_events_are_found(tmp_path: Path) -> None:
    """A league of bots of this machine, which b leaves after two blocks; then an event is removed."""
    folder = Folder(tmp_path)
    folder.begin(replace(SIX, blocks=6))
    folder.keep([worker.play(folder.league(), game) for game in games(folder.league())[:6]])
    event = changed(folder.league(), "clock", "30", keys(0, 1))
    assert event is not None
    with folder.locked():
        folder.note_events([withdrawn(folder.league(), "b", set(folder.results())), event])
    now = folder.league()
    assert now.conditions_of(2)[0] == Conditions(30, 3, 2048, 600, analysis=False)
    folder.keep([worker.play(now, game) for game in games(now)[6:]])
    with folder.locked():
        folder.note_events([Event("voided", game=f"5-{rotation}") for rotation in range(3)] * 2)
    now = folder.league()
    findings = [*check(folder, 1)]
    assert [finding.text for finding in findings if finding.is_fault] == []
    [told] = [finding.text for finding in findings if finding.check == "events"]
    assert told.endswith(" Nobody came to game 5-2; it is played later. And 3 more.")
    assert Folder(tmp_path).begin(replace(SIX, blocks=6)) == now, "the same file continues it"
    lines = (tmp_path / "events.jsonl").read_text().splitlines(keepends=True)
    for left, why in (
        (lines[1:], "has a different seed or different bots than the schedule"),
        (lines[:1], "clock 30 instead of 60"),
    ):
        (tmp_path / "events.jsonl").write_text("".join(left))
        assert any(why in finding.text for finding in check(folder, 0) if finding.is_fault)
