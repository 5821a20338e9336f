"""The gRPC services: each call decodes, authorises, asks the lobby or a match, and answers."""

import asyncio
from collections.abc import AsyncIterator
from importlib.metadata import version
from typing import Final, final

from vinci.v1 import bot_pb2, game_pb2, lobby_pb2, match_pb2
from vinci_codec import actions, catalogue
from vinci_codec.board_map import board_map
from vinci_rules import ENGINE_VERSION, dummy, notation
from vinci_rules.board import DEFAULT_BOARD, board_names, load_board
from vinci_rules.editions import EDITIONS
from vinci_rules.engine import explain
from vinci_rules.state import Seat

from ..errors import ServiceError, refusing
from ..limits import host_of
from ..lobby import OFFER_SECONDS, PAGE_SIZE, Lobby, check_host
from ..match import parsing, presence
from ..match.ledger import Proposed
from ..match.match import Match
from ..match.messages import PROPOSALS
from ..match.planning import preview
from ..match.seats import consensus, seating, starting
from ..match.seats.names import check_name
from ..match.seats.setup import STATUSES, seat_setup
from ..match.slices import in_slices, listed
from ..match.watchers import Closed, Detail, Revision, Watcher
from .bot_desk import BotDesk
from .bot_keys import BotKeys
from .connected_bot import ConnectedBot
from .gate import Gate, Payer
from .handlers import Context
from .listener import MAX_MESSAGE_BYTES

VERSION: Final = version("vinci-server")
HEARTBEAT_SECONDS: Final = 10.0
SENDING_SECONDS: Final = 0.0001
"""CPU time that gRPC uses for one message of a stream, about."""
PING_SECONDS: Final = 20.0
"""Seconds between pings to a bot; one that receives none for twice as long can take its connection for dead."""


