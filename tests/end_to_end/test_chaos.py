"""Chaos: matches while the server is killed and connections are cut; no request is lost or happens twice."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
import os
import random
import sqlite3
from collections import Counter, defaultdict
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.network.cuttable_proxy import Proxy, proxy
from tests.support.processes.chaos import RestartingServer, chooser, cut
from tests.support.processes.chaos_player import MAY_COME_BETWEEN, ChaosPlayer, ChaosSpectator
from tests.support.processes.vinci_process import Vinci, run
from vinci.v1 import bot_pb2, game_pb2, lobby_pb2, match_pb2
from vinci_client import bot as wire
from vinci_client.session import Session
from vinci_rules import position, record

HUMAN: Final = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_HUMAN)
DUMMY: Final = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_DUMMY)
BOT: Final = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_BOT, bot="random")
TABLES: Final = (
    (HUMAN, BOT, BOT),
    (BOT, HUMAN, HUMAN),
    (HUMAN, HUMAN, BOT, DUMMY),
    (BOT, DUMMY, HUMAN),
    (BOT, BOT, BOT, HUMAN),
    (BOT, BOT, BOT),
)
TIMINGS: Final = (
    lobby_pb2.Timing(),
    lobby_pb2.Timing(decision_seconds=300),
    lobby_pb2.Timing(bank_seconds=600, increment_seconds=1, on_timeout=lobby_pb2.TIMEOUT_POLICY_FORFEIT),
    lobby_pb2.Timing(bank_seconds=600, absence_seconds=1),
)
"""Long enough that nobody's time is ever up."""
MAY_COME_TOO_EARLY: Final = MAY_COME_BETWEEN | {"ILLEGAL_ACTION", "CANNOT_UNDO"}
"""Why a request is refused that was meant to follow another one, or takes back what cannot be taken back."""
GIVEN_BACK: Final = 10_000
"""Milliseconds that a clock can gain when the server is killed."""
NOT_CHARGED: Final = 1000
"""Milliseconds that a clock shows as running and that are not charged when it stops: the network, the queue, the log."""
ROUNDING: Final = 2
LATE_SECONDS: Final = 3
"""After this what was told has come, or is lost."""
PLAYED: Final = ("act", "undo")


@dataclass(frozen=True)
class ChaosSettings:
    """Extent of a chaos run: minimum kills and matches, concurrent matches, rounds, seconds between faults."""

    kills: int
    matches: int
    at_once: int
    rounds: tuple[int, ...]
    between_kills: float
    between_cuts: float
    seconds: float


SHORT: Final = ChaosSettings(kills=5, matches=5, at_once=4, rounds=(8,), between_kills=3, between_cuts=0.8, seconds=150)
FULL: Final = ChaosSettings(
    kills=40, matches=20, at_once=6, rounds=(30, 300), between_kills=6, between_cuts=0.8, seconds=1200
)


