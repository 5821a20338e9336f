"""Levels at servers: searches of all matches of a process share its time."""

import pytest

from tests.support.paths import DOCS
from vinci.v1.lobby_pb2 import Match
from vinci_bots.builtin.connected import ACTIVE_SECONDS, MOST_SECONDS, SharedTime, policy_bot
from vinci_bots.turn import Turn
from vinci_cli.commands.bot.group import ABOUT
from vinci_players.levels import Player
from vinci_players.names import LEVELS

START = "tiny; rules standard target=20; round 0; seat 1; seat 2; seat 3"


def test_time_is_shared_by_matches_with_a_decision_shortly_before() -> None:
    """One match has all of it, two have half each, and a match without decisions no longer counts."""
    now = 100.0
    shared = SharedTime(2.0, lambda: now)
    assert [shared.share(match) for match in ("a", "a", "b", "a", "c")] == pytest.approx([2.0, 2.0, 1.0, 1.0, 2.0 / 3])
    now += ACTIVE_SECONDS - 1.0
    assert shared.share("a") == pytest.approx(2.0 / 3)
    now += 1.0
    assert shared.share("b") == pytest.approx(1.0)


def test_descriptions_tell_the_time_of_a_search() -> None:
    """Of the level that uses it up, in the help of `vinci bot`, in forms and in the documents."""
    time = {1.0: "a second", 2.0: "two seconds", 5.0: "five seconds"}[MOST_SECONDS]
    for text in (ABOUT["expert"], LEVELS["expert"][1]):
        assert f" for up to {time}" in text
    assert f"a search ends after {time} at the latest" in (DOCS / "players.md").read_text(encoding="utf-8")


def test_search_is_limited_by_the_share_of_its_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search in a second match has half of the time of the first."""
    given: list[float] = []
    monkeypatch.setattr(Player, "limit", lambda _, seconds: given.append(seconds))
    kind = policy_bot("easy")
    for match in ("a", "b"):
        turn = Turn.of(START)
        turn.game.match.CopyFrom(Match(match_id=match, seats=turn.game.match.seats))
        kind().choose(turn)
    assert given == [2.0, 1.0]