@final
class LobbyService:
    """Finding, making and joining matches."""

    def __init__(self, lobby: Lobby, gate: Gate, keys: BotKeys, analysis_port: int) -> None:
        self._lobby: Final = lobby
        self._gate: Final = gate
        self._keys: Final = keys
        self._analysis_port: Final = analysis_port

    async def get_server_info(
        self, _request: lobby_pb2.GetServerInfoRequest, _context: Context
    ) -> lobby_pb2.GetServerInfoResponse:
        """What this server is and can do."""
        return lobby_pb2.GetServerInfoResponse(
            version=VERSION,
            engine_version=ENGINE_VERSION,
            editions=EDITIONS,
            boards=board_names(),
            options=catalogue.all_options(),
            max_message_bytes=MAX_MESSAGE_BYTES,
            max_page_size=PAGE_SIZE,
            limits=self._gate.limits.by_name(),
            analysis_port=self._analysis_port,
            board_texts=catalogue.boards(),
            edition_texts=catalogue.editions(),
            default_board=DEFAULT_BOARD,
        )

    async def get_board(self, request: lobby_pb2.GetBoardRequest, _context: Context) -> lobby_pb2.GetBoardResponse:
        """A board."""
        with refusing():
            board = load_board(request.name or DEFAULT_BOARD)
        return lobby_pb2.GetBoardResponse(board=catalogue.board(board))

    async def get_board_map(
        self, request: lobby_pb2.GetBoardMapRequest, _context: Context
    ) -> lobby_pb2.GetBoardMapResponse:
        """How a board is drawn."""
        with refusing():
            return lobby_pb2.GetBoardMapResponse(map=board_map(request.name or DEFAULT_BOARD))

    async def list_traits(
        self, _request: lobby_pb2.ListTraitsRequest, _context: Context
    ) -> lobby_pb2.ListTraitsResponse:
        """All traits and terrains."""
        return catalogue.traits()

    async def create_match(
        self, request: lobby_pb2.CreateMatchRequest, context: Context
    ) -> lobby_pb2.CreateMatchResponse:
        """Make a match."""
        made = await self._lobby.made(request_id) if (request_id := parsing.secret_id(request.request_id)) else None
        if made is None:
            host = host_of(context.peer())
            self._gate.new_match(context, self._lobby.live, self._lobby.open_by(host))
            made = await self._lobby.create(request, host)
        match, token = made
        return lobby_pb2.CreateMatchResponse(match=match.message(), host_token=token)

    async def list_matches(
        self, request: lobby_pb2.ListMatchesRequest, _context: Context
    ) -> lobby_pb2.ListMatchesResponse:
        """A page of matches."""
        matches, token = await self._lobby.page(request.page_size, request.page_token, STATUSES.get(request.status))
        return lobby_pb2.ListMatchesResponse(matches=[match.message() for match in matches], next_page_token=token)

    async def get_match(self, request: lobby_pb2.GetMatchRequest, _context: Context) -> lobby_pb2.GetMatchResponse:
        """One match."""
        return lobby_pb2.GetMatchResponse(match=(await self._lobby.get(request.match_id)).message())

    async def join_match(self, request: lobby_pb2.JoinMatchRequest, _context: Context) -> lobby_pb2.JoinMatchResponse:
        """Sit down."""
        player, nonce = check_name(request.player), parsing.given_nonce(request)
        request_id = parsing.secret_id(request.request_id)
        if request.code:
            match, seat, token = await self._lobby.take_over(request.code, player, nonce, request_id)
        else:
            match = await self._lobby.get(request.match_id)
            taken = seating.joined(match, request_id)
            if taken is None:
                self._lobby.check_not_draining()
                wanted = Seat(request.seat - 1) if request.seat else None
                await self._check_bot_seat(match, wanted)
                taken = await seating.join(match, wanted, player, nonce, request_id=request_id)
            seat, token = taken
        return lobby_pb2.JoinMatchResponse(match=match.message(), seat=seat + 1, seat_token=token)

    async def _check_bot_seat(self, match: Match, seat: Seat | None) -> None:
        """Raises ServiceError for a bot seat whose name is protected by a key: such a bot comes by Play."""
        if seat not in match.ledger.seats() or match.ledger.kind(seat) != "bot":
            return
        name = match.ledger.setup.seats[seat].bot
        if name and name in await self._keys.hashes():
            raise ServiceError("SEAT_TAKEN", "KEY", seat=seat + 1, bot=name)

    async def offer_seat(self, request: lobby_pb2.OfferSeatRequest, context: Context) -> lobby_pb2.OfferSeatResponse:
        """Let another terminal take a seat over."""
        match, seat = await self._seat(request.match_id, context)
        return lobby_pb2.OfferSeatResponse(code=self._lobby.offer(match, seat), seconds=OFFER_SECONDS)

    async def join_rematch(
        self, request: lobby_pb2.JoinRematchRequest, context: Context
    ) -> lobby_pb2.JoinRematchResponse:
        """Sit down for another game."""
        match, seat = await self._seat(request.match_id, context)
        token, nonce = parsing.required_bearer(context), parsing.given_nonce(request)
        if match.status == "over" and not match.ledger.rematch:
            self._gate.new_match(context, self._lobby.live)
        request_id = parsing.secret_id(request.request_id)
        following, next_seat, next_token = await self._lobby.rematch(match, seat, token, nonce, request_id)
        return lobby_pb2.JoinRematchResponse(match=following.message(), seat=next_seat + 1, seat_token=next_token)

    async def reveal_nonce(
        self, request: lobby_pb2.RevealNonceRequest, context: Context
    ) -> lobby_pb2.RevealNonceResponse:
        """Take a nonce that was promised, or the hash of a new one."""
        match, seat = await self._seat(request.match_id, context)
        nonce = parsing.given_nonce(request)
        if nonce.text:
            await starting.reveal(match, seat, nonce.text)
        elif nonce.promised:
            await starting.promise(match, seat, nonce.promised)
        else:
            raise ServiceError("BAD_NONCE", "NEITHER")
        return lobby_pb2.RevealNonceResponse(match=match.message())

    async def leave_match(self, request: lobby_pb2.LeaveMatchRequest, context: Context) -> lobby_pb2.LeaveMatchResponse:
        """Get up again."""
        match, _seat = await self._seat(request.match_id, context)
        self._gate.change(context)
        await seating.leave(match, parsing.required_bearer(context))
        return lobby_pb2.LeaveMatchResponse(match=match.message())

    async def set_seat(self, request: lobby_pb2.SetSeatRequest, context: Context) -> lobby_pb2.SetSeatResponse:
        """Change who is to sit at a seat."""
        match = await self._lobby.get(request.match_id)
        check_host(match, parsing.required_bearer(context))
        self._lobby.check_not_draining()  # it may start the match
        self._gate.change(context)
        await seating.set_seat(match, Seat(request.seat - 1), seat_setup(request.setup))
        return lobby_pb2.SetSeatResponse(match=match.message())

    async def start_match(self, request: lobby_pb2.StartMatchRequest, context: Context) -> lobby_pb2.StartMatchResponse:
        """Start a match."""
        match = await self._lobby.get(request.match_id)
        check_host(match, parsing.required_bearer(context))
        self._lobby.check_not_draining()
        await starting.start(match)
        return lobby_pb2.StartMatchResponse(match=match.message())

    async def _seat(self, match_id: str, context: Context) -> tuple[Match, Seat]:
        """The match and the seat that the caller bears the token of."""
        match = await self._lobby.get(match_id)
        return match, match.ledger.seat_of(parsing.required_bearer(context))


