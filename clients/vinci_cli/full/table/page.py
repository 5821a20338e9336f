"""The page at which a match is played or watched: what keys, clicks and typed lines do there.

It draws nothing (`frame`) and knows no rules: what is legal comes with the state, and what an action would do from the
server's preview.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol, final

from vinci.v1 import game_pb2
from vinci_client.session import Session

from ...game.client_match import ClientMatch
from ...game.commands import GameCommands
from ...game.table_commands import TableCommands
from ...line.client import ALIASES, FOR_SPECTATORS, Ending, can_follow
from ...text import events, mistakes, timing
from ...text.i18n import _, decimal
from ...text.manual import rule_text
from ...text.tables import Line, plain
from .. import LEAST_COLUMNS, LEAST_ROWS
from ..map.map import Art
from ..toolkit import popup
from ..toolkit.app import App
from ..toolkit.block import Block, Depth
from ..toolkit.dialog import Question
from . import layout
from .action_queue import ActionQueue
from .cursor import Cursor
from .panes import chat, market, registry
from .panes.help import help_text
from .placing import Placing
from .playback import Playback
from .ui_state import MAP, UiState

DIRECTIONS: Final = ("left", "right", "up", "down")
PACES: Final = (0.0, 0.2, 0.4, 0.8, 1.5, 3.0)
"""Seconds for which each thing that others do is shown."""
LINES: Final = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
"""Lines that a key scrolls."""


class TableOverlay(Protocol):
    """Who looks over the shoulder of the people at a table, as the tutorial does."""

    def take(self, update: game_pb2.Update) -> None:
        """An update is shown."""

    def objection(self, actions: Sequence[game_pb2.Action]) -> str:
        """Why these actions are not to be played now; empty if they are."""

    def press(self, key: str) -> bool:
        """A key; whether it was for the guide."""

    def drawn_over(self, page: Block) -> Block:
        """The page, with what is said on top of it."""


@final
class TablePage:
    """A match in full screen.

    `invitation` is the command with which other terminals join the server, if they can; `own_name` is that of a
    spectator.

    Attributes:
        guide: who looks over the shoulder of the people here, if anybody does.
    """

    def __init__(
        self,
        app: App,
        session: Session,
        game: ClientMatch,
        *,
        invitation: str = "",
        own_name: str = "",
        ui: UiState | None = None,
    ) -> None:
        self.game: Final = game
        self.ui: Final = ui or UiState()
        self.guide: TableOverlay | None = None
        self._app: Final = app
        self._art: Final = Art(game.board_map, game.names)
        self._choosing: Final = Cursor(game, self.ui, self._art)
        self._showing: Final = Playback(session, game, self.ui, self._begin_move, self._note, app.leave, app.redraw)
        self._deeds: Final = GameCommands(
            session, game, game.seats, game.names, self._say, self._showing.until_shown, self._object
        )
        self._doing: Final = ActionQueue(app, game, self.ui, self._deeds)
        self._company: Final = TableCommands(
            session, game.match.match_id, game.seats, game.names, invitation, own_name, self._show_lines
        )
        self._size = (LEAST_COLUMNS, LEAST_ROWS)

    async def play(self, from_revision: int | None = None) -> Ending:
        """Show the table until the game ends and has been looked at, the people leave, or their seats are lost."""
        played = list(self.game.seats)
        tasks = [asyncio.create_task(work) for work in (self._showing.attend(from_revision), self._showing.show())]
        for task in tasks:
            task.add_done_callback(self._app.fail_with)
        try:
            await self._app.show(self)
        finally:
            self._doing.stop()
            for task in tasks:
                task.cancel()
        if self.game.is_over():
            return "ended" if self.game.match.ended else "over"
        if self.game.seats or not played:
            return "left"
        told = " ".join(events.seat_lost(seat) for seat in played)
        await self._app.show(Question(self._app, told, [("enter", _("go on"))]))
        return "lost"

    def _begin_move(self, is_news: bool) -> None:
        if is_news:
            self._app.bell()
        self._choosing.begin_move(is_new=is_news)
        self._look_ahead()

    def _note(self, update: game_pb2.Update) -> None:
        """An update is shown."""
        self._choosing.follow()
        if self.game.is_over():
            self.ui.province = ""  # where the ranking is shown
        if self.guide is not None:
            self.guide.take(update)
        self._look_ahead()

    def _object(self, actions: Sequence[game_pb2.Action]) -> str:
        if self.game.waiting:
            return _("What others did is still being shown; space shows all of it at once.")
        return "" if self.guide is None else self.guide.objection(actions)

    # A page of the app.

    @property
    def refresh_seconds(self) -> float:
        """A clock runs every second."""
        return 1.0 if self.game.clocks.running else 0.0

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """The whole screen."""
        self._size = columns, rows
        page = layout.draw(self.game, self.ui, self._art, columns, rows, depth)
        return page if self.guide is None or self.ui.popup is not None else self.guide.drawn_over(page)

    def press(self, key: str) -> None:
        """Do what a key is for."""
        self.ui.notice = []
        if self.ui.popup is not None:
            self._press_in_popup(key)
        elif self.guide is not None and self.guide.press(key):
            self._look_ahead()
        elif self.ui.plan is not None and key in PLAN_KEYS:
            PLAN_KEYS[key](self, Placing(self.ui.plan, self.game.legal))
            self._look_ahead()
        elif key in LINES and (pane := registry.opened(self.ui)) is not None and pane.scrolls:
            self.scroll("", LINES[key])
        elif key in DIRECTIONS:
            self._choosing.walk(key)
            self._look_ahead()
        elif (pane := registry.with_key(key, replayed=False)) is not None:
            self._turn_to(MAP if self.ui.tab == pane.name else pane.name)
        elif key in KEYS:
            KEYS[key](self)

    def _press_in_popup(self, key: str) -> None:
        if key in LINES:
            self.scroll("popup", LINES[key])
        else:
            self.ui.popup, self.ui.popup_back = None, 0

    def click(self, target: str) -> None:
        """Select what was clicked; a second click on the same does what Enter does."""
        self.ui.notice = []
        kind, _space, name = target.partition(" ")
        if self.ui.popup is not None and kind not in ("rule", "key"):
            self.ui.popup = None
            return
        match kind:
            case "province" if name == self.ui.province and self.ui.plan is None and self.ui.tab == MAP:
                self._enter()
            case "province":
                self._choosing.select(name)
                self._look_ahead()
            case "slot" if int(name) == self.ui.slot and self._choosing.choosing_slot():
                self._enter()
            case "slot":
                self._choosing.select_slot(int(name))
                self._look_ahead()
            case "tab":
                self._turn_to(name)
            case "key":
                self.press(name)
            case "rule":
                self._rule(name)
            case "log" if self.game.log[int(name)].rule:
                self._rule(self.game.log[int(name)].rule)

    def scroll(self, target: str, lines: int) -> None:
        """The wheel: over the log and the chat it scrolls, while pawns are placed it moves them."""
        kind, _space, name = target.partition(" ")
        if self.ui.popup is not None:
            last = popup.last_start(self.ui.popup[1], *self._size)
            self.ui.popup_back = min(max(self.ui.popup_back + lines, 0), last)
        elif self.ui.plan is not None and kind == "province":
            self._choosing.select(name)
            Placing(self.ui.plan, self.game.legal).add(name, -lines)
            self._look_ahead()
        else:
            last = registry.length(self.game, self.ui, layout.pane_columns(self._size[0])) - 1
            self.ui.back = max(min(self.ui.back - lines, last), 0)

    # What keys are for.

    def _turn_to(self, tab: str) -> None:
        if chat.PANE.name in (tab, self.ui.tab):
            self.ui.heard = self._showing.heard()
        self.ui.tab, self.ui.back = tab, 0
        self._look_ahead()

    def _back(self) -> None:
        if self.ui.tab == MAP:
            self.ui.province = ""
        self._turn_to(MAP)

    def _tab(self, step: int) -> None:
        self._choosing.tab(step)
        self._look_ahead()

    def _enter(self) -> None:
        if self.game.is_over():
            self._app.leave()
        elif self.ui.plan is None and self.game.my_move() and self.game.legal.HasField("redeploy"):
            self._choosing.place("redeploy")
            self._look_ahead()
        elif (action := self._choosing.chosen()) is not None:
            self._act([action])

    def _hold(self) -> None:
        """Open the placement, after what is being done; where it is not the time for it, the server says why."""

        async def hold() -> None:
            if self.game.my_move() and self.game.legal.HasField("hold"):
                self._choosing.place("hold")
                self._look_ahead()
            else:
                self._act([game_pb2.Action(hold=game_pb2.Hold())])

        self._doing.start(hold())

    def _with_selection(self, notation: str) -> None:
        if self.ui.province:
            self._act([game_pb2.Action(notation=notation.format(self.ui.province))])
        else:
            self._say(_("Select a province first: with the arrows, Tab, or a click."), "class:hint")

    def _peace(self) -> None:
        if seat := self._choosing.peaceful():
            self._act([game_pb2.Action(peace=game_pb2.Peace(seat=seat))])
        elif self.game.legal.peace:
            self._say(_("Select a province of the seat that you mean, or type peace and its number."), "class:hint")
        else:
            self._act([game_pb2.Action(peace=game_pb2.Peace())])  # the server says why not

    def _suggest(self) -> None:
        async def ask() -> None:
            suggestion = await self._deeds.suggestion()
            if suggestion.revision == self.game.revision and self.game.my_move():
                self._choosing.show(suggestion.action)
                self._look_ahead()
            self._say(_("suggestion: {action}").format(action=suggestion.notation), "class:hint")

        self._doing.start(ask())

    def _change_pace(self, step: int) -> None:
        nearest = min(PACES, key=lambda pace: abs(pace - self.ui.pace))
        self.ui.pace = PACES[min(max(PACES.index(nearest) + step, 0), len(PACES) - 1)]
        told = _("What others do is shown for {seconds} seconds each.")
        self._say(told.format(seconds=decimal(str(self.ui.pace))), "class:hint")

    def _help(self) -> None:
        self._explain(_("Help"), help_text(self.game, self.ui, self._app.depth))

    def _rule(self, name: str = "") -> None:
        """Explain a rule: without a name the one behind the latest entry of the log that has one."""
        name = name or next((entry.rule for entry in reversed(self.game.log) if entry.rule), "")
        if name:
            self._explain(name, rule_text(name))

    def _explain(self, title: str, text: str) -> None:
        self.ui.popup, self.ui.popup_back = (title, text), 0

    # The command line.

    def _type(self, text: str = "") -> None:
        def typed(line: str | None) -> None:
            if line is not None and line.strip():
                self._doing.start(self._obey(line.strip(), self.game.seat))

        self._app.type(": ", typed, self._candidates, text)

    def _talk(self) -> None:
        def typed(line: str | None) -> None:
            if line is not None and line.strip():
                self._doing.start(self._company.do("say", line, self.game.seat, self.game.match))

        self._app.type(_("say: "), typed)

    async def _obey(self, text: str, seat: int) -> None:
        """Do what was typed for a seat, as the line client would."""
        word, _space, rest = text.partition(" ")
        word = ALIASES.get(word.lower(), word.lower())
        if not self.game.seats and word not in FOR_SPECTATORS:
            told = _("You look on. What you can type: {words}.")
            self._say(told.format(words=", ".join(FOR_SPECTATORS)), "class:error")
            return
        match word:
            case "quit":
                self._app.leave()
            case "help":
                self._help()
            case "rules":
                self._rule(rest)
            case "board" | "scores" | "market" | "legal":
                self._turn_to(market.PANE.name if word == "market" else MAP)
            case "clock":
                no_clock = _("This match has no clock; everybody is waited for.")
                time = timing.in_words(self.game.match.timing) or [no_clock]
                for told in [*time, *mistakes.in_words(self.game.match.mistakes)]:
                    self._say(told)
            case "rematch":
                self._say(_("When the game is over, a rematch begins another one with the same players."))
            case "say" | "pause" | "resume" | "substitute" | "back" | "handover":
                await self._company.do(word, rest, self.game.seat, self.game.match)
            case _ if seat != self.game.seat:  # it became the turn of somebody else at this terminal
                self._say(_("It is the move of {who}.").format(who=self.game.names.seat(self.game.seat)))
            case _:
                await self._deeds.do(word, rest, text)

    def _candidates(self, typed: str) -> Iterable[tuple[str, str]]:
        return can_follow(typed, self.game, self.game.names, is_spectator=not self.game.seats)

    # Acting.

    def _act(self, actions: Sequence[game_pb2.Action]) -> None:
        if not self.game.seats:
            self._say(_("You look on; only players act."), "class:hint")
        else:
            self._doing.act(actions)

    def _look_ahead(self) -> None:
        self._doing.look_ahead(self._choosing.chosen())

    # What is told.

    def _say(self, text: str, style: str = "") -> None:
        """An answer, which stays until the next key, and in the log."""
        if text:
            self.ui.notice.append([(style, text)])
            self.game.tell(text, style=style)
        self._app.redraw()

    def _show_lines(self, lines: Iterable[Line | str]) -> None:
        for line in lines:
            self._say(line if isinstance(line, str) else plain(line))


KEYS: Final[dict[str, Callable[[TablePage], None]]] = {
    "enter": TablePage._enter,
    "tab": lambda page: page._tab(1),
    "s-tab": lambda page: page._tab(-1),
    "escape": TablePage._back,
    "h": TablePage._hold,
    "x": lambda page: page._with_selection("x {} spy"),
    "a": lambda page: page._with_selection("abandon {}"),
    "d": lambda page: page._act([game_pb2.Action(decline=game_pb2.Decline())]),
    "t": lambda page: page._act([game_pb2.Action(stay=game_pb2.Stay())]),
    "p": TablePage._peace,
    "u": lambda page: page._doing.start(page._deeds.do("undo", "", "undo")),
    "s": TablePage._suggest,
    ":": TablePage._type,
    "/": TablePage._talk,
    "r": TablePage._rule,
    " ": lambda page: page._showing.skip(),
    "<": lambda page: page._change_pace(1),
    ">": lambda page: page._change_pace(-1),
    "pageup": lambda page: page.scroll("", LINES["pageup"]),
    "pagedown": lambda page: page.scroll("", LINES["pagedown"]),
    "?": TablePage._help,
    "f1": TablePage._help,
    "q": lambda page: page._app.leave(),
    "c-c": lambda page: page._app.leave(),
}
"""What each key does, besides the arrows and those that open a tab."""

PLAN_KEYS: Final[dict[str, Callable[[TablePage, Placing], None]]] = {
    "+": lambda page, placing: placing.add(page.ui.province, 1),
    "=": lambda page, placing: placing.add(page.ui.province, 1),
    "-": lambda page, placing: placing.add(page.ui.province, -1),
    "f": lambda page, placing: placing.toggle_fort(page.ui.province),
    "s": lambda page, placing: page._choosing.place(placing.kind),
    "escape": lambda page, _placing: setattr(page.ui, "plan", None),
}
"""What keys do while pawns are placed."""