class Chaos:
    """A chaos run: the server, the proxies, the matches and their players."""

    def __init__(
        self, form: ChaosSettings, seed: int, server: RestartingServer, direct: Session, around: AsyncExitStack
    ) -> None:
        self.form: Final = form
        self.chance: Final = random.Random(seed)
        self.server: Final = server
        self.direct: Final = direct
        self.proxies: Final[list[Proxy]] = []
        self.actors: Final[defaultdict[str, list[ChaosPlayer]]] = defaultdict(list)
        self.onlookers: Final[dict[str, ChaosSpectator]] = {}
        self.begun = 0
        self.calm: Final = asyncio.Lock()
        self._around: Final = around

    async def proxy_address(self) -> str:
        """Start a proxy to the server, whose connections may break at any time; return its address."""
        self.proxies.append(await self._around.enter_async_context(proxy(self.server.port)))
        return f"127.0.0.1:{self.proxies[-1].port}"

    async def table(self) -> None:
        """Play matches one after the other until enough of them and of kills have happened."""
        sessions = [await self._around.enter_async_context(Session(await self.proxy_address())) for _ in range(2)]
        while self.begun < self.form.matches or self.server.kills < self.form.kills:
            self.begun += 1
            match_id, actors = await self._match(sessions)
            self.actors[match_id] = actors
            self.onlookers[match_id] = ChaosSpectator(sessions[1], match_id)
            await asyncio.gather(self.onlookers[match_id].watch(), *(actor.play() for actor in actors))
            while (await self._get(match_id)).status != lobby_pb2.MATCH_STATUS_OVER:
                await asyncio.sleep(0.2)

    async def kill(self) -> None:
        """Kill the server at random moments for ever."""
        while True:
            await asyncio.sleep(self.chance.choice((self.chance.random(), self.chance.expovariate(1.0))) * self._gap())
            async with self.calm:
                await self.server.die()

    def _gap(self) -> float:
        return self.form.between_kills * 4 / 3  # so that the waits of `kill` have the wanted mean

    async def _match(self, sessions: list[Session]) -> tuple[str, list[ChaosPlayer]]:
        """Start a match without kills, because tokens are sent once; return the actors of its human seats."""
        seats = self.chance.choice(TABLES)
        options = game_pb2.Options(
            settings={"max_rounds": str(self.chance.choice(self.form.rounds)), "target": "10000"}
        )
        seed = self.chance.choice(("", f"{self.begun}"))
        timing = self.chance.choice(TIMINGS)
        request = lobby_pb2.CreateMatchRequest(
            seats=seats, board="tiny", options=options, start_when_full=True, seed=seed, timing=timing
        )
        async with self.calm:
            made = await self.direct.call(self.direct.lobby.CreateMatch, request)
            match_id = made.match.match_id
            joined = [await self.direct.join(match_id, f"actor {seat}") for seat in range(seats.count(HUMAN))]
        actors = [ChaosPlayer(sessions, answer, random.Random(self.chance.getrandbits(32))) for answer in joined]
        return match_id, actors

    async def _get(self, match_id: str) -> lobby_pb2.Match:
        request = lobby_pb2.GetMatchRequest(match_id=match_id)
        return (await self.direct.call(self.direct.lobby.GetMatch, request)).match

    async def check_records(self, home: Path) -> list[Path]:
        """Check that every match is over, and its record replays to its result through every position that was sent."""
        paths = []
        for match_id, actors in self.actors.items():
            match = await self._get(match_id)
            assert match.status == lobby_pb2.MATCH_STATUS_OVER
            request = match_pb2.GetRecordRequest(match_id=match_id)
            lines = list((await self.direct.call(self.direct.match.GetRecord, request)).lines)
            received = [
                (str(json.loads(line).get("do", "")), position.write(step.state))
                for line, step in zip(lines, record.replay(lines), strict=True)
            ]
            assert len(received) == match.revision + 2
            for actor in actors:
                assert actor.updates == received[:-1]
            onlooker = self.onlookers[match_id]
            assert [(text, after) for _, text, after in onlooker.updates] == received[:-1]
            self._check_clocks(match.timing, onlooker)
            await self._check_times(match)
            result = json.loads(lines[-1])["result"]
            assert (result["vp"], result["ranks"]) == (list(match.vp), list(match.ranks))
            record.verify_chance(lines)
            paths.append(home / f"{match_id}.jsonl")
            paths[-1].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return paths

    def _check_clocks(self, timing: lobby_pb2.Timing, onlooker: ChaosSpectator) -> None:
        """Check that no clock gained more than increments and what a killed server gives back."""
        for earlier, look in pairwise(onlooker.looks):
            killed = any(earlier.moment - LATE_SECONDS < death < look.moment for death in self.server.deaths)
            for seat, left in enumerate(look.left, start=1):
                most = timing.decision_seconds * 1000
                if timing.bank_seconds:
                    acts = sum(by == seat for by, _, _ in onlooker.updates[earlier.revision + 1 : look.revision + 1])
                    stops = acts + look.changes - earlier.changes
                    gained = acts * timing.increment_seconds * 1000 + stops * NOT_CHARGED + killed * GIVEN_BACK
                    most = earlier.left[seat - 1] + gained + ROUNDING
                assert left <= most, (earlier, look, seat)

    async def _check_times(self, match: lobby_pb2.Match) -> None:
        """Check that each decision took its time off the clock, but for the increment at the end of a turn."""
        request = match_pb2.GetTimesRequest(match_id=match.match_id)
        times = (await self.direct.call(self.direct.match.GetTimes, request)).times
        left = dict.fromkeys(range(1, len(match.seats) + 1), match.timing.bank_seconds * 1000)
        for took in times:
            if match.timing.bank_seconds and took.HasField("left"):
                most = left[took.seat] - took.think + match.timing.increment_seconds * 1000 + ROUNDING
                assert took.left <= most, (took, left)
                left[took.seat] = took.left

    def check_log(self, database: Path) -> Counter[str]:
        """Check that every acknowledged request is in the log once; return how often each kind happened."""
        connection = sqlite3.connect(database)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        counts: Counter[str] = Counter()
        for match_id, actors in self.actors.items():
            query = "SELECT sequence, kind, request, text FROM log WHERE match = ? ORDER BY sequence"
            rows = connection.execute(query, (match_id,)).fetchall()
            assert [sequence for sequence, *_ in rows] == list(range(1, len(rows) + 1))
            counts.update(kind for _, kind, _, _ in rows)
            acts = [(request, text if kind == "act" else "") for _, kind, request, text in rows if kind in PLAYED]
            stored: dict[str, list[tuple[int, str]]] = {}
            for revision, (request, text) in enumerate(acts, start=1):
                if request is not None:
                    stored.setdefault(request.partition("#")[0], []).append((revision, text))
            for actor in actors:
                counts["acknowledged"] += _check_requests(actor, stored)
            assert not stored, "the log has requests that nobody made"
            end = max(sequence for sequence, kind, _, _ in rows if kind in PLAYED)
            chat = {sequence: json.loads(text)["text"] for sequence, kind, _, text in rows if kind == "chat"}
            _check_chat(actors, chat, end)
        connection.close()
        return counts