@final
class MatchService:
    """Playing and watching a match."""

    def __init__(self, lobby: Lobby, gate: Gate) -> None:
        self._lobby: Final = lobby
        self._gate: Final = gate

    async def watch(self, request: match_pb2.WatchRequest, context: Context) -> AsyncIterator[match_pb2.WatchResponse]:
        """Everything that happens, from a revision on."""
        watched = await self._lobby.get(request.match_id)
        token = parsing.bearer(context)
        seat = watched.ledger.seat_of(token) if token else None
        first = request.from_revision if request.HasField("from_revision") else watched.revision
        if first > watched.revision + 1:
            raise ServiceError("FUTURE_REVISION", revision=watched.revision, next=watched.revision + 1)
        watcher = presence.watch(watched, Detail(request.state, request.legal, request.position), seat)
        try:
            match = watched.message()
            earlier = consensus.heard(watched, seat, request.chat_after) if request.HasField("chat_after") else []
            over = match.status in (lobby_pb2.MATCH_STATUS_OVER, lobby_pb2.MATCH_STATUS_ENDED)
            yield match_pb2.WatchResponse(match=match)
            if seat is not None:
                yield match_pb2.WatchResponse(ping=watched.timekeeper.ways[seat].ping())
            if watched.ledger.setup.timing.has_clock:
                yield match_pb2.WatchResponse(clocks=watched.timekeeper.message())
            for said in earlier:
                yield match_pb2.WatchResponse(chat=said)
            async for response in _history(watched, watcher, first, self._gate.payer(context)):
                yield response
                first += 1
            if not over:  # else nothing follows; what happens from here on waits in the watcher
                async for response in _follow(watched, watcher, first):
                    yield response
        finally:
            presence.unwatch(watched, watcher)

    async def act(self, request: match_pb2.ActRequest, context: Context) -> match_pb2.ActResponse:
        """Act for a seat."""
        match, seat = await self._seat(request.match_id, context)
        wanted = parsing.parse_actions(request.actions, match)
        expected = request.expected_revision if request.HasField("expected_revision") else None
        if request.validate_only:
            outcome = preview(match.ledger, seat, wanted, expected)
        else:
            request_id = parsing.request_id(request.request_id)
            outcome = await match.act(seat, "player", wanted, request_id=request_id, expected_revision=expected)
        response = match_pb2.ActResponse(
            revision=outcome.revision,
            updates=[played.message(Detail(state=True, legal=request.validate_only)) for played in outcome.played],
            repeated_request=outcome.repeated,
            undone=outcome.undone,
        )
        if outcome.refused is not None:
            response.refusal.CopyFrom(outcome.refused.refusal())
        if request.validate_only and outcome.before is not None:
            parts = explain(outcome.before, wanted[min(len(outcome.played), len(wanted) - 1)])
            response.cost.extend(game_pb2.CostItem(source=source, pawns=pawns) for source, pawns in parts)
        return response

    async def undo(self, request: match_pb2.UndoRequest, context: Context) -> match_pb2.UndoResponse:
        """Take back own actions."""
        match, seat = await self._seat(request.match_id, context)
        outcome = await match.undo(
            seat,
            request.to_revision if request.HasField("to_revision") else None,
            request_id=parsing.request_id(request.request_id),
            expected_revision=request.expected_revision if request.HasField("expected_revision") else None,
        )
        update = outcome.played[-1].message(Detail(state=True)) if outcome.played else None
        return match_pb2.UndoResponse(revision=outcome.revision, update=update, repeated_request=outcome.repeated)

    async def propose(self, request: match_pb2.ProposeRequest, context: Context) -> match_pb2.ProposeResponse:
        """Propose something, or agree."""
        match, seat = await self._seat(request.match_id, context)
        if request.kind not in PROPOSALS:
            raise ServiceError("BAD_PROPOSAL", "KIND")
        kind = PROPOSALS[request.kind]
        proposed = Proposed(kind, Seat(request.seat - 1) if kind == "substitute" else None)
        await consensus.propose(match, seat, proposed, agrees=not request.withdraw)
        return match_pb2.ProposeResponse(match=match.message())

    async def take_back(self, request: match_pb2.TakeBackRequest, context: Context) -> match_pb2.TakeBackResponse:
        """Take the seat back from a substitute."""
        match, seat = await self._seat(request.match_id, context)
        await seating.take_back(match, seat)
        return match_pb2.TakeBackResponse(match=match.message())

    async def chat(self, request: match_pb2.ChatRequest, context: Context) -> match_pb2.ChatResponse:
        """Say something."""
        match = await self._lobby.get(request.match_id)
        token = parsing.bearer(context)
        seat = match.ledger.seat_of(token) if token else None
        name, host = check_name(request.name), self._gate.chat(context)
        return match_pb2.ChatResponse(line=await consensus.say(match, seat, host, name, request.text))

    async def get_times(self, request: match_pb2.GetTimesRequest, context: Context) -> match_pb2.GetTimesResponse:
        """How long each decision took."""
        match = await self._lobby.get(request.match_id)
        times = await listed(match.ledger.game.times(), self._gate.payer(context).credit)
        return match_pb2.GetTimesResponse(times=times)

    async def pong(self, request: match_pb2.PongRequest, context: Context) -> match_pb2.PongResponse:
        """The answer to a ping."""
        match, seat = await self._seat(request.match_id, context)
        match.timekeeper.ways[seat].pong(request.stamp)
        return match_pb2.PongResponse()

    async def _seat(self, match_id: str, context: Context) -> tuple[Match, Seat]:
        """The match and the seat that the caller bears the token of."""
        match = await self._lobby.get(match_id)
        return match, match.ledger.seat_of(parsing.required_bearer(context))

    async def suggest(self, request: match_pb2.SuggestRequest, _context: Context) -> match_pb2.SuggestResponse:
        """What a dummy would do in the place of the seat to act."""
        match = await self._lobby.get(request.match_id)
        state = match.ledger.state
        if state is None or state.phase == "over":
            raise ServiceError("NOT_STARTED" if state is None else "GAME_OVER", "NOBODY")
        action = dummy.advise(state)
        return match_pb2.SuggestResponse(
            revision=match.ledger.revision,
            action=actions.to_message(action, state.board),
            notation=notation.write(action, state.board),
        )

    async def get_record(self, request: match_pb2.GetRecordRequest, context: Context) -> match_pb2.GetRecordResponse:
        """The record so far."""
        match = await self._lobby.get(request.match_id)
        lines = await listed(match.ledger.game.record_lines(match.ledger.names()), self._gate.payer(context).credit)
        return match_pb2.GetRecordResponse(lines=lines)


