"""Typed commands that concern the game: act, preview, take back, ask for a suggestion.

It knows no rules: what is legal, and what it costs, comes from the server.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, final

from vinci.v1 import game_pb2, match_pb2
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session

from ..text import advice, events, refusals
from ..text.i18n import N_, _
from .client_match import ClientMatch
from .preview import Preview, preview
from .typed import CommandHost, number

HINTS: Final = {"SUBSTITUTED": N_("Type back."), "PAUSED": N_("Type resume.")}
"""Hints for the next command after a refusal."""


@final
@dataclass(slots=True)
class GameCommands:
    """Acts in a match for the seat shown. Every method that asks the server raises ServerRefused and ServerGone."""

    _session: Session
    _game: ClientMatch
    _host: CommandHost
    _suggested: list[game_pb2.Action] = field(default_factory=list)
    _suggested_for: int = -1

    async def act(self, actions: Sequence[game_pb2.Action]) -> bool:
        """Play actions and wait until they are shown; returns whether all of them were legal."""
        game = self._game
        if game.state is None:
            self._host.say(_("The game has not started yet."))
            return False
        if objection := self._host.objection(actions):
            self._host.say(objection, "class:error")
            return False
        response = await self._session.act(game.match.match_id, self._token(), actions, game.revision)
        if response.HasField("refusal"):
            self._host.say(events.refusal(response.refusal, game.names), "class:error")
        await self._host.until_shown(response.revision)
        return not response.HasField("refusal")

    async def play(self, text: str) -> None:
        """Play typed actions, separated by semicolons; a plain `hold` at the end uses the suggested placement."""
        parts = [part.strip() for part in text.split(";") if part.strip()]
        actions = [game_pb2.Action(notation=part) for part in parts]
        if parts and parts[-1].lower() == "hold" and (parts[:-1] or self._game.legal.HasField("hold")):
            if not parts[:-1] or await self.act(actions[:-1]):
                await self.act([self._suggested_hold()])
        else:
            await self.act(actions)

    async def undo(self, text: str) -> None:
        """Take back the last action, or all since the revision that is typed."""
        if text and not text.isdecimal():
            self._host.say(_("undo takes back your last action, undo 5 all since revision 5."))
            return
        to = number(text) if text else None
        revision = max(self._game.revision, 0)
        response = await self._session.undo(self._game.match.match_id, self._token(), revision, to)
        await self._host.until_shown(response.revision)

    async def preview(self, action: game_pb2.Action) -> Preview:
        """Return what an action would do."""
        return await preview(self._session, self._game, action)

    async def why(self, text: str) -> None:
        """Tell what a typed action would cost, score and be worth at the end, or why it is not legal."""
        if not text:
            self._host.say(_("Write the action: why x ALP."))
            return
        names = self._game.names
        action = self._suggested_hold() if text == "hold" else game_pb2.Action(notation=text)
        effect = await self.preview(action)
        if effect.cost:
            self._host.say(events.cost(effect.cost, names))
        if effect.refusal is not None:
            self._host.say(events.refusal(effect.refusal, names), "class:error")
        for event in effect.events:
            if sentence := events.event(event, names, ahead=True):
                self._host.say(f"  {sentence}")
        if effect.refusal is None:
            now, then = effect.worth
            self._host.say(_("Your empires are worth {now} VP now, {then} then.").format(now=now, then=then))
            if not self._game.match.no_advice and (found := await self.suggestion(action)).advice.HasField(
                "comparison"
            ):
                self._host.say(advice.compared(found.advice, self._market(), names), "class:hint")

    async def suggest(self) -> None:
        """Tell an action that the server suggests and its reasons, and remember it for `play_suggested`."""
        suggestion = await self.suggestion()
        self._suggested = [suggestion.action] if self._game.my_move() else []
        self._suggested_for = suggestion.revision
        self._host.say(_("suggestion: {action}").format(action=self.worded(suggestion)), "class:hint")
        for reason in self.reasons(suggestion):
            self._host.say(reason, "class:hint")

    async def suggestion(self, compared: game_pb2.Action | None = None) -> match_pb2.SuggestResponse:
        """Return an action that the server suggests, with reasons, and compared with another one if that is given."""
        request = match_pb2.SuggestRequest(match_id=self._game.match.match_id, reasons=True, compare=compared)
        self._host.show_thinking(active=True)
        try:
            return await self._session.call(self._session.match.Suggest, request)
        finally:
            self._host.show_thinking(active=False)

    async def prospects(self) -> None:
        """Ask what each civilization could take and score, for the position that is shown."""
        game = self._game
        request = match_pb2.GetProspectsRequest(match_id=game.match.match_id)
        answer = await self._session.call(self._session.match.GetProspects, request)
        if answer.revision == game.revision:
            game.prospects = {prospect.slot: prospect for prospect in answer.prospects}

    def worded(self, suggestion: match_pb2.SuggestResponse) -> str:
        """Return the suggested action in words, and how it is typed."""
        return advice.typed(suggestion.notation, self._market(), self._game.names)

    def reasons(self, suggestion: match_pb2.SuggestResponse) -> list[str]:
        """Return the reasons of a suggestion for the position that is shown; none if there are none."""
        game = self._game
        if not suggestion.HasField("advice") or suggestion.revision != game.revision or game.state is None:
            return []
        return advice.reasons(suggestion.advice, game.state.market, game.names)

    async def play_suggested(self) -> None:
        """Play the suggested action, if the position is still the same."""
        if self._suggested and self._suggested_for == self._game.revision:
            await self.act(self._suggested)
        else:
            self._host.say(_("Type suggest first."))

    async def resign(self, word: str, confirmation: str) -> None:
        """Leave the game for good if that is confirmed; `word` is the one that was typed for it."""
        seat = self._game.seat
        if confirmation == str(seat):
            confirmation = ""
        elif confirmation.isdecimal():
            text = _("You sit at seat {seat}, and only that one can you give up.")
            self._host.say(text.format(seat=seat), "class:error")
            return
        if confirmation == "yes":
            await self.act([game_pb2.Action(forfeit=game_pb2.Forfeit(seat=seat))])
        elif len(self._game.seats) > 1:
            text = _("That leaves the game for good, for {who}; quit lets it wait. To do so: {word} yes.")
            self._host.say(text.format(who=self._game.names.seat(seat), word=word))
        else:
            text = _("That leaves the game for good; quit lets it wait. To do so: {word} yes.")
            self._host.say(text.format(word=word))

    def _suggested_hold(self) -> game_pb2.Action:
        """Return the placement that the server suggests for the end of the conquests."""
        return game_pb2.Action(hold=self._game.legal.hold.suggestion)

    def _market(self) -> Sequence[game_pb2.MarketSlot]:
        return self._game.state.market if self._game.state is not None else ()

    def _token(self) -> str:
        return self._game.seats[self._game.seat]

    def explain(self, error: ServerRefused | ServerGone) -> None:
        """Tell why the server refused something, or that it cannot be reached."""
        if isinstance(error, ServerGone):
            text = _("Type it again when the connection is back, nothing is played twice: {error}")
            self._host.say(text.format(error=refusals.sentence(error)), "class:error")
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
        self._host.say(text, "class:error")
