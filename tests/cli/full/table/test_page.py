"""The full-screen table at a real server: effects of keys, clicks and typed lines."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli_runner import BORDER, DIPLOMAT, REDEPLOY, RENAISSANCE, SPIES
from tests.support.full_screen.table_pages import ALONE, DRAFT, NAMES, play, sitting
from tests.support.line_client import table
from tests.support.terminals.emulator import Terminal, terminal
from vinci.v1 import game_pb2, match_pb2
from vinci_cli.full.table.page import TablePage
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.toolkit.app import App
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.game.loading import board_map, catalogue_of
from vinci_client.session import Session


async def reaches(there: Terminal, game: ClientMatch, place: tuple[int, int]) -> None:
    """Wait until the match of a page is at this revision and seat."""
    await there.until(lambda _: (game.revision, game.seat) == place)


async def test_civilization_is_taken_by_keys(tmp_path: Path) -> None:
    """Arrows select, Enter takes; then the map shows the moves of the others."""
    async with sitting(tmp_path, DRAFT, 1) as seen:
        seen.there.press("down", "enter")
        await seen.until_at(1)
        assert "vp=8" in await seen.here.position()
        await seen.there.until(lambda _: seen.page.ui.tab == "map")


async def test_civilization_is_taken_by_mouse(tmp_path: Path) -> None:
    """A click selects, a second one takes."""
    async with sitting(tmp_path, DRAFT, 1) as seen:
        third = seen.page.game.state
        assert third is not None
        name = seen.page.game.names.civilization(third.market[2].traits)[:12]
        await seen.there.until("Could take")  # which moves the lines of the market
        seen.there.click(name)
        await seen.there.until(lambda _: seen.page.ui.slot == 3)
        assert seen.page.game.revision == 0
        seen.there.click(name)
        await seen.until_at(1)
        assert "vp=6" in await seen.here.position()


async def test_province_is_conquered_by_keys(tmp_path: Path) -> None:
    """Tab selects a target and shows its cost; Enter conquers it, and the log shows the event with its rule."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.there.press("tab")
        shown = await seen.there.until("5 pawns = terrain +2")
        assert "Bob (2)" in shown
        assert "2 VP now, 3" in shown
        seen.there.press("enter")
        await seen.until_at(1)
        await seen.there.until("You conquer Collis from Bob (2).")
        assert "COL=5" in await seen.here.position()
        seen.there.press("r")
        await seen.there.until("R-CONQ-6 ")


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (100, 30), (120, 40)])
async def test_selection_moves_on_after_a_conquest(tmp_path: Path, columns: int, rows: int) -> None:
    """A conquest that succeeded selects what can be conquered next, and nothing says that it is impossible now."""
    async with sitting(tmp_path, BORDER, 1, columns=columns, rows=rows) as seen:
        seen.there.press("tab", "enter")
        await seen.until_at(1)
        await seen.there.until(lambda _: seen.page.ui.preview is not None)
        ui = seen.page.ui
        assert ui.province in seen.page.game.legal.conquer
        assert ui.province in seen.page.game.names.provinces["COL"].neighbours
        assert ui.preview is not None
        assert ui.preview.refusal is None
        assert "You hold" not in seen.there.text()


async def test_province_is_conquered_by_mouse(tmp_path: Path) -> None:
    """A click on the map selects, a second one conquers."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.there.click("Dolomite")
        await seen.there.until("2 pawns = ")
        assert seen.page.game.revision == 0
        seen.there.click("Dolomite")
        await seen.until_at(1)
        assert "DOL=2" in await seen.here.position()


async def test_arrows_select_provinces(tmp_path: Path) -> None:
    """Arrows select the province in their direction; Escape clears the selection."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        walked = []
        for key in ("right", "right", "down", "left", "up"):
            seen.there.press(key)
            await asyncio.sleep(0.1)
            walked.append(seen.page.ui.province)
        assert all(walked)
        assert len(set(walked)) >= 3
        seen.there.press("escape")
        await seen.there.until(lambda _: not seen.page.ui.province)


