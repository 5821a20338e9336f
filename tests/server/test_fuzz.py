"""Fuzz: whatever is sent to any call, the server answers by the protocol, tells nothing of its insides, and no match is
changed but by a legal act of whoever bears the token."""

# ruff: noqa: D103  # the name of each test says what it proves

import asyncio
import os
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass
from server.fuzz import ODD, Fuzz
from server.running import HUMAN, Table, address, bearer, bot_seat, create, join, refused, serving, table

from vinci.v1 import bot_pb2, game_pb2, lobby_pb2, match_pb2
from vinci_client.errors import ServerRefused, from_rpc
from vinci_client.session import OPTIONS, Session
from vinci_rules import notation, position, record
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import apply, legal_actions, new_game, open_decision, suggestion
from vinci_rules.phases import PHASES
from vinci_rules.playout import random_action
from vinci_server.access import Access, Doorkeeper
from vinci_server.app import Server
from vinci_server.errors import STATUS
from vinci_server.limits import USUAL, Limits

CALLS: Final = [
    (service, method)
    for file in (lobby_pb2, match_pb2, bot_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]
INSIDES: Final = re.compile(
    r"Traceback|\b[A-Za-z]*(?:Error|Exception)\b|<class|object at 0x|vinci_(?:rules|server|codec)|\.py\b|sqlite|NoneType"
)
"""What no answer may hold; none of it is in what is sent."""
OF_OURS: Final = {name for name, code in STATUS.items() if code is not grpc.StatusCode.INTERNAL}
SENDABLE: Final = [text for text in ODD if text.isascii() and text.isprintable() and len(text) < 4000]
"""What metadata can hold."""
PRINTABLE: Final = "".join(map(chr, range(32, 127)))
UNLIMITED: Final = Limits(**dict.fromkeys(USUAL.by_name(), 2**31 - 1))
"""Nothing is too much, so that everything reaches the services."""
AT_ONCE: Final = 8
ANSWER_SECONDS: Final = 30.0
MOST_READ: Final = 3
"""Messages of a watch that are looked at before it is left."""


def positions(seed: int) -> dict[str, str]:
    """A position of each phase, from random games on the tiny board."""
    chance = random.Random(seed)
    found: dict[str, str] = {}
    while len(found) < len(PHASES):
        state = new_game(
            load_board("tiny"), options((False, False, False), max_rounds=9), FastChance(chance.getrandbits(32))
        )
        while state.phase != "over":
            if chance.random() < 0.1:
                found.setdefault(state.phase, position.write(state))
            apply(state, random_action(state, chance), FastChance(chance.getrandbits(32)))
        found["over"] = position.write(state)
    return found


def _legal(text: str) -> list[str]:
    """What is legal in a position."""
    state = position.read(text)
    chosen = list(legal_actions(state)) + ([suggestion(state)] if open_decision(state) else [])
    return [notation.write(action, state.board) for action in chosen]


class Fuzzed:
    """A server with matches in every phase, and what is sent to it."""

    def __init__(self, server: Server, session: Session, seed: int) -> None:
        self.seed: Final = seed
        self.channel: Final = grpc.aio.insecure_channel(address(server), options=OPTIONS)
        self.session: Final = session
        self.untouched: Final[list[Table]] = []
        self.open_to_all: Final[list[Table]] = []
        self.tokens: Final[list[str]] = []
        self.statuses: Final[Counter[str]] = Counter()
        self.played: Final[dict[str, dict[int, str]]] = {}
        self.fuzz: Fuzz
        self._notations: list[str] = []
        self._legal: Final[dict[str, list[str]]] = {}

    async def prepare(self) -> None:
        """Make the matches: of each phase one whose tokens stay secret and one whose tokens are sent."""
        at_phases = positions(self.seed)
        notations = {"forfeit 1", "forfeit 2", "forfeit 9", "stay", "decline", "peace 2", "hold"}
        for text in at_phases.values():
            notations |= set(_legal(text))
        for matches in (self.untouched, self.open_to_all):
            for text in at_phases.values():
                matches.append(await table(self.session, text))
                self._legal[matches[-1].match_id] = _legal(text) or ["stay"]
            made = await create(self.session, HUMAN, HUMAN, HUMAN)  # full, for anybody may take a free seat
            joined = [(await join(self.session, made.match.match_id, seat)).seat_token for seat in (1, 2, 3)]
            matches.append(Table(self.session, made.match.match_id, made.host_token, tuple(joined)))
        waiting = await create(self.session, HUMAN, HUMAN, bot_seat("ada"))
        with_bots = await create(self.session, bot_seat("ada"), bot_seat(), bot_seat("bob"))
        self._notations = sorted(notations)
        self.tokens += [token for at in self.open_to_all for token in (at.host, *at.tokens) if token]
        self.played.update({at.match_id: {} for at in self.open_to_all})
        ids = [at.match_id for at in (*self.untouched, *self.open_to_all)]
        ids += [waiting.match.match_id, with_bots.match.match_id]
        self.fuzz = Fuzz(
            self.seed,
            {
                "": [*ids, *self.tokens, *notations, *at_phases.values(), "tiny", "europe", "ALP", "ARA", "standard"],
                "match_id": ids,
                "notation": self._notations,
                "position": list(at_phases.values()),
                "board": ["tiny", "europe", ""],
                "name": ["ada", "bob", "tiny", "europe"],
                "bot": ["ada", "bob", ""],
                "seed": ["", "7"],
                "edition": ["standard", "FR", "NL", "DE", "WEB", ""],
                "settings.key": ["target", "max_rounds", "deck", "give_up", "dummy_start_vp", "dummy_extra_pawns"],
                "settings.value": ["20", "1", "0", "9999", "free", "-5", "10001"],
                "province": list(load_board("tiny").codes),
                "provinces": list(load_board("tiny").codes),
                "forts": list(load_board("tiny").codes),
                "request_id": [f"request {number}" for number in range(40)],
                "seat_tokens": self.tokens,
                "page_token": ["", "0~x", "1e18~"],
            },
        )

    def metadata(self, match_id: str) -> tuple[tuple[str, str], ...]:
        """The token of a call: often one of this match, else of another one, none, or none at all. Perhaps a code."""
        chance = self.fuzz.random
        code = (("vinci-access", chance.choice(SENDABLE)),) if chance.random() < 0.1 else ()
        return self._token(match_id) + code

    def _token(self, match_id: str) -> tuple[tuple[str, str], ...]:
        chance = self.fuzz.random
        way = chance.random()
        if way < 0.6:
            fitting = [token for token in self.tokens if token.startswith(f"{match_id}.")]
            return bearer(chance.choice(fitting or self.tokens))
        if way < 0.75:
            return bearer(chance.choice(self.tokens))
        if way < 0.85:
            return ()
        return (("authorization", chance.choice(("Bearer ", "bearer  ", "Basic ", "")) + chance.choice(SENDABLE)),)

    async def send(self, number: int) -> None:
        """So many messages, several calls at once."""
        chance = self.fuzz.random
        sent = 0
        while sent < number:
            calls = []
            for _ in range(AT_ONCE):
                service, method = chance.choice(
                    CALLS if chance.random() < 0.6 else [c for c in CALLS if c[1].name == "Act"]
                )
                many = chance.randint(1, 6) if method.client_streaming else 1
                data = [self._data(method, first=place == 0) for place in range(many)]
                calls.append(self._call(service.full_name, method, data))
                sent += many
            async with asyncio.timeout(ANSWER_SECONDS):
                await asyncio.gather(*calls)

    def _data(self, method: Any, *, first: bool) -> bytes:
        if method.name == "Act" and self.fuzz.random.random() < 0.4:
            return self._nearly_right().SerializeToString()
        if not method.client_streaming or self.fuzz.random.random() < 0.2:
            return self.fuzz.data(method.input_type)
        if first:
            hello: Any = self.fuzz.message(bot_pb2.Hello.DESCRIPTOR)
            hello.name = self.fuzz.random.choice(("ada", "bob"))
            if self.fuzz.random.random() < 0.5:
                hello.seat_tokens[:] = []
            return bot_pb2.PlayRequest(hello=hello).SerializeToString()
        answer: Any = self.fuzz.message(bot_pb2.Answer.DESCRIPTOR)
        return bot_pb2.PlayRequest(answer=answer).SerializeToString()

    def _nearly_right(self) -> match_pb2.ActRequest:
        """An act as a client might send it, but at any time and for any seat."""
        chance = self.fuzz.random
        match_id = chance.choice((*self.open_to_all, *self.open_to_all, *self.untouched)).match_id
        fitting = self._legal.get(match_id, self._notations)
        chosen = [
            chance.choice(fitting if chance.random() < 0.8 else self._notations)
            for _ in range(chance.choice((1, 1, 3)))
        ]
        return match_pb2.ActRequest(
            match_id=match_id,
            request_id=f"{chance.getrandbits(chance.choice((6, 64)))}",
            expected_revision=chance.choice((None, None, 0, 1)),
            actions=[game_pb2.Action(notation=text) for text in chosen],
            validate_only=chance.random() < 0.3,
        )

    async def _call(self, service: str, method: Any, data: Sequence[bytes]) -> None:
        path = f"/{service}/{method.name}"
        request = _parsed(match_pb2.ActRequest, data[0]) if method.name == "Act" else None
        metadata = self.metadata(_match_id(method, data[0]))
        try:
            if method.client_streaming:
                await self._stream(self.channel.stream_stream(path)(metadata=metadata), data)
            elif method.server_streaming:
                stream = self.channel.unary_stream(path)(data[0], metadata=metadata)
                for _ in range(MOST_READ):
                    try:
                        async with asyncio.timeout(0.01):
                            await stream.read()
                    except TimeoutError:
                        break
                stream.cancel()
            else:
                answer = await self.channel.unary_unary(path)(data[0], metadata=metadata, timeout=ANSWER_SECONDS)
                if method.name == "Act":
                    self._keep(request, metadata, match_pb2.ActResponse.FromString(answer))
        except grpc.aio.AioRpcError as error:
            self._refused(path, error, data)
        except asyncio.CancelledError:  # of a stream that was left
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise
        else:
            self.statuses["OK"] += 1

    async def _stream(self, stream: Any, data: Sequence[bytes]) -> None:
        try:
            for message in data:
                await stream.write(message)
            await stream.done_writing()
        except asyncio.InvalidStateError:
            pass  # it has ended meanwhile; reading tells why
        except grpc.aio.AioRpcError as error:
            if error.details() == "Internal error from Core":  # the client's own: it wrote to a stream that just ended
                return
            raise
        while (answer := await stream.read()) is not grpc.aio.EOF:
            response = bot_pb2.PlayResponse.FromString(answer)
            if response.HasField("refused"):
                refusal = response.refused.refusal
                assert refusal.rule or refusal.reason in OF_OURS, response
                assert not INSIDES.search(str(response)), response

    def _refused(self, path: str, error: grpc.aio.AioRpcError, data: Sequence[bytes]) -> None:
        code, text = error.code(), error.details() or ""
        told = (path, code, text, data)
        assert code not in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNAVAILABLE), told
        assert not INSIDES.search(text), told
        failure = from_rpc(error, "")
        assert isinstance(failure, ServerRefused), told
        assert failure.reason in OF_OURS, told
        assert not INSIDES.search(str(failure.facts)), told
        self.statuses[failure.reason] += 1

    def _keep(self, request: Any, metadata: tuple[tuple[str, str], ...], answer: match_pb2.ActResponse) -> None:
        assert request is not None
        (at,) = (at for at in self.open_to_all if at.match_id == request.match_id)
        seats = [seat for seat, token in enumerate(at.tokens, start=1) if metadata[:1] == bearer(token)]
        assert seats, ("an act with a wrong token", request, metadata)
        assert answer.repeated_request or {update.seat for update in answer.updates} <= set(seats)
        assert not INSIDES.search(str(answer.refusal)), answer
        if answer.repeated_request or request.validate_only:
            return
        told = self.played[request.match_id]
        for update in answer.updates:
            assert update.revision not in told, "two answers for one revision"
            told[update.revision] = update.notation


