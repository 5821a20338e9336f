"""The state machine of the table: `update(table, state, event)` gives the next state and the effects to carry out.

It is pure: it reads the match, draws nothing, sends nothing and knows no rules. What is legal comes with the position,
and what an action would do from the preview of the server. `runner` carries the effects out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeAlias, assert_never, final

from vinci.v1 import game_pb2

from ....game import typed
from ....game.client_match import ClientMatch
from ....text import events, recap
from ....text.i18n import _, decimal
from ...toolkit.block import Depth
from .. import messages
from ..messages import Effect, Event, Request, Signal
from ..panes import chat, market, registry
from ..panes.help import help_text
from ..ui_state import MAP, PICTURE_KEY, ZOOM_KEY, UiState
from ..viewing import LINES, changed_pace, explain, explain_rule, press_in_popup, scroll, show_line
from . import cursor, placing

DIRECTIONS: Final = ("left", "right", "up", "down")
LEAVING: Final = ("q", "c-c")
PACES: Final = (0.0, 0.2, 0.4, 0.8, 1.5, 3.0)
"""Seconds for which each thing that others do is shown."""

Result: TypeAlias = tuple[UiState, Sequence[Effect]]


class Geometry(Protocol):
    """Finds provinces by their places on the map."""

    def toward(self, code: str, direction: str) -> str:
        """The next province in a direction (left, right, up, down)."""


@final
@dataclass(frozen=True, slots=True)
class Table:
    """Input of `update` besides the state: the match, the map, and the colours of the terminal (for the help)."""

    game: ClientMatch
    art: Geometry
    depth: Depth = 24


def update(table: Table, ui: UiState, event: Event) -> Result:
    """The state after an event, and the effects to carry out in this order."""
    after, effects = _handle(table, ui, event)
    if isinstance(event, messages.MyMove | messages.Shown) or cursor.selection(after) != cursor.selection(ui):
        after = replace(after, suggested=None if after.suggested is ui.suggested else after.suggested)
    if isinstance(event, messages.MyMove | messages.Shown) and after.popup is not None and after.popup[0] == _("Help"):
        after = replace(after, popup=(after.popup[0], help_text(table.game, after, table.depth)))
    action = cursor.chosen(table.game, after)
    if isinstance(event, messages.MyMove | messages.Shown) or action != cursor.chosen(table.game, ui):
        return replace(after, preview=None), [*effects, messages.LookAhead(_previewed(table.game, action))]
    return after, effects


def _previewed(game: ClientMatch, action: game_pb2.Action | None) -> game_pb2.Action | None:
    """Return the action if a preview tells something: not that one's own province cannot be conquered."""
    if action is None or not game.my_move() or game.is_barred():
        return None
    return None if cursor.is_own(game, action.conquer.province) else action


