"""The line client: a game told in words and played by typing.

It knows no rules: what is legal, and what it costs, comes from the server.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.incoming import bad_answer
from vinci_client.session import Session

from ..game.commands import GameCommands, MatchKnowledge
from ..game.completion import candidates
from ..game.stream import MatchStream
from ..game.table_commands import TableCommands
from ..text import events, tables
from ..text.i18n import N_, _
from ..text.manual import help_lines, rule_text, wrapped
from ..text.names import Catalogue
from .terminal import Screen
from .view import LineView

COMMANDS: Final = {
    "help": N_("what can be typed"),
    "board": N_("the provinces"),
    "scores": N_("scores and empires"),
    "market": N_("the civilizations on offer"),
    "legal": N_("what you can do now"),
    "why": N_("what an action costs and scores: why x ALP"),
    "suggest": N_("an action that is not bad; ok plays it"),
    "ok": N_("play what was suggested"),
    "rules": N_("a rule or a trait: rules R-CONQ-3, rules Weapons"),
    "undo": N_("take back your last action of this turn, or all since a revision: undo 5"),
    "say": N_("say something to the others: say hello"),
    "clock": N_("how time is kept, and what is left"),
    "pause": N_("propose a pause, or agree to it"),
    "resume": N_("propose to go on, or agree to it"),
    "substitute": N_("propose a substitute for somebody who is gone: substitute 2"),
    "back": N_("take your seat back from a substitute"),
    "handover": N_("go on at another terminal"),
    "rematch": N_("after the game: another one with the same players"),
    "resign": N_("leave the game for good"),
    "forfeit": N_("the same as resign"),
    "quit": N_("leave; the game waits for you"),
}

FOR_SPECTATORS: Final = ("help", "board", "scores", "market", "rules", "say", "clock", "quit")

ALIASES: Final = {"?": "help", "q": "quit", "exit": "quit", "chat": "say"}

Ending: TypeAlias = Literal["over", "ended", "left", "lost"]
"""How playing ends: the game is over or was ended before, the people left, or others have their seats now."""


async def catalogue_of(session: Session, match: lobby_pb2.Match) -> Catalogue:
    """Names for everything in a match. Raises ServerRefused (BAD_ANSWER) for a terrain that cannot be drawn."""
    board = await session.call(session.lobby.GetBoard, lobby_pb2.GetBoardRequest(name=match.board))
    traits = await session.call(session.lobby.ListTraits, lobby_pb2.ListTraitsRequest())
    for province in board.board.provinces:
        if province.terrain not in tables.TERRAINS:
            known = ", ".join(tables.TERRAINS)
            what = f"{province.terrain!r} as the terrain of {province.code}; this client knows {known}"
            raise bad_answer("TERRAIN", what, province.terrain, province=province.code, known=known)
    names = Catalogue(board.board, traits)
    names.seat_players(match)
    return names


def can_follow(typed: str, known: MatchKnowledge, names: Catalogue, *, is_spectator: bool) -> Iterable[tuple[str, str]]:
    """Words that can follow what is typed at a table, each with what it means."""
    commands = {word: _(COMMANDS[word]) for word in (FOR_SPECTATORS if is_spectator else COMMANDS)}
    legal = known.legal if known.my_move() else game_pb2.Legal()
    market = known.state.market if known.state is not None else []
    return candidates(typed, commands, legal, market, names)


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
        self._names: Final = names
        self._screen: Final = screen
        self._seats: Final[dict[int, str]] = {}
        self._view: Final = LineView(match, self._seats, names, screen)
        self._deeds: Final = GameCommands(session, self._view, self._seats, names, self._view.say, self._until_told)
        self._company: Final = TableCommands(
            session, match.match_id, self._seats, names, invitation, own_name, screen.show
        )
        self._attendance: Final = MatchStream(session, match.match_id, self._seats, self)
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
        if await self._attendance.attend(from_revision):
            self._over = True
            self._changed.set()
            self._screen.interrupt()

    async def play(self, seats: Mapping[int, str], from_revision: int | None = None) -> Ending:
        """Play seats with their tokens, or look on without any, until the game ends or nobody is here any more."""
        self._seats.update(seats)
        self._view.seat = next(iter(seats), 0)
        watching = self._watching = asyncio.create_task(self.watch(from_revision))
        watching.add_done_callback(lambda _: self._changed.set())
        try:
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
        finally:
            watching.cancel()
            self._view.stop()
        if self._over:
            return "ended" if self._view.match.ended else "over"
        return "left" if bool(self._seats) == bool(seats) else "lost"

    # What happens.

    def take(self, response: match_pb2.WatchResponse) -> None:
        """Something happened."""
        self._view.take(response)
        self._changed.set()

    def lose(self, seat: int) -> None:
        """A seat is no longer played here."""
        self._view.say(events.seat_lost(seat), "class:hint")
        self._view.seat = next(iter(self._seats), 0)
        self._changed.set()
        self._screen.interrupt()

    def tell_connection(self, connected: bool) -> None:
        """The connection was lost, or is back."""
        lost = _("The connection is lost; trying again. Nothing is lost.")
        self._view.say(_("Connected again.") if connected else lost)

    def next_revision(self) -> int | None:
        """The first revision that was not told yet; None if none was."""
        return self._view.revision + 1 if self._view.revision >= 0 else None

    def heard(self) -> int:
        """The number of the last line of the chat."""
        return self._view.heard

    # What the people type.

    async def _obey(self, text: str) -> None:
        """Do what was typed. What the server refuses is told, and so is that it is away."""
        try:
            await self._do(text)
        except (ServerRefused, ServerGone) as error:
            self._deeds.explain(error)

    async def _do(self, text: str) -> None:
        word, _blank, rest = text.partition(" ")
        word = ALIASES.get(word.lower(), word.lower())
        if word and not self._seats and word not in FOR_SPECTATORS:
            self._say(_("You look on. What you can type: {words}.").format(words=", ".join(FOR_SPECTATORS)))
            return
        match word:
            case "":
                return
            case "quit":
                self._leaving = True
            case "help":
                self._screen.show(help_lines(is_spectator=not self._seats))
            case "rules":
                self._screen.show(wrapped(rule_text(rest), tables.WIDTH))
            case "board" | "scores" | "market" | "legal" as wanted:
                self._view.show(wanted)
            case "clock":
                self._view.show_clocks()
            case "rematch":
                self._say(_("The game is not over yet; when it is, rematch begins another one with the same players."))
            case "say" | "pause" | "resume" | "substitute" | "back" | "handover":
                await self._company.do(word, rest, self._view.seat, self._view.match)
            case _:
                await self._deeds.do(word, rest, text)

    async def _until_told(self, revision: int) -> None:
        while self._view.revision < revision and self._watching is not None and not self._watching.done():
            self._changed.clear()
            await self._changed.wait()

    def _candidates(self, typed: str) -> Iterable[tuple[str, str]]:
        return can_follow(typed, self._view, self._names, is_spectator=not self._seats)

    def _say(self, text: str, style: str = "") -> None:
        self._view.say(text, style)
