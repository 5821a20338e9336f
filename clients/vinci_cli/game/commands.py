"""The words that people type at a table, in one table for both clients, and how they are carried out."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias, final

from vinci.v1 import game_pb2, lobby_pb2
from vinci_client.session import Session

from ..text import timing
from ..text.i18n import N_, _
from .client_match import ClientMatch
from .completion import candidates
from .game_commands import GameCommands
from .table_commands import TableCommands
from .typed import CommandAnswer, Emit, Leave, ShowPart, ShowRule


@final
class Commands:
    """The commands of the people at one terminal.

    Attributes:
        emit: takes the answers.
        actions: the commands that concern the game. table: those that concern the others.
    """

    def __init__(
        self, session: Session, game: ClientMatch, emit: Emit, *, invitation: str = "", own_name: str = ""
    ) -> None:
        self._game: Final = game
        self.emit: Final = emit
        self.actions: Final = GameCommands(session, game, emit)
        self.table: Final = TableCommands(session, game, emit, invitation, own_name)

    async def run(self, text: str, seat: int | None = None) -> None:
        """Carry out a typed line. Raises Refused.

        Args:
            text: the line: a word of COMMANDS with what follows it, or actions.
            seat: the seat for which it was typed, if another one may be shown by now.
        """
        word, _blank, rest = text.partition(" ")
        command = BY_WORD.get(word.lower(), PLAY)
        if not self._game.seats and not command.for_spectators:
            known = ", ".join(command.word for command in COMMANDS if command.for_spectators)
            text = _("You look on. What you can type: {words}.").format(words=known)
            await self.emit(CommandAnswer(text, "class:error"))
        elif command.acts and seat not in (None, self._game.seat):
            text = _("It is the move of {who}.").format(who=self._game.names.seat(self._game.seat))
            await self.emit(CommandAnswer(text))
        else:
            await command.run(self, text if command is PLAY else rest)

    def candidates(self, typed: str) -> Iterable[tuple[str, str]]:
        """Return the words that can follow what is typed, each with what it means."""
        game = self._game
        words = {command.word: _(command.help) for command in COMMANDS if game.seats or command.for_spectators}
        legal = game.legal if game.my_move() else game_pb2.Legal()
        market = game.state.market if game.state is not None else []
        return candidates(typed, words, legal, market, game.names)

    async def show_clocks(self) -> None:
        """Tell how time is kept, and what is left."""
        match = self._game.match
        time = timing.in_words(match.timing) or [_("This match has no clock; everybody is waited for.")]
        for text in [*time, *timing.mistakes_in_words(match.mistakes)]:
            await self.emit(CommandAnswer(text))
        await self.emit(ShowPart("clock"))


Handler: TypeAlias = Callable[[Commands, str], Awaitable[None]]


@final
@dataclass(frozen=True, slots=True)
class Command:
    """A word that can be typed.

    Attributes:
        word: the word, the same in every language. help: what it does, to be translated.
        run: carries it out, given what follows the word.
        for_spectators: whether spectators may type it. acts: whether it acts in the game, for the seat shown.
        aliases: other words for the same.
    """

    word: str
    help: str
    run: Handler
    for_spectators: bool = False
    acts: bool = False
    aliases: tuple[str, ...] = ()


def _show(part: str) -> Handler:
    return lambda commands, _rest: commands.emit(ShowPart(part))


def _propose(kind: lobby_pb2.ProposalKind.ValueType) -> Handler:
    return lambda commands, _rest: commands.table.propose(kind)


def _rematch(commands: Commands, _rest: str) -> Awaitable[None]:
    text = _("When the game is over, a rematch begins another one with the same players.")
    return commands.emit(CommandAnswer(text))


COMMANDS: Final = (
    Command("help", N_("what can be typed"), _show("help"), for_spectators=True, aliases=("?",)),
    Command("board", N_("the provinces"), _show("board"), for_spectators=True),
    Command("scores", N_("scores and empires"), _show("scores"), for_spectators=True),
    Command("market", N_("the civilizations on offer"), _show("market"), for_spectators=True),
    Command("legal", N_("what you can do now"), _show("legal")),
    Command(
        "why",
        N_("what an action costs, scores and is worth: why x ALP"),
        lambda c, rest: c.actions.why(rest),
        acts=True,
    ),
    Command(
        "suggest",
        N_("the best action found, with reasons; ok plays it"),
        lambda c, _rest: c.actions.suggest(),
        acts=True,
        aliases=("s",),
    ),
    Command("ok", N_("play what was suggested"), lambda c, _rest: c.actions.play_suggested(), acts=True),
    Command(
        "rules",
        N_("a rule or a trait: rules R-CONQ-3, rules Weapons"),
        lambda c, rest: c.emit(ShowRule(rest)),
        for_spectators=True,
    ),
    Command(
        "undo",
        N_("take back your last action of this turn, or all since a revision: undo 5"),
        lambda c, rest: c.actions.undo(rest.strip()),
        acts=True,
    ),
    Command(
        "say",
        N_("say something to the others: say hello"),
        lambda c, rest: c.table.say(rest),
        for_spectators=True,
        aliases=("chat",),
    ),
    Command("clock", N_("how time is kept, and what is left"), lambda c, _rest: c.show_clocks(), for_spectators=True),
    Command("pause", N_("propose a pause, or agree to it"), _propose(lobby_pb2.PROPOSAL_KIND_PAUSE)),
    Command("resume", N_("propose to go on, or agree to it"), _propose(lobby_pb2.PROPOSAL_KIND_RESUME)),
    Command(
        "substitute",
        N_("propose a substitute for somebody who is gone: substitute 2"),
        lambda c, rest: c.table.substitute(rest.strip()),
    ),
    Command("back", N_("take your seat back from a substitute"), lambda c, _rest: c.table.take_back()),
    Command("handover", N_("go on at another terminal"), lambda c, _rest: c.table.hand_over()),
    Command(
        "give",
        N_("as the host: give the seat of somebody who is gone to another player: give 2"),
        lambda c, rest: c.table.give(rest.strip()),
    ),
    Command("rematch", N_("after the game: another one with the same players"), _rematch),
    Command(
        "resign",
        N_("leave the game for good"),
        lambda c, rest: c.actions.resign("resign", rest.strip()),
        acts=True,
    ),
    Command(
        "forfeit",
        N_("the same as resign"),
        lambda c, rest: c.actions.resign("forfeit", rest.strip()),
        acts=True,
    ),
    Command(
        "quit",
        N_("leave; the game waits for you"),
        lambda c, _rest: c.emit(Leave()),
        for_spectators=True,
        aliases=("q", "exit"),
    ),
)

BY_WORD: Final = {word: command for command in COMMANDS for word in (command.word, *command.aliases)}

PLAY: Final = Command("", "", lambda commands, text: commands.actions.play(text), acts=True)
"""Carries out what begins with no word of COMMANDS: actions."""


def parts(text: str) -> list[str]:
    """Return the parts of a typed line that can be typed one after another: actions, between which semicolons stand."""
    is_whole = text.partition(" ")[0].lower() in BY_WORD
    return [part.strip() for part in ([text] if is_whole else text.split(";")) if part.strip()]


def is_action(text: str) -> bool:
    """Return whether a typed line acts in the game, and does not show, say or propose something."""
    return BY_WORD.get(text.partition(" ")[0].lower(), PLAY).acts