def _check_requests(actor: ChaosPlayer, stored: dict[str, list[tuple[int, str]]]) -> int:
    """Compare the answers of an actor with the log, and remove its requests; return its number of actions."""
    acknowledged = 0
    for sent in actor.sent:
        happened = stored.pop(sent.request.request_id, [])
        revisions = [revision for revision, _ in happened]
        assert revisions == list(range(revisions[0], revisions[0] + len(revisions)) if revisions else []), sent
        assert all(answer == happened for answer in sent.answers), (sent, happened)
        assert sent.played <= 1, sent
        assert set(sent.refusals) <= MAY_COME_TOO_EARLY, sent
        assert bool(happened) == bool(sent.answers), (sent, happened)
        acknowledged += len(happened)
    return acknowledged


def _check_chat(actors: list[ChaosPlayer], chat: dict[int, str], end: int) -> None:
    """Check that the log has each chat line exactly once and every actor received all lines before the end."""
    assert len(set(chat.values())) == len(chat)
    unanswered = set(chat.values())
    for actor in actors:
        assert actor.chat_lines.items() <= chat.items()
        unanswered -= set(actor.chat_lines.values())
        heard = dict(actor.received_lines)
        assert len(heard) == len(actor.received_lines)
        assert {number: text for number, text in chat.items() if number < end} == {
            number: text for number, text in heard.items() if number < end
        }
    assert unanswered <= {text for actor in actors for text in actor.unanswered_lines}


async def play(home: Path, form: ChaosSettings) -> Counter[str]:
    """Play matches under chaos, then check everything; return how often each kind happened."""
    seed = int(os.environ.get("VINCI_CHAOS_SEED", random.getrandbits(32)))
    print(f"the same kind of chaos again: VINCI_CHAOS_SEED={seed}")  # noqa: T201  # shown when the test fails
    with ExitStack() as processes:
        server = RestartingServer(home, random.Random(seed), processes)
        await server.start()
        async with asyncio.timeout(form.seconds), AsyncExitStack() as around:
            direct = await around.enter_async_context(Session(server.address))
            chaos = Chaos(form, seed, server, direct, around)
            arguments = ("bot", "random", await chaos.proxy_address(), "--at-once", "4", "--with-stdin")
            bot = processes.enter_context(Vinci(home, *arguments, typed=True))
            await _until_all_is_played(chaos, seed)
            assert bot.lives, bot.err
            paths = await chaos.check_records(home)
            assert len(paths) >= form.matches
        await server.end()
    counts = chaos.check_log(home / "server.db")
    assert "verified" in run(home, "replay", str(paths[0]), "--verify").out
    assert server.kills >= form.kills
    print(f"{server.kills} kills, {len(paths)} matches, {dict(counts)}")  # noqa: T201
    return counts


async def _until_all_is_played(chaos: Chaos, seed: int) -> None:
    """Wait for all tables; raise any exception of a table, a bot or the chaos itself."""
    hello = bot_pb2.Hello(name="random", games=100, position=True, without_state=True)
    tables: asyncio.Future[Any] = asyncio.gather(*[chaos.table() for _ in range(chaos.form.at_once)])
    endless: list[asyncio.Future[Any]] = [
        asyncio.ensure_future(wire.play(await chaos.proxy_address(), hello, chooser(seed + number)))
        for number in range(2)
    ]
    endless.append(asyncio.ensure_future(chaos.kill()))
    endless.append(asyncio.ensure_future(cut(chaos.proxies, chaos.chance, chaos.form.between_cuts)))
    try:
        done, _ = await asyncio.wait([tables, *endless], return_when=asyncio.FIRST_COMPLETED)
        for ended in done:
            await ended
        await chaos.calm.acquire()  # the server lives
    finally:
        for each in (tables, *endless):
            each.cancel()
        await asyncio.gather(tables, *endless, return_exceptions=True)


async def test_matches_survive_kills_without_lost_or_repeated_requests(tmp_path: Path) -> None:
    counts = await play(tmp_path, SHORT)
    assert counts["acknowledged"] > 0


@pytest.mark.slow
@pytest.mark.timeout(FULL.seconds + 100)
async def test_twenty_matches_survive_thirty_kills(tmp_path: Path) -> None:
    counts = await play(tmp_path, FULL)
    assert all(counts[kind] > 0 for kind in ("undo", "chat", "pause", "resume", "substitute", "return")), counts
