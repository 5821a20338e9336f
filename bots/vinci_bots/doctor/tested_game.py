"""Game of a bot under test: its messages and the faults in them."""

from dataclasses import dataclass
from itertools import islice

from vinci.v1.bot_pb2 import Answer, Decision, Refused
from vinci_client.refusals import told

from ..local.local_match import BotForfeit, LocalGame, ResourceUse
from ..stdio.lines import NOTHING
from .relay import BotStream, GameTalk, Relay
from .results import Fault


@dataclass(frozen=True, slots=True)
class TestedGame:
    """Game of the bot with its messages and the time limit for a decision in seconds.

    `streams` is the number of the streams of its relay that were opened before the bot had its seat.
    """

    game: LocalGame
    talk: GameTalk
    relay: Relay
    streams: int
    seat: int
    seconds: int

    @property
    def forfeit(self) -> BotForfeit | None:
        """Forfeit of the bot, or None."""
        return next((forfeit for forfeit in self.game.forfeits if forfeit.seat == self.seat - 1), None)

    @property
    def use(self) -> ResourceUse:
        """Resources that the bot used. Raises Fault if it could not be started."""
        use = self.game.use[self.seat - 1]
        if use is None:
            raise Fault(self.forfeit.text if self.forfeit else "it could not be started")
        return use

    @property
    def again(self) -> list[BotStream]:
        """Streams on which the bot came back."""
        return [stream for stream in islice(self.relay.streams, self.streams, None) if stream.greeted]

    def must_be_faultless(self) -> None:
        """Raise Fault if an answer was refused, or the bot did not play to the end."""
        for refused in self.talk.refusals():
            raise Fault(self._refusal(refused))
        self.must_be_played()

    def must_be_played(self) -> None:
        """Raise Fault if the bot did not play to the end."""
        forfeit = self.forfeit
        if forfeit is None:
            return
        if forfeit.reason == "clock" and (open_ := self.talk.unanswered()) is not None:
            asked, refused = open_
            again = " again after its answer was refused" if refused else ""
            raise Fault(f"it did not answer{again} within {self.seconds} s when it was to {offers(asked)}")
        raise Fault(forfeit.text)

    def _refusal(self, refused: Refused) -> str:
        given = next((answer for answer in self.talk.answers() if answer.revision == refused.revision), Answer())
        is_none = [action.notation for action in given.actions] == [NOTHING]
        reason = given.note.text if is_none else told(refused.refusal)
        asked = [decision for decision in self.talk.decisions() if decision.revision == refused.revision]
        return f"its answer was refused: {reason}" + (f" (it was to {offers(asked[-1])})" if asked else "")


def offers(decision: Decision) -> str:
    """Kinds of legal actions, as names of the fields of `Legal`."""
    legal = decision.legal
    names = [field.name for field, _ in legal.ListFields() if field.name not in ("cost", "worth")]
    return " or ".join(names)