async def test_illegal_action_is_refused_with_the_reason(tmp_path: Path) -> None:
    """Enter on a province out of reach shows the reason, and the game goes on."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.there.click("Gorge")
        seen.there.press("enter")
        await seen.there.until("You cannot reach Gorge")
        seen.there.press("d")
        await seen.there.until("VP a turn if you decline")
        seen.there.press("d")
        await seen.there.until(lambda _: seen.page.game.revision == 1)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (100, 30), (120, 40)])
@pytest.mark.parametrize("before", [(), ("tab",)])
async def test_decline_is_previewed_with_both_futures(
    tmp_path: Path, columns: int, rows: int, before: tuple[str, ...]
) -> None:
    """d shows what a decline scores and which traits last, and both futures; Escape and other keys forget it, Enter plays it."""
    async with sitting(tmp_path, BORDER, 1, columns=columns, rows=rows) as seen:
        seen.there.press(*before, "d")
        shown = " ".join((await seen.there.until("VP a turn if you decline")).split())
        for text in ("You would decline with 2 provinces.", "You would score 2 VP", "VP a turn if you go on"):
            assert text in shown
        assert "Enter decline now" in shown
        seen.there.press("escape")
        await seen.there.until(lambda text: "VP a turn if you decline" not in text)
        seen.there.press("enter")  # which has nothing to do
        seen.there.press("d")
        await seen.there.until("Enter decline now")
        assert seen.page.game.revision == 0
        seen.there.click("Enter decline now")
        await seen.there.until("Your move: take a civilization.")
        await seen.there.until("Could take ")
        assert seen.page.game.prospects.keys() >= {1, 2}


@pytest.mark.parametrize(
    ("start", "keys", "then"),
    [
        (SPIES, ("tab", "tab", "x"), " spied=1"),
        (DIPLOMAT, ("p",), "Select a province of the seat"),
        (DIPLOMAT, ("a",), "Select a province first"),
        (RENAISSANCE, ("d", "enter"), "Your move: take"),
        (RENAISSANCE, ("t",), "Bob (2) has"),
        (BORDER, ("d", "d"), "Your move: take"),
        (BORDER, ("u",), "nothing"),
        (BORDER, (":", *"x FEN", "enter"), "You conquer Fen"),
        (BORDER, (":", *"x FEN; x GOR", "enter"), "cannot reach"),
        (BORDER, (":", *"jump", "enter"), "is not an action"),
        (BORDER, (":", *"why x FEN", "enter"), "2 pawns = "),
        (BORDER, (":", *"clock", "enter"), "This match has no clock"),
        (BORDER, (":", *"rules Weapons", "enter"), "strength 3"),
        (BORDER, ("/", *"hello all", "enter"), "Ann (1): hello all"),
        (BORDER, (":", *"pause", "enter"), "proposes a pause"),
        (BORDER, ("?",), "walk from province to province"),
        (BORDER, ("s",), "Suggestion: "),
        (BORDER, ("<",), "0.2 seconds"),
    ],
)
async def test_keys(tmp_path: Path, start: str, keys: tuple[str, ...], then: str) -> None:
    """Each key has the expected effect on screen or position."""
    async with sitting(tmp_path, start, 1) as seen:
        for key in keys:
            seen.there.press(key)
            await asyncio.sleep(0.05)
            if key == "d":  # a second key declines only after the preview
                await seen.there.until(lambda _: seen.page.ui.preview is not None)
        if then.startswith(" "):
            await seen.until_at(1)
            assert then in await seen.here.position()
        else:
            await seen.there.until(then)


async def test_peace_key_names_the_holder_of_the_selected_province(tmp_path: Path) -> None:
    """With a province of seat 3 selected, p names seat 3."""
    async with sitting(tmp_path, DIPLOMAT, 1) as seen:
        seen.there.click("Dolomite")
        await seen.there.until(lambda _: seen.page.ui.province == "DOL")
        seen.there.press("p")
        await seen.there.until("You declare peace with Cleo (3)")


async def test_pawns_are_placed_on_the_map(tmp_path: Path) -> None:
    """h opens the suggestion, minus and plus move pawns, f builds a fort, Enter ends the turn with it."""
    async with sitting(tmp_path, SPIES, 1) as seen:
        seen.there.press("tab", "enter")
        await seen.until_at(1)
        seen.there.press("h")
        await seen.there.until(lambda _: seen.page.ui.plan is not None)
        plan = seen.page.ui.plan
        assert plan is not None
        before = dict(plan.pawns)
        first, second = list(before)[:2]
        for province, key in ((first, "-"), (second, "+")):
            while seen.page.ui.province != province:
                seen.there.press("tab")
                await asyncio.sleep(0.05)
            seen.there.press(key)
            await asyncio.sleep(0.05)
        seen.there.press("f")
        await seen.there.until(lambda _: seen.page.ui.plan is not None and second in seen.page.ui.plan.forts)
        seen.there.press("enter")
        await seen.until_at(2)
        wanted = f"{second}={before[second] + 1}^"
        assert wanted in await seen.here.position()


async def test_keys_are_queued_while_the_server_answers(tmp_path: Path) -> None:
    """After a quick Enter and h the placement opens after the conquest, with the pawns of the new province."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.there.press("tab")
        await seen.there.until("5 pawns = ")
        seen.there.press("enter", "h")
        await seen.there.until("Enter done")
        assert seen.page.game.revision == 1
        assert seen.page.ui.plan is not None
        assert "COL" in seen.page.ui.plan.pawns


