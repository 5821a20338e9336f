"""The line client: a game told in words and played by typing.

It knows no rules: what is legal, and what it costs, comes from the server.
"""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Final, Literal, TypeAlias, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session

from . import table, words
from .catalogue import Catalogue
from .company import Company
from .completion import candidates
from .guide import HELP, HELP_FOR_SPECTATORS, rule_text, wrapped
from .screen import Screen
from .view import View

COMMANDS: Final = {
    "help": "what can be typed",
    "board": "the provinces",
    "scores": "scores and empires",
    "market": "the civilizations on offer",
    "legal": "what you can do now",
    "why": "what an action costs and scores: why x ALP",
    "suggest": "an action that is not bad; ok plays it",
    "ok": "play what was suggested",
    "rules": "a rule or a trait: rules R-CONQ-3, rules Weapons",
    "undo": "take back your last action of this turn, or all since a revision: undo 5",
    "say": "say something to the others: say hello",
    "clock": "how time is kept, and what is left",
    "pause": "propose a pause, or agree to it",
    "resume": "propose to go on, or agree to it",
    "substitute": "propose a substitute for somebody who is gone: substitute 2",
    "back": "take your seat back from a substitute",
    "handover": "go on at another terminal",
    "rematch": "after the game: another one with the same players",
    "resign": "leave the game for good",
    "forfeit": "the same as resign",
    "quit": "leave; the game waits for you",
}

FOR_SPECTATORS: Final = ("help", "board", "scores", "market", "rules", "say", "clock", "quit")

ALIASES: Final = {"?": "help", "q": "quit", "exit": "quit", "chat": "say"}

HINTS: Final = {"SUBSTITUTED": " Type back.", "PAUSED": " Type resume."}
"""What to type after a refusal."""

LOST: Final = ("TOKEN_CHANGED", "BAD_TOKEN")
"""Reasons that tell that a seat is no longer this terminal's."""

Ending: TypeAlias = Literal["over", "ended", "left", "lost"]
"""How playing ends: the game is over or was ended before, the people left, or others have their seats now."""


async def catalogue_of(session: Session, match: lobby_pb2.Match) -> Catalogue:
    """Names for everything in a match."""
    board = await session.call(session.lobby.GetBoard, lobby_pb2.GetBoardRequest(name=match.board))
    traits = await session.call(session.lobby.ListTraits, lobby_pb2.ListTraitsRequest())
    names = Catalogue(board.board, traits.traits)
    names.seat_players(match)
    return names


