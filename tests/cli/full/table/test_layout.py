"""The screen of a game around a map that is left blank, in positions of every phase; `test_pages` has it with the map.

The files of tests/data/screens/full are screens: their text, then how it is coloured, a letter for each style and the
cells that have it. `VINCI_UPDATE=1 pytest tests/cli/full/table/test_layout.py` draws them anew; the diff is then to be read.
"""

import itertools

import pytest

from tests.support.cli_runner import is_kept
from tests.support.full_screen import games
from tests.support.full_screen.colours import DEPTHS
from tests.support.full_screen.displays import shown_on
from tests.support.full_screen.games import PHASES, PLAYERS, SIZES, game, text_of
from tests.support.full_screen.table_pages import BlankMap, views
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_cli.full.table import layout
from vinci_cli.full.table.panes import registry
from vinci_cli.full.table.panes.help import help_text
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.table.update import reducer
from vinci_cli.full.toolkit import display
from vinci_cli.full.toolkit.block import Block, Depth, cells, width
from vinci_cli.full.toolkit.theme import style_sheet
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.game.typed import Preview
from vinci_cli.text.names import Catalogue
from vinci_cli.text.tables import standing, would_score
from vinci_codec import catalogue
from vinci_rules.board import load_board


def drawn(here: ClientMatch, ui: UiState, columns: int, rows: int, depth: Depth = 24) -> Block:
    """Return a screen; fail if a line is not exactly as wide as the window."""
    block = layout.draw(here, ui, BlankMap(), columns, rows, depth)
    assert [width(line) for line in block.lines] == [columns] * rows
    return block


def shown(here: ClientMatch, ui: UiState, columns: int = 160, rows: int = 50) -> str:
    """Return the text of a screen without line breaks."""
    return " ".join(drawn(here, ui, columns, rows).text().replace("│", " ").split())


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_screen_fits_its_window(columns: int, rows: int, phase: str) -> None:
    """With every tab, few and many seats, and at all depths, every line is as wide as the window."""
    for seats in (3, 6):
        here = game(text_of(seats, phase), clocks=True)
        for ui, depth in itertools.product(views(here), DEPTHS):
            drawn(here, ui, columns, rows, depth)


def test_screen_fills_windows_of_any_size() -> None:
    """Windows from 80x24 to 300x90 are filled."""
    here = game(text_of(5, "conquer"), clocks=True)
    ui = UiState(province="ALP", preview=games.conquest(here))
    for columns, rows in itertools.product(range(80, 301, 11), range(24, 91, 11)):
        drawn(here, ui, columns, rows)


@pytest.mark.parametrize(("columns", "rows"), [(80, 60), (120, 70)])
def test_tall_window_has_the_log_below_the_map(columns: int, rows: int) -> None:
    """In a tall window the map keeps its proportions, and the log is below it."""
    lines = drawn(game(text_of(4, "conquer")), UiState(), columns, rows).text().splitlines()
    heads = [number for number, line in enumerate(lines) if "─ l Log ─" in line]
    assert len(heads) == 1
    assert lines[heads[0]].startswith("─ l Log ─")


@pytest.mark.parametrize(("columns", "rows"), [(79, 24), (80, 23), (20, 5), (3, 1)])
def test_too_small_window_gets_a_message(columns: int, rows: int) -> None:
    """A window that is too small shows what to do, as far as there is room."""
    text = drawn(game(text_of(4, "conquer")), UiState(), columns, rows).text()
    assert text.startswith("Here"[: columns - 1])
    assert columns < 79 or "--line" in text


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_screen_shows_round_scores_keys_and_clock(columns: int, rows: int, phase: str) -> None:
    """Every screen has round, seat to move, each seat with score and next score, keys, clock and connection."""
    here = game(text_of(4, phase), clocks=True)
    state = here.state
    assert state is not None
    text = shown(here, UiState(), columns, rows)
    assert f"round {state.round}" in text
    assert "live" in text
    assert "? help" in text
    assert "q leave" in text
    for seat in state.seats:
        assert str(seat.vp) in text
        assert f"{seat.seat} {PLAYERS[seat.seat - 1][:4]}" in text
        assert phase == "over" or f"{seat.vp}+{would_score(state, seat.seat, here.legal)}" in text
    if phase != "over":
        assert f"▶ {state.seat_to_act} " in text
        assert "Your move" in text
        assert here.clocks.face(state.seat_to_act) in text


