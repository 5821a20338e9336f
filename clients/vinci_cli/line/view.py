"""What a terminal knows of a match, and how it tells and shows it to the people there.

It knows no rules: what is legal, and what it costs, comes from the server.
"""

import asyncio
from collections.abc import Mapping
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2

from ..game.clocks import ClientClocks
from ..game.history import History
from ..text import events, mistakes, tables, timing
from ..text.i18n import _, plural
from ..text.names import Catalogue
from .terminal import Screen, sentence

BELOW: Final = 4
"""Lines below the table: one's own empire, what can be done, the prompt, the toolbar."""


@final
class LineView:
    """A match as one terminal sees it.

    Attributes:
        match, state, legal, revision: what the server said last; no state before the start, and revision -1.
        seats: the seats of the people at this terminal, with their tokens. seat: the one that is looked from.
        clocks: what they show. heard: the number of the last line of the chat.
    """

    def __init__(self, match: lobby_pb2.Match, seats: Mapping[int, str], names: Catalogue, screen: Screen) -> None:
        self.match = match
        self.seats: Final = seats
        self.seat = 0
        self.state: game_pb2.State | None = None
        self.legal = game_pb2.Legal()
        self.revision = -1
        self.heard = 0
        self.clocks: Final = ClientClocks(match.timing)
        self._names: Final = names
        self._screen: Final = screen
        self._history: Final = History()
        self._told_match = lobby_pb2.Match(seats=[lobby_pb2.MatchSeat() for _ in match.seats])
        self._told_turn = (-1, -1)
        self._told_low = (-1, -1)
        self._alarm: asyncio.TimerHandle | None = None
        self._missing: list[int] = []

    # Whose move it is.

    def my_move(self) -> bool:
        """Whether the seat that is looked from is to act."""
        return self.state is not None and bool(self.seat) and self.state.seat_to_act == self.seat

    def is_barred(self) -> bool:
        """Whether that seat can do nothing now: the game is paused, or a substitute plays."""
        return self._bars(self.match)

    def is_asked(self) -> bool:
        """Whether there is something for the people here to do."""
        agree = any(seat in self.seats for one in self.match.proposals for seat in one.missing)
        return self.state is not None and bool(self.seats) and (self.my_move() or self.is_barred() or agree)

    def _bars(self, match: lobby_pb2.Match) -> bool:
        return match.paused or (bool(self.seat) and match.seats[self.seat - 1].substituted)

    # What the server tells.

    def take(self, response: match_pb2.WatchResponse) -> None:
        """Something that happened."""
        match response.WhichOneof("kind"):
            case "match":
                self._take_match(response.match)
            case "update":
                self._take_update(response.update)
            case "chat":
                self.heard = response.chat.number
                style = f"class:seat{response.chat.seat}" if response.chat.seat else ""
                self.say(events.said(response.chat, self._names), style)
            case "clocks":
                self.clocks.take(response.clocks)
                self._set_alarm()

    def _take_match(self, match: lobby_pb2.Match) -> None:
        before, self.match = self.match, match
        self._names.seat_players(match)
        for line in events.changes(self._told_match, match, self.seats, self._names):
            self.say(line, "class:hint")
        was_barred = self._bars(self._told_match)
        self._told_match = match
        if match.status == lobby_pb2.MATCH_STATUS_OPEN:
            missing = [seat.seat for seat in match.seats if not seat.taken] or _away(match)
            if missing and missing != self._missing:
                seats = ", ".join(map(str, missing))
                told = plural(
                    "Waiting for players at seat {seats}.",
                    "Waiting for players at seat {seats}.",
                    len(missing),
                    seats=seats,
                )
                self.say(told)
            if not match.nonces_due or missing:
                self._missing = missing
            return
        for old, new in zip(before.seats, match.seats, strict=False):
            if old.connected != new.connected and new.seat not in self.seats:
                who = self._names.seat(new.seat)
                self.say(events.came(who) if new.connected else events.went(who))
        if was_barred and not self.is_barred() and self.state is not None and self.my_move():
            self._told_turn = (-1, -1)
            self._show_turn(self.state)

    def _take_update(self, update: game_pb2.Update) -> None:
        if update.revision <= self.revision:
            return
        if update.HasField("undo_to"):
            taken = self._history.undo(update.revision, update.undo_to)
            self.say(events.undone(update.seat, taken, update.undo_to, self._names))
            self._told_turn = (-1, -1)
        elif update.seat:
            is_other = self._history.note(update.revision, update.notation, update.seat, update.by)
            is_person = self.match.seats[update.seat - 1].kind == lobby_pb2.SEAT_KIND_HUMAN
            if is_other or update.by != "substitute":
                self.say(events.made_by(update.seat, update.by, self._names, is_person=is_person), "class:hint")
        for event in update.events:
            for line in events.told(event, self._names):
                self.say(line)
        self.state, self.legal, self.revision = update.state, update.legal, update.revision
        if update.state.seat_to_act in self.seats:
            self.seat = update.state.seat_to_act
        if self.my_move() and not self.is_barred():
            self._show_turn(update.state)

    def _set_alarm(self) -> None:
        """Be woken when the time of somebody at this terminal is low."""
        self.stop()
        seat = self.clocks.running
        if seat in self.seats:
            wait = max(self.clocks.left(seat) - self.clocks.low, 0.0)
            self._alarm = asyncio.get_running_loop().call_later(wait, self._tell_low, seat)

    def stop(self) -> None:
        """Be woken no more."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _tell_low(self, seat: int) -> None:
        turn = (self.state.round if self.state is not None else 0, seat)
        if turn != self._told_low:
            self._told_low = turn
            left = timing.duration(max(round(self.clocks.left(seat)), 1))
            self.say(_("{who} has {duration} left.").format(who=self._names.seat(seat), duration=left), "class:error")

    # What is shown.

    def say(self, text: str, style: str = "") -> None:
        """Tell a sentence; an empty one is none."""
        self._screen.show(sentence(text, style))

    def _show_turn(self, state: game_pb2.State) -> None:
        most = tables.HEIGHT
        turn = (state.round, state.turn_seat if state.phase != game_pb2.PHASE_REDEPLOY else 0)
        if turn != self._told_turn or state.phase in (game_pb2.PHASE_DRAFT, game_pb2.PHASE_REDEPLOY):
            self._told_turn = turn
            drawing = tables.market if state.phase == game_pb2.PHASE_DRAFT else tables.board
            lines = [*tables.scores(state, self._names, self.seat), *drawing(state, self._names)]
            self._screen.show(["", *lines])
            most = tables.HEIGHT - len(lines) - BELOW
        self._screen.show(tables.empire(state, self._names, self.seat))
        self._screen.show(tables.conquests(self.legal, most))
        self.say(self._what_now(state))

    def _what_now(self, state: game_pb2.State) -> str:
        match state.phase:
            case game_pb2.PHASE_DRAFT:
                return _("Choose a civilization: take N. board shows the provinces.")
            case game_pb2.PHASE_START:
                if state.seats[self.seat - 1].must_decline:
                    return _("Your empire lost its last province: decline.")
                return self._your_turn()
            case game_pb2.PHASE_RENAISSANCE:
                return _("Renaissance: decline now, or stay.")
            case game_pb2.PHASE_REDEPLOY:
                return plural(
                    "Place {n} surviving pawn: redeploy CODE=N. suggest proposes a way.",
                    "Place {n} surviving pawns: redeploy CODE=N. suggest proposes a way.",
                    self.legal.redeploy.pawns,
                )
        if not self.legal.conquer and self.legal.HasField("hold"):
            return _("Nothing more can be conquered: hold, or hold CODE=N CODE=N to place pawns yourself.")
        return _("x CODE conquers, hold ends your turn.") if self.legal.HasField("hold") else _("x CODE conquers.")

    def _your_turn(self) -> str:
        legal = self.legal
        choices = {
            "x CODE": legal.conquer or legal.conquer_by_spies,
            "hold": legal.HasField("hold"),
            "peace N": legal.peace,
            "decline": legal.decline,
            "abandon CODE": legal.abandon,
        }
        *others, last = (text for text, fits in choices.items() if fits)
        if not others:
            return _("Your turn: {words}. Type help for more.").format(words=last)
        return _("Your turn: {words}, or {last}. Type help for more.").format(words=", ".join(others), last=last)

    def show(self, wanted: str) -> None:
        """Show a part of the table: `board`, `scores`, `market`, or what is `legal`."""
        if self.state is None:
            self.say(_("The game has not started yet."))
        elif wanted == "board":
            self._screen.show([*tables.board(self.state, self._names), *tables.legend()])
        elif wanted == "scores":
            self._screen.show(tables.scores(self.state, self._names, self.seat))
            self.say(self._clock_line())
        elif wanted == "market":
            self._screen.show(tables.market(self.state, self._names))
        elif self.my_move():
            self._screen.show([*tables.empire(self.state, self._names, self.seat), *tables.conquests(self.legal)])
            self.say(self._what_now(self.state))
        else:
            self.say(_("It is the move of {who}.").format(who=self._names.seat(self.state.seat_to_act)))

    def show_clocks(self) -> None:
        """Say how time is kept, and what is left."""
        time = timing.in_words(self.match.timing) or [_("This match has no clock; everybody is waited for.")]
        for told in [*time, *mistakes.in_words(self.match.mistakes)]:
            self.say(told)
        self.say(self._clock_line())

    def _clock_line(self) -> str:
        """What each seat has left, the one whose clock runs with a mark; empty without clocks."""
        shown = []
        for seat in self.match.seats:
            face = self.clocks.face(seat.seat)
            if face and seat.kind != lobby_pb2.SEAT_KIND_DUMMY:
                mark = ">" if seat.seat == self.clocks.running else ""
                shown.append(f"{mark}{self._names.seat(seat.seat)} {face}")
        return _("Left: {clocks}.").format(clocks=", ".join(shown)) if shown else ""

    def prompt(self) -> str:
        """What stands before what is typed; where several people sit, whose move it is."""
        if not self.my_move():
            return "...> "
        who = self._names.seat(self.seat) if len(self.seats) > 1 else _("seat {number}").format(number=self.seat)
        return f"{who}> "

    def toolbar(self) -> str:
        """What stands below it; a clock in it runs."""
        if self.state is None:
            return _(" waiting for the game to start   say TEXT  quit")
        running = self.clocks.face(self.clocks.running)
        if self.match.paused:
            text = _(" the game is paused   resume  say TEXT  help  quit")
        elif self.seats and self.is_barred():
            text = _(" a substitute plays for you   back takes the seat back   help  quit")
        elif not self.my_move():
            told = _("{who} is to move, {time} left") if running else _("{who} is to move")
            text = told.format(who=self._names.seat(self.state.seat_to_act)[:24], time=running)
            text = f" {text}   board  scores  market  help  quit"
        else:
            hand = self.state.seats[self.seat - 1].active.reserve
            told = (
                _(" round {round}   {pawns} in hand   {time} left   Tab completes   suggest  help  quit")
                if running
                else _(" round {round}   {pawns} in hand   Tab completes   why x CODE  suggest  help  quit")
            )
            text = told.format(round=self.state.round, pawns=hand, time=running)
        return text[: tables.WIDTH]


def _away(match: lobby_pb2.Match) -> list[int]:
    """Seats for which nobody is connected, if a game that is about to start waits for these alone."""
    due = set(match.nonces_due)
    away = [seat.seat for seat in match.seats if seat.seat in due and not seat.connected]
    return away if len(away) == len(due) else []
