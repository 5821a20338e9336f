"""The reducer of the table page, without terminal and server: states and effects of events."""

from dataclasses import replace
from typing import Final

import pytest

from tests.support.full_screen import games
from tests.support.full_screen.games import game, text_of
from vinci.v1 import game_pb2, match_pb2
from vinci_cli.full.table.messages import (
    Act,
    Click,
    Command,
    Effect,
    Event,
    Key,
    LookAhead,
    LookAt,
    MyMove,
    Previewed,
    Request,
    SetPace,
    Shown,
    Signal,
    Suggest,
    Tell,
    Then,
    Typed,
    Wheel,
)
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.table.update import cursor
from vinci_cli.full.table.update.reducer import Table, update
from vinci_cli.full.toolkit import popup
from vinci_cli.full.toolkit.block import Block, fitted
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.game.typed import Acted, CommandAnswer, Leave, Preview, ShowLine, ShowPart, ShowRule, Suggested

NEIGHBOURS: Final = {("", "right"): "ALP", ("ALP", "right"): "BAV", ("BAV", "left"): "ALP"}


class Grid:
    """A map with three provinces."""

    def toward(self, code: str, direction: str) -> str:
        """Return the neighbour in a direction, or the same province without one."""
        return NEIGHBOURS.get((code, direction), code)


def after(here: ClientMatch, ui: UiState, *events: Event) -> tuple[UiState, list[Effect]]:
    """Return the state after events, and the effects of all of them."""
    table, effects = Table(here, Grid()), list[Effect]()
    for event in events:
        ui, more = update(table, ui, event)
        effects += more
    return ui, effects


def keys(here: ClientMatch, ui: UiState, *pressed: str) -> tuple[UiState, list[Effect]]:
    """Return the state after keys, and their effects."""
    return after(here, ui, *map(Key, pressed))


def conquest(code: str) -> game_pb2.Action:
    """Return a conquest of this province."""
    return game_pb2.Action(conquer=game_pb2.Conquer(province=code))


def test_states_are_immutable() -> None:
    """An event returns a new state; the earlier one is unchanged."""
    here, before = game(text_of(4, "conquer")), UiState()
    ui, _effects = keys(here, before, "right", "m", "?")
    assert before == UiState()
    assert (ui.province, ui.tab) == ("ALP", "market")
    assert ui.popup is not None


def test_arrows_select_and_request_a_preview() -> None:
    """Each selection requests the preview of Enter and drops the one before."""
    here = game(text_of(4, "conquer"))
    ui, effects = keys(here, UiState(preview=games.refused()), "right", "right")
    assert ui.province == "BAV"
    assert ui.preview is None
    assert effects == [LookAhead(conquest("ALP")), LookAhead(conquest("BAV"))]
    assert keys(here, ui, "up") == (replace(ui), [])


def test_enter_sends_the_action_and_leaves_the_state_unchanged() -> None:
    """The UI state changes only when the server answers."""
    here = game(text_of(4, "conquer"))
    ui = UiState(province="ALP", preview=games.conquest(here))
    assert keys(here, ui, "enter") == (ui, [Act([conquest("ALP")])])
    assert after(here, ui, Click("province ALP")) == (ui, [Act([conquest("ALP")])])


def test_click_selects_and_requests_a_preview() -> None:
    """A click selects a province or a slot of the market and requests its preview."""
    here = game(text_of(4, "draft"))
    ui, effects = after(here, UiState(), Click("slot 3"))
    assert (ui.slot, ui.tab) == (3, "market")
    assert effects == [LookAhead(game_pb2.Action(take=game_pb2.Take(slot=3)))]
    assert after(here, ui, Click("slot 3"))[1] == [Act([game_pb2.Action(take=game_pb2.Take(slot=3))])]
    assert after(here, ui, Click("")) == (ui, [])


