"""Typed commands that concern the other people at the table: chat, votes, and giving a seat to another terminal."""

from dataclasses import dataclass
from typing import Final, final

from vinci.v1 import lobby_pb2
from vinci_client.session import Session

from ..text.i18n import _
from ..text.timing import duration
from .client_match import ClientMatch
from .typed import CommandAnswer, Emit, ShowLine, number

BACK: Final = "back"
"""Word of `give` that lets the player of a seat go on."""

BAD_LINE: Final = "BAD_CHAT"
"""Reason of the refusal of a chat line, such as one that is too long; its text can be changed and sent again."""


@final
@dataclass(frozen=True, slots=True)
class TableCommands:
    """Acts for the people at one terminal. Every method that asks the server raises ServerRefused and ServerGone.

    `invitation` is the command with which other terminals join the server, empty if none can; `own_name` is the name
    of a spectator.
    """

    _session: Session
    _game: ClientMatch
    _emit: Emit
    _invitation: str
    _own_name: str

    async def say(self, text: str) -> None:
        """Send a chat line; it comes back with those of the others."""
        seat = self._game.seat
        if text.strip():
            name = "" if seat else self._own_name
            await self._session.say(self._game.match.match_id, text, self._game.seats.get(seat, ""), name)
        else:
            await self._emit(CommandAnswer(_("Write what: say TEXT.")))

    async def substitute(self, text: str) -> None:
        """Propose a substitute for the seat that is typed."""
        if text.isdecimal():
            await self.propose(lobby_pb2.PROPOSAL_KIND_SUBSTITUTE, number(text))
        else:
            text = _("Write for whom: substitute 2 proposes a substitute for seat 2, whose player is gone.")
            await self._emit(CommandAnswer(text))

    async def propose(self, kind: lobby_pb2.ProposalKind.ValueType, for_seat: int = 0) -> None:
        """Propose something or agree to it, for all seats of this terminal that have a vote."""
        match_id, seats = self._game.match.match_id, self._game.seats
        match = await self._session.propose(match_id, seats[self._game.seat], kind, for_seat)
        for proposal in match.proposals:
            if (proposal.kind, proposal.seat) == (kind, for_seat):
                for seat in proposal.missing:
                    if seat in seats and seat != for_seat:
                        await self._session.propose(match_id, seats[seat], kind, for_seat)

    async def take_back(self) -> None:
        """Take the own seats back from their substitutes."""
        seats = self._game.seats
        substituted = [seat.seat for seat in self._game.match.seats if seat.substituted and seat.seat in seats]
        for seat in substituted or [self._game.seat]:
            await self._session.take_back(self._game.match.match_id, seats[seat])

    async def hand_over(self) -> None:
        """Get a code for the seat, and tell what to type at the other terminal."""
        await self._offer(self._game.seat, self._game.seats[self._game.seat])

    async def give(self, text: str) -> None:
        """As the host, give the seat of somebody absent to another terminal or a computer player, or give it back."""
        typed, _blank, to = text.partition(" ")
        seat, to, match_id = number(typed) if typed.isdecimal() else 0, to.strip(), self._game.match.match_id
        token = (
            "" if self._session.has_person else self._game.seats[self._game.seat]
        )  # by which the server knows who asks
        if not seat:
            text = _(
                "Write whose seat. For the host of the match, give 2 shows how somebody else can play seat 2, whose "
                "player is gone; give 2 normal lets the bot normal play it, and give 2 back its player again."
            )
            await self._emit(CommandAnswer(text))
        elif to:
            await self._session.substitute_seat(match_id, token, seat, "" if to == BACK else to, back=to == BACK)
        else:
            await self._offer(seat, token, of_absent=seat)

    async def _offer(self, seat: int, token: str, of_absent: int = 0) -> None:
        if not self._invitation:
            text = _(
                "This game ends with this terminal. At a server of its own (vinci serve) a seat can be handed over."
            )
            await self._emit(CommandAnswer(text))
            return
        offer = await self._session.offer_seat(self._game.match.match_id, token, of_absent)
        text = _("To play {who} at another terminal, type there within {duration}:")
        text = text.format(duration=duration(offer.seconds), who=self._game.names.seat(seat))
        await self._emit(CommandAnswer(text))
        await self._emit(ShowLine(f"  {self._invitation} --take {offer.code}"))
