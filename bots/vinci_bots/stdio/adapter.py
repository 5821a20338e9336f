"""A bot whose decisions are made by a program that reads and writes lines.

It stands in front of the bot service, so that rules, clocks, doctor and leagues know no difference.
"""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from shlex import join
from typing import Final, TypeAlias, final

from vinci.v1 import bot_pb2 as pb
from vinci.v1.game_pb2 import Action
from vinci_client import bot as wire
from vinci_client import refusals
from vinci_client.printable import shortened
from vinci_codec import actions as codec
from vinci_codec import catalogue
from vinci_rules import notation
from vinci_rules.board import load_board

from .. import environment
from ..runtime import LAST_SECONDS, Start
from ..turn import Game, Turn
from .lines import LONGEST_QUOTE, MOST_BYTES, NOTHING, BadAnswer, Form

_Place: TypeAlias = tuple[str, int]

OF_ADAPTER: Final = (environment.ADDRESS, environment.SEAT_TOKEN, environment.KEY, environment.CODE)
"""Variables that the program does not get: it plays by lines only."""
MOST_SKIPPED: Final = 100
"""Lines passed over before a decision; a program that writes without end is not waited for."""
END_SECONDS: Final = LAST_SECONDS - 0.5
"""Seconds that a program has to end by itself, before the adapter itself has to."""
HINT: Final = "a bot reads lines from standard input, answers each decision with a line, and ends when its input ends"


class ProgramEnded(Exception):
    """The program ended, or wrote a line that is too long, before its game was over."""