def _handle(table: Table, ui: UiState, event: Event) -> Result:  # noqa: C901  # one case for each event
    game = table.game
    match event:
        case messages.Key(key):
            if not (ui.is_recap and key == " "):  # which may come too late to skip what others did
                ui = replace(ui, notice=(), is_recap=False)
            return _press(table, replace(ui, leaving=ui.leaving and key in LEAVING), key)
        case messages.Click(target):
            return _click(table, replace(ui, notice=(), is_recap=False), target)
        case messages.Wheel(target, lines):
            return _turn_wheel(table, ui, target, lines), ()
        case messages.Typed(line):
            return ui, [messages.Command(line, game.seat)]
        case messages.MyMove(is_new):
            ui = replace(ui, notice=()) if is_new else ui  # what was refused before may be possible now
            ui = cursor.begin_move(game, ui, is_new=is_new)
            is_turn = (
                is_new and game.state is not None and game.state.phase in (game_pb2.PHASE_START, game_pb2.PHASE_DRAFT)
            )
            asked = [*([Request.BELL] if is_new else []), *([Request.LOOK_FURTHER] if _can_look(game) else [])]
            return _recapped(game, ui) if is_turn else ui, asked
        case messages.Shown():
            ui = cursor.follow(game, ui)
            return replace(ui, province="") if game.is_over() else ui, ()  # where the ranking is shown
        case messages.Previewed(preview):
            return replace(ui, preview=preview), ()
        case typed.Suggested(action, revision, sentences):
            if revision == game.revision and game.my_move():
                ui = replace(cursor.show(game, ui, action), suggested=action)
            told: list[Effect] = []
            for text in sentences:
                ui, effects = _say(ui, text, "class:hint")
                told += effects
            return ui, told
        case typed.Thinking(active):
            return replace(ui, thinking=ui.thinking + (1 if active else -1)), ()
        case typed.CommandAnswer(text, style):
            return _say(ui, text, style)
        case typed.ShowLine(line):
            after, effects = _say(ui, line)
            return show_line(after, line), effects
        case typed.ShowPart("help"):
            return _help(table, ui)
        case typed.ShowPart(part):
            return ui if part == "clock" else _open(game, ui, market.PANE.name if part == "market" else MAP), ()
        case typed.ShowRule(name):
            return explain_rule(game, ui, name), ()
        case messages.LookAt(tab, province):
            if not game.my_move() or ui.plan is not None:
                return ui, ()
            return replace(ui, tab=tab or ui.tab, province=province or ui.province), ()
        case typed.Acted():
            was_taken = ui.tab == market.PANE.name and not game.my_move()
            return replace(ui, tab=MAP) if was_taken else ui, ()  # others go on there
        case typed.Leave():
            return ui, [Request.LEAVE]
        case Signal.DISCONNECTED:
            return replace(ui, preview=None), ()  # it may be outdated
        case Signal.HOLD_DUE:
            if game.my_move() and game.legal.HasField("hold"):
                return cursor.place(game, ui, "hold"), ()
            return _act(game, ui, game_pb2.Action(hold=game_pb2.Hold()))  # the server says why not
        case Signal.ARRIVED | typed.Chosen():
            return ui, ()
    assert_never(event)


def _say(ui: UiState, text: str, style: str = "") -> Result:
    """Show an answer until the next key, and add it to the log unless it refuses something."""
    if not text or [(style, text)] in ui.notice:
        return ui, ()
    is_refusal = "class:error" in style
    return replace(ui, notice=[*ui.notice, [(style, text)]]), () if is_refusal else [messages.Tell(text, style)]


def _can_look(game: ClientMatch) -> bool:
    """Whether the own move may be the choice of a civilization, or of a decline, of which the server may tell more."""
    may_choose = bool(game.legal.take) or game.legal.decline
    return may_choose and not game.match.no_advice and not game.replayed


def _decline(table: Table, ui: UiState) -> Result:
    """Preview a decline, which Enter or the same key again carries out."""
    game, action = table.game, game_pb2.Action(decline=game_pb2.Decline())
    if not game.legal.decline or not game.my_move() or game.is_barred():
        return _act(game, ui, action)  # the server says why not
    if ui.suggested == action:
        return _enter(table, ui)
    return replace(ui, province="", slot=0, tab=MAP, plan=None, suggested=action), ()


def _recapped(game: ClientMatch, ui: UiState) -> UiState:
    """Tell until the next key what happened since the own last turn, with arrows on the map; before that the goal."""
    recent = recap.since_last_turn(game.recent, game.seat)
    has_scored = any(item.event.HasField("scored") and item.event.scored.seat == game.seat for item in recent)
    if not has_scored:
        target = game.state.target if game.state is not None else 0
        return replace(ui, is_recap=True, notice=[[("class:hint", recap.goal(target))]])
    won = recap.own_conquests(game.recent, game.seat)
    told = [[(f"class:seat{seat}", text)] for seat, text in recap.sentences(recent, game.seat, game.names, won)]
    return replace(ui, is_recap=True, notice=[[("class:title", _("Since your last turn (n tells it again):"))], *told])


def _news(table: Table, ui: UiState) -> Result:
    game = table.game
    if not game.seat:
        return _say(ui, _("You look on; only players have turns."), "class:hint")
    return replace(_recapped(game, ui), tab=MAP), ()