def view_of(here: ClientMatch, name: str) -> UiState:
    """Return a view of a game by its name."""
    match name:
        case "refused":
            return UiState(province="ALP", preview=games.refused())
        case "plan":
            return UiState(province="WES", plan=games.plan(here))
        case "popup":
            return UiState(popup=("R-CONQ-3", "Cost is 2, or 3 for forest and mountain; see R-CONQ-4."))
    return UiState(tab=name, slot=2 if name == "market" else 0)


@pytest.mark.parametrize("name", ["market", "empires", "log", "chat", "refused", "plan", "popup"])
def test_smallest_screen_matches_its_golden_file(name: str) -> None:
    """The smallest screen of every tab matches its golden file in text and colours; `test_pages` has each phase."""
    here = game(text_of(4, "conquer"), clocks=True)
    block = drawn(here, view_of(here, name), 80, 24)
    is_kept(f"screens/full/80x24-conquer-{name}.txt", f"{block.text()}\n\n{coloured(block)}\n")


def coloured(block: Block) -> str:
    """Return the styles of a screen: for each coloured line letters and numbers of cells, and their meaning."""
    letters: dict[str, str] = {"": "."}
    lines = []
    for number, line in enumerate(block.lines, 1):
        runs = itertools.groupby(line, key=lambda part: part[0])
        row = ""
        for style, parts in runs:
            name = style.replace("class:", "")
            letter = letters.setdefault(name, chr(ord("a") + len(letters) - 1) if len(letters) < 27 else f"({name})")
            row += f"{letter}{sum(cells(text) for _style, text in parts)}"
        if letters.keys() & {part[0].replace("class:", "") for part in line} - {""}:
            lines.append(f"{number} {row}")
    legend = [f"{letter} {name}" for name, letter in letters.items() if name]
    return "\n".join([*lines, "", *legend])


def test_every_style_is_defined() -> None:
    """Every style of a pane is in the style sheet."""
    known = {name for names, _style in style_sheet(24).style_rules for name in names.split()}
    for phase in PHASES:
        here = game(text_of(4, phase), clocks=True)
        for ui in views(here):
            for line in drawn(here, ui, 160, 50).lines:
                for style, _text in line:
                    assert {name.removeprefix("class:") for name in style.split()} <= known, style


@pytest.mark.parametrize("language", ["fr", "nl", "de"])
def test_long_names_of_other_languages_fit(language: str) -> None:
    """Both traits of every slot stay recognizable in the narrowest column."""
    here = game(text_of(6, "draft"))
    here.names = Catalogue(catalogue.board(load_board("europe")), catalogue.traits(), language)
    here.names.seat_players(here.match)
    assert here.state is not None
    for columns, rows in SIZES:
        text = shown(here, UiState(tab="market", slot=1), columns, rows)
        for slot in here.state.market:
            first, second = (here.names.trait(code) for code in slot.traits)
            assert f"{first[:3]}" in text
            assert f"+{second[:3]}" in text


# What each pane tells.


def test_market_shows_price_pawns_vp_and_effects() -> None:
    """The selected slot is explained; the others as far as there is room."""
    text = shown(game(text_of(6, "draft")), UiState(tab="market", slot=2), 80, 24)
    assert "•1 Ports*+Livestock* 5 free +6" in text
    assert "▶2 Astronomy+Galleys 12 -2 +6 Astronomy: Crosses seas" in text
    assert "Galleys: Conquests along one coast, and by sea, cost 1 pawn less." in text
    assert "Astronomy+Galleys: 12 pawns, costs 2 VP, 6 VP lie on it · Enter takes it" in text


