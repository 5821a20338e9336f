"""What people at a table do besides playing: talk, agree upon something, hand a seat over."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, final

from vinci.v1 import lobby_pb2
from vinci_client.session import Session

from ..line.terminal import sentence
from ..text.i18n import _
from ..text.names import Catalogue
from ..text.tables import Line
from ..text.timing import duration
from .commands import number


@final
class TableCommands:
    """The people at one terminal among the others: `seats` are theirs with their tokens, none for those who look on.

    `invitation` is the command with which other terminals join the server, empty if none can; `own_name` is that of a
    spectator.
    """

    def __init__(
        self,
        session: Session,
        match_id: str,
        seats: Mapping[int, str],
        names: Catalogue,
        invitation: str,
        own_name: str,
        show: Callable[[Iterable[Line | str]], None],
    ) -> None:
        self._session: Final = session
        self._match_id: Final = match_id
        self._seats: Final = seats
        self._names: Final = names
        self._invitation: Final = invitation
        self._own_name: Final = own_name
        self._show: Final = show

    async def do(self, word: str, rest: str, seat: int, match: lobby_pb2.Match) -> None:
        """Do what the people at a seat typed. Raises ServerRefused."""
        match word:
            case "say":
                await self._talk(seat, rest)
            case "pause":
                await self._propose(seat, lobby_pb2.PROPOSAL_KIND_PAUSE)
            case "resume":
                await self._propose(seat, lobby_pb2.PROPOSAL_KIND_RESUME)
            case "substitute" if rest.strip().isdecimal():
                await self._propose(seat, lobby_pb2.PROPOSAL_KIND_SUBSTITUTE, number(rest.strip()))
            case "substitute":
                self._say(_("Write for whom: substitute 2 proposes a substitute for seat 2, whose player is gone."))
            case "back":
                mine = [one.seat for one in match.seats if one.substituted and one.seat in self._seats]
                for one in mine or [seat]:
                    await self._session.take_back(self._match_id, self._seats[one])
            case "handover":
                await self._hand_over(seat)

    async def _talk(self, seat: int, text: str) -> None:
        """Say something; it comes back with what the others say."""
        if text.strip():
            await self._session.say(self._match_id, text, self._seats.get(seat, ""), "" if seat else self._own_name)
        else:
            self._say(_("Write what: say TEXT."))

    async def _propose(self, seat: int, kind: lobby_pb2.ProposalKind.ValueType, for_seat: int = 0) -> None:
        """Propose something or agree to it, for all at this terminal who have a say."""
        match = await self._session.propose(self._match_id, self._seats[seat], kind, for_seat)
        missing = [
            other for one in match.proposals if (one.kind, one.seat) == (kind, for_seat) for other in one.missing
        ]
        for other in missing:
            if other in self._seats and other != for_seat:
                await self._session.propose(self._match_id, self._seats[other], kind, for_seat)

    async def _hand_over(self, seat: int) -> None:
        """Get a code for a seat, and say what to type at the other terminal."""
        if not self._invitation:
            self._say(
                _("This game ends with this terminal. At a server of its own (vinci serve) a seat can be handed over.")
            )
            return
        offer = await self._session.offer_seat(self._match_id, self._seats[seat])
        told = _("At the other terminal, within {duration}, for {who}:")
        self._say(told.format(duration=duration(offer.seconds), who=self._names.seat(seat)))
        self._show([f"  {self._invitation} --take {offer.code}"])

    def _say(self, text: str) -> None:
        self._show(sentence(text))