@pytest.mark.parametrize(
    ("key", "effect"),
    [
        ("h", Then(Signal.HOLD_DUE)),
        ("u", Command("undo")),
        ("s", Suggest()),
        (":", Request.TYPE_COMMAND),
        ("/", Request.TYPE_TALK),
        (" ", Request.SKIP),
        ("q", Request.LEAVE),
        ("c-c", Request.LEAVE),
        ("d", Act([game_pb2.Action(decline=game_pb2.Decline())])),
        ("t", Act([game_pb2.Action(stay=game_pb2.Stay())])),
        ("x", Act([game_pb2.Action(notation="x ALP spy")])),
        ("a", Act([game_pb2.Action(notation="abandon ALP")])),
        ("p", Act([game_pb2.Action(peace=game_pb2.Peace())])),
    ],
)
def test_keys_with_one_effect(key: str, effect: Effect) -> None:
    """These keys have one effect and only remove the answer to the key before."""
    ui = UiState(province="ALP", preview=games.refused())
    assert keys(game(text_of(4, "conquer")), replace(ui, notice=[[("", "old")]]), key) == (
        replace(ui, notice=()),
        [effect],
    )


def test_recap_stays_until_a_key_but_the_one_that_skips() -> None:
    """n tells what happened, with arrows; space, which may come late, leaves it there, and any other key removes it."""
    here = game(text_of(4, "conquer"))
    told, effects = keys(here, UiState(), "n")
    assert (told.is_recap, effects) == (True, [])
    assert "Since your last turn" in told.notice[0][0][1]
    assert keys(here, told, " ")[0] == told
    after_escape, _effects = keys(here, told, "escape")
    assert (after_escape.is_recap, after_escape.notice) == (False, ())


@pytest.mark.parametrize("key", ["x", "a"])
def test_keys_for_provinces_need_a_selection(key: str) -> None:
    """Without a selection the notice and the log ask for a province."""
    ui, effects = keys(game(text_of(4, "conquer")), UiState(), key)
    text = "Select a province first: with the arrows, Tab, or a click."
    assert list(ui.notice) == [[("class:hint", text)]]
    assert effects == [Tell(text, "class:hint")]


def test_spectator_can_only_chat() -> None:
    """Actions of a spectator are answered with a sentence."""
    here = game(text_of(4, "conquer"))
    here.seats.clear()
    here.seat = 0
    _ui, effects = keys(here, UiState(province="ALP"), "enter")
    assert effects == [Tell("You look on; only players act.", "class:hint")]


def test_hold_waits_for_earlier_actions() -> None:
    """The placement opens with the suggestion after earlier actions; in another phase the server is asked why not."""
    here = game(text_of(4, "conquer"))
    ui, effects = after(here, UiState(tab="log"), Signal.HOLD_DUE)
    assert ui.plan is not None
    assert ui.plan.pawns == dict(
        zip(here.legal.hold.suggestion.provinces, here.legal.hold.suggestion.pawns, strict=True)
    )
    assert (ui.tab, ui.province) == ("map", next(iter(ui.plan.pawns)))
    assert effects == [LookAhead(game_pb2.Action(hold=here.legal.hold.suggestion))]
    here.legal = game_pb2.Legal()
    assert after(here, UiState(), Signal.HOLD_DUE) == (
        UiState(),
        [Act([game_pb2.Action(hold=game_pb2.Hold())])],
    )


def test_pawns_are_placed_by_keys_and_wheel() -> None:
    """Each change requests a preview; Enter plays the placement, Escape drops it, s starts again."""
    here = game(text_of(4, "conquer"))
    begun, _effects = after(here, UiState(), Signal.HOLD_DUE)
    assert begun.plan is not None
    first, second = list(begun.plan.pawns)[:2]
    ui, effects = keys(here, begun, "-")
    assert ui.plan is not None
    assert (ui.plan.pawns.get(first, 0), ui.plan.left) == (begun.plan.pawns[first] - 1, 1)
    assert len(effects) == 1
    ui, _effects = after(here, ui, Wheel(f"province {second}", -1))
    assert ui.plan is not None
    assert (ui.province, ui.plan.pawns[second], ui.plan.left) == (second, begun.plan.pawns[second] + 1, 0)
    (act,) = keys(here, ui, "enter")[1]
    assert isinstance(act, Act)
    assert dict(zip(act.actions[0].hold.provinces, act.actions[0].hold.pawns, strict=True)) == ui.plan.pawns
    assert keys(here, ui, "s")[0].plan == begun.plan
    assert keys(here, ui, "escape")[0].plan is None


