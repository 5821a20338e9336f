"""Help at the table: the selection explained, keys and mouse, signs of the map, and the rules that apply now."""

from collections.abc import Iterable
from typing import Final

from vinci.v1 import game_pb2

from ....game.client_match import ClientMatch
from ....text.i18n import _
from ....text.manual import rule_text
from ...map.symbols import legend
from ...toolkit.block import Depth
from ...toolkit.text import Segment
from ..ui_state import PICTURE_KEY, ZOOM_KEY, UiState
from . import advice, market, preview, registry, selection

RULE_OF_PHASE: Final = {
    game_pb2.PHASE_DRAFT: "R-DRAFT",
    game_pb2.PHASE_START: "R-CONQ-3",
    game_pb2.PHASE_PEACE: "R-PEACE-1",
    game_pb2.PHASE_ABANDON: "R-MOB-2",
    game_pb2.PHASE_CONQUER: "R-CONQ-3",
    game_pb2.PHASE_RENAISSANCE: "R-DECL-1",
    game_pb2.PHASE_REDEPLOY: "R-REDEP-1",
    game_pb2.PHASE_OVER: "R-END-2",
}
"""The rule that is shown in each phase."""


def help_text(game: ClientMatch, ui: UiState, depth: Depth) -> str:
    """The selection, the keys, the signs on the map, and the rule of the phase."""
    return "\n\n".join(filter(None, [explained(game, ui), key_help(), key_table(signs(game, depth)), _rules(game)]))


def explained(game: ClientMatch, ui: UiState) -> str:
    """The selected civilization with the effects of its traits, or the selected province; else advice."""
    if market.is_looked_at(game, ui):
        shown = market.sentences(game, ui.slot)
    elif ui.province:
        shown = [[Segment(game.names.province(ui.province))], *selection.sentences(game, ui.province)]
        shown += preview.sentences(game, ui.preview) if ui.preview is not None else []
    else:
        shown = advice.sentences(game, ui)
    return "\n".join("".join(part.text for part in parts) for parts in shown if parts)


def key_help() -> str:
    """Keys and mouse, a line for each."""
    tabs = registry.tabs(replayed=False)
    rows = (
        (_("arrows"), _("walk from province to province")),
        ("Tab", _("the next province with which something can be done")),
        (_("Enter"), _("do it: conquer, take a civilization, place the pawns")),
        ("h", _("end the conquests: place pawns with + and -, f builds a fort, s is the suggestion, Enter is done")),
        ("x  a  p", _("conquer by Spies, abandon, peace: with the selected province")),
        ("d  t", _("preview a decline, once more or Enter: decline; t: do not decline (Renaissance)")),
        ("u  s", _("take back; let an action be suggested")),
        ("  ".join(pane.key for pane in tabs), _("{panes}; once more: the map").format(panes=registry.titles(tabs))),
        (ZOOM_KEY, _("in a small window: the whole map, or the part around the selection")),
        (PICTURE_KEY, _("the board as an image, where the terminal shows images")),
        (":", _("type an action, as x ALP or hold ALP=3 PYR=2, or a word, as undo, pause, handover")),
        ("/", _("say something to the others")),
        ("n", _("what happened since your last turn, with arrows on the map")),
        ("r", _("the rule behind what happened last")),
        (_("space"), _("show all at once what others did")),
        ("<  >", _("show it slower or faster")),
        ("q", _("leave; the game waits")),
        (_("mouse"), _("a click selects, a second one does what Enter does; the wheel scrolls, or moves pawns")),
    )
    return key_table(rows)


def key_table(rows: Iterable[tuple[str, str]]) -> str:
    """Keys in a first column, their effects in a second one."""
    return "\n".join(f"{key:<10}  {effect}" for key, effect in rows)


def signs(game: ClientMatch, depth: Depth) -> list[tuple[str, str]]:
    """Signs of the map with their meanings."""
    return [(its.sign, its.meaning) for its in legend(depth, game.names)]


def sign_styles(game: ClientMatch, depth: Depth) -> dict[str, str]:
    """The styles of the signs in the help by line."""
    return {key_table([(its.sign, its.meaning)]): its.style for its in legend(depth, game.names)}


def _rules(game: ClientMatch) -> str:
    return rule_text(RULE_OF_PHASE[game.state.phase]) if game.state is not None else ""
