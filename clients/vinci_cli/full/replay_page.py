"""The page on which a game is seen again: step by step, turn by turn, or by itself at a pace."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias, final

from ..language import _
from ..story import story
from .block import Block, Depth, cut, fitted, moved, padded, stacked, width
from .game import Game
from .look import TABS, Look
from .replay import Replay, happened, timeline
from .stage import Stage
from .summary import keys
from .summary_page import SummaryPage

Drawing: TypeAlias = Callable[[Game, Look, int, int, Depth], Block]
"""Draws a table: board and panes, so wide and so high."""

PACES: Final = (4.0, 2.0, 1.2, 0.7, 0.4, 0.2, 0.1)
"""Seconds a step, from slow to fast."""

TALL: Final = 32
"""From so many rows on two lines tell what happened."""


@final
class ReplayPage:
    """A replay on a stage, with the table drawn by `draw_table`. It is left with "summary" or None."""

    refresh_seconds = 0.0

    def __init__(self, stage: Stage, replay: Replay, draw_table: Drawing) -> None:
        self.look: Final = Look()
        self._stage: Final = stage
        self._replay: Final = replay
        self._draw_table: Final = draw_table
        self._playing: asyncio.Task[None] | None = None
        if replay.fault:
            self.look.notice = [[("class:error", replay.fault)]]
        self._keys: Final[dict[str, Callable[[], None]]] = {
            "left": lambda: self._step(-1),
            "right": lambda: self._step(1),
            "up": replay.previous_turn,
            "pageup": replay.previous_turn,
            "down": replay.next_turn,
            "pagedown": replay.next_turn,
            "home": lambda: replay.go(0),
            "end": lambda: replay.go(replay.last),
            "g": self._ask_round,
        }

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """The table at this step, what happened, the timeline and the keys."""
        told = happened(self._replay, columns, 2 if rows >= TALL else 1)
        below = stacked(told, timeline(self._replay, columns), self._footer(columns))
        high = rows - below.height
        table = self._draw_table(self._replay.game, self.look, columns, high, depth)
        return stacked(fitted(table, columns, high), fitted(below, columns, below.height))

    def _footer(self, columns: int) -> Block:
        replay = self._replay
        turn = replay.turns[replay.turn()]
        who = replay.game.names.seat(turn.seat)
        when = _("Round {round}, {who}") if turn.round else _("Opening draft, {who}")
        sign = "▶" if self.is_playing() else "‖"
        place = _("{step} of {last}").format(step=replay.step, last=replay.last)
        text = f"{sign} {self.look.pace:g} s  {place}  {when.format(round=turn.round, who=who)}"
        choices = [
            ("space", _("pause") if self.is_playing() else _("play")),
            ("←→", _("step")),
            ("↑↓", _("turn")),
            ("<>", _("pace")),
            ("g", _("round")),
            ("s", _("summary")),
            ("q", _("leave")),
        ]
        shown = keys(choices)
        room = max(columns - width(shown.lines[0]), 0)
        left = padded(cut([("class:title", text)], room - 1), room)
        return Block([[*left, *shown.lines[0]]], moved(shown.hits, 0, room))

    # Keys and mouse.

    def press(self, key: str) -> None:
        """A key."""
        self.look.notice = []
        if key in self._keys:
            self.pause()
            self._keys[key]()
            return
        match key:
            case " " | "space":
                self.pause() if self.is_playing() else self._start()
            case "<" | ">":
                self._change_pace(1 if key == ">" else -1)
            case "tab" | "s-tab":
                place = TABS.index(self.look.tab) + (1 if key == "tab" else -1)
                self.look.tab = TABS[place % len(TABS)]
            case "s":
                self._leave("summary")
            case "escape" if self.look.popup or self.look.province:
                self.look.popup, self.look.province = None, ""
            case "q" | "escape" | "c-c" | "c-d":
                self._leave(None)

    def click(self, target: str) -> None:
        """A click: on the timeline, on a key, on a province, a slot or a tab."""
        kind, _blank, what = target.partition(" ")
        match kind:
            case "step":
                self.pause()
                self._replay.go(int(what))
            case "key":
                self.press({"←→": "right", "↑↓": "down", "<>": ">"}.get(what, what))
            case "province":
                self.look.province = what
            case "slot":
                self.look.slot = int(what)
            case "tab":
                self.look.tab = what

    def scroll(self, target: str, lines: int) -> None:
        """The wheel: the log where it is turned over the log, else step by step."""
        if target.startswith("pane "):
            self.look.back = max(self.look.back - lines, 0)
        else:
            self.pause()
            self._step(lines)

    def _step(self, steps: int) -> None:
        self._replay.go(self._replay.step + steps)

    def _change_pace(self, faster: int) -> None:
        place = min(range(len(PACES)), key=lambda number: abs(PACES[number] - self.look.pace)) + faster
        self.look.pace = PACES[min(max(place, 0), len(PACES) - 1)]

    def _ask_round(self) -> None:
        rounds = self._replay.rounds()

        def typed(text: str | None) -> None:
            step = self._replay.find_round(int(text)) if text and text.strip().isdecimal() else None
            if step is not None:
                self._replay.go(step)
            elif text:
                known = _("There is no round {text}; there are {first} to {last}.")
                answer = known.format(text=text.strip(), first=rounds[0], last=rounds[-1])
                self.look.notice = [[("class:error", answer)]]

        def candidates(_typed: str) -> Iterable[tuple[str, str]]:
            return [(str(number), "") for number in rounds]

        self._stage.type(_("Go to round: "), typed, candidates)

    def _leave(self, result: str | None) -> None:
        self.pause()
        self._stage.leave(result)

    # Playing by itself.

    def is_playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._playing is not None

    def pause(self) -> None:
        """Go on no more."""
        if self._playing is not None:
            self._playing.cancel()
            self._playing = None

    def _start(self) -> None:
        if self._replay.step == self._replay.last:
            self._replay.go(0)
        self._playing = asyncio.create_task(self._play())

    async def _play(self) -> None:
        while self._replay.step < self._replay.last:
            await asyncio.sleep(self.look.pace)
            self._step(1)
            self._stage.redraw()
        self._playing = None
        self._stage.redraw()


async def look_through(stage: Stage, replay: Replay, draw_table: Drawing, save: Callable[[], str] | None) -> None:
    """See a game again, with its summary one key away, until it is left. `save` is that of the summary."""
    told = story(replay.updates)
    page = ReplayPage(stage, replay, draw_table)
    while await stage.show(page) == "summary":
        if await stage.show(SummaryPage(stage, told, replay.game.names, save, can_replay=True)) != "replay":
            return
