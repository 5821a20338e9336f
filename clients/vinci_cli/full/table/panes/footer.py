"""The keys that fit what is going on, each to be clicked, too."""

from vinci.v1 import game_pb2

from ....game.client_match import ClientMatch
from ....text.i18n import N_, _
from ...toolkit.text import Row, Segment, across, button
from ..ui_state import TABS, UiState

SHOWN = {"enter": N_("Enter"), "escape": N_("Esc"), " ": N_("space"), "up": "↑↓", "tab": "Tab"}
"""What stands for a key that is no character."""


def footer(game: ClientMatch, ui: UiState, columns: int, rows: int) -> list[Row]:
    """What can be done now and always, in one row or in two; below an explanation only its own keys."""
    if ui.popup is not None:  # its frame may cover every row but the last
        found = _row(actions(game, ui), columns, with_help=False)
        return [[], found][-rows:]
    if rows == 1:
        return [_row([*actions(game, ui), *general(), *_tabs(ui)], columns, with_help=True)]
    return [
        _row(actions(game, ui), columns, with_help=False),
        _row([*_tabs(ui, _unheard(game, ui)), *general()], columns, with_help=True),
    ]


def actions(game: ClientMatch, ui: UiState) -> list[tuple[str, str]]:
    """Keys for what is going on, with what they do."""
    if ui.popup is not None:
        return [("up", _("scroll")), ("escape", _("back"))]
    if game.waiting:
        return [(" ", _("all at once")), ("<", _("slower")), (">", _("faster"))]
    if not game.connected or game.state is None:
        return []
    if ui.plan is not None:
        fort = [("f", _("fort"))] if ui.plan.kind == "hold" and game.legal.hold.forts else []
        return [
            ("enter", _("done")),
            ("+", _("one more")),
            ("-", _("one less")),
            *fort,
            ("s", _("suggestion")),
            ("escape", _("back")),
        ]
    if game.state.phase == game_pb2.PHASE_OVER:
        return [("enter", _("go on"))]
    if not game.my_move() or game.is_barred():
        return [("<", _("slower")), (">", _("faster"))]
    return _legal(game, ui)


def _legal(game: ClientMatch, ui: UiState) -> list[tuple[str, str]]:
    legal = game.legal
    found: list[tuple[str, str]] = []
    if legal.take:
        found += [("enter", _("take")), ("tab", _("next"))]
    if legal.conquer or legal.conquer_by_spies:
        found += [("enter", _("conquer"))] if ui.province in ("", *legal.conquer, *legal.conquer_by_spies) else []
        found.append(("tab", _("next")))
    if ui.province in legal.conquer_by_spies:
        found.append(("x", _("by Spies")))
    if legal.HasField("hold"):
        found.append(("h", _("hold")))
    if legal.HasField("redeploy"):
        found.append(("enter", _("place survivors")))
    if legal.peace:
        found.append(("p", _("peace")))
    if legal.decline:
        found.append(("d", _("decline")))
    if legal.stay:
        found.append(("t", _("stay")))
    if ui.province in legal.abandon:
        found.append(("a", _("abandon")))
    return [*found, ("u", _("undo")), ("s", _("suggest"))]


def general() -> list[tuple[str, str]]:
    """Keys that always do something, with what they do."""
    return [("r", _("rule")), (":", _("command")), ("/", _("say"))]


def _unheard(game: ClientMatch, ui: UiState) -> int:
    """Lines that others said since the chat was looked at."""
    return sum(line.number > ui.heard and line.seat not in game.seats for line in game.chat)


def _tabs(ui: UiState, unheard: int = 0) -> list[tuple[str, str]]:
    """The tabs that are not open; behind the chat stands how much of it is new."""
    tabs = {
        "market": ("m", _("market")),
        "empires": ("e", _("empires")),
        "log": ("l", _("log")),
        "chat": ("c", _("chat") + (f" +{unheard}" if unheard else "")),
    }
    back = [("escape", _("map"))] if ui.tab != TABS[0] else []
    return [*back, *(key for tab, key in tabs.items() if tab != ui.tab)]


def _row(keys: list[tuple[str, str]], columns: int, *, with_help: bool) -> Row:
    """As many keys as fit."""
    last = [*button("?", _("help")), Segment("  "), *button("q", _("leave"))] if with_help else []
    room = columns - across(last) - 2
    found: list[Segment] = [Segment(" ")]
    for key, label in keys:
        parts = [*button(_(SHOWN.get(key, key)), label, f"key {key}"), Segment("  ")]
        if across(found) + across(parts) <= room:
            found += parts
    return [*found, *last]
