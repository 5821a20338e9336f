"""What people at a table do in the game by typing: act, look ahead, take back, ask for a suggestion.

It knows no rules: what is legal, and what it costs, comes from the server.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session

from ..text import events as words
from ..text import refusals
from ..text.i18n import N_, _
from ..text.names import Catalogue
from ..text.tables import would_score

HINTS: Final = {"SUBSTITUTED": N_("Type back."), "PAUSED": N_("Type resume.")}
"""What to type after a refusal."""


LARGEST: Final = 2**31 - 1


def number(digits: str) -> int:
    """A number that was typed; one that no message can hold is the largest of all, which is refused for itself."""
    return int(digits) if len(digits) < len(str(LARGEST)) else LARGEST


class MatchKnowledge(Protocol):
    """What a client knows of a match."""

    match: lobby_pb2.Match
    state: game_pb2.State | None
    legal: game_pb2.Legal
    revision: int
    seat: int

    def my_move(self) -> bool:
        """Whether the seat that is looked from is to act."""


@final
@dataclass(slots=True)
class Preview:
    """What an action would do, as the server says.

    `action` is its notation if it is legal, `cost` its cost item by item, `events` what would happen, `worth` what the
    own empires would score before and afterwards. `parts` are the connected parts of the own empire afterwards, if it
    would have several: all but one of them are cut off. A refused action has a `refusal`.
    """

    action: str
    cost: list[game_pb2.CostItem] = field(default_factory=list)
    events: list[game_pb2.Event] = field(default_factory=list)
    worth: tuple[int, int] = (0, 0)
    parts: list[list[str]] = field(default_factory=list)
    refusal: game_pb2.Refusal | None = None


@final
class GameCommands:
    """Acts for the people at one terminal. `say` tells them a sentence, `shown` waits until a revision is shown.

    `objection` tells why actions are not to be played, though they may be legal; empty if they are.
    """

    def __init__(
        self,
        session: Session,
        known: MatchKnowledge,
        seats: Mapping[int, str],
        names: Catalogue,
        say: Callable[[str, str], None],
        shown: Callable[[int], Awaitable[None]],
        objection: Callable[[Sequence[game_pb2.Action]], str] = lambda _actions: "",
    ) -> None:
        self._session: Final = session
        self._known: Final = known
        self._seats: Final = seats
        self._names: Final = names
        self._say: Final = say
        self._shown: Final = shown
        self._objection: Final = objection
        self._suggested: list[game_pb2.Action] = []
        self._suggested_for = -1

    async def do(self, word: str, rest: str, text: str) -> None:
        """Do what was typed: a word, what follows it, and both as they came. Raises ServerRefused, ServerGone."""
        match word:
            case "why":
                await self._why(rest)
            case "suggest":
                await self._suggest()
            case "ok":
                await self._play_suggested()
            case "undo":
                await self._undo(rest.strip())
            case "resign" | "forfeit":
                await self._resign(word, rest.strip())
            case "hold" if not rest and self._known.legal.HasField("hold"):
                await self.act([self.suggested_hold()])
            case _:
                await self._act_in_turn([part.strip() for part in text.split(";") if part.strip()])

    async def act(self, actions: Sequence[game_pb2.Action]) -> bool:
        """Play actions and wait until they are shown; whether all of them were legal."""
        if self._known.state is None:
            self._say(_("The game has not started yet."), "")
            return False
        if objection := self._objection(actions):
            self._say(objection, "class:hint")
            return False
        response = await self._session.act(self._known.match.match_id, self._token(), actions, self._known.revision)
        if response.HasField("refusal"):
            self._say(words.refusal(response.refusal, self._names), "class:error")
        await self._shown(response.revision)
        return not response.HasField("refusal")

    async def _act_in_turn(self, parts: list[str]) -> None:
        """Play several actions; a plain `hold` at their end is the one suggested after the others."""
        plain_hold = len(parts) > 1 and parts[-1].lower() == "hold"
        actions = [game_pb2.Action(notation=part) for part in (parts[:-1] if plain_hold else parts)]
        if await self.act(actions) and plain_hold:
            await self.act([self.suggested_hold()])

    async def _undo(self, text: str) -> None:
        if text and not text.isdecimal():
            self._say(_("undo takes back your last action, undo 5 all since revision 5."), "")
            return
        to = number(text) if text else None
        match_id = self._known.match.match_id
        response = await self._session.undo(match_id, self._token(), max(self._known.revision, 0), to)
        await self._shown(response.revision)

    async def preview(self, action: game_pb2.Action) -> Preview:
        """What an action would do. Raises ServerRefused, ServerGone."""
        response = await self._session.preview(self._known.match.match_id, self._token(), action)
        found = Preview(response.updates[0].notation if response.updates else "", list(response.cost))
        if response.HasField("refusal"):
            found.refusal = response.refusal
        for update in response.updates:
            found.events += update.events
            if self._known.state is not None:
                found.worth = self._would_score(self._known.state), self._would_score(update.state)
            parts = update.legal.hold.parts
            if len(parts) > 1 and update.legal.hold.connected:
                found.parts = [list(part.provinces) for part in parts]
        return found

    async def _why(self, text: str) -> None:
        if not text:
            self._say(_("Write the action: why x ALP."), "")
            return
        action = self.suggested_hold() if text == "hold" else game_pb2.Action(notation=text)
        found = await self.preview(action)
        if found.cost:
            self._say(words.cost(found.cost, self._names), "")
        if found.refusal is not None:
            self._say(words.refusal(found.refusal, self._names), "class:error")
        for event in found.events:
            if told := words.event(event, self._names):
                self._say(f"  {told}", "")
        if found.refusal is None:
            now, then = found.worth
            self._say(_("Your empires are worth {now} VP now, {then} then.").format(now=now, then=then), "")

    def _would_score(self, state: game_pb2.State) -> int:
        return would_score(state.seats[self._known.seat - 1])

    async def _suggest(self) -> None:
        suggestion = await self.suggestion()
        self._suggested = [suggestion.action] if self._known.my_move() else []
        self._suggested_for = suggestion.revision
        self._say(_("suggestion: {action}").format(action=suggestion.notation), "class:hint")

    async def suggestion(self) -> match_pb2.SuggestResponse:
        """An action that is not bad. Raises ServerRefused, ServerGone."""
        request = match_pb2.SuggestRequest(match_id=self._known.match.match_id)
        return await self._session.call(self._session.match.Suggest, request)

    async def _play_suggested(self) -> None:
        if self._suggested and self._suggested_for == self._known.revision:
            await self.act(self._suggested)
        else:
            self._say(_("Type suggest first."), "")

    async def _resign(self, word: str, confirmation: str) -> None:
        seat = self._known.seat
        if confirmation == str(seat):
            confirmation = ""
        elif confirmation.isdecimal():
            told = _("You sit at seat {seat}, and only that one can you give up.")
            self._say(told.format(seat=seat), "class:error")
            return
        if confirmation == "yes":
            await self.act([game_pb2.Action(forfeit=game_pb2.Forfeit(seat=seat))])
        elif len(self._seats) > 1:
            told = _("That leaves the game for good, for {who}; quit lets it wait. To do so: {word} yes.")
            self._say(told.format(who=self._names.seat(seat), word=word), "")
        else:
            told = _("That leaves the game for good; quit lets it wait. To do so: {word} yes.")
            self._say(told.format(word=word), "")

    def suggested_hold(self) -> game_pb2.Action:
        """The way to end the conquests that the server suggests."""
        return game_pb2.Action(hold=self._known.legal.hold.suggestion)

    def _token(self) -> str:
        return self._seats[self._known.seat]

    # What the server refuses.

    def explain(self, error: ServerRefused | ServerGone) -> None:
        """Tell why something was refused, or that the server is away."""
        if isinstance(error, ServerGone):
            told = _("Type it again when the connection is back, nothing is played twice: {error}")
            self._say(told.format(error=refusals.sentence(error)), "class:error")
            return
        facts = {name: value for name, value in error.facts.items() if name not in ("rule", "violation")}
        said = refusals.sentence(error)
        hint = f" {_(HINTS[error.reason])}" if error.reason in HINTS else ""
        message = f"{said[:1].upper()}{said[1:]}.{hint}"
        refusal = game_pb2.Refusal(
            rule=error.facts.get("rule", ""),
            reason=error.facts.get("violation", error.reason),
            facts=facts | {"message": message},
        )
        self._say(words.refusal(refusal, self._names), "class:error")
