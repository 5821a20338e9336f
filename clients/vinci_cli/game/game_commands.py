"""Typed commands that concern the game: act, preview, take back, ask for a suggestion.

It knows no rules: what is legal, and what it costs, comes from the server.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, final

from vinci.v1 import game_pb2, match_pb2
from vinci_client.errors import ServerGone
from vinci_client.session import Session
from vinci_refusals.wording import Refused

from ..text import advice, events, refusals
from ..text.i18n import N_, _
from ..text.tables import would_score
from .client_match import ClientMatch
from .typed import Acted, Chosen, CommandAnswer, Emit, Preview, Suggested, Thinking, number

PLACED: Final = ("hold", "redeploy")
"""Actions with a placement, which the server suggests."""
HINTS: Final = {"SUBSTITUTED": N_("Type back."), "PAUSED": N_("Type resume.")}
"""Hints for the next command after a refusal."""


@final
@dataclass(slots=True)
class GameCommands:
    """Acts in a match for the seat shown. Every method that asks the server raises Refused."""

    _session: Session
    _game: ClientMatch
    _emit: Emit
    _suggested: match_pb2.SuggestResponse = field(default_factory=match_pb2.SuggestResponse)

    async def act(self, actions: Sequence[game_pb2.Action]) -> bool:
        """Play actions and wait until they are shown; returns whether all of them were legal."""
        game = self._game
        if game.state is None:
            await self._say(_("The game has not started yet."), "class:error")
            return False
        if game.waiting:
            await self._say(_("What others did is still being shown; space shows all of it at once."), "class:error")
            return False
        await self._emit(Chosen(actions))
        response = await self._session.act(game.match.match_id, self._token(), actions, game.revision)
        if response.HasField("refusal"):
            await self._say(events.refusal(response.refusal, game.names), "class:error")
        await self._emit(Acted(response.revision))
        return not response.HasField("refusal")

    async def play(self, text: str) -> None:
        """Play typed actions, separated by semicolons; a plain `hold` or `redeploy` at the end places as suggested."""
        parts = [part.strip() for part in text.split(";") if part.strip()]
        actions = [game_pb2.Action(notation=part) for part in parts]
        last = parts[-1].lower() if parts else ""
        if last in PLACED and len(parts) > 1:
            if await self.act(actions[:-1]):
                await self.act([self._placed_as_suggested(last) or actions[-1]])
        elif placed := self._placed_as_suggested(last):
            await self.act([placed])
        else:
            await self.act(actions)

    async def undo(self, text: str) -> None:
        """Take back the last action, or all since the revision that is typed."""
        if text and not text.isdecimal():
            await self._say(_("undo takes back your last action, undo 5 all since revision 5."))
            return
        to = number(text) if text else None
        revision = max(self._game.revision, 0)
        response = await self._session.undo(self._game.match.match_id, self._token(), revision, to)
        await self._emit(Acted(response.revision))

    async def preview(self, action: game_pb2.Action) -> Preview:
        """Return what an action would do."""
        state, seat = self._game.state, self._game.seat
        response = await self._session.preview(self._game.match.match_id, self._token(), action)
        result = Preview(response.updates[0].notation if response.updates else "", list(response.cost))
        if response.HasField("refusal"):
            result.refusal = response.refusal
        for update in response.updates:
            result.events += update.events
            if state is not None:
                before = would_score(state, seat, self._game.legal)
                result.worth = before, would_score(update.state, seat, update.legal)
            hold = update.legal.hold
            if update.state.seat_to_act != seat:
                continue
            if len(hold.parts) > 1 and hold.connected:
                result.parts = [list(part.provinces) for part in hold.parts]
            most = max(
                [(min(part.most, len(part.provinces)), len(part.provinces)) for part in hold.parts], default=(0, 0)
            )
            result.held = most if most[0] < most[1] else None
        return result

    async def why(self, text: str) -> None:
        """Tell what a typed action would cost, score and be worth at the end, or why it is not legal."""
        if not text:
            await self._say(_("Write the action: why x ALP."))
            return
        names = self._game.names
        action = self._placed_as_suggested(text) or game_pb2.Action(notation=text)
        effect = await self.preview(action)
        if effect.cost:
            await self._say(events.cost(effect.cost, names))
        if effect.refusal is not None:
            await self._say(events.refusal(effect.refusal, names), "class:error")
        if effect.held is not None:
            await self._say(events.held(*effect.held), "class:error")
        for event in effect.events:
            if sentence := events.event(event, names, ahead=True):
                await self._say(f"  {sentence}")
        if effect.refusal is None and not action.HasField("hold"):
            now, then = effect.worth
            await self._say(_("Your empires are worth {now} VP now, {then} then.").format(now=now, then=then))
            if not self._game.match.no_advice and (found := await self.suggestion(action)).advice.HasField(
                "comparison"
            ):
                await self._say(advice.compared(found.advice, self._market(), names), "class:hint")

    async def suggest(self) -> None:
        """Tell an action that the server suggests and its reasons, and remember it for `play_suggested`."""
        game, found = self._game, await self.suggestion()
        if game.my_move():
            self._suggested = found
        sentences = [_("Suggestion: {action}").format(action=advice.typed(found.notation, self._market(), game.names))]
        if found.HasField("advice") and found.revision == game.revision and game.state is not None:
            sentences += advice.reasons(found.advice, game.state.market, game.names)
        await self._emit(Suggested(found.action, found.revision, sentences))

    async def suggestion(self, compared: game_pb2.Action | None = None) -> match_pb2.SuggestResponse:
        """Return an action that the server suggests, with reasons, and compared with another one if that is given."""
        request = match_pb2.SuggestRequest(match_id=self._game.match.match_id, reasons=True, compare=compared)
        await self._emit(Thinking(active=True))
        try:
            return await self._session.call(self._session.match.Suggest, request)
        finally:
            await self._emit(Thinking(active=False))

    async def prospects(self) -> None:
        """Ask what each civilization could take and score, for the position that is shown."""
        game = self._game
        request = match_pb2.GetProspectsRequest(match_id=game.match.match_id)
        answer = await self._session.call(self._session.match.GetProspects, request)
        if answer.revision == game.revision:
            game.prospects = {prospect.slot: prospect for prospect in answer.prospects}

    async def play_suggested(self) -> None:
        """Play the suggested action, if the position is still the same."""
        if self._suggested.HasField("action") and self._suggested.revision == self._game.revision:
            await self.act([self._suggested.action])
        else:
            await self._say(_("Type suggest first."), "class:error")

    async def resign(self, word: str, confirmation: str) -> None:
        """Leave the game for good if that is confirmed; `word` is the one that was typed for it."""
        seat = self._game.seat
        if confirmation == str(seat):
            confirmation = ""
        elif confirmation.isdecimal():
            text = _("You sit at seat {seat}, and only that one can you give up.")
            await self._say(text.format(seat=seat), "class:error")
            return
        if confirmation == "yes":
            await self.act([game_pb2.Action(forfeit=game_pb2.Forfeit(seat=seat))])
        elif len(self._game.seats) > 1:
            text = _("That leaves the game for good, for {who}; quit lets it wait. To do so: {word} yes.")
            await self._say(text.format(who=self._game.names.seat(seat), word=word))
        else:
            text = _("That leaves the game for good; quit lets it wait. To do so: {word} yes.")
            await self._say(text.format(word=word))

    def _placed_as_suggested(self, word: str) -> game_pb2.Action | None:
        """Return the placement that the server suggests for a plain `hold` or `redeploy`; None if it is not legal."""
        legal = self._game.legal
        if word == "hold" and legal.HasField("hold"):
            return game_pb2.Action(hold=legal.hold.suggestion)
        if word == "redeploy" and legal.HasField("redeploy"):
            return game_pb2.Action(redeploy=legal.redeploy.suggestion)
        return None

    def _market(self) -> Sequence[game_pb2.MarketSlot]:
        return self._game.state.market if self._game.state is not None else ()

    def _token(self) -> str:
        return self._game.seats[self._game.seat]

    async def _say(self, text: str, style: str = "") -> None:
        await self._emit(CommandAnswer(text, style))

    async def explain(self, error: Refused) -> None:
        """Tell why the server refused something, or that it cannot be reached."""
        if isinstance(error, ServerGone):
            text = _("Type it again when the connection is back, nothing is played twice: {error}")
            await self._say(text.format(error=refusals.sentence(error)), "class:error")
            return
        facts = dict(error.facts)
        rule, violation = facts.pop("rule", ""), facts.pop("violation", "")
        hint = _(HINTS[error.reason]) if error.reason in HINTS else ""
        if error.reason == "BAD_ACTION" and "known" in facts:  # the actions, which the server knows
            hint = _("Further words: suggest, why, board, market, rules, help.")
        text = f"{refusals.full_sentence(error, self._game.names.province)} {hint}".rstrip()
        if violation:
            refusal = game_pb2.Refusal(rule=rule, reason=violation, facts=facts | {"message": text})
            text = events.refusal(refusal, self._game.names)
        elif rule:
            text = f"{text} ({rule})"
        await self._say(text, "class:error")