def test_placement_ends_when_its_decision_changes() -> None:
    """Unrelated updates keep the placement; a position without this decision ends it."""
    here = game(text_of(4, "conquer"))
    begun, _effects = after(here, UiState(), Signal.HOLD_DUE)
    shown = Shown(game_pb2.Update(revision=58))
    assert after(here, begun, shown)[0].plan is begun.plan
    here.legal = game_pb2.Legal()
    assert after(here, begun, shown)[0].plan is None


def test_new_move_rings_and_opens_its_view() -> None:
    """A new move rings and opens its view; after an own action the selection stays."""
    draft = game(text_of(4, "draft"))
    ui, effects = after(draft, UiState(province="ALP"), MyMove(is_new=True))
    assert (ui.tab, ui.slot, ui.province) == ("market", next(iter(draft.legal.take)), "")
    assert effects[0] is Request.BELL
    conquer = game(text_of(4, "conquer"))
    ui, effects = after(conquer, UiState(province="ALP"), MyMove(is_new=False))
    assert ui.province == "ALP"
    assert effects == [LookAhead(conquest("ALP"))]
    redeploy = game(text_of(4, "redeploy"))
    ui, _effects = after(redeploy, UiState(), MyMove(is_new=True))
    assert ui.plan is not None
    assert ui.plan.kind == "redeploy"


def test_no_preview_during_moves_of_others() -> None:
    """Previews are requested only during the player's own move."""
    here = game(text_of(4, "conquer"))
    here.waiting.append(game_pb2.Update(revision=58))
    assert keys(here, UiState(), "right")[1] == [LookAhead(None)]


def test_suggestion_is_selected_if_it_fits_the_view() -> None:
    """A suggestion is always shown, and selected only if it fits the current view."""
    here = game(text_of(4, "conquer"))
    ui, effects = after(here, UiState(), Suggested(conquest("ALP"), here.revision, ["Suggestion: x ALP"]))
    assert ui.province == "ALP"
    assert effects == [Tell("Suggestion: x ALP", "class:hint"), LookAhead(conquest("ALP"))]
    ui, effects = after(here, UiState(), Suggested(conquest("ALP"), here.revision - 1, ["Suggestion: x ALP"]))
    assert ui.province == ""
    assert effects == [Tell("Suggestion: x ALP", "class:hint")]
    action = game_pb2.Action(decline=game_pb2.Decline())
    decline = Suggested(action, here.revision, ["Suggestion: decline", "why"])
    ui, effects = after(here, UiState(tab="market"), decline)
    assert ui.tab == "map"
    assert [line for (line,) in ui.notice] == [("class:hint", "Suggestion: decline"), ("class:hint", "why")]
    assert effects == [
        Tell("Suggestion: decline", "class:hint"),
        Tell("why", "class:hint"),
        LookAhead(game_pb2.Action(decline=game_pb2.Decline())),
    ]