def test_longest_names_fit_the_market_beside_the_map() -> None:
    """In a window of 120 columns the names of two traits are not cut."""
    here = game(text_of(6, "draft"))
    assert here.state is not None
    assert any(slot.markers for slot in here.state.market)
    here.state.market[0].traits[:] = ["SPE", "REV"]
    assert "Specialization+Revolution " in shown(here, UiState(), 120, 40)


def test_empires_show_traits_provinces_pawns_and_score() -> None:
    """Each empire is shown with pawns on the board and in reserve, and the declined empire below."""
    text = shown(game(text_of(4, "conquer")), UiState(tab="empires"), 80, 24)
    assert "4 Astronomy+Renaissance 6 8+6 +6 " in text
    assert "declined: Mines* 6 +7" in text


def test_selected_province_is_described() -> None:
    """The pane has terrain, cost, port, coasts, neighbours, holder, and possible actions."""
    text = shown(game(text_of(4, "conquer")), UiState(province="WES"))
    for expected in (
        "Wessex (WES)",
        "(costs 2), port",
        "declined empire of Bartholomew the Second (2)",
        "Borders on",
        "Seas: ",
    ):
        assert expected in text, expected
    strait = shown(game(text_of(4, "conquer")), UiState(province="SCO"))
    assert "Ireland (over a strait)" in strait


def test_preview_shows_cost_score_and_losses() -> None:
    """Cost and score are itemised; splits and evacuations are shown, with a rule to click."""
    here = game(text_of(4, "conquer"))
    ui = UiState(province="ALP", preview=games.conquest(here))
    text = shown(here, ui)
    assert "5 pawns = terrain +3, pawns there +2" in text
    assert "Worth 13 VP now, 15 VP then (+2)." in text
    assert "only one of them stays: [NEU ARM ALP] [IRL]" in text
    assert "You would evacuate Lombardy of your declined empire. R-CONTACT-1" in text
    assert "rule R-CONTACT-1" in targets(drawn(here, ui, 160, 50))


def test_losses_are_shown_in_every_window() -> None:
    """Losses are shown at every window size, before less urgent text."""
    here = game(text_of(6, "conquer"))
    ui = UiState(province="ALP", preview=games.conquest(here))
    for columns, rows in ((110, 24), (140, 24), *SIZES[1:]):
        assert "[NEU ARM ALP] [IRL]" in shown(here, ui, columns, rows)


def test_refused_preview_shows_its_rule() -> None:
    """A refused preview shows the reason with its rule."""
    here = game(text_of(4, "conquer"))
    block = drawn(here, UiState(province="ALP", preview=games.refused()), 80, 24)
    assert "Conquering the Alps costs 5; you have 3 in hand (R-CONQ-3)." in block.text()
    assert "rule R-CONQ-3" in targets(block)


def test_placement_shows_pawns_left_and_keys() -> None:
    """The placement shows pawns left, planned pawns elsewhere, and the keys."""
    here = game(text_of(4, "conquer"))
    for columns, rows in SIZES:
        text = shown(here, UiState(province="VOL", plan=games.plan(here)), columns, rows)
        assert "1 pawn is left to place" in text
        assert "VOL 3" in text
        assert "Enter done + one more - one less s suggestion Esc back" in text


def test_log_ends_with_the_latest_entry_and_scrolls_back() -> None:
    """A log that is scrolled back shows how many entries are below."""
    here = game(text_of(4, "conquer"))
    for number in range(60):
        here.tell(f"entry {number}")
    text = shown(here, UiState(tab="log"), 80, 24)
    assert "entry 59" in text
    assert "entry 42" not in text
    back = shown(here, UiState(tab="log", back=20), 80, 24)
    assert "20 lines below" in back
    assert "entry 39" in back
    assert "entry 40" not in back
    first = shown(here, UiState(tab="log", back=1000), 80, 24)
    assert "Round 8: you have 9 pawns in hand" in first


