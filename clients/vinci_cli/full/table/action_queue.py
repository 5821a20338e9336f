"""Carries out the effects of the table: those for the server in the background, one after another."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, assert_never, final

from vinci.v1 import game_pb2
from vinci_client.errors import ServerGone, ServerRefused

from ... import settings
from ...game.client_match import ClientMatch
from ...game.commands import Commands
from ...game.table_commands import BAD_LINE
from ...text.i18n import _
from ..map.picture import show_board
from ..toolkit.app import TITLE, App
from . import messages
from .messages import Effect, Event, Queued, Request
from .panes.status import whose_move
from .playback import Playback


@final
class ActionQueue:
    """Carries out effects; `update` takes the events that come of them and returns further effects."""

    def __init__(
        self,
        app: App,
        game: ClientMatch,
        playback: Playback,
        commands: Commands,
        update: Callable[[Event], Sequence[Effect]],
    ) -> None:
        self._app: Final = app
        self._game: Final = game
        self._playback: Final = playback
        self._commands: Final = commands
        self._update: Final = update
        self._lock: Final = asyncio.Lock()
        self._last_played: Sequence[game_pb2.Action] = ()
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._previewing: asyncio.Task[None] | None = None
        self._suggesting: asyncio.Task[None] | None = None

    def dispatch(self, event: Event) -> None:
        """Take an event, and carry out what follows from it."""
        for effect in self._update(event):
            if isinstance(effect, Queued):
                self._start(self._do(effect, self._game.revision, self._game.turn()))
            else:
                self._do_now(effect)
        self._app.title(f"{TITLE}: {whose_move(self._game)}")
        self._app.redraw()

    def stop(self) -> None:
        """Cancel everything that is under way."""
        self._app.title(TITLE)
        for task in filter(None, (*self._tasks, self._previewing, self._suggesting)):
            task.cancel()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something as soon as all before it is done."""

        async def do() -> None:
            async with self._lock:
                try:
                    await work
                except (ServerRefused, ServerGone) as error:
                    self._commands.actions.explain(error)

        task = asyncio.create_task(do())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _done: work.close())  # it may never have been begun
        task.add_done_callback(self._app.fail_with)

    async def _do(self, effect: Queued, revision: int, turn: Sequence[int]) -> None:
        """Carry out an effect for the server, with revision and turn of the time when it was chosen."""
        match effect:
            case messages.Act(actions):
                # A second Enter on the way is not meant for what comes next.
                is_repeated = actions == self._last_played and revision < self._game.revision
                if turn == self._game.turn() and not is_repeated:
                    self._last_played = actions
                    await self._commands.actions.act(actions)
                    self.dispatch(messages.Signal.ACTED)
            case messages.Command(line, seat):
                try:
                    await self._commands.run(line, seat)
                except ServerRefused as error:
                    if error.reason == BAD_LINE:
                        self._type_command(line)
                    raise
            case messages.Then(event):
                await self._do_all(self._update(event))
            case _:
                assert_never(effect)

    async def _do_all(self, effects: Iterable[Effect]) -> None:
        """Carry out effects in their order, before everything that waits in the queue."""
        for effect in effects:
            if isinstance(effect, Queued):
                await self._do(effect, self._game.revision, self._game.turn())
            else:
                self._do_now(effect)
        self._app.redraw()

    def _do_now(
        self, effect: messages.LookAhead | messages.Suggest | messages.Tell | messages.SetPace | Request
    ) -> None:
        match effect:
            case messages.LookAhead(action):
                self._look_ahead(action)
            case messages.Suggest():
                self._suggest()
            case messages.Tell(text, style):
                self._game.tell(text, style=style)
            case messages.SetPace(seconds):
                self._playback.pace = seconds
            case Request.TYPE_COMMAND:
                self._type_command()
            case Request.TYPE_TALK:
                self._app.type(_("say: "), lambda line: self._typed(line, messages.Spoken))
            case Request.SKIP:
                self._playback.skip()
            case Request.LOOK_FURTHER:
                self._look_further()
            case Request.PICTURE:
                self._start(self._picture())
            case Request.BELL:
                self._alert()
            case Request.LEAVE:
                self._app.leave()
            case _:
                assert_never(effect)

    async def _picture(self) -> None:
        if answer := await show_board(self._app, self._game):
            self.dispatch(messages.CommandAnswer(answer, "class:hint"))

    def _alert(self) -> None:
        """Tell by the bell and a notification that a move begins, as the settings say."""
        alert = settings.get("alert")
        if alert == "desktop":
            self._app.notify(whose_move(self._game))
        if alert != "off":
            self._app.bell()

    def _type_command(self, begun: str = "") -> None:
        self._app.type(": ", lambda line: self._typed(line, messages.Typed), self._commands.candidates, begun)

    def _typed(self, line: str | None, event: type[messages.Typed | messages.Spoken]) -> None:
        if line is not None and line.strip():
            self.dispatch(event(line.strip()))

    def _look_ahead(self, action: game_pb2.Action | None) -> None:
        if self._previewing is not None:
            self._previewing.cancel()
        if action is None:
            return

        async def ask(action: game_pb2.Action) -> None:
            try:
                preview = await self._commands.actions.preview(action)
            except (ServerRefused, ServerGone) as error:
                if action.HasField("decline"):  # of all others acting itself tells why
                    self._commands.actions.explain(error)
                return
            self.dispatch(messages.Previewed(preview))

        self._previewing = asyncio.create_task(ask(action))
        self._previewing.add_done_callback(self._app.fail_with)

    def _look_further(self) -> None:
        async def ask() -> None:
            with suppress(ServerRefused, ServerGone):  # an older server does not know this
                await self._commands.actions.prospects()
                self.dispatch(messages.Signal.ARRIVED)

        task = asyncio.create_task(ask())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(self._app.fail_with)

    def _suggest(self) -> None:
        if self._suggesting is not None:
            self._suggesting.cancel()

        async def ask() -> None:
            async with self._lock:
                pass  # what was chosen before is done
            actions = self._commands.actions
            try:
                answer = await actions.suggestion()
            except (ServerRefused, ServerGone) as error:
                actions.explain(error)
            else:
                told = actions.worded(answer), answer.revision, actions.reasons(answer)
                self.dispatch(messages.Suggested(answer.action, *told))

        self._suggesting = asyncio.create_task(ask())
        self._suggesting.add_done_callback(self._app.fail_with)
