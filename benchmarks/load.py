"""A process that loads a server and writes what it found as one line of JSON: bots and watchers that know no rules."""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, Final

import grpc

from vinci.v1 import bot_pb2, lobby_pb2, match_pb2
from vinci.v1.game_pb2 import Action, Conquer, Decline, Legal, Stay, Take
from vinci_client import bot
from vinci_client.session import Session

from .connect import Connection
from .processes import cpu_seconds, megabytes

SEATS: Final = 4
DECISIONS_OF_A_GAME: Final = 200
"""About, and rather fewer."""
AT_ONCE: Final = 50
"""Calls and streams that are begun at the same time."""
SLEEPY_SECONDS: Final = 3.0
"""After which quiet matches have fallen asleep."""
SETTLING_SECONDS: Final = 5.0
"""Longest wait for streams to become quiet."""
PATIENCE_SECONDS: Final = 30.0
MOST_DECISIONS: Final = 12_000
"""A second, rather more than a server manages."""


def choose(legal: Legal, random: Random) -> Action:
    """Anything that is legal; conquests for preference, so that empires grow, and now and then a decline."""
    if legal.take:
        return Action(take=Take(slot=random.choice(legal.take)))
    if legal.HasField("redeploy"):
        return Action(redeploy=legal.redeploy.suggestion)
    if legal.stay:
        return Action(stay=Stay())
    if legal.conquer and (random.random() < 0.95 or not legal.decline):
        return Action(conquer=Conquer(province=random.choice(legal.conquer)))
    if legal.decline:
        return Action(decline=Decline())
    return Action(hold=legal.hold.suggestion)


class Player:
    """A bot with all the seats of its matches, one match at a time. It waits `pause` seconds with each answer.

    Attributes:
        answered: when it answered last.
        trips: seconds from each answer to the next decision.
    """

    def __init__(self, name: str, pause: float) -> None:
        self.name: Final = name
        self.trips: Final[list[float]] = []
        self.answered = 0.0
        self._pause: Final = pause
        self._random: Final = Random(name)
        self._game = ""

    async def play(self, address: str) -> None:
        """Play until cancelled."""
        hello = bot_pb2.Hello(name=self.name, games=SEATS, without_state=True)
        await bot.play(address, hello, self._choose)

    async def _choose(self, decision: bot_pb2.Decision) -> list[Action]:
        if decision.match_id == self._game:  # from one game to the next is no round trip
            self.trips.append(perf_counter() - self.answered)
        if self._pause:
            await asyncio.sleep(self._pause if self._game else self._pause * self._random.random())
        self._game = decision.match_id
        action = choose(decision.legal, self._random)
        self.answered = perf_counter()
        return [action]


class WebPlayer(Player):
    """Such a bot over HTTP: a stream of decisions, and a call for each answer."""

    async def play(self, address: str) -> None:
        """Play until cancelled."""
        listening, sending = Connection(address), Connection(address)
        hello = bot_pb2.Hello(name=self.name, games=SEATS, without_state=True)
        token = ""
        try:
            stream = listening.stream("/vinci.v1.BotService/Listen", bot_pb2.ListenRequest(hello=hello))
            async for data in stream:
                said = bot_pb2.ListenResponse.FromString(data)
                token = said.token or token
                decision = said.response.decision
                if said.response.HasField("decision"):
                    request = bot_pb2.SendRequest()
                    answer = request.requests.add().answer
                    answer.match_id, answer.seat, answer.revision = (
                        decision.match_id,
                        decision.seat,
                        decision.revision,
                    )
                    answer.actions.extend(await self._choose(decision))
                    await sending.call("/vinci.v1.BotService/Send", request, token)
        finally:
            listening.close()
            sending.close()


@asynccontextmanager
async def players(
    address: str, count: int, games: int, pause: float = 0.0, web: str = ""
) -> AsyncIterator[list[Player]]:
    """So many players once all play, each with so many new games in front of it; they stop at the end.

    With `web`, the address of the web server, they play over HTTP.
    """
    found = [(WebPlayer if web else Player)(f"load{number}", pause) for number in range(count)]
    gate = asyncio.Semaphore(AT_ONCE)
    async with Session(address) as session:

        async def create(player: Player) -> None:
            async with gate:
                await session.create(new_match(player.name))

        await asyncio.gather(*(create(player) for player in found for _ in range(games)))
    tasks = [asyncio.create_task(player.play(web or address)) for player in found]
    try:
        deadline = perf_counter() + PATIENCE_SECONDS
        while not all(player.answered for player in found) and perf_counter() < deadline:
            await asyncio.sleep(0.05)
        yield found
    finally:
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended


