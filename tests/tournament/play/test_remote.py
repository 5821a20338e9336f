"""Games of remote entrants that begin, wait or are forfeited, and the state that `status` reads."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
import platform
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.tournament.small_leagues import league
from vinci_bots.local.local_match import USUAL, Unattended
from vinci_tournament.definition import configuration
from vinci_tournament.definition.extension import extended
from vinci_tournament.definition.league import League, LeagueBot
from vinci_tournament.definition.schedule import ScheduledGame, games
from vinci_tournament.play import live
from vinci_tournament.play.live import close_live, last_live, read_live, read_page, remove_live, write_live
from vinci_tournament.play.remote import Entrants, Presence, RemoteTables, seats_needed
from vinci_tournament.play.worker import GameServer, play, play_all, request_id

ANN_BEN = Counter(ann=1, ben=1)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def entrants(clock: Clock) -> Entrants:
    names = ("ann", "ben", "cat")
    return Entrants(dict.fromkeys(names, 1), absence=60, came=names, now=clock)


def test_game_begins_when_its_entrants_have_room(entrants: Entrants) -> None:
    entrants.look({"ann": 2, "ben": 1})
    assert entrants.absent(ANN_BEN) == frozenset()
    entrants.begin(ANN_BEN, frozenset())
    assert entrants.absent(ANN_BEN) is None, "ben plays already"
    assert entrants.absent(Counter(ann=1)) == frozenset()
    entrants.end(ANN_BEN)
    assert entrants.absent(ANN_BEN) == frozenset()
    assert entrants.absent(Counter(ann=3)) is None


def test_absent_entrant_forfeits_one_game_for_each_time_that_is_waited(entrants: Entrants, clock: Clock) -> None:
    entrants.look({"ann": 4})
    clock.time += 59
    assert entrants.absent(ANN_BEN) is None
    clock.time += 1
    assert entrants.absent(ANN_BEN) == frozenset({"ben"})
    entrants.begin(ANN_BEN, frozenset({"ben"}))
    assert entrants.absent(ANN_BEN) is None
    clock.time += 60
    assert entrants.absent(ANN_BEN) == frozenset({"ben"})


def test_who_comes_back_is_waited_for_anew(entrants: Entrants, clock: Clock) -> None:
    clock.time += 100
    entrants.look({"ann": 1, "ben": 1})
    entrants.begin(ANN_BEN, frozenset())
    entrants.look({"ann": 1})
    entrants.end(ANN_BEN)
    assert entrants.absent(ANN_BEN) is None
    clock.time += 60
    assert entrants.absent(ANN_BEN) == frozenset({"ben"})


def test_without_a_limit_entrants_are_waited_for_for_ever(clock: Clock) -> None:
    entrants = Entrants({"ann": 1, "ben": 1}, absence=0, came=("ben",), now=clock)
    entrants.look({"ann": 1})
    clock.time += 1e6
    assert entrants.absent(ANN_BEN) is None


def test_game_waits_for_room_of_those_who_are_there_before_others_forfeit(entrants: Entrants, clock: Clock) -> None:
    entrants.look({"ann": 1})
    entrants.begin(Counter(ann=1), frozenset())
    clock.time += 100
    assert entrants.absent(ANN_BEN) is None


def test_who_leaves_before_its_first_game_is_waited_for_once(entrants: Entrants, clock: Clock) -> None:
    entrants.look({"ann": 1, "ben": 1})
    entrants.look({"ann": 1})
    assert entrants.absent(ANN_BEN) is None
    clock.time += 60
    assert entrants.absent(ANN_BEN) == frozenset({"ben"})


def test_entrant_that_offers_less_than_its_seats_counts_as_away(clock: Clock) -> None:
    fields = {"name": "gate", "format": "gate", "seats": 4}
    bots = [{"name": "new", "remote": True}, {"name": "base", "remote": True}]
    needs = seats_needed(configuration.league(fields | {"bots": bots}))
    assert needs == {"new": 1, "base": 3}
    entrants = Entrants(needs, absence=60, now=clock)
    entrants.look({"new": 1, "base": 2})
    assert entrants.presence(["base"]) == [Presence("base", 2, 0, 0.0, 3, came=False)]
    assert entrants.came == {"new"}, "the league does not start with too few"
    entrants.look({"new": 1, "base": 3})
    entrants.look({"new": 1, "base": 2})
    clock.time += 60
    assert entrants.absent(Counter(needs)) == frozenset({"base"})
    entrants.look({"new": 1, "base": 3})
    assert entrants.absent(Counter(needs)) == frozenset()


def test_seats_of_a_remote_bot_in_the_line_up_with_most_of_them_are_needed() -> None:
    """A bot of given line-ups needs room for all its seats of a game, not for those of the first line-up only."""
    bots = [{"name": name, "remote": True} for name in ("ann", "ben")]
    fields = {"name": "given", "format": "line-ups", "seats": 4, "line_ups": [["ann", "ben"], ["ben", "ann"]]}
    assert seats_needed(configuration.league(fields | {"bots": bots})) == {"ann": 3, "ben": 3}


def test_presence_names_offers_games_and_time_away(entrants: Entrants, clock: Clock) -> None:
    entrants.look({"ann": 3})
    entrants.begin(Counter(ann=2), frozenset())
    clock.time += 7
    assert entrants.presence(["ann", "ben"]) == [Presence("ann", 3, 2, None), Presence("ben", 0, 0, 7.0)]


def test_time_away_goes_on_over_forfeits_and_restarts(clock: Clock) -> None:
    entrants = Entrants({"ann": 1, "ben": 1}, absence=60, came=("ben",), away={"ben": 100.0}, now=clock)
    entrants.look({"ann": 1})
    clock.time += 60
    entrants.begin(ANN_BEN, frozenset({"ben"}))
    entrants.wait_anew()
    clock.time += 1
    assert entrants.presence(["ben"])[0].away == 161.0
    assert entrants.absent(Counter(ben=1)) is None, "it is waited for anew"


def test_absence_counts_only_after_the_first_connection(clock: Clock) -> None:
    entrants = Entrants({"ann": 1, "ben": 1}, absence=60, now=clock)
    entrants.look({"ann": 1})
    clock.time += 1e6
    assert entrants.absent(ANN_BEN) is None
    entrants.look({"ann": 1, "ben": 1})
    entrants.look({"ann": 1})
    clock.time += 60
    assert entrants.absent(ANN_BEN) == frozenset({"ben"})


def test_live_state_is_read_until_it_is_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_live(tmp_path) is None
    write_live(tmp_path, [Presence("ann", 3, 2, None)], [("0-1", ("ann", "ben"))])
    state = read_live(tmp_path)
    assert state is not None
    assert (state.entrants, state.running) == ((Presence("ann", 3, 2, None),), (("0-1", ("ann", "ben")),))
    monkeypatch.setattr(live, "VALID_SECONDS", -1.0)
    assert read_live(tmp_path) is None
    remove_live(tmp_path)
    assert not list(tmp_path.iterdir())


def test_state_and_page_of_a_process_that_has_ended_are_not_present(tmp_path: Path) -> None:
    """A process of this machine that was killed is known at once; one of another machine is believed until it is old."""
    script = "import sys; from pathlib import Path; from vinci_tournament.play.live import *; place = Path(sys.argv[1])"
    script += "; write_live(place, [], []); write_page(place, ['http://127.0.0.1:1/league']); import os; os._exit(9)"
    for name in ("own", "other"):
        (tmp_path / name).mkdir()
        subprocess.run([sys.executable, "-c", script, str(tmp_path / name)], check=False)
    for file in (tmp_path / "other").iterdir():
        file.write_text(file.read_text(encoding="utf-8").replace(platform.node(), "elsewhere"), encoding="utf-8")
    assert (read_live(tmp_path / "own"), read_page(tmp_path / "own")) == (None, [])
    assert last_live(tmp_path / "own") is not None
    assert read_live(tmp_path / "other") is not None
    assert read_page(tmp_path / "other") == ["http://127.0.0.1:1/league"]


def test_live_state_of_other_versions_is_read(tmp_path: Path) -> None:
    """An earlier version wrote fewer fields, a later one may write more."""
    old = {"name": "ann", "offers": 3, "playing": 2, "away": None}
    state = {"time": time.time(), "entrants": [old, {**old, "name": "ben", "mood": "good"}], "running": [], "more": 1}
    (tmp_path / "live.json").write_text(json.dumps(state), encoding="utf-8")
    read = read_live(tmp_path)
    assert read is not None
    assert read.entrants == (Presence("ann", 3, 2, None), Presence("ben", 3, 2, None))
    close_live(tmp_path)
    assert read_live(tmp_path) is None, "the league is stopped"
    closed = last_live(tmp_path)
    assert closed is not None
    assert closed.entrants == read.entrants


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Return an event loop that runs in another thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture
def remote() -> League:
    """Return a league of remote bots only."""
    bots = tuple(LeagueBot(name, remote=True) for name in ("ann", "ben", "cat"))
    return replace(league("random", "random", "random"), bots=bots)


def test_error_of_the_scheduler_ends_the_games_that_wait(loop: asyncio.AbstractEventLoop, remote: League) -> None:
    def broken() -> dict[str, int]:
        raise ValueError("broken")

    tables = RemoteTables(loop, GameServer("nowhere:1"), Entrants({}, 0), dict, lambda _id: False, 1)
    waiting = tables.submit(play_all, play, remote, games(remote)[:1])
    tables._offered = broken  # type: ignore[misc]
    with pytest.raises(ValueError, match="broken"):
        waiting.result(60)


def test_game_that_an_extension_plans_anew_is_another_request(remote: League) -> None:
    longer = extended(remote, [LeagueBot("dan", remote=True)], 1, played=1, is_stopped=False)
    before, after = ({game.key: request_id(one, game) for game in games(one)} for one in (remote, longer))
    assert {key for key, request in before.items() if after[key] == request} == {"0-0", "0-1", "0-2"}
    assert len({*before.values(), *after.values()}) == len(before) + len(after) - 3


def test_games_begun_before_a_restart_go_on_before_others_begin(
    loop: asyncio.AbstractEventLoop, remote: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = games(remote)[:2]
    begun: list[tuple[str, float]] = []

    async def played(_league: League, game: ScheduledGame, _at: GameServer, _absent: object, start: float) -> str:
        begun.append((game.key, start))
        return game.key

    monkeypatch.setattr("vinci_tournament.play.remote.play_match", played)
    offered = {bot.name: 1 for bot in remote.bots}
    begun_id = request_id(remote, second)
    entrants = Entrants(offered, remote.absence)
    tables = RemoteTables(loop, GameServer("nowhere:1"), entrants, lambda: offered, begun_id.__eq__, 1)
    for end in [tables.submit(play_all, play, remote, [game]) for game in (first, second)]:
        end.result(60)
    assert begun == [(second.key, remote.absence), (first.key, USUAL.start)]
    tables.shutdown()


def test_game_in_which_nobody_is_left_to_play_waits(
    loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of several absent seats does not win: ann, ben and cat are all overdue, so only the mixed game begins.

    It begins with random, a bot of this machine, and not with a dummy.
    """
    absent: dict[str, frozenset[str]] = {}
    names = ("ann", "ben", "cat")
    bots = (*(LeagueBot(name, remote=True) for name in names), LeagueBot("d", "dummy"), LeagueBot("r", "random"))
    given = replace(league("random", "random", "random"), bots=bots)

    async def played(_league: League, game: ScheduledGame, _at: GameServer, gone: frozenset[str], _s: float) -> str:
        absent[game.key] = gone
        return game.key

    monkeypatch.setattr("vinci_tournament.play.remote.play_match", played)
    offered: dict[str, int] = {}
    entrants = Entrants(dict.fromkeys(names, 1), 1e-6, came=names)
    tables = RemoteTables(loop, GameServer("nowhere:1"), entrants, lambda: offered, lambda _id: False, 1)
    line_ups = (names, ("ann", "ben", "d"), ("ann", "ben", "r"))
    ends = [
        tables.submit(play_all, play, given, [ScheduledGame(block, 0, "s", line_up)])
        for block, line_up in enumerate(line_ups)
    ]
    assert ends[2].result(60) == ["2-0"]
    offered |= {"cat": 1}
    assert ends[0].result(60) == ["0-0"]
    assert absent == {"2-0": {"ann", "ben"}, "0-0": {"ann", "ben"}}
    assert not ends[1].done()
    tables.shutdown()


def test_game_that_nobody_came_to_is_played_when_somebody_is_back(
    loop: asyncio.AbstractEventLoop, remote: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = {bot.name: 1 for bot in remote.bots}
    tries: list[str] = []

    async def played(_league: League, game: ScheduledGame, _at: GameServer, _absent: object, _start: float) -> str:
        tries.append(game.key)
        if len(tries) == 1:
            offered.clear()
            raise Unattended
        return game.key

    monkeypatch.setattr("vinci_tournament.play.remote.play_match", played)
    void = threading.Event()
    voided: list[str] = []

    def note(key: str) -> None:
        voided.append(key)
        void.set()

    entrants = Entrants(dict(offered), 1)
    # A match is begun at the server from the first try on.
    tables = RemoteTables(loop, GameServer("nowhere:1"), entrants, lambda: offered, lambda _id: bool(tries), 1, note)
    end = tables.submit(play_all, play, remote, games(remote)[:1])
    assert void.wait(60)
    assert (voided, tries, end.done()) == (["0-0"], ["0-0"], False)
    offered["ann"] = 1
    assert end.result(60) == ["0-0"]
    tables.shutdown()
