"""Prints a match in lines: log entries, the position when a seat of this client is to act, prompt and toolbar.

It knows no rules: what is legal, and what it costs, comes from the server.
"""

import asyncio
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_words.sentences import rule

from ..game.client_match import ClientMatch, Entry
from ..text import events, tables, timing
from ..text.i18n import _, plural
from .screen import Screen, sentence

MOST_CONQUESTS: Final = 4
MOST_CONQUESTS_TERSE: Final = 1
"""Lines of conquests; `legal` lists all."""


TOLD: Final = tuple(map(rule, ("scored", "game_over", "seat_forfeited")))
"""Rules of events of others that a terse client tells."""


@final
class LineView:
    """Prints a match on a screen. It takes the entries of the log out as it prints them.

    A terse one leaves out what others do to each other, and the scores at each turn.
    """

    def __init__(self, game: ClientMatch, screen: Screen, *, is_terse: bool = False) -> None:
        self._game: Final = game
        self._screen: Final = screen
        self._is_terse: Final = is_terse
        self._held: Final[dict[int, frozenset[str]]] = {}  # by seat after its last action
        self._explained: Final[set[str]] = set()
        self._shown_turn = (-1, -1)
        self._told_turn = (-1, -1)  # in which the losses were told; an undo shows the turn again
        self._warned_turn = (-1, -1)
        self._alarm: asyncio.TimerHandle | None = None
        self._missing: list[int] = []

    def is_asked(self) -> bool:
        """Return whether there is something for the people here to do."""
        game = self._game
        agree = any(seat in game.seats for proposal in game.match.proposals for seat in proposal.missing)
        return game.state is not None and bool(game.seats) and (game.my_move() or game.is_barred() or agree)

    # Messages of the server.

    def take(self, response: match_pb2.WatchResponse) -> None:
        """Take a message and print what is new."""
        game = self._game
        was_barred = game.is_barred()
        game.take(response)
        match response.WhichOneof("kind"):
            case "match":
                self.print_log()
                if response.match.status == lobby_pb2.MATCH_STATUS_OPEN:
                    self._print_missing(response.match)
                elif was_barred and not game.is_barred() and game.state is not None and game.my_move():
                    self._shown_turn = (-1, -1)
                    self._show_turn(game.state)
            case "update" if (update := game.show_next()) is not None:
                self.print_log()
                if update.seat in game.seats or update.HasField("undo_to"):
                    self._held.update((seat, tables.held(update.state, seat)) for seat in game.seats)
                if update.HasField("undo_to"):
                    self._shown_turn = (-1, -1)
                if game.my_move() and not game.is_barred():
                    self._show_turn(update.state)
            case "chat":
                self.print_log(f"class:seat{response.chat.seat}" if response.chat.seat else "")
            case "clocks":
                self.set_alarm()

    def print_log(self, style: str = "") -> None:
        """Print the new entries of the log, in this style where they have none."""
        while self._game.log:
            entry = self._game.log.popleft()
            if self._is_terse and self._is_of_others(entry):
                continue
            self.say(entry.text, entry.style or style)

    def _is_of_others(self, entry: Entry) -> bool:
        """Return whether an entry is about what another seat did in the game, besides its score."""
        is_event = bool(entry.rule) and entry.rule not in TOLD
        return is_event and bool(entry.seat) and bool(self._game.seats) and entry.seat not in self._game.seats

    def _print_missing(self, match: lobby_pb2.Match) -> None:
        """Print which seats the start of the game waits for, when that changed."""
        missing = [seat.seat for seat in match.seats if not seat.taken] or _away(match)
        if missing and missing != self._missing:
            seats = ", ".join(map(str, missing))
            self.say(
                plural(
                    "Waiting for players at seat {seats}.",
                    "Waiting for players at seat {seats}.",
                    len(missing),
                    seats=seats,
                )
            )
        if not match.nonces_due or missing:
            self._missing = missing

    def set_alarm(self) -> None:
        """Schedule the warning for when the time of a seat of this terminal gets low."""
        self.stop()
        clocks = self._game.clocks
        if clocks.running in self._game.seats:
            wait = max(clocks.left(clocks.running) - clocks.low, 0.0)
            self._alarm = asyncio.get_running_loop().call_later(wait, self._warn, clocks.running)

    def stop(self) -> None:
        """Cancel the warning."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _warn(self, seat: int) -> None:
        game = self._game
        turn = (game.state.round if game.state is not None else 0, seat)
        if turn != self._warned_turn:
            self._warned_turn = turn
            left = timing.duration(max(round(game.clocks.left(seat)), 1))
            self.say(_("{who} has {duration} left.").format(who=game.names.seat(seat), duration=left), "class:error")

    # Output.

    def say(self, text: str, style: str = "") -> None:
        """Print a sentence; an empty text prints nothing."""
        self._screen.show(sentence(text, style))

    def _show_turn(self, state: game_pb2.State) -> None:
        """Print what changed and what the seat has, once a turn; then what it can do."""
        names, seat, legal = self._game.names, self._game.seat, self._game.legal
        turn = (state.round, state.turn_seat if state.phase != game_pb2.PHASE_REDEPLOY else 0)
        if turn != self._shown_turn or state.phase in (game_pb2.PHASE_DRAFT, game_pb2.PHASE_REDEPLOY):
            self._shown_turn = turn
            self._screen.show([""])
            if not self._is_terse:
                self.say(tables.standing(state, names, seat, self._game.legal))
            if turn != self._told_turn and (before := self._held.get(seat)):
                for text in tables.losses(before, state, names, seat):
                    self.say(text)
            self._told_turn = turn
            if state.phase == game_pb2.PHASE_DRAFT:
                self._screen.show(tables.market(state, names))
            for text in tables.possessions(state, names, seat):
                self.say(text)
        self._screen.show(tables.empire(state, names, seat))
        self._screen.show(tables.conquests(legal, names, MOST_CONQUESTS_TERSE if self._is_terse else MOST_CONQUESTS))
        if legal.conquer and "conquests" not in self._explained:
            self._explained.add("conquests")
            self.say(_("After each province: what it costs, and in brackets how many more VP you would score."))
        self.say(self._advice(state))

    def _advice(self, state: game_pb2.State) -> str:
        """Return what can be done now."""
        legal = self._game.legal
        match state.phase:
            case game_pb2.PHASE_DRAFT:
                return _("Choose a civilization: take N. market explains the traits, board shows the provinces.")
            case game_pb2.PHASE_START:
                if state.seats[self._game.seat - 1].must_decline:
                    return _("Your empire lost its last province: decline.")
                return self._your_turn()
            case game_pb2.PHASE_RENAISSANCE:
                return _("Renaissance: decline now, or stay.")
            case game_pb2.PHASE_REDEPLOY:
                return plural(
                    "Place {n} surviving pawn: redeploy PROVINCE=N. suggest proposes a way.",
                    "Place {n} surviving pawns: redeploy PROVINCE=N. suggest proposes a way.",
                    legal.redeploy.pawns,
                )
        if not legal.conquer and legal.HasField("hold"):
            return _("Nothing more can be conquered: hold, or hold PROVINCE=N PROVINCE=N to place pawns yourself.")
        return _("x PROVINCE conquers, hold ends your turn.") if legal.HasField("hold") else _("x PROVINCE conquers.")

    def _your_turn(self) -> str:
        legal = self._game.legal
        choices = {
            "x PROVINCE": legal.conquer or legal.conquer_by_spies,
            "hold": legal.HasField("hold"),
            "peace N": legal.peace,
            "decline": legal.decline,
            "abandon PROVINCE": legal.abandon,
        }
        *others, last = (text for text, fits in choices.items() if fits)
        if not others:
            return _("Your turn: {words}. Type help for more.").format(words=last)
        return _("Your turn: {words}, or {last}. Type help for more.").format(words=", ".join(others), last=last)

    def show(self, part: str) -> None:
        """Print a part of the table: `board`, `scores`, `market`, `clock`, or what is `legal`."""
        game, state = self._game, self._game.state
        if part == "clock":
            self.say(self._clock_line())
        elif state is None:
            self.say(_("The game has not started yet."))
        elif part == "board":
            self._screen.show(tables.board(state, game.names))
            if "board" not in self._explained:
                self._explained.add("board")
                self._screen.show(tables.legend())
        elif part == "scores":
            self._screen.show(tables.scores(state, game.names, game.seat))
            if game.match.spectators and game.seats:
                self.say(events.spectators(game.match.spectators))
            self.say(self._clock_line())
        elif part == "market":
            self._screen.show(tables.market(state, game.names))
            for text in tables.effects(state, game.names):
                self.say(text, "class:hint")
        elif game.my_move():
            self._screen.show([*tables.empire(state, game.names, game.seat), *tables.conquests(game.legal, game.names)])
            self.say(self._advice(state))
        else:
            self.say(_("It is the move of {who}.").format(who=game.names.seat(state.seat_to_act)))

    def _clock_line(self) -> str:
        """Return the time that each seat has left, marking the clock that runs; empty without clocks."""
        game = self._game
        shown = []
        for seat in game.match.seats:
            face = game.clocks.face(seat.seat)
            if face and seat.kind != lobby_pb2.SEAT_KIND_DUMMY:
                mark = ">" if seat.seat == game.clocks.running else ""
                shown.append(f"{mark}{game.names.seat(seat.seat)} {face}")
        return _("Left: {clocks}.").format(clocks=", ".join(shown)) if shown else ""

    def prompt(self) -> str:
        """Return the prompt; where several people sit, it names who is to move."""
        game = self._game
        if not game.my_move():
            return "...> "
        player = game.names.seat(game.seat) if len(game.seats) > 1 else _("seat {number}").format(number=game.seat)
        return f"{player}> "

    def toolbar(self) -> str:
        """Return the line below the prompt, with the time left on the clock that runs."""
        game = self._game
        if game.state is None:
            return _(" waiting for the game to start   say TEXT  quit")
        running = game.clocks.face(game.clocks.running)
        if game.match.paused:
            text = _(" the game is paused   resume  say TEXT  help  quit")
        elif game.seats and game.is_barred():
            text = _(" a substitute plays for you   back takes the seat back   help  quit")
        elif not game.my_move():
            if game.thinks():
                text = _("{who} is thinking, {time} left") if running else _("{who} is thinking")
            else:
                text = _("{who} is to move, {time} left") if running else _("{who} is to move")
            text = text.format(who=game.names.seat(game.state.seat_to_act)[:24], time=running)
            text = f" {text}   board  scores  market  help  quit"
        else:
            hand = game.state.seats[game.seat - 1].active.reserve
            text = (
                _(" round {round}   {pawns} in hand   {time} left   Tab completes   suggest  help  quit")
                if running
                else _(" round {round}   {pawns} in hand   Tab completes   why x PROVINCE  suggest  help  quit")
            )
            text = text.format(round=game.state.round, pawns=hand, time=running)
        return text[: tables.WIDTH]


def _away(match: lobby_pb2.Match) -> list[int]:
    """Seats for which nobody is connected, if a game that is about to start waits for these alone."""
    due = set(match.nonces_due)
    away = [seat.seat for seat in match.seats if seat.seat in due and not seat.connected]
    return away if len(away) == len(due) else []