async def test_survivors_are_placed_by_the_wheel(tmp_path: Path) -> None:
    """The redeployment opens by itself; the wheel moves pawns between provinces."""
    async with sitting(tmp_path, REDEPLOY, 2) as seen:
        await seen.there.until(lambda _: seen.page.ui.plan is not None)
        for _ in range(3):
            seen.there.turn_wheel("Erbage ✿", up=False)
            seen.there.turn_wheel("Hamlet ≣", up=False)
        await seen.there.until(lambda _: seen.page.ui.plan is not None and seen.page.ui.plan.left == 3)
        for _ in range(3):
            seen.there.turn_wheel("Hamlet ≣", up=True)
        await seen.there.until(lambda _: seen.page.ui.plan is not None and seen.page.ui.plan.pawns == {"HAM": 3})
        seen.there.press("enter")
        await seen.until_at(1)
        await seen.there.until("You place survivors: Hamlet 3")


async def test_shared_terminal_switches_to_the_next_player(tmp_path: Path) -> None:
    """The view is reset and the bell rings when the move passes to the next player at the terminal."""
    async with table(tmp_path, DRAFT, NAMES) as here:
        match = await here.session.get(here.match_id)
        with terminal(120, 40) as there:
            async with App() as app:
                drawn = await board_map(here.session, match)
                game = ClientMatch(await catalogue_of(here.session, match), drawn, match, dict(here.tokens))
                page = TablePage(app, here.session, game, ui=UiState(pace=0.0))
                playing = asyncio.create_task(page.play())
                for place in enumerate((1, 2, 3)):
                    await reaches(there, game, place)
                    assert (page.ui.tab, page.ui.slot, page.ui.plan) == ("market", 1, None)
                    there.press("down", "enter")
                await there.until(lambda _: game.revision == 3)
                assert (page.ui.tab, page.ui.slot) == ("map", 0)
                playing.cancel()
                await asyncio.wait([playing])