def _act(game: ClientMatch, ui: UiState, action: game_pb2.Action) -> Result:
    if not game.seats:
        return _say(ui, _("You look on; only players act."), "class:hint")
    return ui, [messages.Act([action])]


# Keys and mouse.


def _press(table: Table, ui: UiState, key: str) -> Result:
    if ui.popup is not None:
        return press_in_popup(table.game, ui, key), ()
    if ui.plan is not None and key in PLAN_KEYS:
        return PLAN_KEYS[key](table.game, ui), ()
    if key in LINES and (pane := registry.opened(ui)) is not None and pane.scrolls:
        return scroll(table.game, ui, LINES[key]), ()
    if key in DIRECTIONS:
        return cursor.walk(table.game, ui, table.art.toward, key), ()
    if key == ZOOM_KEY:
        return replace(ui, is_whole=not ui.is_whole), ()
    if (pane := registry.with_key(key, replayed=False)) is not None:
        return _open(table.game, ui, MAP if ui.tab == pane.name else pane.name), ()
    return KEYS[key](table, ui) if key in KEYS else (ui, ())


def _click(table: Table, ui: UiState, target: str) -> Result:
    """Select the target; a click on the selection does what Enter does."""
    game = table.game
    kind, _space, name = target.partition(" ")
    if ui.popup is not None and kind != "rule":
        return replace(ui, popup=None), ()
    match kind:
        case "province" if name == ui.province and ui.plan is None and ui.tab == MAP:
            return _enter(table, ui)
        case "province":
            return replace(cursor.select(ui, name), clicked=name), ()
        case "slot" if int(name) == ui.slot and cursor.is_on_market(game, ui):
            return _enter(table, ui)
        case "slot":
            return cursor.select_slot(ui, int(name)), ()
        case "tab":
            return _open(game, ui, name), ()
        case "rule":
            return explain_rule(game, ui, name), ()
        case "log" if game.log[int(name)].rule:
            return explain_rule(game, ui, game.log[int(name)].rule), ()
    return ui, ()


def _turn_wheel(table: Table, ui: UiState, target: str, lines: int) -> UiState:
    """Scroll; over a province while pawns are placed, move them."""
    kind, _space, name = target.partition(" ")
    if ui.popup is None and ui.plan is not None and kind == "province":
        return replace(cursor.select(ui, name), plan=placing.add(ui.plan, table.game.legal, name, -lines))
    return scroll(table.game, ui, lines)


def _open(game: ClientMatch, ui: UiState, tab: str) -> UiState:
    """Open a tab; the chat is read when it is opened or left."""
    heard = game.last_chat() if chat.PANE.name in (tab, ui.tab) else ui.heard
    return replace(ui, tab=tab, back=0, heard=heard)


def _back(table: Table, ui: UiState) -> Result:
    """Go back to the map; from there, to no selection."""
    ui = replace(ui, suggested=None)
    return _open(table.game, replace(ui, province="") if ui.tab == MAP else ui, MAP), ()


def _enter(table: Table, ui: UiState) -> Result:
    game = table.game
    if game.is_over():
        return ui, [Request.LEAVE]
    if ui.plan is None and game.my_move() and game.legal.HasField("redeploy"):
        return cursor.place(game, ui, "redeploy"), ()
    action = cursor.chosen(game, ui)
    if action is None:
        return ui, ()
    if action.HasField("decline") and ui.preview is None:
        return ui, [messages.LookAhead(action)]  # it is on its way, or could not be had: nobody declines unseen
    if ui.preview is not None and ui.preview.refusal is not None and game.my_move() and not game.waiting:
        return _say(ui, events.refusal(ui.preview.refusal, game.names), "class:error")
    return _act(game, ui, action)


def _with_selection(table: Table, ui: UiState, notation: str) -> Result:
    if ui.province:
        return _act(table.game, ui, game_pb2.Action(notation=notation.format(ui.province)))
    return _say(ui, _("Select a province first: with the arrows, Tab, or a click."), "class:hint")


