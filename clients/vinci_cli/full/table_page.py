"""The page at which a match is played or watched: what keys, clicks and typed lines do there.

It draws nothing (`frame`) and knows no rules: what is legal comes with the state, and what an action would do from the
server's preview.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, Literal, TypeAlias, final

from vinci.v1 import game_pb2, match_pb2
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session

from .. import timing
from ..attendance import Attendance
from ..company import Company
from ..completion import candidates
from ..deeds import Deeds
from ..guide import rule_text
from ..language import _
from ..line import ALIASES, COMMANDS, FOR_SPECTATORS
from ..table import Line, plain
from . import frame
from .block import Block, Depth, over, width
from .game import Game
from .help import help_text
from .look import TABS, Look
from .map import Art
from .placing import Placing
from .stage import Stage

Ending: TypeAlias = Literal["over", "ended", "left", "lost"]
"""How it ends: the game is over or was ended before, the people left, or others have their seats now."""

DIRECTIONS: Final = ("left", "right", "up", "down")
PACES: Final = (0.0, 0.3, 0.7, 1.5, 3.0)
"""Seconds for which each thing that others do is shown."""
TAB_KEYS: Final = {"m": "market", "e": "empires", "l": "log", "c": "chat"}
PAGE: Final = 10
"""Lines that a page key scrolls."""


@final
class TablePage:
    """A match in full screen.

    `invitation` is the command with which other terminals join the server, if they can; `own_name` is that of a
    spectator.

    Attributes:
        guide: draws a box over the lower part of the screen, as the tutorial does; its width is given.
    """

    def __init__(
        self,
        stage: Stage,
        session: Session,
        game: Game,
        *,
        invitation: str = "",
        own_name: str = "",
        look: Look | None = None,
    ) -> None:
        self.game: Final = game
        self.look: Final = look or Look()
        self.guide: Callable[[int], Block | None] = lambda _columns: None
        self._stage: Final = stage
        self._art: Final = Art(game.board_map, game.names)
        self._deeds: Final = Deeds(session, game, game.seats, game.names, self._say, self._until_shown)
        self._company: Final = Company(
            session, game.match.match_id, game.seats, game.names, invitation, own_name, self._show_lines
        )
        self._attendance: Final = Attendance(session, game.match.match_id, game.seats, self)
        self._news: Final = asyncio.Event()
        self._shown: Final = asyncio.Event()
        self._skipping = False
        self._previewing: asyncio.Task[None] | None = None
        self._acting: asyncio.Task[None] | None = None
        self._over = False

    # A page of the stage.

    @property
    def refresh_seconds(self) -> float:
        """A clock runs every second."""
        return 1.0 if self.game.clocks.running else 0.0

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """The whole screen."""
        page = frame.draw(self.game, self.look, self._art, columns, rows, depth)
        guide = self.guide(columns)
        if guide is None:
            return page
        return over(page, guide, rows - guide.height - 2, (columns - width(guide.lines[0])) // 2)

    # Playing: what the server tells is shown at a pace that one can follow.

    async def play(self, from_revision: int | None = None) -> Ending:
        """Show the table until the game ends and has been looked at, the people leave, or their seats are lost."""
        played = bool(self.game.seats)
        tasks = [asyncio.create_task(work) for work in (self._attend(from_revision), self._show_at_a_pace())]
        for task in tasks:
            task.add_done_callback(self._fail)
        try:
            await self._stage.show(self)
        finally:
            for task in filter(None, (*tasks, self._previewing, self._acting)):
                task.cancel()
        if self._over:
            return "ended" if self.game.match.ended else "over"
        return "left" if bool(self.game.seats) == played else "lost"

    def _fail(self, task: asyncio.Task[None]) -> None:
        """What went wrong in the background ends the page."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self._stage.fail(error)

    async def _attend(self, from_revision: int | None) -> None:
        self._over = await self._attendance.attend(from_revision)
        self._news.set()

    async def _show_at_a_pace(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            while self.game.waiting:
                await self._show_next()
            self._skipping = False
            if self._over:
                self._say(_("The game is over. Enter goes on."), "class:title")

    async def _show_next(self) -> None:
        was_my_move = self.game.my_move()
        is_first = self.game.revision < 0
        update = self.game.show_next()
        assert update is not None
        if self.game.my_move() and not was_my_move:
            self._begin_move()
        self._shown.set()
        self._shown.clear()
        self._stage.redraw()
        is_own = update.seat in self.game.seats and update.by == "player"
        if self.game.waiting and not (is_first or is_own or self._skipping):
            await asyncio.sleep(self.look.pace)

    def _begin_move(self) -> None:
        """It is our move: ring, and look at what it is about."""
        self._stage.bell()
        state = self.game.state
        assert state is not None
        self.look.plan = None
        self.look.tab = "map"
        self.look.slot = 0
        if state.phase == game_pb2.PHASE_DRAFT:
            self.look.tab = "market"
            self.look.slot = next(iter(self.game.legal.take), 0)
        elif state.phase == game_pb2.PHASE_REDEPLOY:
            self._place("redeploy")
        self._look_ahead()

    # What the server tells.

    def take(self, response: match_pb2.WatchResponse) -> None:
        """Something happened."""
        self.game.take(response)
        self._news.set()
        self._stage.redraw()

    def lose(self, seat: int) -> None:
        """A seat is no longer played here."""
        told = _("Seat {seat} is no longer played here: it was handed over or taken away.")
        self._say(told.format(seat=seat), "class:hint")
        self.game.seat = next(iter(self.game.seats), 0)
        if not self.game.seats:
            self._stage.leave()

    def tell_connection(self, connected: bool) -> None:
        """The connection was lost, or is back."""
        self.game.connected = connected
        if connected:
            self.game.tell(_("Connected again."), style="class:hint")
        self._stage.redraw()

    def next_revision(self) -> int | None:
        """The first revision that did not come yet; None if none came."""
        newest = self.game.waiting[-1].revision if self.game.waiting else self.game.revision
        return newest + 1 if newest >= 0 else None

    def heard(self) -> int:
        """The number of the last line of the chat."""
        return self.game.chat[-1].number if self.game.chat else 0

    # Keys.

    def press(self, key: str) -> None:
        """Do what a key is for."""
        self.look.notice = []
        if self.look.popup is not None:
            self._press_in_popup(key)
        elif self.look.plan is not None and self._press_in_plan(key):
            pass
        elif key in DIRECTIONS:
            self._walk(key)
        elif key in TAB_KEYS:
            self._turn_to("map" if self.look.tab == TAB_KEYS[key] else TAB_KEYS[key])
        elif key in KEYS:
            KEYS[key](self)

    def _press_in_popup(self, key: str) -> None:
        if key in ("up", "down", "pageup", "pagedown"):
            self.scroll("popup", {"up": -1, "down": 1, "pageup": -PAGE, "pagedown": PAGE}[key])
        else:
            self.look.popup, self.look.popup_back = None, 0

    def _press_in_plan(self, key: str) -> bool:
        """Whether the key is for placing pawns."""
        assert self.look.plan is not None
        placing = Placing(self.look.plan, self.game.legal)
        code = self.look.province
        match key:
            case "+" | "=":
                placing.add(code, 1)
            case "-":
                placing.add(code, -1)
            case "f":
                placing.toggle_fort(code)
            case "s":
                self._place(self.look.plan.kind)
            case "tab" | "s-tab":
                self._cycle(list(placing.provinces()), -1 if key == "s-tab" else 1)
            case "enter":
                self._act([placing.action()])
            case "escape":
                self.look.plan = None
            case _:
                return False
        self._look_ahead()
        return True

    def _walk(self, direction: str) -> None:
        if self.look.tab in ("log", "chat", "empires") and direction in ("up", "down"):
            self.scroll(self.look.tab, -1 if direction == "up" else 1)
        elif self._chooses_slot():
            self._cycle_slot(1 if direction in ("down", "right") else -1)
        else:
            self._select(self._art.toward(self.look.province, direction))

    def _tab(self, step: int) -> None:
        if self._chooses_slot():
            self._cycle_slot(step)
        else:
            self._cycle(self._targets(), step)

    def _chooses_slot(self) -> bool:
        """Whether a civilization is to be chosen, or the market is looked at."""
        drafts = self.game.state is not None and self.game.state.phase == game_pb2.PHASE_DRAFT and self.game.my_move()
        return self.look.tab == "market" or (drafts and self.look.tab == "map" and not self.look.province)

    def _targets(self) -> list[str]:
        """Provinces with which something can be done, in board order."""
        legal = self.game.legal
        codes = {*legal.conquer, *legal.conquer_by_spies} or {*legal.abandon, *legal.redeploy.provinces}
        return [code for code in self.game.names.provinces if code in codes]

    def _cycle(self, codes: Sequence[str], step: int) -> None:
        if codes:
            place = codes.index(self.look.province) + step if self.look.province in codes else min(step, 0)
            self._select(codes[place % len(codes)])

    def _cycle_slot(self, step: int) -> None:
        slots = len(self.game.state.market) if self.game.state is not None else 0
        if slots:
            self.look.slot = (self.look.slot - 1 + step) % slots + 1 if self.look.slot else 1
            self._look_ahead()

    def _select(self, code: str) -> None:
        self.look.province = code
        if self.look.tab != "map":
            self._turn_to("map")
        self._look_ahead()

    def _turn_to(self, tab: str) -> None:
        self.look.tab, self.look.back = tab, 0
        self._look_ahead()

    def _back(self) -> None:
        if self.look.tab != "map":
            self._turn_to("map")
        else:
            self._select("")

    def _enter(self) -> None:
        """Do what the selection is for."""
        if self._over and not self.game.waiting:
            self._stage.leave()
        elif action := self._chosen():
            self._act([action])

    def _chosen(self) -> game_pb2.Action | None:
        """What Enter would do."""
        if self.look.plan is not None:
            return Placing(self.look.plan, self.game.legal).action()
        if self._chooses_slot():
            return game_pb2.Action(take=game_pb2.Take(slot=self.look.slot)) if self.look.slot else None
        code, legal = self.look.province, self.game.legal
        if not code:
            return None
        by_spies = code in legal.conquer_by_spies and code not in legal.conquer
        return game_pb2.Action(conquer=game_pb2.Conquer(province=code, spies=by_spies))

    def _place(self, kind: str) -> None:
        """Begin to place pawns on the map, as the server suggests."""
        legal = self.game.legal
        if kind == "hold" and not legal.HasField("hold"):
            self._act([game_pb2.Action(hold=game_pb2.Hold())])  # the server says why not
            return
        self.look.plan = Placing.begin(kind, legal)
        self.look.tab = "map"
        if self.look.province not in self.look.plan.pawns:
            self.look.province = next(iter(self.look.plan.pawns), "")
        self._look_ahead()

    def _with_selection(self, notation: str) -> None:
        """An action with the selected province."""
        if self.look.province:
            self._act([game_pb2.Action(notation=notation.format(self.look.province))])
        else:
            self._say(_("Select a province first: with the arrows, Tab, or a click."), "class:hint")

    def _peace(self) -> None:
        """Name the seat that holds the selected province, or the only one that can be named; else it is typed."""
        state, seats = self.game.state, list(self.game.legal.peace)
        if state is not None and self.look.province in state.provinces:
            owner = state.owners[list(state.provinces).index(self.look.province)]
            if owner in seats:
                seats = [owner]
        if len(seats) == 1:
            self._act([game_pb2.Action(peace=game_pb2.Peace(seat=seats[0]))])
        else:
            self._type("peace ")

    def _suggest(self) -> None:
        async def ask() -> None:
            suggestion = await self._deeds.suggestion()
            if suggestion.revision == self.game.revision:
                self._type(suggestion.notation)

        self._do(ask())

    def _skip(self) -> None:
        self._skipping = True
        for_now, self.look.pace = self.look.pace, 0.0
        while self.game.waiting:
            was_my_move = self.game.my_move()
            self.game.show_next()
            if self.game.my_move() and not was_my_move:
                self._begin_move()
        self.look.pace = for_now

    def _change_pace(self, step: int) -> None:
        nearest = min(PACES, key=lambda pace: abs(pace - self.look.pace))
        self.look.pace = PACES[min(max(PACES.index(nearest) + step, 0), len(PACES) - 1)]
        self._say(_("What others do is shown for {seconds} seconds each.").format(seconds=self.look.pace), "class:hint")

    def _help(self) -> None:
        self.look.popup = _("Help"), help_text(self.game, self.look)

    def _rule(self, name: str = "") -> None:
        """Explain a rule: the one behind the latest entry of the log that has one."""
        name = name or next((entry.rule for entry in reversed(self.game.log) if entry.rule), "")
        if name:
            self.look.popup = name, rule_text(name)

    def _leave(self) -> None:
        self._stage.leave()

    # Clicks.

    def click(self, target: str) -> None:
        """Select what was clicked; a second click on the same does what Enter does."""
        self.look.notice = []
        kind, _space, name = target.partition(" ")
        if self.look.popup is not None and kind not in ("rule", "key"):
            self.look.popup = None
            return
        match kind:
            case "province" if name == self.look.province and self.look.plan is None and self.look.tab == "map":
                self._enter()
            case "province":
                self._select(name)
            case "slot" if int(name) == self.look.slot and self._chooses_slot():
                self._enter()
            case "slot":
                self.look.slot = int(name)
                self._turn_to("market")
            case "tab" if name in TABS:
                self._turn_to(name)
            case "key":
                self.press(name)
            case "rule":
                self._rule(name)
            case "log":
                self._rule(list(self.game.log)[int(name)].rule)

    def scroll(self, target: str, lines: int) -> None:
        """The wheel: over the log and the chat it scrolls, while pawns are placed it moves them."""
        kind, _space, name = target.partition(" ")
        if self.look.popup is not None:
            self.look.popup_back = max(self.look.popup_back + lines, 0)
        elif self.look.plan is not None and kind == "province":
            self.look.province = name
            Placing(self.look.plan, self.game.legal).add(name, -lines)
            self._look_ahead()
        else:
            self.look.back = max(self.look.back - lines, 0)

    # The command line.

    def _type(self, text: str = "") -> None:
        self._stage.type(": ", self._typed, self._candidates, text)

    def _typed(self, text: str | None) -> None:
        if text is not None and text.strip():
            self._do(self._obey(text.strip()))

    def _talk(self) -> None:
        def said(text: str | None) -> None:
            if text is not None and text.strip():
                self._do(self._company.do("say", text, self.game.seat, self.game.match))

        self._stage.type(_("say: "), said)

    async def _obey(self, text: str) -> None:
        word, _space, rest = text.partition(" ")
        word = ALIASES.get(word.lower(), word.lower())
        if not self.game.seats and word not in FOR_SPECTATORS:
            told = _("You look on. What you can type: {words}.")
            self._say(told.format(words=", ".join(FOR_SPECTATORS)), "class:error")
            return
        match word:
            case "quit":
                self._stage.leave()
            case "help":
                self._help()
            case "rules":
                self._rule(rest)
            case "board" | "scores" | "market" | "legal":
                self._turn_to("market" if word == "market" else "map")
            case "clock":
                for told in timing.in_words(self.game.match.timing) or [
                    _("This match has no clock; everybody is waited for.")
                ]:
                    self._say(told, "")
            case "rematch":
                self._say(_("When the game is over, a rematch begins another one with the same players."), "")
            case "say" | "pause" | "resume" | "substitute" | "back" | "handover":
                await self._company.do(word, rest, self.game.seat, self.game.match)
            case _:
                await self._deeds.do(word, rest, text)

    def _candidates(self, typed: str) -> Iterable[tuple[str, str]]:
        commands = COMMANDS if self.game.seats else {word: COMMANDS[word] for word in FOR_SPECTATORS}
        legal = self.game.legal if self.game.my_move() else game_pb2.Legal()
        market = self.game.state.market if self.game.state is not None else []
        return candidates(typed, commands, legal, market, self.game.names)

    # Acting.

    def _act(self, actions: Sequence[game_pb2.Action]) -> None:
        if not self.game.seats:
            self._say(_("You look on; only players act."), "class:hint")
            return

        async def act() -> None:
            if await self._deeds.act(actions):
                self.look.plan = None
                self._look_ahead()

        self._do(act())

    def _do(self, work: Awaitable[None]) -> None:
        """Do something with the server in the background, one thing after another; what it refuses is told."""
        before = self._acting

        async def do() -> None:
            if before is not None:
                await asyncio.wait([before])
            try:
                await work
            except (ServerRefused, ServerGone) as error:
                self._deeds.explain(error)
            self._stage.redraw()

        self._acting = asyncio.create_task(do())
        self._acting.add_done_callback(self._fail)

    async def _until_shown(self, revision: int) -> None:
        while self.game.revision < revision and not self._over:
            await self._shown.wait()

    def _look_ahead(self) -> None:
        """Ask the server what the action that Enter would do does."""
        if self._previewing is not None:
            self._previewing.cancel()
        self.look.preview = None
        action = self._chosen()
        if action is None or not self.game.my_move() or self.game.is_barred():
            return

        async def ask() -> None:
            try:
                self.look.preview = await self._deeds.preview(action)
            except (ServerRefused, ServerGone):
                return  # acting itself tells why
            self._stage.redraw()

        self._previewing = asyncio.create_task(ask())
        self._previewing.add_done_callback(self._fail)

    # What is told.

    def _say(self, text: str, style: str) -> None:
        """An answer, which stays until the next key, and in the log."""
        if text:
            self.look.notice.append([(style, text)])
            self.game.tell(text, style=style)
        self._stage.redraw()

    def _show_lines(self, lines: Iterable[Line | str]) -> None:
        for line in lines:
            self._say(line if isinstance(line, str) else plain(line), "")


KEYS: Final[dict[str, Callable[[TablePage], None]]] = {
    "enter": TablePage._enter,
    "tab": lambda page: page._tab(1),
    "s-tab": lambda page: page._tab(-1),
    "escape": TablePage._back,
    "h": lambda page: page._place("hold"),
    "x": lambda page: page._with_selection("x {} spy"),
    "a": lambda page: page._with_selection("abandon {}"),
    "d": lambda page: page._act([game_pb2.Action(decline=game_pb2.Decline())]),
    "t": lambda page: page._act([game_pb2.Action(stay=game_pb2.Stay())]),
    "p": TablePage._peace,
    "u": lambda page: page._do(page._deeds.do("undo", "", "undo")),
    "s": TablePage._suggest,
    ":": TablePage._type,
    "/": TablePage._talk,
    "r": TablePage._rule,
    " ": TablePage._skip,
    "<": lambda page: page._change_pace(1),
    ">": lambda page: page._change_pace(-1),
    "pageup": lambda page: page.scroll("", -PAGE),
    "pagedown": lambda page: page.scroll("", PAGE),
    "?": TablePage._help,
    "f1": TablePage._help,
    "q": TablePage._leave,
    "c-c": TablePage._leave,
}
"""What each key does, besides the arrows and those that open a tab."""