@final
class BotService:
    """Bots: one stream, many games."""

    def __init__(self, desk: BotDesk, gate: Gate, keys: BotKeys) -> None:
        self._desk: Final = desk
        self._gate: Final = gate
        self._keys: Final = keys

    async def play(
        self, requests: AsyncIterator[bot_pb2.PlayRequest], context: Context
    ) -> AsyncIterator[bot_pb2.PlayResponse]:
        """Greet a bot, send it decisions, take its answers until it goes."""
        first = await anext(requests, None)
        if first is None or first.WhichOneof("kind") != "hello":
            raise ServiceError("MALFORMED", "NO_HELLO")
        name = check_name(first.hello.name)
        if not name:
            raise ServiceError("BAD_NAME", "HELLO")
        await self._keys.check(name, first.hello.key)
        bot = ConnectedBot(first.hello, name, self._gate.payer(context))
        reader = asyncio.create_task(self._read(bot, requests))
        pinging = asyncio.create_task(_ping(bot))
        try:
            yield bot_pb2.PlayResponse(welcome=self._welcome())
            await self._desk.arrive(bot)
            while (item := await bot.outgoing.get()) is not None:
                if isinstance(item, ServiceError):
                    raise item
                yield item
            if not bot.is_done:
                await reader
        finally:
            pinging.cancel()
            reader.cancel()
            self._desk.depart(bot)

    def _welcome(self) -> bot_pb2.Welcome:
        wanted = bot_pb2.WantedBots(names=self._desk.wanted())
        return bot_pb2.Welcome(version=VERSION, wanted=wanted)

    async def _read(self, bot: ConnectedBot, requests: AsyncIterator[bot_pb2.PlayRequest]) -> None:
        try:
            async for request in requests:
                match request.WhichOneof("kind"):
                    case "answer":
                        await self._desk.answers.answer(bot, request.answer)
                    case "pong":
                        bot.way.pong(request.pong.stamp)
                    case "take_seats":
                        await self._desk.take_seats(bot, request.take_seats.tokens)
                    case "set_games":
                        self._desk.set_games(bot, request.set_games.games)
                    case _:
                        raise ServiceError("MALFORMED", "AFTER_HELLO")
        except ServiceError as error:
            self._desk.depart(bot)  # now, since the stream ends only when the bot reads why
            bot.end(error)
        finally:
            bot.outgoing.put_nowait(None)