def _parsed(kind: Any, data: bytes) -> Any:
    try:
        return kind.FromString(data)
    except Exception:
        return None


def _match_id(method: Any, data: bytes) -> str:
    if method.client_streaming:
        return ""
    return str(getattr(_parsed(GetMessageClass(method.input_type), data), "match_id", ""))


async def _snapshot(at: Table) -> tuple[bytes, list[str], str]:
    """All that can be known of a match."""
    match = await at.get()
    told = ""
    if match.status != lobby_pb2.MATCH_STATUS_OPEN:
        stream = at.watch(position=True)
        async with asyncio.timeout(ANSWER_SECONDS):
            assert (await stream.read()).HasField("match")
            told = (await stream.read()).update.position
        stream.cancel()
    return match.SerializeToString(deterministic=True), await at.record(), told


async def fuzz(database: Path, number: int) -> None:
    """Send so many messages and compare what is there afterwards with what was answered."""
    seed = int(os.environ.get("VINCI_FUZZ_SEED", random.getrandbits(32)))
    print(f"the same messages again: VINCI_FUZZ_SEED={seed}")  # noqa: T201  # shown when the test fails
    faults: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: faults.append(context))
    server = await Server.start("127.0.0.1", 0, database, limits=UNLIMITED)
    try:
        async with Session(address(server)) as session:
            fuzzed = Fuzzed(server, session, seed)
            await fuzzed.prepare()
            before = [await _snapshot(at) for at in fuzzed.untouched]
            await fuzzed.send(number)
            await fuzzed.channel.close()
            assert [await _snapshot(at) for at in fuzzed.untouched] == before
            for at in fuzzed.open_to_all:
                await _check_played(at, fuzzed.played[at.match_id])
            assert sum(map(len, fuzzed.played.values())) > 0
            print(dict(fuzzed.statuses), {key: len(told) for key, told in fuzzed.played.items()})  # noqa: T201
    finally:
        await server.stop()
    async with serving(database) as (_, session):
        again = [Table(session, at.match_id, at.host, at.tokens) for at in fuzzed.untouched]
        assert [await _snapshot(at) for at in again] == before
    assert not faults, faults