def test_enter_plays_what_was_suggested() -> None:
    """A suggestion without an object on the map is played by Enter, until the selection or the position changes."""
    here = game(text_of(4, "renaissance"))
    stay = game_pb2.Action(stay=game_pb2.Stay())
    suggested, _effects = after(here, UiState(province="ALP"), Suggested(stay, here.revision, ["Suggestion: stay"]))
    assert keys(here, suggested, "enter")[1] == [Act([stay])]
    for event in (Key("right"), Shown(game_pb2.Update())):
        ui, _effects = after(here, suggested, event)
        assert Act([stay]) not in keys(here, ui, "enter")[1]
    spied = game_pb2.Action(conquer=game_pb2.Conquer(province="ALP", spies=True))
    ui, _effects = after(here, UiState(), Suggested(spied, here.revision, ["Suggestion: x ALP spy"]))
    assert keys(here, ui, "enter")[1] == [Act([spied])]


def test_refusal_is_shown_once_and_not_logged() -> None:
    """A refusal stays until the next key or move; Enter sends nothing of which the preview says that it is refused."""
    here = game(text_of(4, "conquer"))
    refused = CommandAnswer("Aquitaine is yours already (R-CONQ-2).", "class:error")
    ui, effects = after(here, UiState(), refused, refused)
    assert len(ui.notice) == 1
    assert effects == []
    assert after(here, ui, MyMove(True))[0].notice == ()
    refusal = game_pb2.Refusal(rule="R-CONQ-2", reason="OwnProvince", facts={"province": "ALP"})
    ui = UiState(province="ALP", preview=Preview("", refusal=refusal))
    ui, effects = keys(here, ui, "enter", "enter")
    assert len(ui.notice) == 1
    assert effects == []


def test_open_help_follows_the_game() -> None:
    """Help that is open while others move tells the own move when that has come; other explanations stay."""
    here = game(text_of(4, "conquer"))
    here.waiting.append(game_pb2.Update(revision=58))
    ui, _effects = keys(here, UiState(), "?")
    assert ui.popup is not None
    assert "What others did is being shown." in ui.popup[1]
    here.waiting.clear()
    ui, _effects = after(here, ui, MyMove(True))
    assert ui.popup is not None
    assert "being shown" not in ui.popup[1]
    assert "in hand" in ui.popup[1]
    rule = ("R-CONQ-3", "Cost is 2.")
    assert after(here, UiState(popup=rule), MyMove(True))[0].popup == rule


@pytest.mark.parametrize("key", ["d", "enter"])
def test_decline_needs_a_key_after_its_preview(key: str) -> None:
    """Until the preview of a decline is there, a second key only asks for it again."""
    here, decline = game(text_of(4, "start")), game_pb2.Action(decline=game_pb2.Decline())
    ui, effects = keys(here, UiState(province="ALP"), "d", key)
    assert effects == [LookAhead(decline), LookAhead(decline)]
    assert keys(here, replace(ui, preview=Preview("decline")), key)[1] == [Act([decline])]


def test_own_provinces_are_not_previewed() -> None:
    """Nobody asks whether a province can be conquered that is held already; Enter there is still answered."""
    here = game(text_of(4, "conquer"))
    own = next(code for code in here.names.provinces if cursor.is_own(here, code))
    ui, effects = after(here, UiState(), Click(f"province {own}"))
    assert effects == [LookAhead(None)]
    assert keys(here, ui, "enter")[1] == [Act([conquest(own)])]


def test_selection_moves_on_from_a_conquered_province() -> None:
    """After a conquest a neighbour that can be conquered is selected, else another target, else nothing."""
    here = game(text_of(4, "conquer"))
    own = next(code for code in here.names.provinces if cursor.is_own(here, code))
    near = here.names.provinces[own].neighbours[0]
    for targets, expected in (([near, "LUS"], near), (["LUS"], "LUS"), ([], "")):
        here.legal = game_pb2.Legal(conquer=targets, cost=[2] * len(targets), worth=range(len(targets)))
        assert after(here, UiState(province=own), MyMove(is_new=False))[0].province == expected