def new_match(name: str) -> lobby_pb2.CreateMatchRequest:
    """A match for a bot of this name."""
    seat = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_BOT, bot=name)
    return lobby_pb2.CreateMatchRequest(seats=[seat] * SEATS, start_when_full=True)


async def decisions(args: argparse.Namespace) -> dict[str, Any]:
    """Play and count: `rate` decisions a second, `p50` and `p99` of the round trips in ms, `playing` streams.

    With a process `pid`, also `cpu`, the share of one core in percent that it used meanwhile.
    """
    async with players(args.address, args.matches, _games(args), args.pause, args.web) as found:
        await asyncio.sleep(args.warm)
        for player in found:
            player.trips.clear()
        used, start = cpu_seconds(args.pid) if args.pid else 0.0, perf_counter()
        await asyncio.sleep(args.seconds)
        took = perf_counter() - start
        cpu = (cpu_seconds(args.pid) - used) / took if args.pid else 0.0
        trips = sorted(1000 * trip for player in found for trip in player.trips)
        playing = sum(bool(player.trips) for player in found)
    percentiles = {"p50": trips[len(trips) // 2], "p99": trips[len(trips) * 99 // 100]}
    return {"rate": len(trips) / took, **percentiles, "cpu": 100 * cpu, "playing": playing}


def _games(args: argparse.Namespace) -> int:
    """Games for each player, so that none is ever without one; no new ones if they are to play a given match."""
    if args.match:
        return 0
    rate = 1 / args.pause if args.pause else MOST_DECISIONS / args.matches
    return 1 + int(args.seconds * rate / DECISIONS_OF_A_GAME)


class WebWatchers:
    """Streams over HTTP that watch a match and count what arrives."""

    def __init__(self, address: str) -> None:
        self._address: Final = address
        self._tasks: Final[list[asyncio.Task[None]]] = []
        self.count = 0

    async def open(self, match_ids: Sequence[str]) -> None:
        """Watch these matches; returns after the first message of every stream."""
        begun = [asyncio.Event() for _ in match_ids]
        for match_id, event in zip(match_ids, begun, strict=True):
            self._tasks.append(asyncio.create_task(self._follow(match_id, event)))
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.gather(*(event.wait() for event in begun))

    async def _follow(self, match_id: str, begun: asyncio.Event) -> None:
        connection = Connection(self._address)
        request = match_pb2.WatchRequest(match_id=match_id, state=True, legal=True)
        try:
            async for _ in connection.stream("/vinci.v1.MatchService/Watch", request):
                begun.set()
                self.count += 1
        finally:
            connection.close()

    async def close(self) -> None:
        """End all streams. Raises an exception if one has ended badly before."""
        for task in self._tasks:
            task.cancel()
        for ended in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended


class Watchers:
    """Streams that watch matches and count what arrives."""

    def __init__(self, address: str) -> None:
        self._channel: Final = grpc.aio.insecure_channel(address)
        self._watch: Any = self._channel.unary_stream(
            "/vinci.v1.MatchService/Watch", request_serializer=match_pb2.WatchRequest.SerializeToString
        )  # without a deserializer: bytes suffice for counting
        self._calls: Final[list[Any]] = []
        self._tasks: Final[list[asyncio.Task[None]]] = []
        self.count = 0

    async def open(self, match_ids: Sequence[str], from_revision: int | None = None, *, settle: bool = True) -> None:
        """Watch these matches; returns after the first message of every stream, with `settle` when no more arrive.

        Settling ends after SETTLING_SECONDS, because the server pings streams that have been open for a while.
        """
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(match_id: str) -> None:
            async with gate:
                call = self._watch(match_pb2.WatchRequest(match_id=match_id, from_revision=from_revision))
                await call.read()
            self._calls.append(call)
            self._tasks.append(asyncio.create_task(self._follow(call)))

        await asyncio.gather(*(one(match_id) for match_id in match_ids))
        seen, end = -1, perf_counter() + SETTLING_SECONDS
        while settle and seen != self.count and perf_counter() < end:
            seen = self.count
            await asyncio.sleep(0.3)

    async def _follow(self, call: Any) -> None:
        while await call.read() is not grpc.aio.EOF:
            self.count += 1

    async def close(self) -> None:
        """End all streams. Raises AioRpcError if one has ended badly before."""
        for call in self._calls:
            call.cancel()
        for ended in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended
        await self._channel.close()


async def probe(args: argparse.Namespace) -> dict[str, Any]:
    """Request a match repeatedly; returns the `worst` round trip and the worst delay of this process itself, in ms."""
    worst, own = 0.0, 0.0
    async with Session(args.address) as session:
        request = lobby_pb2.GetMatchRequest(match_id=args.match)
        await session.call(session.lobby.GetMatch, request)
        print(json.dumps({}), flush=True)
        end = perf_counter() + args.seconds
        while (start := perf_counter()) < end:
            await session.lobby.GetMatch(request)
            worst = max(worst, perf_counter() - start)
            start = perf_counter()
            await asyncio.sleep(0.002)
            own = max(own, perf_counter() - start - 0.002)
    return {"worst": 1000 * worst, "own": 1000 * own}


async def histories(args: argparse.Namespace) -> dict[str, Any]:
    """Watch one match from its start in many streams at once; `rate` is the number of messages per second."""
    async with Session(args.address) as session:
        await session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())
    watchers = Watchers(args.address)
    start = perf_counter()
    await watchers.open([args.match] * args.streams, from_revision=0, settle=False)
    await asyncio.sleep(max(0.0, start + args.seconds - perf_counter()))
    found = {"rate": watchers.count / (perf_counter() - start)}
    await watchers.close()
    return found


async def spectators(args: argparse.Namespace) -> dict[str, Any]:
    """Watch one match with so many streams: `rate` is what arrives a second, from the first update on."""
    watchers: Watchers | WebWatchers = WebWatchers(args.web) if args.web else Watchers(args.address)
    await watchers.open([args.match] * args.streams)
    watchers.count = 0
    print(json.dumps({}), flush=True)
    while not watchers.count:
        await asyncio.sleep(0.001)
    await asyncio.sleep(args.seconds)
    found = {"rate": watchers.count / args.seconds}
    await watchers.close()
    return found


async def sleepers(args: argparse.Namespace) -> dict[str, Any]:
    """Watch matches named `match` with a number, one stream each. `mb`: what the process `pid` has in memory when they
    sleep, a moment later.

    With a `token`, acts in some of them: ms until the answer, medians; `asleep`, and `awake` in others that somebody
    has just asked for.
    """
    names = [f"{args.match}{number}" for number in range(args.streams)]
    watchers = Watchers(args.address)
    await watchers.open(names)
    await asyncio.sleep(SLEEPY_SECONDS)
    found: dict[str, Any] = {"mb": megabytes(args.pid)}
    if args.token:
        async with Session(args.address) as session:
            await session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())
            answer = await session.call(session.match.Suggest, match_pb2.SuggestRequest(match_id=names[-1]))
            found["asleep"] = await _acts(session, names[: args.acts], args.token, answer)
            others = names[args.acts : 2 * args.acts]
            for name in others:
                await session.call(session.lobby.GetMatch, lobby_pb2.GetMatchRequest(match_id=name))
            found["awake"] = await _acts(session, others, args.token, answer)
    await watchers.close()
    return found