async def _check_played(at: Table, told: dict[int, str]) -> None:
    """A match was changed by what was answered, by bots with its tokens, and by nothing else."""
    lines = await at.record()
    acts = [step for step in record.replay(lines) if step.action is not None] if lines else []
    assert max(told, default=0) <= len(acts)
    for revision, step in enumerate(acts, start=1):
        assert step.action is not None
        assert step.by in ("player", "bot", "default")
        expected = notation.write(step.action, step.state.board) if step.by == "player" else None
        assert told.get(revision) == expected


async def test_nothing_that_is_sent_harms_the_server(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await fuzz(database, 1500)
    _check_log(capsys)


@pytest.mark.parametrize("door", [Access(code="k3f9-xa2m"), Access(password="sesame")])
async def test_no_metadata_opens_a_closed_server_or_shows_its_insides(
    database: Path, door: Access, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(1)
    printable = ["".join(chance.choices(PRINTABLE, k=chance.randint(1, 300))) for _ in range(50)]
    values: list[tuple[str, Any]] = [("vinci-access", text) for text in (*SENDABLE, *printable, "k" * 6000, "k3f9-xa2")]
    values += [("vinci-access-bin", chance.randbytes(size)) for size in (0, 1, 8, 300, 5000)]
    server = await Server.start("127.0.0.1", 0, database, access=door, limits=UNLIMITED)
    reasons: Counter[str] = Counter()
    async with grpc.aio.insecure_channel(address(server), options=OPTIONS) as channel:
        for value in values:
            for service, method in chance.sample(CALLS, 3):
                many: Any = channel.stream_stream if method.client_streaming else channel.unary_stream
                call = many(f"/{service.full_name}/{method.name}")
                metadata = (value, ("authorization", "Bearer x"))
                error = await refused(
                    (call(metadata=metadata) if many == channel.stream_stream else call(b"", metadata=metadata)).read()
                )
                assert error.reason in ("NO_ACCESS", "BAD_ACCESS"), (value, error)
                assert not INSIDES.search(error.message)
                reasons[error.reason] += 1
    await server.stop()
    assert set(reasons) == {"NO_ACCESS", "BAD_ACCESS"}
    _check_log(capsys)


@pytest.mark.parametrize("door", [Access(code="k3f9-xa2m"), Access(password="sesame")])
@pytest.mark.parametrize("text", [*ODD, "k3f9\u2013xa2n", "\udcff\ud800", "\uff4b3f9xa2m", "ses\u0430me", "\u00ff" * 9])
def test_no_letters_of_the_world_are_the_code_or_the_password(door: Access, text: str) -> None:
    class Call:
        def invocation_metadata(self) -> list[tuple[str, str]]:
            return [("vinci-access", text)]

    assert not Doorkeeper(door).lets_in(Call())


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_a_hundred_thousand_messages_do_not_harm_the_server(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await fuzz(database, 100_000)
    _check_log(capsys)


def _check_log(capsys: pytest.CaptureFixture[str]) -> None:
    written = "".join(capsys.readouterr())
    assert "internal error" not in written
    assert "Traceback" not in written