@pytest.mark.parametrize("key", ["q", "c-c"])
def test_leaving_a_match_with_clocks_needs_a_second_key(key: str) -> None:
    """The first key tells that the clocks go on; another key forgets it. Without a clock one key leaves."""
    here = game(text_of(4, "conquer"), clocks=True)
    ui, effects = keys(here, UiState(), key)
    assert effects == []
    assert "The clocks go on without you." in ui.notice[0][0][1]
    assert keys(here, ui, key)[1] == [Request.LEAVE]
    assert keys(here, ui, "right", key)[1][-1] != Request.LEAVE
    assert keys(game(text_of(4, "conquer")), UiState(), key)[1] == [Request.LEAVE]
    here.seats.clear()
    assert keys(here, UiState(), key)[1] == [Request.LEAVE]


def test_line_to_copy_is_unbroken_in_a_wide_window() -> None:
    """In a small window the answer spans the window anyway."""
    here = game(text_of(4, "conquer"))
    line = "  vinci join 192.168.1.5 --code 3dbp-n8bw-m8yw-n6kf-e7kf-eazg --take k3f9xa2m"
    ui, _effects = after(here, UiState(size=(160, 50)), CommandAnswer("At the other terminal:"), ShowLine(line))
    assert ui.popup == ("To copy", f"At the other terminal:\n{line}")
    shown = popup.popup(fitted(Block(), 160, 50), *ui.popup, 0, 160, 50).text()
    assert line.strip() in shown
    ui, _effects = after(here, UiState(size=(80, 24)), ShowLine(line))
    assert ui.popup is None
    assert [text for ((_style, text),) in ui.notice] == [line]


def test_map_is_shown_after_a_civilization_is_taken() -> None:
    """The map is shown unless the next move is the player's own."""
    here = game(text_of(4, "draft"))
    market = UiState(tab="market", slot=2)
    assert after(here, market, Acted(here.revision))[0].tab == "market"
    assert here.state is not None
    here.seat = here.state.seat_to_act % 4 + 1
    assert after(here, market, Acted(here.revision))[0].tab == "map"


def test_typed_lines_are_commands() -> None:
    """A typed line waits for earlier actions and belongs to the seat it was typed for."""
    here = game(text_of(4, "conquer"))
    assert after(here, UiState(), Typed("x ALP")) == (UiState(), [Command("x ALP", here.seat)])


def test_commands_open_tabs_and_explanations() -> None:
    """Commands open tabs, rules and the help; clocks are always shown."""
    here = game(text_of(4, "conquer"))
    for part, tab in (("market", "market"), ("board", "map"), ("legal", "map"), ("clock", "log")):
        assert after(here, UiState(tab="log"), ShowPart(part))[0].tab == tab
    ui, effects = after(here, UiState(), ShowRule("R-CONQ-3"))
    assert ui.popup is not None
    assert ui.popup[0] == "R-CONQ-3"
    assert "R-CONQ-3" in ui.popup[1]
    assert not effects
    ui, effects = after(here, UiState(), ShowPart("help"))
    assert ui.popup is not None
    assert ui.popup[0] == "Help"
    assert not effects


def test_key_of_a_pane_opens_and_closes_it() -> None:
    """Escape returns to the map, and there clears the selection."""
    here = game(text_of(4, "conquer"))
    ui, _effects = keys(here, UiState(province="ALP"), "e")
    assert ui.tab == "empires"
    assert keys(here, ui, "e")[0].tab == "map"
    ui, _effects = keys(here, ui, "escape")
    assert (ui.tab, ui.province) == ("map", "ALP")
    assert keys(here, ui, "escape")[0].province == ""


def test_chat_is_marked_as_read_when_opened_and_left() -> None:
    """Opening the chat marks its lines as read, leaving it those that arrived meanwhile."""
    here = game(text_of(4, "conquer"))
    ui, _effects = keys(here, UiState(), "c")
    assert ui.heard == 2
    here.take(match_pb2.WatchResponse(chat=match_pb2.ChatLine(number=3, seat=2, text="well")))
    assert after(here, ui, Signal.ARRIVED) == (ui, [])
    assert keys(here, ui, "c")[0].heard == 3


