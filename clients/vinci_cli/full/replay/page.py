"""The page of a replay: step by step, turn by turn, or playing at a pace; and the look back at a game by all pages."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final, final

from vinci.v1 import game_pb2

from ...exceptions import Failed
from ...game.replay import PlayedGame, ReplayPosition
from ...game.statistics import story
from ...game.typed import number
from ...graphics import animation, board_svg, html_report
from ...review import words
from ...review.process import BackgroundReview
from ...text.i18n import N_, _, decimal
from ...text.tables import Line
from ..map.map import Art
from ..table import layout
from ..table.panes import focus, registry
from ..table.panes.help import explained, key_table
from ..table.ui_state import MAP, ZOOM_KEY, UiState
from ..table.viewing import changed_pace, explain, explain_rule, press_in_popup, scroll
from ..toolkit.app import App, Page
from ..toolkit.block import Block, Depth, Hit, cells, cut, fitted, padded, stacked, width, wrapped
from ..toolkit.text import Row, Segment, button, shortened, spaced, written
from .summary import SummaryPage


def timeline(replay: ReplayPosition, columns: int) -> Block:
    """Two lines: the numbers of the rounds, and a bar with a cell for a few steps each; a click goes there.

    The bar has the colour of the seat whose turn it is, and its number where the turn starts.
    """
    last = max(replay.last, 1)
    steps = [round(column * replay.last / max(columns - 1, 1)) for column in range(columns)]
    here = round(replay.step * (columns - 1) / last)
    starts = {round(turn.step * (columns - 1) / last): turn for turn in reversed(replay.turns)}
    bar: Line = []
    turns = iter([*replay.turns[1:], None])
    turn, following = replay.turns[0], next(turns)
    for column, step in enumerate(steps):
        while following is not None and step >= following.step:
            turn, following = following, next(turns)
        style = f"class:seat{turn.seat}"
        if column == here:
            bar.append(("class:selected", "●"))
        elif column in starts:
            bar.append((f"class:seat{starts[column].seat}", str(starts[column].seat)))
        else:
            bar.append((style, "━") if column < here else (f"{style} class:faint", "─"))
    hits = [Hit(row, column, column + 1, f"step {step}") for row in (0, 1) for column, step in enumerate(steps)]
    return Block([_round_numbers(replay, columns), bar], hits)


def _round_numbers(replay: ReplayPosition, columns: int) -> Line:
    line: Line = []
    now = replay.turns[replay.turn()].round
    for round_, step in replay.rounds.items():
        place = round(step * (columns - 1) / max(replay.last, 1))
        text = str(round_) if round_ else _("draft")
        free = place - width(line)
        if free < (1 if line else 0) or place + cells(text) > columns:
            continue
        line += [("", " " * free), ("class:selected" if round_ == now else "class:faint", text)]
    return padded(line, columns)


def happened(replay: ReplayPosition, columns: int, rows: int) -> Block:
    """Events of the step that is shown, in `rows` lines, and the number of the others."""
    end: list[Line] = []
    if replay.step == replay.last and replay.played.fault:
        end = [[("class:error", replay.played.fault)]]
    elif replay.step == replay.last and replay.updates[-1].state.phase != game_pb2.PHASE_OVER:
        end = [[("class:hint", _("The record ends here; the game does not."))]]
    lines: list[Line] = [[(entry.style or "", entry.text)] for entry in replay.happened(replay.step)]
    room = rows - len(end)
    if len(lines) > room:
        more = " " + _("(and {n} more)").format(n=len(lines) - room)
        lines = [*lines[: room - 1], [*cut(lines[room - 1], columns - cells(more)), ("class:faint", more)]]
    lines += end
    return Block([cut(line, columns) for line in lines] + [[] for _row in range(rows - len(lines))])


PACES: Final = (4.0, 2.0, 1.2, 0.7, 0.4, 0.2, 0.1)
"""Seconds a step, from slow to fast."""

TALL: Final = 32
"""Rows from which on two lines tell what happened."""

MAP_KEY: Final = "b"
NOTE_KEY: Final = "n"


@final
class ReplayPage:
    """A replay in full screen; its result is "summary" or None."""

    refresh_seconds = 0.0

    def __init__(self, app: App, replay: ReplayPosition, background: BackgroundReview | None = None) -> None:
        wrong = replay.played.fault or replay.played.doubt
        self.ui = UiState(notice=[[("class:error", wrong)]] if wrong else ())
        self._app: Final = app
        self._replay: Final = replay
        self._background: Final = background or BackgroundReview()
        self._art: Final = Art(replay.game.board_map, replay.game.names)
        self._playing: asyncio.Task[None] | None = None
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
        if replay.played.notes:
            self._keys[NOTE_KEY] = self._show_note

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """The table at this step, its events, the timeline and the keys."""
        self.ui = replace(self.ui, size=(columns, rows))
        game, ui = self._replay.game, self.ui
        high = 2 if rows >= TALL else 1
        about = ui.notice or ((ui.province or ui.slot) and columns < layout.BESIDE_COLUMNS)
        above = written(focus.brief(game, ui, columns), columns) if about else happened(self._replay, columns, high)
        keys = self._keys_shown(columns)
        foot = stacked(
            fitted(above, columns, high),
            self._remark(columns, high),
            self._note(columns),
            timeline(self._replay, columns),
            written(keys, columns),
        )
        return layout.draw(game, ui, self._art, columns, rows, depth, fitted(foot, columns, foot.height))

    def _remark(self, columns: int, rows: int) -> Block:
        """The review of the turn that is shown, in so many rows; nothing without a review."""
        if self._background.review is None:
            return Block()
        game = self._replay.game
        said = words.remark_at(self._background.review, game.revision, game.names)
        return fitted(Block(wrapped(said, columns, "class:hint")), columns, rows)

    def _note(self, columns: int) -> Block:
        """The start of what a bot noted about the step that is shown, in a row; nothing in a game without notes."""
        if not self._replay.played.notes:
            return Block()
        aim = f"key {NOTE_KEY}"
        rows = [
            shortened([Segment(NOTE_KEY, "class:key", aim), Segment(f" {line}", "class:hint", aim)], columns)
            for line in self._replay.noted()[:1]
        ]
        return fitted(written(rows, columns), columns, 1)

    def _show_note(self) -> None:
        if lines := self._replay.noted():
            self._explain(explain(self.ui, _("Note"), "\n".join(lines)))

    def _keys_shown(self, columns: int) -> list[Row]:
        replay = self._replay
        sign = "▶" if self.is_playing() else "‖"
        place = _("{step} of {last}").format(step=replay.step, last=replay.last)
        left = [Segment(f"{sign} {decimal(f'{self.ui.pace:g}')} s  {place}", "class:title")]
        moves = [
            *button(_("space"), _("pause") if self.is_playing() else _("play"), "key space"),
            *_pair(("←", "left"), ("→", "right"), _("step")),
            *_pair(("↑", "up"), ("↓", "down"), _("turn")),
            *_pair(("<", "<"), (">", ">"), _("pace")),
        ]
        others = _buttons({"g": _("go to round"), "s": _("summary"), "r": _("rule"), "?": _("help"), "q": _("leave")})
        if columns >= layout.BESIDE_COLUMNS:
            return [spaced(left, [*moves, *others], columns)]
        tabs = {pane.key: pane.title() for pane in registry.tabs(replayed=True) if pane.name != self.ui.tab}
        tabs |= {MAP_KEY: _("board")} if self.ui.tab != MAP else {}
        return [spaced(left, moves, columns), [*_buttons(tabs), *others]]

    # Keys and mouse.

    def press(self, key: str) -> None:
        """Take a key."""
        self.ui = replace(self.ui, notice=())
        if self.ui.popup is not None:
            self.ui = press_in_popup(self._replay.game, self.ui, key)
            return
        pane = registry.with_key(key, replayed=True)
        if pane is not None or key == MAP_KEY:
            self.ui = replace(self.ui, tab=pane.name if pane is not None else MAP, back=0)
            return
        if key in self._keys:
            self.pause()
            self._keys[key]()
            return
        match key:
            case " " | "space":
                self.pause() if self.is_playing() else self._start()
            case "<" | ">":
                self.ui = replace(self.ui, pace=changed_pace(PACES, self.ui.pace, 1 if key == ">" else -1))
            case _ if key == ZOOM_KEY:
                self.ui = replace(self.ui, is_whole=not self.ui.is_whole)
            case "s":
                self._leave("summary")
            case "r":
                self._explain(explain_rule(self._replay.game, self.ui))
            case "?":
                text = f"{explained(self._replay.game, self.ui)}\n\n{help_text()}"
                self._explain(explain(self.ui, _("Help"), text))
            case "escape" if self.ui.province or self.ui.slot or self.ui.tab != MAP:
                self.ui = replace(self.ui, province="", slot=0, tab=MAP)
            case "q" | "escape" | "c-c" | "c-d":
                self._leave(None)

    def click(self, target: str) -> None:
        """Take a click on the timeline, a key, a province, a slot, a tab, a rule or an event."""
        kind, _blank, name = target.partition(" ")
        if self.ui.popup is not None and kind not in ("rule", "key"):
            self.ui = replace(self.ui, popup=None)
            return
        match kind:
            case "step":
                self.pause()
                self._replay.go(int(name))
            case "key":
                self.press(name)
            case "province":
                self.ui = replace(self.ui, province=name, slot=0)
            case "slot":
                self.ui = replace(self.ui, province="", slot=int(name))
            case "tab":
                self.ui = replace(self.ui, tab=name, back=0)
            case "rule":
                self._explain(explain_rule(self._replay.game, self.ui, name))
            case "log" if int(name) < len(self._replay.game.log):  # it may have gone back since it was drawn
                if rule := self._replay.game.log[int(name)].rule:
                    self._explain(explain_rule(self._replay.game, self.ui, rule))

    def scroll(self, target: str, lines: int) -> None:
        """Take the wheel: scroll an explanation or the log, otherwise go step by step."""
        is_log = target.startswith("log ") or registry.scrolled(self.ui) is registry.opened(self.ui)
        if self.ui.popup is not None or is_log:
            self.ui = scroll(self._replay.game, self.ui, lines)
        else:
            self.pause()
            self._step(lines)

    def _explain(self, ui: UiState) -> None:
        self.pause()
        self.ui = ui

    def _step(self, steps: int) -> None:
        self._replay.go(self._replay.step + steps)
        self.ui = replace(self.ui, back=0)

    def _ask_round(self) -> None:
        rounds = self._replay.rounds

        def typed(text: str | None) -> None:
            step = rounds.get(number(text.strip())) if text and text.strip().isdecimal() else None
            if step is not None:
                self._replay.go(step)
            elif text:
                known = _("There is no round {text}; there are {first} to {last}.")
                answer = known.format(text=text.strip(), first=min(rounds), last=max(rounds))
                self.ui = replace(self.ui, notice=[[("class:error", answer)]])

        def candidates(_typed: str) -> Iterable[tuple[str, str]]:
            return [(str(number), "") for number in rounds]

        self._app.type(_("Go to round: "), typed, candidates)

    def _leave(self, result: str | None) -> None:
        self.pause()
        self._app.leave(result)

    # Playing by itself.

    def is_playing(self) -> bool:
        """Whether it plays."""
        return self._playing is not None

    def pause(self) -> None:
        """Stop playing."""
        if self._playing is not None:
            self._playing.cancel()
            self._playing = None

    def _start(self) -> None:
        if self._replay.step == self._replay.last:
            self._replay.go(0)
        self._playing = asyncio.create_task(self._play())

    async def _play(self) -> None:
        while self._replay.step < self._replay.last:
            await asyncio.sleep(self.ui.pace)
            self._step(1)
            self._app.redraw()
        self._playing = None
        self._app.redraw()


def help_text() -> str:
    """Keys and mouse, a line for each."""
    tabs = registry.tabs(replayed=True)
    in_small_window = _("in a small window: {panes}, board").format(panes=registry.titles(tabs))
    rows = (
        ("← →", _("a step back, a step on")),
        ("↑ ↓", _("the turn before, the next turn; so do the page keys")),
        (_("Home End"), _("the start, the end")),
        (_("space"), _("play on by itself, or stop")),
        ("< >", _("play slower or faster")),
        ("g", _("go to a round")),
        ("s", _("the summary of the game")),
        (" ".join(pane.key for pane in tabs) + f" {MAP_KEY}", in_small_window),
        ("r", _("the rule behind what happened last")),
        (NOTE_KEY, _("what a bot noted about its answer")),
        (ZOOM_KEY, _("in a small window: the whole map, or the part around the selection")),
        ("q", _("leave")),
        (_("mouse"), _("a click on the bar goes there, one on the board selects; the wheel steps")),
    )
    return key_table(rows)


def _buttons(labels: Mapping[str, str]) -> list[Segment]:
    """Keys with their labels, each behind two blanks."""
    return [part for key, label in labels.items() for part in (Segment("  "), *button(key, label))]


def _pair(back: tuple[str, str], on: tuple[str, str], label: str) -> list[Segment]:
    """Two keys for two directions of one effect, each with its click target."""
    keys = [Segment(sign, "class:key", f"key {key}") for sign, key in (back, on)]
    return [Segment("  "), *keys, Segment(f" {label}", "", f"key {on[1]}")]


PAGE: Final = N_("The game as a page for browsers: {path}")
ANIMATION: Final = N_("The game in 20 seconds, as an animated picture for browsers: {path}")


def save_page(played: PlayedGame, html: Path) -> str:
    """Write a game as an HTML page; returns a sentence with its path, or why it failed."""
    return _saved(html, html_report.page(played), PAGE)


def _saved(path: Path, drawing: str, said: str) -> str:
    """Write a file; returns what is said with its path, or why it failed."""
    try:
        board_svg.save(path, drawing)
    except Failed as error:
        return str(error)
    return _(said).format(path=path)


async def look_back(
    app: App,
    played: PlayedGame,
    html: Path | None,
    *,
    summary: bool,
    record: Path | None = None,
    can_rematch: bool = False,
    first: int = 0,
    notice: str = "",
    news: Callable[[Callable[[str], None]], AbstractAsyncContextManager[None]] | None = None,
) -> bool:
    """Show a game, first its summary or its replay, until it is left; returns whether another game is wanted.

    `html` is the path of its HTML page, None if none can be saved, `record` that of its record, for a review. `first`
    is the first step of the replay, `notice` a text below the summary until the next key. `news` tells the summary
    what happens meanwhile.
    """
    steps = ReplayPosition(played)
    steps.go(first)
    background = BackgroundReview(record, played.review, app.redraw, app.fail_with)
    replay = ReplayPage(app, steps, background)

    def save() -> str:
        assert html is not None
        said = save_page(replace(played, review=background.review), html)
        if record is None:
            return f"{said}\n{_('Send the page to whoever wants to see the game.')}"
        own = _("Its record: {path}").format(path=record)
        return f"{said}\n{own}\n{_('Send either file to whoever wants to see the game.')}"

    def animate() -> str:
        assert html is not None
        return _saved(html.with_suffix(".svg"), animation.picture(played), ANIMATION)

    after = SummaryPage(
        app,
        story(played.updates, played.times),
        played.names,
        save if html is not None else None,
        animate if html is not None else None,
        background=background,
        can_rematch=can_rematch,
        notice=notice,
    )
    page: Page = after if summary else replay
    after.goes_back = not summary
    try:
        async with news(after.tell) if news is not None else nullcontext():
            while True:
                result = await app.show(page)
                if result == "replay":
                    page = replay
                elif page is replay and (summary or result == "summary"):
                    page = after
                else:
                    return bool(result == "rematch")
    finally:
        await background.stop()