async def test_undo_key(tmp_path: Path) -> None:
    """u after a conquest takes it back, and the log says so."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.there.press("tab", "enter")
        await seen.until_at(1)
        seen.there.press("u")
        await seen.there.until("You take back")
        assert "COL=4" in await seen.here.position()


async def test_reason_is_shown_when_a_seat_is_lost(tmp_path: Path) -> None:
    """The page shows why the seat was lost until a key is pressed."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        offered = await seen.here.session.offer_seat(seen.here.match_id, seen.here.tokens[1])
        await seen.here.session.take_over(offered.code)
        await seen.there.until("Seat 1 is no longer played here")
        assert not seen.playing.done()
        seen.there.press("enter")
        assert await seen.playing == "lost"


async def test_enter_is_refused_during_playback(tmp_path: Path) -> None:
    """During playback Enter sends nothing and says how to skip it."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        state = seen.page.game.state
        seen.page._playback.pace = 1000.0
        seen.page._playback._shown_at = asyncio.get_running_loop().time()  # so that the first one waits, too
        for revision in (1, 2):
            seen.page.game.waiting.append(game_pb2.Update(revision=revision, seat=2, by="player", state=state))
        seen.there.press("tab", "enter", "d")
        await seen.there.until("What others did is still being shown")
        assert seen.page.game.revision == 0


async def test_chat_lines_of_others_are_unread_until_opened(tmp_path: Path) -> None:
    """In a small window the key of the chat counts unread lines of others, not the player's own."""
    async with sitting(tmp_path, BORDER, 1, columns=80, rows=24) as seen:
        seen.there.press("/")
        seen.there.press("hello Bob", "enter")
        await seen.there.until(lambda shown: len(seen.page.game.chat) == 1 and "c chat  : command" in shown)
        await seen.here.session.say(seen.here.match_id, "hello Ann", seen.here.tokens[2])
        await seen.there.until("c chat +1")
        seen.there.press("c")
        await seen.there.until("Bob (2): hello Ann")
        seen.there.press("c")
        await seen.there.until("c chat  : command")


async def test_chat_line_that_is_refused_is_not_lost(tmp_path: Path) -> None:
    """A chat line that is too long stands in the input line again, and is sent once it is shorter."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.there.press("/")
        seen.there.press("hello" + "!" * 296, "enter")
        await seen.there.until("A chat line has 1 to 300 printable")
        seen.there.press("backspace", "enter")
        await seen.there.until(lambda _: bool(seen.page.game.chat))
    assert [line.text for line in seen.page.game.chat] == ["hello" + "!" * 295]


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Return the event for which requests for suggestions wait."""
    event, call = asyncio.Event(), Session.call

    async def held(self: Session, method: Any, request: object, *args: Any, **more: Any) -> Any:
        if isinstance(request, match_pb2.SuggestRequest):
            await event.wait()
        return await call(self, method, request, *args, **more)

    monkeypatch.setattr(Session, "call", held)
    return event


LAST = "tiny; rules standard max_rounds=2; round 2; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
"""The last round, in which seat 1 can conquer or decline for nothing."""


async def test_suggestion_with_reasons(tmp_path: Path, released: asyncio.Event) -> None:
    """While the server thinks, the screen says so and keys work; then the reasons are shown, and Enter plays the action."""
    async with sitting(tmp_path, LAST, 1, advice_workers=1) as seen:
        seen.there.press("s")
        await seen.there.until("Thinking …")
        seen.there.press("m")
        await seen.there.until(lambda _: seen.page.ui.tab == "market")
        assert seen.page.ui.thinking == 1
        released.set()
        await seen.there.until(lambda _: seen.page.ui.tab == "map")
        shown = await seen.there.until("At the end of the game you would have")
        assert "The whole turn:" in shown
        assert "Thinking" not in shown
        seen.there.press("enter")
        await seen.until_at(1)