def test_log_entry_is_clickable() -> None:
    """The target of a log entry is its place in the log, which leads to its rule."""
    here = game(text_of(4, "conquer"))
    block = drawn(here, UiState(tab="log"), 80, 24)
    row = next(number for number, line in enumerate(block.text().splitlines()) if "You evacuate" in line)
    kind, number = block.at(row, 10).split()
    assert (kind, list(here.log)[int(number)].rule) == ("log", "R-CONTACT-1")


def test_chat_shows_author_and_text() -> None:
    """Each line of the chat has its author."""
    text = shown(game(text_of(4, "conquer")), UiState(tab="chat"), 80, 24)
    assert "Bartholomew the Second (2): hello everybody" in text


def test_lost_connection_is_shown_in_the_top_row() -> None:
    """While the connection is lost the top row says so, and no action is offered."""
    here = game(text_of(4, "conquer"))
    here.connected = False
    for columns, rows in SIZES:
        block = drawn(here, UiState(), columns, rows)
        top = block.text().splitlines()[0]
        assert "Connection lost, trying again. The board is as of revision 57." in top
        assert "live" not in top
        assert "key h" not in targets(block)


def test_small_window_shows_the_last_log_entries() -> None:
    """A small window shows the last two log rows, or one if a province is selected."""
    here = game(text_of(4, "conquer"))
    here.take(match_pb2.WatchResponse(update=game_pb2.Update(revision=58, state=here.state)))
    here.tell("Élodie (5) holds Alps 3.", 5)
    here.tell("Élodie (5) scores 7 VP and stands at 38.", 5)
    text = shown(here, UiState(), 80, 24)
    assert "Élodie (5) holds Alps 3. ▌Élodie (5) scores 7 VP and stands at 38." in text
    text = shown(here, UiState(province="ALP"), 80, 24)
    assert "Alps (ALP)" in text
    assert "▌Élodie (5) scores 7 VP and stands at 38." in text


def test_small_window_counts_unread_chat_lines() -> None:
    """The key of the chat shows the number of unread lines of others."""
    here = game(text_of(4, "conquer"))
    assert "c chat +1 " in shown(here, UiState(), 80, 24)
    assert "c chat : command" in shown(here, UiState(heard=2), 80, 24)


def test_proposal_is_shown_in_every_view() -> None:
    """A proposal and its missing seats are shown, even with a selected province or in redeployment."""
    here = game(text_of(4, "conquer"))
    here.match.proposals.add(kind=lobby_pb2.PROPOSAL_KIND_PAUSE, seat=2, agreed=[2], missing=[1, 3])
    for ui, (columns, rows) in itertools.product(
        (UiState(), UiState(province="ALP"), UiState(plan=games.plan(here))), SIZES
    ):
        assert "Bartholomew the Second (2) proposes a pause" in shown(here, ui, columns, rows)


def test_answer_is_shown_in_full() -> None:
    """In a small window an answer takes the rows it needs from the map, which does not move."""
    here = game(text_of(4, "conquer"))
    lines = [[("class:hint", f"Line {number}, with a command to type.")] for number in range(5)]
    block = drawn(here, UiState(province="ALP", notice=lines), 80, 24)
    assert [line.strip() for line in block.text().splitlines()[17:22]] == [
        f"Line {n}, with a command to type." for n in range(5)
    ]
    assert block.text().splitlines()[22].startswith(" Enter conquer")


def test_explanation_shows_its_keys() -> None:
    """Whatever its height, the last row of an explanation shows only its keys for scrolling and closing."""
    for columns, rows in SIZES:
        block = drawn(game(text_of(4, "conquer")), UiState(popup=("Help", "A line.\n" * 300)), columns, rows)
        assert block.text().splitlines()[-1].split() == ["↑↓", "scroll", "Esc", "back"]


