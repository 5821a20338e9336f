"""The keys that do something now; each can be clicked, too."""

from typing import Final

from vinci.v1 import game_pb2

from ....game.client_match import ClientMatch
from ....text.i18n import _
from ...toolkit.display import current
from ...toolkit.text import Row, Segment, across, button, key_name
from ..ui_state import MAP, PICTURE_KEY, ZOOM_KEY, UiState
from . import registry

_GAP: Final = Segment("  ")


def footer(game: ClientMatch, ui: UiState, columns: int, rows: int) -> list[Row]:
    """Keys for the moment and general keys, in one row or two, the most important ones first.

    What does not fit is left out from the least important one on. Below an explanation are only its own keys.
    """
    if ui.popup is not None:  # its frame may cover every row but the last
        return [[], _row(actions(game, ui), columns, with_help=False)][-rows:]
    image = [(PICTURE_KEY, _("image"))] if current().may_show_pictures else []
    if rows == 1:
        return [
            _row([*actions(game, ui), *general(), *_tabs(game, ui, with_unread=False), *image], columns, with_help=True)
        ]
    zoom = [(ZOOM_KEY, _("zoom") if ui.is_whole else _("whole map"))] if ui.tab == MAP else []
    above, below = [*actions(game, ui), *zoom], _tabs(game, ui, with_unread=True)
    for key in general():
        (below if _fits([*below, key], columns) else above).append(key)
    return [_row([*above, *image], columns, with_help=False), _row(below, columns, with_help=True)]


def actions(game: ClientMatch, ui: UiState) -> list[tuple[str, str]]:
    """Keys for the moment, each with its effect."""
    if ui.popup is not None:
        return [("up", _("scroll")), ("escape", _("back"))]
    if game.waiting:
        return [(" ", _("all at once")), ("<", _("slower")), (">", _("faster"))]
    if not game.connected or game.state is None:
        return []
    if ui.plan is not None:
        moves = [("enter", _("done")), ("+", _("one more")), ("-", _("one less"))]
        fort = [("f", _("fort"))] if ui.plan.kind == "hold" and game.legal.hold.forts else []
        return [*moves, *fort, ("s", _("suggestion")), ("escape", _("back"))]
    if game.state.phase == game_pb2.PHASE_OVER:
        return [("enter", _("go on"))]
    if not game.my_move() or game.is_barred():
        return [("<", _("slower")), (">", _("faster"))]
    return _legal(game, ui)


def _legal(game: ClientMatch, ui: UiState) -> list[tuple[str, str]]:
    legal = game.legal
    targets = (*legal.conquer, *legal.conquer_by_spies)
    keys = [
        (legal.take, "enter", _("take")),
        (_plays_suggested(ui) and not (legal.take or ui.province), "enter", _suggested(ui)),
        (ui.province in targets, "enter", _("conquer")),
        (legal.HasField("redeploy"), "enter", _("place survivors")),
        (legal.take or targets, "tab", _("next")),
        (legal.HasField("hold"), "h", _("hold")),
        (legal.decline, "d", _("decline")),
        (legal.stay, "t", _("stay")),
        (not game.match.no_advice, "s", _("suggest")),
        (game.can_undo(), "u", _("undo")),
        (ui.province in legal.conquer_by_spies, "x", _("by Spies")),
        (ui.province in legal.abandon, "a", _("abandon")),
        (legal.peace, "p", _("peace")),
    ]
    return [(key, label) for is_legal, key, label in keys if is_legal]


def _is_decline(ui: UiState) -> bool:
    return ui.suggested is not None and ui.suggested.HasField("decline")


def _plays_suggested(ui: UiState) -> bool:
    """Whether Enter plays what was suggested: a decline only once its preview is there."""
    return ui.suggested is not None and (ui.preview is not None or not _is_decline(ui))


def _suggested(ui: UiState) -> str:
    return _("decline now") if _is_decline(ui) else _("as suggested")


def general() -> list[tuple[str, str]]:
    """Keys that work at any time, each with its effect."""
    return [(":", _("command")), ("/", _("say")), ("n", _("news")), ("r", _("rule"))]


def _tabs(game: ClientMatch, ui: UiState, *, with_unread: bool) -> list[tuple[str, str]]:
    """The tabs that are not open, if wanted with the number of unread lines."""
    tabs = [("escape", _("map"))] if ui.tab != MAP else []
    for pane in registry.tabs(replayed=False):
        if pane.name != ui.tab:
            unread = pane.unread(game, ui) if with_unread else 0
            tabs.append((pane.key, pane.title() + (f" +{unread}" if unread else "")))
    return tabs


def _fits(keys: list[tuple[str, str]], columns: int) -> bool:
    """Return whether there is room for all these keys beside those for help and leaving."""
    row = _row(keys, columns, with_help=True)
    return all(any(part.target == f"key {key}" for part in row) for key, _label in keys)


def _row(keys: list[tuple[str, str]], columns: int, *, with_help: bool) -> Row:
    """The first keys, as many as fit."""
    last = [_GAP, *button("?", _("help")), _GAP, *button("q", _("leave"))] if with_help else []
    row: list[Segment] = []
    for key, label in keys:
        parts = [*([_GAP] if row else []), *button(key_name(key), label, f"key {key}")]
        if 1 + across([*row, *parts, *last]) > columns:
            break
        row += parts
    return [Segment(" "), *row, *last]