@pytest.mark.parametrize("before", [("s",), (":", *"suggest", "enter")])
@pytest.mark.parametrize("after", [("enter",), (":", *"ok", "enter")])
async def test_suggestion_is_played_by_key_or_word(
    tmp_path: Path, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    """Enter and `ok` play the same suggestion, whether a key or a word asked for it."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.there.press(*before)
        await seen.there.until("Suggestion: ")
        await seen.there.until(lambda _: bool(seen.page.ui.province))
        target = seen.page.ui.province
        seen.there.press(*after)
        await seen.until_at(1)
        assert f"{target}=" in await seen.here.position()


async def test_title_is_plain_after_leaving_during_a_search(
    tmp_path: Path, released: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that leaving the table cancels does not name the match in the title of the window again."""
    async with sitting(tmp_path, BORDER, 1, advice_workers=1) as seen:
        titles: list[str] = []
        monkeypatch.setattr(seen.page._app, "title", titles.append)
        seen.there.press("s")
        await seen.there.until("Thinking …")
        seen.there.press("q")
        assert await seen.playing == "left"
        await asyncio.sleep(0)
        assert (titles[-1], released.is_set()) == ("Vinci", False)


async def test_action_does_not_wait_for_a_suggestion(tmp_path: Path, released: asyncio.Event) -> None:
    """An action that is chosen while the server thinks is played at once, and so is one after another key s."""
    async with sitting(tmp_path, BORDER, 1, advice_workers=1) as seen:
        seen.there.press("s")
        await seen.there.until("Thinking …")
        seen.there.press("tab", "enter")
        await seen.until_at(1)
        assert seen.page.ui.thinking == 1
        seen.there.press("s")
        await seen.there.until(lambda _: seen.page.ui.thinking == 1)
        released.set()
        await seen.there.until("Suggestion: ")
        assert seen.page.ui.thinking == 0


async def test_no_key_for_suggestions_in_a_match_without_advice(tmp_path: Path) -> None:
    """The keys leave it out, and pressing it tells why."""
    async with sitting(tmp_path, BORDER, 1, no_advice=True) as seen:
        assert "s suggest" not in await seen.there.until("d decline")
        seen.there.press("s")
        await seen.there.until("This match was made without")


async def test_spectator_can_only_chat(tmp_path: Path) -> None:
    """A spectator sees the table and may chat; actions are refused with the reason."""
    async with sitting(tmp_path, BORDER) as seen:
        seen.there.press("d")
        await seen.there.until("only players act")
        seen.there.press("/", *"nice", "enter")
        await seen.there.until("Eve (looking on): nice")


@pytest.mark.parametrize("columns", [80, 120])
async def test_whole_game_by_keys(tmp_path: Path, columns: int) -> None:
    """A whole game is played by the shown keys, with every suggestion accepted."""
    async with sitting(tmp_path, ALONE, 1, columns=columns, rows=24) as seen:
        await play(seen, press=True)
        seen.there.press("enter")
        assert await seen.playing == "over"


async def test_whole_game_by_mouse(tmp_path: Path) -> None:
    """A whole game is played by clicks alone."""
    async with sitting(tmp_path, ALONE, 1, columns=160, rows=50) as seen:
        await play(seen, press=False)
        block = seen.page.draw(160, 50, 8)
        hit = next(hit for hit in block.hits if hit.target == "key enter")
        seen.there.click_at(hit.row, hit.start)
        assert await seen.playing == "over"


async def test_preview_does_not_tell_parts_of_the_next_player(tmp_path: Path) -> None:
    """The end of a turn is not warned about because the empire of the next seat lies in parts."""
    divided = "tiny; turn 1 conquer; seat 1 | WEA+MIL reserve=1 ARA=2; seat 2 | BAR+CUR COL=2 GOR=2; seat 3 | AST+SLA reserve=15"
    async with sitting(tmp_path, divided, 1) as seen:
        seen.there.press("h")
        shown = await seen.there.until("You would score 1 VP")
        assert "parts" not in shown