def test_preview_shows_losses_before_gains() -> None:
    """Splits and evacuations come before VP, so that a small window has room for them."""
    here = game(text_of(4, "conquer"))
    text = shown(here, UiState(province="ALP", preview=games.conquest(here)))
    assert (
        text.index("lie in parts") < text.index("would evacuate") < text.index("Worth 13") < text.index("would conquer")
    )
    collapses = Preview("abandon LUS", [], [game_pb2.Event(empire_collapsed=game_pb2.EmpireCollapsed(seat=here.seat))])
    collapses.worth = (13, 15)
    text = shown(here, UiState(province="LUS", preview=collapses))
    assert text.index("collapse and have to decline") < text.index("Worth 13")


def test_playback_shows_the_number_of_waiting_updates() -> None:
    """While updates wait, the top row shows their number and that space skips them."""
    here = game(text_of(4, "conquer"))
    for revision in (58, 59):
        here.take(match_pb2.WatchResponse(update=game_pb2.Update(revision=revision, state=here.state)))
    block = drawn(here, UiState(), 80, 24)
    assert "Showing what others did, 2 more" in block.text().splitlines()[0]
    assert "key h" not in targets(block)
    assert block.at(0, 40) == "key  "


def test_absent_substituted_and_forfeited_players_are_marked() -> None:
    """A word behind the name marks absent, substituted and forfeited players."""
    here = game(text_of(4, "conquer"))
    assert here.state is not None
    here.match.seats[0].connected = False
    here.match.seats[1].substituted = True
    here.state.seats[2].forfeited = 1
    for columns, rows in SIZES:
        text = shown(here, UiState(), columns, rows)
        for word in ("offline", "subst", "left"):
            assert word in text
    here.replayed = True  # a record does not tell who was there
    assert "offline" not in shown(here, UiState(), 160, 50)


def test_spectators_are_counted_for_players_and_told() -> None:
    """The top row has their number; the log keeps the last of entries about them that follow each other."""
    here = game(text_of(4, "conquer"))
    before = len(here.log)

    def come(number: int) -> None:
        match = lobby_pb2.Match()
        match.CopyFrom(here.match)
        match.spectators = number
        here.take(match_pb2.WatchResponse(match=match))

    come(1)
    come(2)
    assert (len(here.log), here.log[-1].text) == (before + 1, "2 spectators are watching.")
    for columns, rows in SIZES:
        assert "2 spectators" in drawn(here, UiState(), columns, rows).text().splitlines()[0]
    come(0)
    assert (len(here.log), here.log[-1].text) == (before + 1, "Nobody is watching any more.")
    assert "spectator" not in drawn(here, UiState(), 160, 50).text().splitlines()[0]


def test_spectator_does_not_count_itself() -> None:
    """The top row of a spectator tells how many others there are."""
    here = game(text_of(4, "conquer"))
    here.seats.clear()
    here.match.spectators = 1
    assert "spectator" not in drawn(here, UiState(), 160, 50).text().splitlines()[0]
    here.match.spectators = 3
    assert "2 spectators" in drawn(here, UiState(), 160, 50).text().splitlines()[0]


def test_last_round_is_marked() -> None:
    """The last round is marked, by target or by number."""
    here = game(text_of(4, "conquer"))
    assert here.state is not None
    here.state.last_round = True
    for columns, rows in SIZES:
        assert "round 6, the last" in shown(here, UiState(), columns, rows)


@pytest.mark.parametrize("last", [("round 6", "round 6 reached"), ("standard", "standard max_rounds=6")])
def test_seat_that_had_its_last_turn_promises_no_score(last: tuple[str, str]) -> None:
    """In the last round only seats whose turn has not ended show what they would score."""
    text = text_of(4, "conquer")
    pluses = []
    for here, promised in ((game(text), 4), (game(text.replace(*last)), 2)):
        assert here.state is not None
        assert standing(here.state, here.names, 0, here.legal).count("(+") == promised
        pluses.append(shown(here, UiState()).count("+"))
    assert pluses[0] - pluses[1] == 2


