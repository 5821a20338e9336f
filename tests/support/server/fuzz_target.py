"""The server of fuzz tests, with matches in every phase and of every kind; each answer is checked."""

import asyncio
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf.message_factory import GetMessageClass

from tests.support.server.acknowledged import HOST, HOST_CALLS, AcknowledgedCalls
from tests.support.server.in_process import EASY, HUMAN, Table, address, bearer, bot_seat, create, join, table
from tests.support.server.persons import Device
from tests.support.server.random_messages import ODD, Fuzz
from vinci.v1 import admin_pb2, bot_pb2, game_pb2, lobby_pb2, match_pb2, person_pb2
from vinci_client.access import OPTIONS
from vinci_client.errors import ServerRefused, from_rpc
from vinci_client.session import Session, new_person_key
from vinci_refusals.catalogue import REASONS
from vinci_rules import notation, position
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance, nonce_hash
from vinci_rules.editions import options
from vinci_rules.engine import apply, legal_actions, new_game, open_decision, suggestion
from vinci_rules.phases import PHASES
from vinci_rules.playout import random_action
from vinci_server.app import Server
from vinci_server.match.audience.messages import PROPOSALS
from vinci_server.match.seats.tokens import ADMIN_FILE

CALLS: Final = [
    (service, method)
    for file in (lobby_pb2, match_pb2, bot_pb2, admin_pb2, person_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]
OFTEN: Final = [
    call
    for call in CALLS
    for _ in range({"Act": 12, "Undo": 3, "Propose": 4, "TakeBack": 3, "ResumeSeats": 3}.get(call[1].name, 1))
]
INSIDES: Final = re.compile(
    r"Traceback|\b[A-Za-z]*(?:Error|Exception)\b|<class|object at 0x|vinci_(?:refusals|rules|server|codec)|\.py\b|sqlite|NoneType"
)
"""Texts that no answer may contain; none of it is in what is sent."""
OF_OURS: Final = {name for name, reason in REASONS.items() if reason.status != "INTERNAL"}
SENDABLE: Final = [text for text in ODD if text.isascii() and text.isprintable() and len(text) < 4000]
"""Odd texts that metadata can contain."""
ADMIN_READS: Final = {"GetServerStatus", "ListActivity", "InspectMatch"}
NEVER_ADMIN: Final = {"DrainServer", "BackupDatabase", "MakeBotKey"}
"""With the right token they would refuse much of what follows, or fill the disk."""
KEYS: Final = 6
"""Keys of persons; some belong to the same person after a link was used."""
AT_ONCE: Final = 8
ANSWER_SECONDS: Final = 30.0
MOST_READ: Final = 3
"""Messages of a watch that are looked at before it is left."""
LONG: Final = lobby_pb2.Timing(bank_seconds=100_000, increment_seconds=5)
SHORT: Final = lobby_pb2.Timing(
    decision_seconds=1, on_timeout=lobby_pb2.TIMEOUT_POLICY_SUBSTITUTE, absence_seconds=1, substitute="ada"
)


def positions(seed: int) -> dict[str, str]:
    """Return a position of each phase, from random games on the tiny board."""
    chance = random.Random(seed)
    result: dict[str, str] = {}
    while len(result) < len(PHASES):
        state = new_game(
            load_board("tiny"), options((False, False, False), max_rounds=9), FastChance(chance.getrandbits(32))
        )
        while state.phase != "over":
            if chance.random() < 0.1:
                result.setdefault(state.phase, position.write(state))
            apply(state, random_action(state, chance), FastChance(chance.getrandbits(32)))
        result["over"] = position.write(state)
    return result


def _legal(text: str) -> tuple[int, list[str]]:
    """Return the seat to act in a position, and the legal actions."""
    state = position.read(text)
    chosen = list(legal_actions(state)) + ([suggestion(state)] if open_decision(state) else [])
    return state.actor + 1, [notation.write(action, state.board) for action in chosen]


class Fuzzed:
    """The server, its matches, and what is sent to it.

    Attributes:
        untouched: tables whose tokens stay secret. in_play: those of this round, whose tokens are sent. What an admin
        may do happens to neither, but to tables of its own.
    """

    def __init__(self, server: Server, session: Session, folder: Path, seed: int) -> None:
        self.channel: Final = grpc.aio.insecure_channel(address(server), options=OPTIONS)
        self.session: Final = session
        self.untouched: Final[list[Table]] = []
        self.in_play: Final[list[Table]] = []
        self.deeds: Final = AcknowledgedCalls()
        self.statuses: Final[Counter[str]] = Counter()
        self.fuzz: Fuzz
        self.keys: Final = [new_person_key() for _ in range(KEYS)]
        self._admin: Final = (folder / ADMIN_FILE).read_text(encoding="ascii").strip()
        self._positions: Final = positions(seed)
        self._seed: Final = seed
        self._notations: list[str] = []
        self._legal: Final[dict[str, tuple[int, list[str]]]] = {}
        self._spared: Final[set[str]] = set()
        self._at_mercy: Final[list[Table]] = []

    async def prepare(self) -> None:
        """Create the tables and the valid field values."""
        self.untouched.extend(await self._tables())
        self.untouched.append(await table(self.session, timing=LONG))
        notations = {"forfeit 1", "forfeit 2", "forfeit 9", "stay", "decline", "peace 2", "hold"}
        for text in self._positions.values():
            notations |= set(_legal(text)[1])
        self._notations = sorted(notations)
        codes = list(load_board("tiny").codes)
        ids = [at.match_id for at in self.untouched]
        self.fuzz = Fuzz(
            self._seed,
            {
                "": [*ids, *notations, *self._positions.values(), "tiny", "europe", "ALP", "ARA", "standard"],
                "match_id": ids,
                "notation": self._notations,
                "position": list(self._positions.values()),
                "board": ["tiny", "europe", ""],
                "name": ["ada", "bob", "tiny", "europe"],
                "bot": ["ada", "bob", ""],
                "seed": ["", "7"],
                "nonce": ["", "one"],
                "nonce_hash": ["", nonce_hash("one")],
                "edition": ["standard", "FR", "NL", "DE", "WEB", ""],
                "settings.key": ["target", "max_rounds", "deck", "give_up", "dummy_start_vp", "dummy_extra_pawns"],
                "settings.value": ["20", "1", "0", "9999", "free", "-5", "10001"],
                "province": codes,
                "provinces": codes,
                "forts": codes,
                "request_id": [f"request {number}" for number in range(40)],
                "page_token": ["", "0~x", "1e18~"],
                "text": ["hello", "well played"],
                "reason": ["enough"],
                "player": ["Ann", ""],
                "code": ["", "", ""],
            },
        )
        for at in self.untouched:
            self._spared.add(at.match_id)
            await self._know(at)

    async def open_tables(self) -> None:
        """Create new tables whose tokens are sent."""
        waiting = [await create(self.session, HUMAN, HUMAN, bot_seat("ada")) for _ in range(3)]
        with_bots = await create(self.session, bot_seat("ada"), bot_seat(), bot_seat("bob"))
        self.in_play[:] = await self._tables()
        self._at_mercy[:] = await self._tables()
        self.in_play.extend([await table(self.session, EASY, timing=timing) for timing in (LONG, SHORT)])
        for made in (*waiting, with_bots):
            self.in_play.append(Table(self.session, made.match.match_id, made.host_token, ()))
        of_persons = await create(self.session, HUMAN, HUMAN, HUMAN)
        owner, phone = (Device(self.session, key) for key in self.keys[:2])
        joined = await owner.join(of_persons.match.match_id, player=f"name {owner.key[:4]}")
        self.deeds.give(of_persons.match.match_id, joined.seat, joined.seat_token)
        if not await phone.get():
            await phone.use(await owner.link())
        self.in_play.append(Table(self.session, of_persons.match.match_id, of_persons.host_token, ()))
        for at in self.in_play:
            self._spared.add(at.match_id)
        for at in (*self.in_play, *self._at_mercy):
            await self._know(at)
            for seat, token in enumerate((at.host, *at.tokens)):
                if token:
                    self._give(at.match_id, seat, token)

    async def _tables(self) -> list[Table]:
        """Create one table of each phase, one that has not started, and one that can have a rematch."""
        made = []
        for text in self._positions.values():
            made.append(await table(self.session, text))
            self._legal[made[-1].match_id] = _legal(text)
        for starts in (False, True):
            full = await create(self.session, HUMAN, HUMAN, HUMAN, start_when_full=starts)
            joined = [(await join(self.session, full.match.match_id, seat)).seat_token for seat in (1, 2, 3)]
            made.append(Table(self.session, full.match.match_id, full.host_token, tuple(joined)))
        for seat in (1, 2):  # the last one is over when all but one have forfeited
            await made[-1].act(seat, f"forfeit {seat}", request_id=f"forfeit {seat}")
        return made

    async def _know(self, at: Table) -> None:
        request = admin_pb2.InspectMatchRequest(match_id=at.match_id, entries=1)
        inspected = await self.session.admin.InspectMatch(request, metadata=bearer(self._admin))
        self.deeds.know(at.match_id, inspected.entries[-1].number)

    def _give(self, match_id: str, seat: int, token: str) -> None:
        self.deeds.give(match_id, seat, token)
        self._learn(match_id, token)

    def _learn(self, match_id: str, token: str) -> None:
        self.fuzz.learn("match_id", match_id)
        self.fuzz.learn("seat_tokens", token)
        self.fuzz.learn("", token)

    async def send(self, number: int) -> None:
        """Send that many messages, several at once."""
        sent = 0
        while sent < number:
            calls = []
            for _ in range(AT_ONCE):
                service, method = self.fuzz.random.choice(OFTEN)
                many = self.fuzz.random.randint(1, 6) if method.client_streaming else 1
                data = [self._data(method, first=place == 0) for place in range(many)]
                calls.append(self._call(service.full_name, method, data))
                sent += many
            async with asyncio.timeout(ANSWER_SECONDS):
                await asyncio.gather(*calls)

    # Messages.

    def _metadata(self, method: str, request: Any) -> tuple[tuple[str, str], ...]:
        """Return the token of a call: often of this match, else of another one, a wrong one or none, and perhaps a code."""
        chance = self.fuzz.random
        match_id = getattr(request, "match_id", "")
        code: tuple[tuple[str, str], ...] = ()
        if chance.random() < 0.1:
            code = (("vinci-access", chance.choice(SENDABLE)),)
        # Who makes a match is a guest, so that no key gives the rights of a host.
        if method != "CreateMatch" and chance.random() < (0.9 if hasattr(person_pb2, f"{method}Request") else 0.2):
            code += (("vinci-person", chance.choice(self.keys if chance.random() < 0.9 else SENDABLE)),)
        harmless = method in ADMIN_READS or (match_id not in self._spared and method not in NEVER_ADMIN)
        if harmless and chance.random() < (0.5 if hasattr(admin_pb2, f"{method}Request") else 0.05):
            return bearer(self._admin) + code
        likely = HOST if method in HOST_CALLS else self._legal.get(match_id, (None,))[0]
        return self._token(match_id, likely) + code

    def _token(self, match_id: str, likely: int | None) -> tuple[tuple[str, str], ...]:
        chance = self.fuzz.random
        drawn = chance.random()
        held = self.deeds.held.get(match_id)
        if held and drawn < 0.6:
            return bearer(held[likely] if likely in held and drawn < 0.4 else chance.choice(list(held.values())))
        if drawn < 0.75:
            return bearer(chance.choice(list(self.deeds.held[chance.choice(self.in_play).match_id].values())))
        if drawn < 0.8:
            return bearer(chance.choice(list(self.deeds.bears)))
        if drawn < 0.9:
            return ()
        return (("authorization", chance.choice(("Bearer ", "bearer  ", "Basic ", "")) + chance.choice(SENDABLE)),)

    def _data(self, method: Any, *, first: bool) -> bytes:
        chance = self.fuzz.random
        if method.name in ("Act", "Undo", "Propose") and chance.random() < 0.5:
            return self._nearly_right(method.name).SerializeToString()
        if "match_id" in method.input_type.fields_by_name and chance.random() < 0.5:
            message: Any = self.fuzz.message(method.input_type)
            message.match_id = chance.choice((*self.in_play, *self._at_mercy)).match_id
            return bytes(message.SerializeToString())
        if not method.client_streaming or chance.random() < 0.2:
            return self.fuzz.data(method.input_type)
        if first:
            hello: Any = self.fuzz.message(bot_pb2.Hello.DESCRIPTOR)
            hello.name = chance.choice(("ada", "bob"))
            if chance.random() < 0.5:
                hello.seat_tokens[:] = []
            return bot_pb2.PlayRequest(hello=hello).SerializeToString()
        answer: Any = self.fuzz.message(bot_pb2.Answer.DESCRIPTOR)
        return bot_pb2.PlayRequest(answer=answer).SerializeToString()

    def _nearly_right(self, name: str) -> match_pb2.ActRequest | match_pb2.UndoRequest | match_pb2.ProposeRequest:
        """Return a well-formed request for a random seat at a random time."""
        chance = self.fuzz.random
        in_a_phase = [at for at in self.in_play if at.match_id in self._legal] if name == "Act" else self.in_play
        match_id = chance.choice((*in_a_phase, *self.in_play, *self.untouched)).match_id
        if name == "Propose":
            kind = chance.choice(list(PROPOSALS))
            return match_pb2.ProposeRequest(match_id=match_id, kind=kind, seat=chance.randint(1, 3))
        request_id = f"{chance.getrandbits(chance.choice((6, 64)))}"
        revision = chance.choice((None, None, 0, 1))
        if name == "Undo":
            return match_pb2.UndoRequest(match_id=match_id, request_id=request_id, to_revision=revision)
        _, fitting = self._legal.get(match_id, (None, []))
        chosen = [
            chance.choice(fitting if fitting and chance.random() < 0.8 else self._notations)
            for _ in range(chance.choice((1, 1, 3)))
        ]
        return match_pb2.ActRequest(
            match_id=match_id,
            request_id=request_id,
            expected_revision=revision,
            actions=[game_pb2.Action(notation=text) for text in chosen],
            validate_only=chance.random() < 0.3,
        )

    # Answers.

    async def _call(self, service: str, method: Any, data: Sequence[bytes]) -> None:
        path = f"/{service}/{method.name}"
        channel: Any = self.channel
        request = _parsed(GetMessageClass(method.input_type), data[0])
        metadata = self._metadata(method.name, request)
        try:
            if method.client_streaming:
                await self._stream(channel.stream_stream(path)(metadata=metadata), data)
            elif method.server_streaming:
                await self._watch(channel.unary_stream(path)(data[0], metadata=metadata))
            else:
                answer = await channel.unary_unary(path)(data[0], metadata=metadata, timeout=ANSWER_SECONDS)
                token = dict(metadata).get("authorization", "").removeprefix("Bearer ")
                self._answered(method, request, token, GetMessageClass(method.output_type).FromString(answer))
        except grpc.aio.AioRpcError as error:
            self._refused(path, error, data)
        except asyncio.CancelledError:  # of a stream that was left
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise
        else:
            self.statuses["OK"] += 1
            self.statuses[f"OK {method.name}"] += 1

    async def _watch(self, stream: Any) -> None:
        for _ in range(MOST_READ):
            try:
                async with asyncio.timeout(0.01):
                    await stream.read()
            except TimeoutError:
                break
        stream.cancel()

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

    def _answered(self, method: Any, request: Any, token: str, answer: Any) -> None:
        assert request is not None, (method.name, "bytes that are no message were not refused")
        if method.containing_service.name == "AdminService":
            assert token == self._admin, ("an admin's call with a wrong token", method.name, token)
        assert not INSIDES.search(str(getattr(answer, "refusal", ""))), answer
        assert not any(key in str(answer) for key in self.keys), answer
        self.deeds.answered(method.name, request, token, answer)
        if method.name == "CreateMatch":
            self._learn(answer.match.match_id, answer.host_token)
        elif method.name == "ResumeSeats":
            for seat in answer.seats:
                self._learn(seat.match.match_id, seat.seat_token)
        elif hasattr(answer, "seat_token"):
            self._learn(answer.seat_token.partition(".")[0], answer.seat_token)
        elif hasattr(answer, "code"):
            self.fuzz.learn("code", answer.code)

    def _refused(self, path: str, error: grpc.aio.AioRpcError, data: Sequence[bytes]) -> None:
        code, text = error.code(), error.details() or ""
        details = (path, code, text, data)
        assert code not in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNAVAILABLE), details
        assert not INSIDES.search(text), details
        failure = from_rpc(error, "")
        assert isinstance(failure, ServerRefused), details
        assert failure.reason in OF_OURS, details
        assert not INSIDES.search(str(failure.facts)), details
        self.statuses[failure.reason] += 1


def _parsed(kind: Any, data: bytes) -> Any:
    try:
        return kind.FromString(data)
    except Exception:
        return None