async def _ping(bot: ConnectedBot) -> None:
    while True:
        await asyncio.sleep(PING_SECONDS)
        bot.outgoing.put_nowait(bot_pb2.PlayResponse(ping=bot.way.ping()))


async def _history(
    watched: Match, watcher: Watcher, first: int, payer: Payer
) -> AsyncIterator[match_pb2.WatchResponse]:
    """What a watcher has missed. What is still to be told goes with this generator, so that the match can sleep."""
    steps = (
        match_pb2.WatchResponse(update=played.message(watcher.detail))
        for played in watched.ledger.game.revisions(first, watched.revision)
    )
    slices = in_slices(steps, payer.credit)
    while (responses := await payer.pay(anext(slices, None))) is not None:
        payer.charge(len(responses) * SENDING_SECONDS)
        for response in responses:
            yield response


async def _follow(watched: Match, watcher: Watcher, first: int) -> AsyncIterator[match_pb2.WatchResponse]:
    """What a watcher is sent after it has caught up: revisions from `first`, changes, signs of life."""
    over = False
    while not over:
        item = await watcher.get(HEARTBEAT_SECONDS)
        match item:
            case None:
                yield match_pb2.WatchResponse(heartbeat=match_pb2.Heartbeat(revision=watched.revision))
                if watcher.seat is not None and watched.is_awake:  # the answer would wake it
                    yield match_pb2.WatchResponse(ping=watched.timekeeper.ways[watcher.seat].ping())
            case Revision():
                if item.revision >= first:
                    yield match_pb2.WatchResponse(update=item.message(watcher.detail))
            case match_pb2.WatchResponse():
                yield item
            case Closed():
                if item.error is not None:
                    raise item.error
                over = True
        item = None  # nothing of the match is kept while waiting for the next