async def _acts(session: Session, names: Sequence[str], token: str, suggested: match_pb2.SuggestResponse) -> float:
    """All are at the same position, so the same action fits them all."""
    took = []
    for name in names:
        start = perf_counter()
        await session.act(name, token, [suggested.action], suggested.revision)
        took.append(1000 * (perf_counter() - start))
    return median(took)


WORKS: Final[dict[str, Callable[[argparse.Namespace], Coroutine[Any, Any, dict[str, Any]]]]] = {
    "decisions": decisions,
    "histories": histories,
    "probe": probe,
    "spectators": spectators,
    "sleepers": sleepers,
}


def main() -> None:
    """Run a load and write what it found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("work", choices=WORKS)
    parser.add_argument("address")
    parser.add_argument("--matches", type=int, default=1)
    parser.add_argument("--streams", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--warm", type=float, default=0.5)
    parser.add_argument("--pause", type=float, default=0.0)
    parser.add_argument("--pid", type=int, default=0)
    parser.add_argument("--match", default="")
    parser.add_argument("--web", default="")
    parser.add_argument("--token", default="")
    parser.add_argument("--acts", type=int, default=50)
    args = parser.parse_args()
    print(json.dumps(asyncio.run(WORKS[args.work](args))), flush=True)


if __name__ == "__main__":
    main()