@final
class LineClient:
    """The people at one terminal, at one seat or several; without a seat they look on.

    `invitation` is the command with which other terminals join the server, if they can; `own_name` is that of a
    spectator.
    """

    def __init__(
        self,
        session: Session,
        match: lobby_pb2.Match,
        names: Catalogue,
        screen: Screen,
        *,
        invitation: str = "",
        own_name: str = "",
    ) -> None:
        self._session: Final = session
        self._match_id: Final = match.match_id
        self._names: Final = names
        self._screen: Final = screen
        self._seats: Final[dict[int, str]] = {}
        self._view: Final = View(match, self._seats, names, screen)
        self._company: Final = Company(session, match.match_id, self._seats, names, invitation, own_name, screen)
        self._suggested: list[game_pb2.Action] = []
        self._suggested_for = -1
        self._changed: Final = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._over = False
        self._leaving = False

    @property
    def seats(self) -> Mapping[int, str]:
        """The seats of this terminal with their tokens; one that was handed over is no longer among them."""
        return self._seats

    async def watch(self, from_revision: int | None = None) -> None:
        """Tell what happens until the game is over. Raises ServerRefused."""
        stream = self._session.watch(
            self._match_id,
            next(iter(self._seats.values()), ""),
            from_revision=from_revision,
            detail=match_pb2.WatchRequest(state=True, legal=True, chat_after=self._view.heard),
            on_connection=self._tell_connection,
        )
        async for response in stream:
            self._view.take(response)
            self._changed.set()
        self._over = True
        self._changed.set()
        self._screen.interrupt()

    async def play(self, seats: Mapping[int, str], from_revision: int | None = None) -> Ending:
        """Play seats with their tokens, or look on without any, until the game ends or nobody is here any more."""
        self._seats.update(seats)
        self._view.seat = next(iter(seats), 0)
        with ExitStack() as stack:
            watching = self._watching = asyncio.create_task(self._listen(from_revision))
            watching.add_done_callback(lambda _: self._changed.set())
            for task in (watching, *(asyncio.create_task(self._attend(seat)) for seat in list(seats)[1:])):
                stack.callback(task.cancel)
            stack.callback(self._view.stop)
            while not self._over and not self._leaving and bool(self._seats) == bool(seats):
                if watching.done():
                    watching.result()
                if self._screen.always_asks or self._view.is_asked():
                    text = await self._screen.ask(self._view.prompt, self._view.toolbar, self._candidates)
                    if text is None:
                        break
                    await self._obey(text.strip())
                else:
                    self._changed.clear()
                    if not self._view.is_asked() and not self._over:
                        await self._changed.wait()
        if self._over:
            return "ended" if self._view.match.ended else "over"
        return "left" if bool(self._seats) == bool(seats) else "lost"

    async def _listen(self, from_revision: int | None) -> None:
        """Watch with one of the seats; when it is lost, go on with the next one."""
        while True:
            seat = next(iter(self._seats), 0)
            try:
                await self.watch(from_revision)
            except ServerRefused as error:
                if not seat or error.reason not in LOST:
                    raise
                self._lose(seat)
            if self._over or not self._seats:
                return
            from_revision = self._view.revision + 1 if self._view.revision >= 0 else None

    async def _attend(self, seat: int) -> None:
        """Be there for another seat of this terminal, too; what happens is told by the watch of the first one."""
        try:
            async for _ in self._session.watch(self._match_id, self._seats[seat]):
                pass
        except ServerRefused as error:
            if error.reason in LOST:
                self._lose(seat)

    def _lose(self, seat: int) -> None:
        if self._seats.pop(seat, None) is not None:
            self._view.say(f"Seat {seat} is no longer played here: it was handed over or taken away.", "class:hint")
            self._view.seat = next(iter(self._seats), 0)
            self._changed.set()
            self._screen.interrupt()

    def _tell_connection(self, connected: bool) -> None:
        lost = "The connection is lost; trying again. Nothing is lost."
        self._view.say("Connected again." if connected else lost)

    # What the people type.

    async def _obey(self, text: str) -> None:
        """Do what was typed. What the server refuses is told, and so is that it is away."""
        try:
            await self._do(text)
        except ServerRefused as error:
            self._refuse(error)
        except ServerGone as error:
            self._say(f"Type it again when the connection is back, nothing is played twice: {error}", "class:error")

    async def _do(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        word = ALIASES.get(word.lower(), word.lower())
        if word and not self._seats and word not in FOR_SPECTATORS:
            self._say(f"You look on. What you can type: {', '.join(FOR_SPECTATORS)}.")
            return
        match word:
            case "":
                return
            case "quit":
                self._leaving = True
            case "help":
                self._screen.show((HELP if self._seats else HELP_FOR_SPECTATORS).splitlines())
            case "rules":
                self._screen.show(wrapped(rule_text(rest), table.WIDTH))
            case "board" | "scores" | "market" | "legal" as wanted:
                self._view.show(wanted)
            case "clock":
                self._view.show_clocks()
            case "rematch":
                self._say("The game is not over yet; when it is, rematch begins another one with the same players.")
            case "say" | "pause" | "resume" | "substitute" | "back" | "handover":
                await self._company.do(word, rest, self._view.seat, self._view.match)
            case _:
                await self._play(word, rest, text)

    async def _play(self, word: str, rest: str, text: str) -> None:
        """Do what is about the game itself."""
        match word:
            case "why":
                await self._why(rest)
            case "suggest":
                await self._suggest()
            case "ok":
                is_fresh = self._suggested and self._suggested_for == self._view.revision
                await self._act(self._suggested) if is_fresh else self._say("Type suggest first.")
            case "undo":
                await self._undo(rest.strip())
            case "resign" | "forfeit":
                await self._resign(word, rest)
            case "hold" if not rest and self._view.legal.HasField("hold"):
                await self._act([self._suggested_hold()])
            case _:
                await self._act_in_turn([part.strip() for part in text.split(";") if part.strip()])

    async def _act_in_turn(self, parts: list[str]) -> None:
        """Play several actions; a plain `hold` at their end is the one suggested after the others."""
        plain_hold = len(parts) > 1 and parts[-1].lower() == "hold"
        actions = [game_pb2.Action(notation=part) for part in (parts[:-1] if plain_hold else parts)]
        if await self._act(actions) and plain_hold:
            await self._act([self._suggested_hold()])

    async def _act(self, actions: list[game_pb2.Action]) -> bool:
        """Play actions and wait until they are told; whether all of them were legal."""
        if self._view.state is None:
            self._say("The game has not started yet.")
            return False
        response = await self._session.act(self._match_id, self._token(), actions, self._view.revision)
        if response.HasField("refusal"):
            self._say(words.refusal(response.refusal, self._names), "class:error")
        await self._until_told(response.revision)
        return not response.HasField("refusal")

    async def _until_told(self, revision: int) -> None:
        while self._view.revision < revision and self._watching is not None and not self._watching.done():
            self._changed.clear()
            await self._changed.wait()

    async def _undo(self, text: str) -> None:
        if text and not text.isdecimal():
            self._say("undo takes back your last action, undo 5 all since revision 5.")
            return
        to = int(text) if text else None
        response = await self._session.undo(self._match_id, self._token(), max(self._view.revision, 0), to)
        await self._until_told(response.revision)

    async def _why(self, text: str) -> None:
        if not text:
            self._say("Write the action: why x ALP.")
            return
        action = self._suggested_hold() if text == "hold" else game_pb2.Action(notation=text)
        response = await self._session.preview(self._match_id, self._token(), action)
        if response.cost:
            self._say(words.cost(response.cost))
        if response.HasField("refusal"):
            self._say(words.refusal(response.refusal, self._names), "class:error")
        for update in response.updates:
            for event in update.events:
                if told := words.event(event, self._names):
                    self._say(f"  {told}")
            if self._view.state is not None:
                now, then = (self._would_score(state) for state in (self._view.state, update.state))
                self._say(f"Your empires are worth {now} VP now, {then} then.")

    def _would_score(self, state: game_pb2.State) -> int:
        seat = state.seats[self._view.seat - 1]
        return seat.active.vp + seat.declined.vp

    async def _suggest(self) -> None:
        request = match_pb2.SuggestRequest(match_id=self._match_id)
        suggestion = await self._session.call(self._session.match.Suggest, request)
        self._suggested = [suggestion.action] if self._view.my_move() else []
        self._suggested_for = suggestion.revision
        self._say(f"suggestion: {suggestion.notation}", "class:hint")

    async def _resign(self, word: str, confirmation: str) -> None:
        seat = self._view.seat
        if confirmation.strip() == str(seat):
            confirmation = ""
        elif confirmation.strip().isdecimal():
            self._say(f"You sit at seat {seat}, and only that one can you give up.", "class:error")
            return
        if confirmation.strip() != "yes":
            whose = f", for {self._names.seat(seat)}" if len(self._seats) > 1 else ""
            self._say(f"That leaves the game for good{whose}; quit lets it wait. To do so: {word} yes.")
            return
        await self._act([game_pb2.Action(forfeit=game_pb2.Forfeit(seat=seat))])

    def _suggested_hold(self) -> game_pb2.Action:
        return game_pb2.Action(hold=self._view.legal.hold.suggestion)

    def _token(self) -> str:
        return self._seats[self._view.seat]

    def _refuse(self, error: ServerRefused) -> None:
        facts = {name: value for name, value in error.facts.items() if name not in ("rule", "violation")}
        message = f"{error.message[:1].upper()}{error.message[1:]}.{HINTS.get(error.reason, '')}"
        refusal = game_pb2.Refusal(
            rule=error.facts.get("rule", ""),
            reason=error.facts.get("violation", error.reason),
            facts=facts | {"message": message},
        )
        self._say(words.refusal(refusal, self._names), "class:error")

    def _candidates(self, typed: str) -> Iterable[tuple[str, str]]:
        """Words that can follow what is typed."""
        commands = COMMANDS if self._seats else {word: COMMANDS[word] for word in FOR_SPECTATORS}
        legal = self._view.legal if self._view.my_move() else game_pb2.Legal()
        market = self._view.state.market if self._view.state is not None else []
        return candidates(typed, commands, legal, market, self._names)

    def _say(self, text: str, style: str = "") -> None:
        self._view.say(text, style)