def test_finished_game_shows_the_ranking() -> None:
    """The ranking of a finished game is shown, best first."""
    text = shown(game(text_of(4, "over")), UiState())
    assert "1. 黄河清 (3) 121 VP 2. Ann (1) 116 VP 3. D (4) 85 VP 4. Bartholomew the Second (2) 70 VP" in text


def test_seats_are_shown_before_the_start() -> None:
    """Players and open seats are shown before the start."""
    here = game(text_of(4, "start"))
    match = lobby_pb2.Match(seats=[lobby_pb2.MatchSeat(seat=1, player="Ann", taken=True), lobby_pb2.MatchSeat(seat=2)])
    waiting = ClientMatch(here.names, here.board_map, match)
    for columns, rows in SIZES:
        text = shown(waiting, UiState(), columns, rows)
        assert "Waiting for the game to start." in text
        assert "Ann" in text


# What can be pressed and clicked.


def targets(block: Block) -> set[str]:
    """Return all clickable targets."""
    return {block.at(hit.row, hit.start) for hit in block.hits} - {""}


def test_every_shown_key_is_handled() -> None:
    """The page handles every key that it shows."""
    known = {*reducer.KEYS, *reducer.DIRECTIONS, *(pane.key for pane in registry.PANES), *"+-f"}
    for phase in PHASES:
        here = game(text_of(4, phase))
        for ui in views(here):
            keys = {target.removeprefix("key ") for target in targets(drawn(here, ui, 120, 36)) if target[:4] == "key "}
            assert keys <= known


@pytest.mark.parametrize(
    ("phase", "offered", "not_offered"),
    [
        ("draft", "enter s m ?", "h d t"),
        ("start", "tab d", "enter h t p"),
        ("conquer", "tab h s", "enter d t"),
        ("renaissance", "d t", "enter h"),
        ("redeploy", "enter", "h d t"),
        ("over", "enter m ? q", "h u"),
    ],
)
def test_keys_match_the_legal_actions(phase: str, offered: str, not_offered: str) -> None:
    """Only keys for legal actions are offered."""
    clickable = targets(drawn(game(text_of(4, phase)), UiState(), 80, 24))
    assert {f"key {key}" for key in offered.split()} <= clickable
    assert not {f"key {key}" for key in not_offered.split()} & clickable


def test_undo_and_images_are_offered_where_they_work() -> None:
    """Undo is offered after an own action of this turn, images in a terminal that is known for them."""
    here = game(text_of(4, "conquer"))
    clickable = targets(drawn(here, UiState(), 160, 50))
    assert not {"key u", "key i"} & clickable
    for seat in (here.seat, here.seat % 4 + 1):
        update = game_pb2.Update(revision=here.revision + 1, seat=seat, notation="x ALP", state=here.state)
        if seat != here.seat:
            update.state.seat_to_act = update.state.turn_seat = seat
        here.take(match_pb2.WatchResponse(update=update))
        here.show_next()
        assert here.can_undo() == ("key u" in targets(drawn(here, UiState(), 160, 50))) == (seat == here.seat)
    with shown_on():
        display.current().learn_name("kitty(0.35)")
        assert "key i" in targets(drawn(here, UiState(), 160, 50))


@pytest.mark.parametrize("columns", [80, 100])
def test_small_window_tells_how_many_targets_are_not_shown(columns: int) -> None:
    """Targets that have no room are counted, with the key that shows them."""
    here = game(text_of(4, "conquer"))
    listed = [code for code in here.names.provinces if code not in here.legal.conquer][:14]
    here.legal.conquer.extend(listed)
    here.legal.cost.extend([2] * len(listed))
    here.legal.worth.extend([1] * len(listed))
    rows = drawn(here, UiState(), columns, 24).text().splitlines()[-4:-2]
    codes = sum(f"{code} " in " ".join(rows) for code in here.legal.conquer)
    assert "…" not in "".join(rows)
    assert f"? shows {len({*here.legal.conquer, *here.legal.conquer_by_spies}) - codes} more" in " ".join(rows)


