"""Carries out the effects of the table. What comes of those that take a while are events."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, assert_never, final

from vinci.v1 import game_pb2
from vinci_client.session import Session
from vinci_refusals.wording import Refused

from ... import settings
from ...game.client_match import ClientMatch
from ...game.commands import Commands
from ...game.table_commands import BAD_LINE
from ...game.typed import Acted, Answer, CommandAnswer
from ...text.i18n import _
from ..map.picture import show_board
from ..toolkit.app import App
from . import messages
from .messages import Request
from .panes.status import whose_move
from .playback import Playback


@final
class EffectRunner:
    """Carries out effects; `dispatch` takes the events that come of them."""

    def __init__(
        self,
        app: App,
        session: Session,
        game: ClientMatch,
        playback: Playback,
        dispatch: Callable[[messages.Event], None],
        *,
        invitation: str = "",
        own_name: str = "",
    ) -> None:
        self._app: Final = app
        self._game: Final = game
        self._playback: Final = playback
        self._dispatch: Final = dispatch
        self._commands: Final = Commands(session, game, self._answer, invitation=invitation, own_name=own_name)
        self._lock: Final = asyncio.Lock()
        self._last_played: Sequence[game_pb2.Action] = ()
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    async def stop(self) -> None:
        """Cancel everything that is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def run(self, effect: messages.Effect) -> None:
        """Carry out an effect, or begin one that takes a while; a preview or a suggestion replaces the one before."""
        match effect:
            case messages.Tell(text, style):
                self._game.tell(text, style=style)
            case messages.SetPace(seconds):
                self._playback.pace = seconds
            case Request.TYPE_COMMAND:
                self._type_command()
            case Request.TYPE_TALK:
                self._app.type(_("say: "), lambda line: self._typed(line, "say "))
            case Request.SKIP:
                self._playback.skip()
            case Request.BELL:
                self._alert()
            case Request.LEAVE:
                self._app.leave()
            case _:
                kind = type(effect).__name__
                for before in self._tasks:
                    if isinstance(effect, messages.LookAhead | messages.Suggest) and before.get_name() == kind:
                        before.cancel()
                task = asyncio.create_task(self._ask(effect, self._game.revision, self._game.turn()), name=kind)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                task.add_done_callback(self._app.fail_with)

    async def _ask(self, effect: messages.Asked, revision: int, turn: Sequence[int]) -> None:
        """Carry out an effect, with revision and turn of the time when it was chosen."""
        actions = self._commands.actions
        try:
            match effect:
                case messages.LookAhead(action):
                    if action is not None:
                        quiet = () if action.HasField("decline") else (Refused,)  # acting itself tells why
                        with suppress(*quiet):
                            self._dispatch(messages.Previewed(await actions.preview(action)))
                case Request.LOOK_FURTHER:
                    with suppress(Refused):  # an older server does not know this
                        await actions.prospects()
                        self._dispatch(messages.Signal.ARRIVED)
                case messages.Suggest():
                    async with self._lock:
                        pass  # what was chosen before is done
                    await actions.suggest()
                case _:
                    async with self._lock:
                        await self._do(effect, revision, turn)
        except Refused as error:
            await actions.explain(error)
            if isinstance(effect, messages.Command) and error.reason == BAD_LINE:
                self._type_command(effect.line)

    async def _do(self, effect: messages.Queued, revision: int, turn: Sequence[int]) -> None:
        match effect:
            case messages.Act(actions):
                # A second Enter on the way is not meant for what comes next.
                is_repeated = actions == self._last_played and revision < self._game.revision
                if turn == self._game.turn() and not is_repeated:
                    self._last_played = actions
                    await self._commands.actions.act(actions)
            case messages.Command(line, seat):
                await self._commands.run(line, seat)
            case messages.Then(event):
                self._dispatch(event)
            case Request.PICTURE:
                self._dispatch(CommandAnswer(await show_board(self._app, self._game), "class:hint"))
            case _:
                assert_never(effect)

    async def _answer(self, answer: Answer) -> None:
        """Send the answer of a command as an event; that of an action as soon as its revision is shown."""
        if isinstance(answer, Acted):
            await self._playback.until_shown(answer.revision)
        self._dispatch(answer)

    def _alert(self) -> None:
        """Tell by the bell and a notification that a move begins, as the settings say."""
        alert = settings.get("alert")
        if alert == "desktop":
            self._app.notify(whose_move(self._game))
        if alert != "off":
            self._app.bell()

    def _type_command(self, begun: str = "") -> None:
        self._app.type(": ", self._typed, self._commands.candidates, begun)

    def _typed(self, line: str | None, word: str = "") -> None:
        if line is not None and line.strip():
            self._dispatch(messages.Typed(word + line.strip()))
