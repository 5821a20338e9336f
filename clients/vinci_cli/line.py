"""The line client: a game told in words and played by typing.

It knows no rules: what is legal, and what it costs, comes from the server.
"""

import asyncio
import textwrap
from collections.abc import Iterable
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session

from . import table, words
from .catalogue import Catalogue
from .guide import HELP, rule_text, wrapped
from .screen import Screen

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
    "forfeit": "leave the game for good",
    "quit": "leave; the game waits for you",
}

BELOW: Final = 4
"""Lines below the table: one's own empire, what can be done, the prompt, the toolbar."""

WATCHED: Final = match_pb2.WatchRequest(state=True, legal=True)


async def catalogue_of(session: Session, match: lobby_pb2.Match) -> Catalogue:
    """Names for everything in a match."""
    board = await session.call(session.lobby.GetBoard, lobby_pb2.GetBoardRequest(name=match.board))
    traits = await session.call(session.lobby.ListTraits, lobby_pb2.ListTraitsRequest())
    names = Catalogue(board.board, traits.traits)
    names.seat_players(match)
    return names


@final
class LineClient:
    """One person at one seat. `seat` 0 watches."""

    def __init__(self, session: Session, match: lobby_pb2.Match, names: Catalogue, screen: Screen) -> None:
        self._session: Final = session
        self._match = match
        self._names: Final = names
        self._screen: Final = screen
        self._seat = 0
        self._token = ""
        self._state: game_pb2.State | None = None
        self._legal = game_pb2.Legal()
        self._revision = -1
        self._told_turn = (-1, -1)
        self._suggested: list[game_pb2.Action] = []
        self._changed: Final = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._missing: list[int] = []
        self._over = False
        self._leaving = False

    async def watch(self, from_revision: int | None = None) -> None:
        """Tell what happens until the game is over. Raises ServerRefused."""
        stream = self._session.watch(
            self._match.match_id,
            self._token,
            from_revision=from_revision,
            detail=WATCHED,
            on_connection=self._tell_connection,
        )
        async for response in stream:
            match response.WhichOneof("kind"):
                case "match":
                    self._take_match(response.match)
                case "update":
                    self._take_update(response.update)
            self._changed.set()
        self._over = True
        self._changed.set()
        self._screen.interrupt()

    async def play(self, seat: int, token: str) -> bool:
        """Play a seat to the end of the game or until the person leaves; whether the game is over."""
        self._seat, self._token = seat, token
        watching = self._watching = asyncio.create_task(self.watch())
        watching.add_done_callback(lambda _: self._changed.set())
        try:
            while not self._over and not self._leaving:
                if watching.done():
                    watching.result()
                if self._screen.always_asks or self._my_move():
                    text = await self._screen.ask(self._prompt, self._toolbar, self._candidates)
                    if text is None:
                        break
                    await self._obey(text.strip())
                else:
                    self._changed.clear()
                    if not self._my_move() and not self._over:
                        await self._changed.wait()
            return self._over
        finally:
            watching.cancel()

    # What the server tells.

    def _take_match(self, match: lobby_pb2.Match) -> None:
        before, self._match = self._match, match
        self._names.seat_players(match)
        if match.status == lobby_pb2.MATCH_STATUS_OPEN:
            missing = [seat.seat for seat in match.seats if not seat.taken]
            if missing and missing != self._missing:
                self._say(f"Waiting for players at seat {', '.join(map(str, missing))}.")
            self._missing = missing
            return
        for old, new in zip(before.seats, match.seats, strict=False):
            if old.connected != new.connected and new.seat != self._seat:
                self._say(f"{self._names.seat(new.seat)} is {'here' if new.connected else 'away'}.")

    def _take_update(self, update: game_pb2.Update) -> None:
        for event in update.events:
            for line in words.told(event, self._names):
                self._say(line)
        self._state, self._legal, self._revision = update.state, update.legal, update.revision
        self._suggested = []
        if self._my_move():
            self._show_turn(update.state)

    def _show_turn(self, state: game_pb2.State) -> None:
        most = table.HEIGHT
        turn = (state.round, state.turn_seat if state.phase != game_pb2.PHASE_REDEPLOY else 0)
        if turn != self._told_turn or state.phase in (game_pb2.PHASE_DRAFT, game_pb2.PHASE_REDEPLOY):
            self._told_turn = turn
            drawing = table.market if state.phase == game_pb2.PHASE_DRAFT else table.board
            lines = [*table.scores(state, self._names, self._seat), *drawing(state, self._names)]
            self._screen.show(["", *lines])
            most = table.HEIGHT - len(lines) - BELOW
        self._screen.show(table.empire(state, self._names, self._seat))
        self._screen.show(table.conquests(self._legal, most))
        self._say(self._what_now(state))

    def _what_now(self, state: game_pb2.State) -> str:
        match state.phase:
            case game_pb2.PHASE_DRAFT:
                return "Choose a civilization: take N. board shows the provinces."
            case game_pb2.PHASE_START:
                if state.seats[self._seat - 1].must_decline:
                    return "Your empire lost its last province: decline."
                legal = self._legal
                choices = {
                    "x CODE": legal.conquer or legal.conquer_by_spies,
                    "hold": legal.HasField("hold"),
                    "peace N": legal.peace,
                    "decline": legal.decline,
                    "abandon CODE": legal.abandon,
                }
                *others, last = (text for text, fits in choices.items() if fits)
                return f"Your turn: {', '.join([*others, f'or {last}' if others else last])}. Type help for more."
            case game_pb2.PHASE_RENAISSANCE:
                return "Renaissance: decline now, or stay."
            case game_pb2.PHASE_REDEPLOY:
                redeploy = self._legal.redeploy
                pawns = words.amount(redeploy.pawns, "surviving pawn")
                return f"Place {pawns}: redeploy CODE=N. suggest proposes a way."
        if not self._legal.conquer and self._legal.HasField("hold"):
            return "Nothing more can be conquered: hold, or hold CODE=N CODE=N to place pawns yourself."
        return "x CODE conquers, hold ends your turn." if self._legal.HasField("hold") else "x CODE conquers."

    def _tell_connection(self, connected: bool) -> None:
        self._say("Connected again." if connected else "The connection is lost; trying again. Nothing is lost.")

    # What the person types.

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
        match word.lower():
            case "":
                return
            case "quit" | "q" | "exit":
                self._leaving = True
            case "help" | "?":
                self._screen.show(HELP.splitlines())
            case "rules":
                self._screen.show(wrapped(rule_text(rest), table.WIDTH))
            case "board" | "scores" | "market" | "legal" as wanted:
                self._show(wanted)
            case "why":
                await self._why(rest)
            case "suggest":
                await self._suggest()
            case "ok":
                await self._act(self._suggested) if self._suggested else self._say("Type suggest first.")
            case "forfeit":
                await self._forfeit(rest)
            case "hold" if not rest and self._legal.HasField("hold"):
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
        if self._watching is None or self._state is None:
            self._say("The game has not started yet.")
            return False
        response = await self._session.act(self._match.match_id, self._token, actions, self._revision)
        if response.HasField("refusal"):
            self._say(words.refusal(response.refusal, self._names), "class:error")
        while self._revision < response.revision and not self._watching.done():
            self._changed.clear()
            await self._changed.wait()
        return not response.HasField("refusal")

    async def _why(self, text: str) -> None:
        if not text:
            self._say("Write the action: why x ALP.")
            return
        action = self._suggested_hold() if text == "hold" else game_pb2.Action(notation=text)
        response = await self._session.preview(self._match.match_id, self._token, action)
        if response.cost:
            self._say(words.cost(response.cost))
        if response.HasField("refusal"):
            self._say(words.refusal(response.refusal, self._names), "class:error")
        for update in response.updates:
            for event in update.events:
                if told := words.event(event, self._names):
                    self._say(f"  {told}")
            if self._state is not None:
                now, then = (self._would_score(state) for state in (self._state, update.state))
                self._say(f"Your empires are worth {now} VP now, {then} then.")

    def _would_score(self, state: game_pb2.State) -> int:
        seat = state.seats[self._seat - 1]
        return seat.active.vp + seat.declined.vp

    async def _suggest(self) -> None:
        request = match_pb2.SuggestRequest(match_id=self._match.match_id)
        suggestion = await self._session.call(self._session.match.Suggest, request)
        self._suggested = [suggestion.action] if self._my_move() else []
        self._say(f"suggestion: {suggestion.notation}", "class:hint")

    async def _forfeit(self, confirmation: str) -> None:
        if confirmation.strip() == str(self._seat):
            confirmation = ""
        elif confirmation.strip().isdecimal():
            self._say(f"You sit at seat {self._seat}, and only that one can you give up.", "class:error")
            return
        if confirmation.strip() != "yes":
            self._say("That leaves the game for good; quit lets it wait. To do so: forfeit yes.")
            return
        await self._act([game_pb2.Action(forfeit=game_pb2.Forfeit(seat=self._seat))])

    def _suggested_hold(self) -> game_pb2.Action:
        return game_pb2.Action(hold=self._legal.hold.suggestion)

    def _refuse(self, error: ServerRefused) -> None:
        facts = {name: value for name, value in error.facts.items() if name not in ("rule", "violation")}
        refusal = game_pb2.Refusal(
            rule=error.facts.get("rule", ""),
            reason=error.facts.get("violation", error.reason),
            facts=facts | {"message": f"{error.message[:1].upper()}{error.message[1:]}."},
        )
        self._say(words.refusal(refusal, self._names), "class:error")

    # What is shown.

    def _show(self, wanted: str) -> None:
        if self._state is None:
            self._say("The game has not started yet.")
        elif wanted == "board":
            self._screen.show([*table.board(self._state, self._names), *table.LEGEND.splitlines()])
        elif wanted == "scores":
            self._screen.show(table.scores(self._state, self._names, self._seat))
        elif wanted == "market":
            self._screen.show(table.market(self._state, self._names))
        elif self._my_move():
            self._screen.show([*table.empire(self._state, self._names, self._seat), *table.conquests(self._legal)])
            self._say(self._what_now(self._state))
        else:
            self._say(f"It is the move of {self._names.seat(self._state.seat_to_act)}.")

    def _my_move(self) -> bool:
        return self._state is not None and bool(self._seat) and self._state.seat_to_act == self._seat

    def _prompt(self) -> str:
        return f"seat {self._seat}> " if self._my_move() else "...> "

    def _toolbar(self) -> str:
        if self._state is None:
            return " waiting for the game to start   quit"
        if not self._my_move():
            return f" {self._names.seat(self._state.seat_to_act)} is to move   board  scores  market  help  quit"
        hand = self._state.seats[self._seat - 1].active.reserve
        return f" round {self._state.round}   {hand} in hand   Tab completes   why x CODE  suggest  help  quit"

    def _candidates(self, typed: str) -> Iterable[tuple[str, str]]:
        """Words that can follow what is typed, from what the server says is legal."""
        start = typed.rpartition(";")[2].lstrip()
        if start.startswith("why "):
            start = start[4:].lstrip()
        word, space, rest = start.partition(" ")
        if not space:
            yield from self._actions()
            yield from COMMANDS.items()
            return
        legal = self._legal
        match word.lower():
            case "x" if " " not in rest:
                for code, cost, worth in zip(legal.conquer, legal.cost, legal.worth, strict=True):
                    yield code, f"{self._names.province(code)}, cost {cost}, {worth:+d} VP"
                for code in legal.conquer_by_spies:
                    if code not in legal.conquer:
                        yield code, f"{self._names.province(code)}, by Spies for 2: x {code} spy"
            case "x":
                yield from ((("spy", "for exactly 2"),) if legal.conquer_by_spies else ())
            case "abandon":
                yield from ((code, self._names.province(code)) for code in legal.abandon)
            case "take":
                market = self._state.market if self._state is not None else []
                yield from ((str(slot), self._names.civilization(market[slot - 1].traits)) for slot in legal.take)
            case "peace":
                yield from ((str(seat), self._names.seat(seat)) for seat in legal.peace)
            case "hold" | "redeploy":
                parts = legal.hold.parts if word == "hold" else [legal.redeploy]
                for part in parts:
                    yield from ((f"{code}=", self._names.province(code)) for code in part.provinces)
                if word == "hold" and legal.hold.forts:
                    yield "fort", "build a fort in the provinces that follow"

    def _actions(self) -> Iterable[tuple[str, str]]:
        legal = self._legal
        known = {
            "take": legal.take,
            "x": list(legal.conquer) + list(legal.conquer_by_spies),
            "hold": legal.HasField("hold"),
            "peace": legal.peace,
            "abandon": legal.abandon,
            "decline": legal.decline,
            "stay": legal.stay,
            "redeploy": legal.HasField("redeploy"),
        }
        return ((word, "legal now") for word, possible in known.items() if possible)

    def _say(self, text: str, style: str = "") -> None:
        self._screen.show([[(style, line)] for line in textwrap.wrap(text, table.WIDTH - 1)])