def test_long_names_take_a_second_row_of_scores() -> None:
    """In the smallest window names are not cut that have room in two rows."""
    here = game(text_of(4, "conquer"))
    text = drawn(here, UiState(), 80, 24).text()
    assert all(player in text for player in PLAYERS[:4])


def test_enter_is_offered_for_what_it_does() -> None:
    """Enter is offered for a selected target, and for a suggestion without one; for a decline once it is previewed."""
    here = game(text_of(4, "conquer"))
    target = here.legal.conquer[0]
    assert "Enter conquer" in shown(here, UiState(province=target), 120, 36)
    decline = game_pb2.Action(decline=game_pb2.Decline())
    assert "Enter decline now" not in shown(here, UiState(suggested=decline), 120, 36)
    assert "Enter decline now" in shown(here, UiState(suggested=decline, preview=Preview("decline")), 120, 36)


def test_clickable_targets() -> None:
    """Tabs, slots, seats, provinces, keys and log entries are clickable."""
    clickable = targets(drawn(game(text_of(4, "conquer")), UiState(province="ALP"), 160, 50))
    assert {"tab market", "slot 3", "seat 2", "province LOM", "key h", "log 1"} <= clickable


def test_help_begins_with_the_selection() -> None:
    """The help begins with the selected civilization or province, or with what to do."""
    draft, conquest = game(text_of(6, "draft")), game(text_of(4, "conquer"))
    assert help_text(draft, UiState(tab="market", slot=2), 24).startswith("Astronomy+Galleys: 12 pawns")
    assert help_text(conquest, UiState(province="ALP"), 24).startswith("Alps\nMountain (costs 3)")
    assert help_text(conquest, UiState(), 24).startswith("6 pawns in hand")


def test_only_rules_are_clickable_in_an_explanation() -> None:
    """An open explanation has no clickable targets but its rules."""
    here = game(text_of(4, "conquer"))
    block = drawn(here, UiState(tab="market", popup=("R-CONQ-3", "See R-CONQ-4.")), 80, 24)
    row = next(number for number, line in enumerate(block.text().splitlines()) if "See R-CONQ-4" in line)
    column = block.text().splitlines()[row].index("R-CONQ-4")
    assert block.at(row, column) == "rule R-CONQ-4"
    assert block.at(row, column + 12) == ""


def test_text_wraps_within_its_column() -> None:
    """Text too wide for its column wraps below that column."""
    here = game(text_of(4, "conquer"))
    lines = drawn(here, UiState(popup=("Help", f"q  x    leave{' and wait' * 10}")), 80, 24).text().splitlines()
    first = next(number for number, line in enumerate(lines) if "q  x    leave and wait" in line)
    assert lines[first + 1].index("wait") == lines[first].index("leave")


def test_explanation_scrolls_to_its_end() -> None:
    """A long explanation scrolls to its end and not further."""
    text = "\n".join(f"line {number}" for number in range(100))
    here = game(text_of(4, "conquer"))
    assert "line 0 " in shown(here, UiState(popup=("Title", text)), 80, 24)
    end = shown(here, UiState(popup=("Title", text), popup_back=1000), 80, 24)
    assert "line 99 " in end
    assert "lines 81 to 100 of 100" in end


def test_map_gets_targets_and_marks() -> None:
    """The map gets targets with costs, losses and planned pawns."""
    here = game(text_of(4, "conquer"))
    art = BlankMap()
    layout.draw(here, UiState(province="ALP", preview=games.conquest(here)), art, 80, 24, 24)
    assert art.marks.selected == "ALP"
    assert art.marks.targets["ALP"] == 5
    assert art.marks.lost == {"LOM", "IRL"}
    layout.draw(here, UiState(plan=games.plan(here)), art, 80, 24, 24)
    assert art.marks.planned["VOL"] == 3
    assert not art.marks.targets