def _declare_peace(table: Table, ui: UiState) -> Result:
    game = table.game
    seat = cursor.peace_seat(game, ui)
    if not seat and game.legal.peace:
        text = _("Select a province of the seat that you mean, or type peace and its number.")
        return _say(ui, text, "class:hint")
    return _act(game, ui, game_pb2.Action(peace=game_pb2.Peace(seat=seat)))  # without a seat the server says why not


def _change_pace(ui: UiState, step: int) -> Result:
    pace = changed_pace(PACES, ui.pace, step)
    text = _("What others do is shown for {seconds} seconds each.").format(seconds=decimal(str(pace)))
    after, effects = _say(replace(ui, pace=pace), text, "class:hint")
    return after, [messages.SetPace(pace), *effects]


def _leave(table: Table, ui: UiState) -> Result:
    """Leave; a second key is needed where a clock of people here runs on meanwhile."""
    game = table.game
    if ui.leaving or not game.seats or game.clocks.face(next(iter(game.seats))) == "" or game.is_over():
        return ui, [Request.LEAVE]
    text = _("The clocks go on without you. Same key again to leave, any other to stay.")
    return replace(ui, leaving=True, notice=[[("class:error", text)]]), ()


def _help(table: Table, ui: UiState) -> Result:
    return explain(ui, _("Help"), help_text(table.game, ui, table.depth)), ()


KEYS: Final[dict[str, Callable[[Table, UiState], Result]]] = {
    "enter": _enter,
    "tab": lambda table, ui: (cursor.tab(table.game, ui, 1), ()),
    "s-tab": lambda table, ui: (cursor.tab(table.game, ui, -1), ()),
    "escape": _back,
    # Actions before it may be on their way; only after them the server has told what can be placed.
    "h": lambda _table, ui: (ui, [messages.Then(Signal.HOLD_DUE)]),
    "x": lambda table, ui: _with_selection(table, ui, "x {} spy"),
    "a": lambda table, ui: _with_selection(table, ui, "abandon {}"),
    "d": _decline,
    "t": lambda table, ui: _act(table.game, ui, game_pb2.Action(stay=game_pb2.Stay())),
    "p": _declare_peace,
    "u": lambda _table, ui: (ui, [messages.Command("undo")]),
    "s": lambda _table, ui: (ui, [messages.Suggest()]),
    ":": lambda _table, ui: (ui, [Request.TYPE_COMMAND]),
    "/": lambda _table, ui: (ui, [Request.TYPE_TALK]),
    "n": _news,
    "r": lambda table, ui: (explain_rule(table.game, ui), ()),
    PICTURE_KEY: lambda _table, ui: (ui, [Request.PICTURE]),
    " ": lambda _table, ui: (ui, [Request.SKIP]),
    "<": lambda _table, ui: _change_pace(ui, 1),
    ">": lambda _table, ui: _change_pace(ui, -1),
    "pageup": lambda table, ui: (scroll(table.game, ui, LINES["pageup"]), ()),
    "pagedown": lambda table, ui: (scroll(table.game, ui, LINES["pagedown"]), ()),
    "?": _help,
    "f1": _help,
    **dict.fromkeys(LEAVING, _leave),
}
"""Keys besides arrows and those of the panes."""


def _add(game: ClientMatch, ui: UiState, pawns: int) -> UiState:
    return replace(ui, plan=ui.plan and placing.add(ui.plan, game.legal, ui.province, pawns))


PLAN_KEYS: Final[dict[str, Callable[[ClientMatch, UiState], UiState]]] = {
    "+": lambda game, ui: _add(game, ui, 1),
    "=": lambda game, ui: _add(game, ui, 1),
    "-": lambda game, ui: _add(game, ui, -1),
    "f": lambda game, ui: replace(ui, plan=ui.plan and placing.toggle_fort(ui.plan, game.legal, ui.province)),
    "s": lambda game, ui: cursor.place(game, ui, ui.plan.kind) if ui.plan is not None else ui,
    "escape": lambda _game, ui: replace(ui, plan=None),
}
"""Keys while pawns are placed."""