@final
class Program:
    """A running program, which is asked one decision after another."""

    def __init__(self, process: Process, say: Callable[[str], None]) -> None:
        self._process: Final = process
        self._say: Final = say
        self._asking: Final = asyncio.Lock()
        self._owed = 0  # answers to decisions that are void now, which it will still write

    @classmethod
    async def start(cls, command: Sequence[str], say: Callable[[str], None]) -> "Program":
        """Start a program; what is to be known of it is said. Raises ProgramEnded."""
        variables = {name: value for name, value in os.environ.items() if name not in OF_ADAPTER}
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, env=variables, limit=MOST_BYTES
            )
        except OSError as error:
            raise ProgramEnded(f"{join(command)} could not be started: {error.strerror}") from None
        return cls(process, say)

    async def tell(self, lines: str) -> None:
        """Write lines to it."""
        assert self._process.stdin is not None
        with suppress(ConnectionError):  # it has ended, which the next question finds
            self._process.stdin.write(lines.encode())
            await self._process.stdin.drain()

    async def ask(self, lines: str) -> str:
        """Write the lines of a decision; return the line that it answers. Raises ProgramEnded."""
        async with self._asking:
            await self._skip()
            await self.tell(lines)
            self._owed += 1
            while True:
                line = await self._read()
                self._owed -= 1
                if not self._owed:
                    return line

    async def _skip(self) -> None:
        """Pass over lines that it wrote without being asked, such as a greeting; they would be taken for answers."""
        with suppress(TimeoutError):
            for _ in range(0 if self._owed else MOST_SKIPPED):
                async with asyncio.timeout(0):  # a line that is there is read before the time is looked at
                    self._say(f"not asked for: {shortened(repr(await self._read()), LONGEST_QUOTE)}")

    async def _read(self) -> str:
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except ValueError:
            raise ProgramEnded(f"it wrote a line of more than {MOST_BYTES} bytes") from None
        if not line:
            status = await self._process.wait()
            raise ProgramEnded(f"it ended with status {status} before its game was over; {HINT}")
        return line.decode(errors="replace").strip()

    async def end(self) -> None:
        """Close its input, and kill it if it does not end by itself."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(END_SECONDS):
                await self._process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


@dataclass(slots=True)
class _Seat:
    """A seat: its game, the program that plays it, and why its last answer was no answer."""

    game: Game
    program: Program
    fault: str = ""
    refused: pb.Refused | None = None


@final
@dataclass(slots=True)
class Adapter:
    """A bot that plays with a command, of which each game gets a process, or all together one if it `shares`."""

    command: Sequence[str]
    form: Form
    start: Start
    shares: bool = False
    _seats: dict[_Place, _Seat] = field(default_factory=dict)
    _programs: set[Program] = field(default_factory=set)
    _ending: set[asyncio.Task[None]] = field(default_factory=set)

    async def play(self, patience: float | None) -> None:
        """Play until the games are over. Exits with status 1 if a program ends before its game.

        Raises ServerRefused, and ServerGone after so many seconds without the server, None for no limit.
        """
        start = self.start
        hello = pb.Hello(name=start.name, games=start.at_once, position=True, without_state=True, key=start.key)
        hello.seat_tokens.extend([start.token] if start.token else [])
        try:
            await wire.play(
                start.address,
                hello,
                self._choose,
                access=start.access,
                games=1 if start.token and start.games is None else start.games,
                patience=patience,
                on_event=self._say,
                on_message=self._hear,
                refusal=self._why,
            )
        except* ProgramEnded as ended:
            self._say(f"the program {join(self.command)}: {ended.exceptions[0]}")
            sys.exit(1)
        finally:
            await asyncio.gather(*self._ending, *(program.end() for program in self._programs))

    def _say(self, text: str) -> None:
        print(f"{self.start.name}: {text}", file=sys.stderr, flush=True)  # noqa: T201  # the log of the bot

    async def _hear(self, response: pb.PlayResponse) -> None:
        match response.WhichOneof("kind"):
            case "seated":
                seated = response.seated
                if (place := (seated.match.match_id, seated.seat)) not in self._seats:
                    self._seats[place] = _Seat(Game(seated.match, seated.seat, self.start.seed), await self._program())
                    board = catalogue.board(load_board(seated.match.board))
                    await self._seats[place].program.tell(self.form.seated(seated, board))
            case "refused":
                if seat := self._seats.get((response.refused.match_id, response.refused.seat)):
                    seat.refused = response.refused
            case "request_refused":  # may name a seat that was lost meanwhile
                self._leave((response.request_refused.match_id, response.request_refused.seat))
            case "finished":
                finished = response.finished
                if seat := self._seats.get(place := (finished.match_id, finished.seat)):
                    await seat.program.tell(self.form.finished(finished))
                self._leave(place)

    async def _program(self) -> Program:
        """Return the program for a game: a new one, unless all games share one."""
        if self.shares and self._programs:
            return next(iter(self._programs))
        program = await Program.start(self.command, self._say)
        self._programs.add(program)
        await program.tell(self.form.hello(self.start.seed))
        return program

    def _leave(self, place: _Place) -> None:
        """Let the program of a seat end, while other games go on."""
        seat = self._seats.pop(place, None)
        if seat is not None and not self.shares:
            self._programs.discard(seat.program)
            self._ending.add(ending := asyncio.create_task(seat.program.end()))
            ending.add_done_callback(self._ending.discard)

    async def _choose(self, decision: pb.Decision) -> tuple[list[Action], pb.Note]:
        """Return the answer of the program to a decision, with its note. Raises ProgramEnded."""
        seat = self._seats[decision.match_id, decision.seat]
        turn = Turn(seat.game, decision)
        suggestion = turn.suggestion
        legal = [*turn.legal, *([suggestion] if suggestion else [])]
        listed = [notation.write(action, turn.board) for action in legal]
        advice = notation.write(turn.advice, turn.board)
        line = await seat.program.ask(self.form.decision(decision, listed, advice, self._refusal(seat, decision)))
        seat.fault = ""
        try:
            answer = [notation.read(text, turn.board) for text in self.form.answer(line, listed)]
            return [codec.to_message(action, turn.board) for action in answer], self.form.note(line)
        except (BadAnswer, notation.NotationError) as error:
            seat.fault = str(error)
            return [Action(notation=NOTHING)], pb.Note(text=seat.fault)

    def _why(self, refused: pb.Refused) -> str:
        """Return why an answer was refused; if the line of the program was none, what is wrong with the line."""
        seat = self._seats.get((refused.match_id, refused.seat))
        return (seat and seat.fault) or refusals.told(refused.refusal)

    def _refusal(self, seat: _Seat, decision: pb.Decision) -> str:
        """Return why the last answer to this decision was refused; empty if it is asked for the first time."""
        refused = seat.refused
        if refused is None or refused.revision != decision.revision:
            return ""
        return f"{self._why(refused)}; tries left: {refused.tries_left}"
