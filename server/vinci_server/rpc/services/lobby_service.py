"""The gRPC service to find, create and join matches."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import Final, NamedTuple, final

from vinci.v1 import lobby_pb2 as pb
from vinci_codec import catalogue, match_fields
from vinci_codec.catalogue import board_map
from vinci_rules import ENGINE_VERSION
from vinci_rules.board import DEFAULT_BOARD, board_names, load_board
from vinci_rules.editions import EDITIONS
from vinci_rules.state import Seat

from ...errors import ServiceError, refusing
from ...limits import host_of
from ...lobby import OFFER_SECONDS, PAGE_SIZE, VERSION, Lobby, after, check_host, next_token
from ...match import parsing
from ...match.match import Match
from ...match.seats import seating, starting
from ...match.seats.names import check_name
from ...match.seats.setup import STATUSES, seat_setup
from ..admission import Admission
from ..bots.desk import BotDesk
from ..bots.keys import BotKeys
from ..handlers import Context
from ..listener import MAX_MESSAGE_BYTES
from ..persons import Caller, Persons
from ..players import Players

UNFINISHED: Final = ("open", "running")


class Advised(NamedTuple):
    """Port of the analysis service, 0 for none, and whether games are reviewed."""

    port: int = 0
    reviews: bool = False


class BoardCalls:
    """The calls of the lobby that need neither matches nor limits: boards and traits."""

    async def get_board(self, request: pb.GetBoardRequest, _context: Context) -> pb.GetBoardResponse:
        """Return a board."""
        with refusing():
            board = load_board(request.name or DEFAULT_BOARD)
        return pb.GetBoardResponse(board=catalogue.board(board))

    async def get_board_map(self, request: pb.GetBoardMapRequest, _context: Context) -> pb.GetBoardMapResponse:
        """Return the outlines with which a board is drawn."""
        with refusing():
            return pb.GetBoardMapResponse(map=board_map(request.name or DEFAULT_BOARD))

    async def list_traits(self, _request: pb.ListTraitsRequest, _context: Context) -> pb.ListTraitsResponse:
        """Return all traits and terrains."""
        return catalogue.traits()


@final
class LobbyService(BoardCalls):
    """Finds, creates and joins matches."""

    def __init__(
        self,
        lobby: Lobby,
        admission: Admission,
        desk: BotDesk,
        keys: BotKeys,
        persons: Persons,
        players: Players,
        advised: Advised,
    ) -> None:
        self._lobby: Final = lobby
        self._desk: Final = desk
        self._admission: Final = admission
        self._keys: Final = keys
        self._persons: Final = persons
        self._players: Final = players
        self._advised: Final = advised
        self.port = 0
        """Port of gRPC, known once the server listens."""
        self.page = ""
        """Address of the page for other machines; empty for none."""

    async def get_server_info(self, request: pb.GetServerInfoRequest, _context: Context) -> pb.GetServerInfoResponse:
        """Return the versions, editions, boards, options and limits of this server, fields of matches if asked."""
        return pb.GetServerInfoResponse(
            version=VERSION,
            engine_version=ENGINE_VERSION,
            editions=EDITIONS,
            boards=board_names(),
            options=catalogue.all_options(),
            max_message_bytes=MAX_MESSAGE_BYTES,
            max_page_size=PAGE_SIZE,
            limits=asdict(self._admission.traffic.limits),
            analysis_port=self._advised.port,
            board_texts=catalogue.boards(),
            edition_texts=catalogue.editions(),
            default_board=DEFAULT_BOARD,
            bots=self._desk.available(),
            port=self.port,
            persons=self._persons.enabled,
            ratings=self._players.enabled,
            reviews=self._advised.reviews,
            page=self.page,
            match_fields=match_fields.described().values() if request.match_fields else (),
        )

    async def create_match(self, request: pb.CreateMatchRequest, context: Context) -> pb.CreateMatchResponse:
        """Create a match."""
        made = await self._lobby.made(request_id) if (request_id := parsing.secret_id(request.request_id)) else None
        if made is None:
            host = host_of(context.peer())
            caller = await self._persons.caller(context)
            self._admission.new_match(context, self._lobby.live, self._lobby.open_by(host))
            made = await self._lobby.create(request, host, 0 if caller is None else caller.person.person_id)
        match, token = made
        return pb.CreateMatchResponse(match=match.message(), host_token=token)

    async def list_matches(self, request: pb.ListMatchesRequest, context: Context) -> pb.ListMatchesResponse:
        """Return a page of matches, with those of the caller."""
        status = STATUSES.get(request.status)
        if request.only_own:
            most = min(request.page_size or PAGE_SIZE, PAGE_SIZE)
            caller = await self._persons.required(context)
            own, token = await self._own(caller, (status,) if status else STATUSES.values(), most, request.page_token)
            matches = [entry.match for entry in own]
            return pb.ListMatchesResponse(matches=matches, own=own, next_page_token=token)
        found, token = await self._lobby.page(request.page_size, request.page_token, status)
        response = pb.ListMatchesResponse(matches=found, next_page_token=token)
        if not request.page_token and (person := await self._persons.caller(context)) is not None:
            own, _ = await self._own(person, UNFINISHED, PAGE_SIZE)
            response.own.extend(sorted(own, key=lambda entry: not entry.your_turn))
        return response

    async def _own(
        self, caller: Caller, statuses: Iterable[str], most: int, page_token: str = ""
    ) -> tuple[list[pb.OwnMatch], str]:
        """Return a page of the matches of a person, newest first, and the token of the next page."""
        entries = await self._persons.own(caller.person, tuple(statuses), most + 1, after(page_token))
        own = []
        for entry, _ in entries[:most]:
            with suppress(ServiceError):  # it cannot be read, which is logged
                match = await self._lobby.get(entry.match_id)
                seat = match.ledger.seat_of_person(caller.person.person_id)
                own.append(
                    pb.OwnMatch(
                        match=match.message(),
                        seat=0 if seat is None else seat + 1,
                        your_turn=match.ledger.is_turn(seat),
                        host=match.ledger.setup.maker == caller.person.person_id,
                    )
                )
        return own, next_token(entries[most - 1][0]) if len(entries) > most else ""

    async def get_match(self, request: pb.GetMatchRequest, _context: Context) -> pb.GetMatchResponse:
        """Return one match."""
        return pb.GetMatchResponse(match=(await self._lobby.get(request.match_id)).message())

    async def join_match(self, request: pb.JoinMatchRequest, context: Context) -> pb.JoinMatchResponse:
        """Take a seat, or return the one that the person of the call has."""
        player, nonce = check_name(request.player), parsing.given_nonce(request)
        request_id = parsing.secret_id(request.request_id)
        own = None
        if request.code:
            player, identity = await self._persons.sitter(context, player)
            await self._keys.check_unlike(player)
            match, seat, token = await self._lobby.take_over(request.code, player, nonce, request_id, identity)
        else:
            match = await self._lobby.get(request.match_id)
            taken = seating.joined(match, request_id)
            if taken is None:
                player, identity = await self._persons.sitter(context, player)
                wanted = Seat(request.seat - 1) if request.seat else None
                if (own := match.ledger.seat_of_person(identity.person)) is not None:
                    self._lobby.check_lasts(match)
                else:
                    self._lobby.check_not_draining()
                    await self._check_keys(match, wanted, player)
                taken = await seating.join(match, wanted, player, nonce, request_id=request_id, identity=identity)
            seat, token = taken
        return pb.JoinMatchResponse(match=match.message(), seat=seat + 1, seat_token=token, resumed=own is not None)

    async def _check_keys(self, match: Match, seat: Seat | None, player: str) -> None:
        """Raises ServiceError for a bot seat whose name is protected by a key: its bot must connect by Play.

        Also for another seat if the name of the player looks like one that is protected.
        """
        if seat not in match.ledger.seats() or match.ledger.kind(seat) != "bot":
            await self._keys.check_unlike(player)
            return
        name = match.ledger.setup.seats[seat].bot
        if name and name in await self._keys.hashes():
            raise ServiceError("SEAT_TAKEN", "KEY", seat=seat + 1, bot=name)

    async def offer_seat(self, request: pb.OfferSeatRequest, context: Context) -> pb.OfferSeatResponse:
        """Create a code with which another terminal takes over a seat."""
        if request.seat:
            match, seat = await self._match_of_host(request.match_id, context), Seat(request.seat - 1)
            seating.check_absent(match, seat, self._lobby.limits.absent_seconds)
        else:
            match, seat = await seat_of_caller(self._lobby, request.match_id, context)
        code = self._lobby.offer(match, seat, of_absent=bool(request.seat))
        return pb.OfferSeatResponse(code=code, seconds=OFFER_SECONDS)

    async def substitute_seat(self, request: pb.SubstituteSeatRequest, context: Context) -> pb.SubstituteSeatResponse:
        """Let a computer player play for somebody who is absent, or that player go on."""
        match, seat = await self._match_of_host(request.match_id, context), Seat(request.seat - 1)
        if request.back:
            await seating.take_back(match, seat)
        else:
            await seating.substitute(match, seat, check_name(request.bot), self._lobby.limits.absent_seconds)
        return pb.SubstituteSeatResponse(match=match.message())

    async def join_rematch(self, request: pb.JoinRematchRequest, context: Context) -> pb.JoinRematchResponse:
        """Take a seat in the rematch."""
        match, seat = await seat_of_caller(self._lobby, request.match_id, context)
        nonce = parsing.given_nonce(request)
        if match.status == "over" and not match.ledger.rematch:
            self._admission.new_match(context, self._lobby.live)
        request_id = parsing.secret_id(request.request_id)
        sitter = match.ledger.sitters[seat]
        name, identity = await self._persons.again(context, sitter.person, match.ledger.name(seat))
        following, next_seat, new_token = await self._lobby.rematch(match, seat, nonce, request_id, name, identity)
        return pb.JoinRematchResponse(match=following.message(), seat=next_seat + 1, seat_token=new_token)

    async def reveal_nonce(self, request: pb.RevealNonceRequest, context: Context) -> pb.RevealNonceResponse:
        """Take a nonce that was promised, or the hash of a new one."""
        match, seat = await seat_of_caller(self._lobby, request.match_id, context)
        nonce = parsing.given_nonce(request)
        if nonce.text:
            await starting.reveal(match, seat, nonce.text)
        elif nonce.promised:
            await starting.promise(match, seat, nonce.promised)
        else:
            raise ServiceError("BAD_NONCE", "NEITHER")
        return pb.RevealNonceResponse(match=match.message())

    async def leave_match(self, request: pb.LeaveMatchRequest, context: Context) -> pb.LeaveMatchResponse:
        """Leave a seat before the start."""
        match, _seat = await seat_of_caller(self._lobby, request.match_id, context)
        self._admission.traffic.change(context.peer())
        await seating.leave(match, parsing.required_bearer(context))
        return pb.LeaveMatchResponse(match=match.message())

    async def set_seat(self, request: pb.SetSeatRequest, context: Context) -> pb.SetSeatResponse:
        """Change who may join a seat."""
        match = await self._match_of_host(request.match_id, context)
        self._lobby.check_not_draining()  # it may start the match
        self._admission.traffic.change(context.peer())
        await seating.set_seat(match, Seat(request.seat - 1), seat_setup(request.setup))
        return pb.SetSeatResponse(match=match.message())

    async def start_match(self, request: pb.StartMatchRequest, context: Context) -> pb.StartMatchResponse:
        """Start a match."""
        match = await self._match_of_host(request.match_id, context)
        self._lobby.check_not_draining()
        await starting.start(match)
        return pb.StartMatchResponse(match=match.message())

    async def list_players(self, request: pb.ListPlayersRequest, _context: Context) -> pb.ListPlayersResponse:
        """Return a page of the players of games that count, with their ratings."""
        return await self._players.page(request)

    async def get_player(self, request: pb.GetPlayerRequest, _context: Context) -> pb.GetPlayerResponse:
        """Return a player, the results against others, and the latest games."""
        return await self._players.one(request)

    async def _match_of_host(self, match_id: str, context: Context) -> Match:
        """Return a match that the caller has made, as its host token or the key of the person says.

        Raises ServiceError.
        """
        match = await self._lobby.get(match_id)
        token = parsing.bearer(context)
        if not token and (caller := await self._persons.caller(context)) is not None:
            if caller.person.person_id != match.ledger.setup.maker:
                raise ServiceError("NOT_THE_HOST")
            return match
        check_host(match, parsing.required_bearer(context))
        return match


async def seat_of_caller(lobby: Lobby, match_id: str, context: Context) -> tuple[Match, Seat]:
    """Return a match and the seat whose token the caller sent. Raises ServiceError."""
    match = await lobby.get(match_id)
    return match, lobby.seat_of(match, parsing.required_bearer(context))
