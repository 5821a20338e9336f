"""The page on which a game is seen again: step by step, turn by turn, or by itself at a pace."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final, final

from ..language import _
from . import frame
from .block import Block, Depth, fitted, stacked
from .look import TABS, Look
from .map import Art
from .replay import Replay, happened, timeline
from .stage import Stage
from .writing import Part, Row, button, spaced, written

PACES: Final = (4.0, 2.0, 1.2, 0.7, 0.4, 0.2, 0.1)
"""Seconds a step, from slow to fast."""

TALL: Final = 32
"""From so many rows on two lines tell what happened."""

TAB_KEYS: Final = {"m": "market", "e": "empires", "l": "log", "b": "map"}
"""What fills a small window, by key."""


@final
class ReplayPage:
    """A replay on a stage. It is left with "summary" or None."""

    refresh_seconds = 0.0

    def __init__(self, stage: Stage, replay: Replay) -> None:
        self.look: Final = Look()
        self._stage: Final = stage
        self._replay: Final = replay
        self._art: Final = Art(replay.game.board_map, replay.game.names)
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
        game, look = self._replay.game, self.look
        high = 2 if rows >= TALL else 1
        about = look.notice or ((look.province or look.slot) and columns < frame.BESIDE_COLUMNS)
        told = written(frame.brief(game, look, columns), columns) if about else happened(self._replay, columns, high)
        keys = self._keys_shown(columns)
        foot = stacked(fitted(told, columns, high), timeline(self._replay, columns), written(keys, columns))
        return frame.draw(game, look, self._art, columns, rows, depth, fitted(foot, columns, foot.height))

    def _keys_shown(self, columns: int) -> list[Row]:
        replay = self._replay
        sign = "▶" if self.is_playing() else "‖"
        place = _("{step} of {last}").format(step=replay.step, last=replay.last)
        left = [Part(f"{sign} {self.look.pace:g} s  {place}", "class:title")]
        moves = [
            *button(_("space"), _("pause") if self.is_playing() else _("play"), "key space"),
            *_pair(("←", "left"), ("→", "right"), _("step")),
            *_pair(("↑", "up"), ("↓", "down"), _("turn")),
            *_pair(("<", "<"), (">", ">"), _("pace")),
        ]
        others = [
            *_after(button("g", _("go to round"))),
            *_after(button("s", _("summary"))),
            *_after(button("q", _("leave"))),
        ]
        if columns >= frame.BESIDE_COLUMNS:
            return [spaced(left, [*moves, *others], columns)]
        names = {"map": _("board"), "market": _("market"), "empires": _("empires"), "log": _("log")}
        tabs = [
            part for key, tab in TAB_KEYS.items() if tab != self.look.tab for part in _after(button(key, names[tab]))
        ]
        return [spaced(left, moves, columns), [*tabs, *others]]

    # Keys and mouse.

    def press(self, key: str) -> None:
        """A key."""
        self.look.notice = []
        if key in TAB_KEYS:
            self.look.tab = TAB_KEYS[key]
            return
        if key in self._keys:
            self.pause()
            self._keys[key]()
            return
        match key:
            case " " | "space":
                self.pause() if self.is_playing() else self._start()
            case "<" | ">":
                self._change_pace(1 if key == ">" else -1)
            case "s":
                self._leave("summary")
            case "escape" if self.look.province or self.look.slot or self.look.tab != TABS[0]:
                self.look.province, self.look.slot, self.look.tab = "", 0, TABS[0]
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
                self.press(what)
            case "province":
                self.look.province, self.look.slot = what, 0
            case "slot":
                self.look.province, self.look.slot = "", int(what)
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


def _after(parts: list[Part]) -> list[Part]:
    return [Part("  "), *parts]


def _pair(back: tuple[str, str], on: tuple[str, str], label: str) -> list[Part]:
    """Two keys that do the same in two directions, each to be clicked."""
    keys = [Part(sign, "class:key", f"key {key}") for sign, key in (back, on)]
    return _after([*keys, Part(f" {label}", "class:button", f"key {on[1]}")])