def test_explanation_scrolls_or_closes() -> None:
    """An explanation scrolls to its end; any other key closes it without another effect."""
    here = game(text_of(4, "conquer"))
    ui = UiState(province="ALP", popup=("Help", "line\n" * 30))
    scrolled, _effects = keys(here, ui, "pagedown", "pagedown", "pagedown")
    assert scrolled.popup_back == 31 - (24 - 4)
    assert keys(here, ui, "up")[0].popup_back == 0
    assert keys(here, scrolled, "q") == (replace(ui, popup=None), [])
    assert after(here, ui, Click("province BAV")) == (replace(ui, popup=None), [])
    ui, _effects = after(here, ui, Click("rule R-CONQ-3"))
    assert ui.popup is not None
    assert ui.popup[0] == "R-CONQ-3"


def test_log_scroll_is_limited() -> None:
    """The log scrolls to its ends, however often a key is pressed."""
    here = game(text_of(4, "conquer"))
    for number in range(40):
        here.tell(f"number {number}")
    ui, _effects = keys(here, UiState(tab="log"), *["pageup"] * 50)
    back = ui.back
    assert back >= 40
    ui, _effects = keys(here, ui, *["pagedown"] * 50)
    assert ui.back == 0
    assert after(here, UiState(), Wheel("log 1", -3))[0].back == 3
    assert after(here, UiState(), Wheel("", -10_000))[0].back == back


def test_pace_changes_in_steps() -> None:
    """The pace is shown, saved and passed to the playback, between its limits."""
    here = game(text_of(4, "conquer"))
    ui, effects = keys(here, UiState(), "<")
    assert ui.pace == 0.8
    assert effects[0] == SetPace(0.8)
    assert keys(here, ui, *"<<<<<<")[0].pace == 3.0
    assert keys(here, ui, *">>>>>>")[0].pace == 0.0


def test_tutorial_pointer_waits_for_an_own_move_without_placement() -> None:
    """The tutorial opens a tab and selects a province during an own move without placement, and changes nothing else."""
    here = game(text_of(4, "conquer"))
    assert after(here, UiState(tab="log"), LookAt("map", "ALP"))[0] == UiState(province="ALP")
    assert after(here, UiState(province="BAV", tab="log"), LookAt("", ""))[0] == UiState(province="BAV", tab="log")
    planning = UiState(tab="log", plan=games.plan(here))
    assert after(here, planning, LookAt("map", "ALP")) == (planning, [])
    here.connected = False
    assert after(here, UiState(tab="log"), LookAt("map", "ALP"))[0].tab == "log"


def test_previews_messages_and_lost_connections() -> None:
    """Previews, messages, a lost connection and the end of the game have the expected effects."""
    here = game(text_of(4, "conquer"))
    preview = games.conquest(here)
    ui, effects = after(
        here, UiState(), Previewed(preview), CommandAnswer("Not now.", "class:error"), CommandAnswer("")
    )
    assert ui.preview is preview
    assert list(ui.notice) == [[("class:error", "Not now.")]]
    assert effects == []
    assert after(here, ui, Signal.DISCONNECTED)[0].preview is None
    assert after(here, ui, Leave())[1] == [Request.LEAVE]


def test_ranking_is_shown_at_the_end() -> None:
    """At the end no province is selected, and Enter leaves."""
    here = game(text_of(4, "over"))
    ui, _effects = after(here, UiState(province="ALP"), Shown(game_pb2.Update()))
    assert ui.province == ""
    assert keys(here, ui, "enter")[1] == [Request.LEAVE]


def test_key_shows_the_whole_map() -> None:
    """The key shows the whole map in a small window, and the part around the selection again."""
    here = game(text_of(4, "conquer"))
    ui, effects = after(here, UiState(), Key("z"))
    assert ui.is_whole
    assert not effects
    assert not after(here, ui, Key("z"))[0].is_whole
