"""The line client at a real server: typed lines, prepared by the test, and the output of each."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import grpc
import pyte
import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from tests.support.cli_runner import BORDER, DIPLOMAT, REDEPLOY, RENAISSANCE, SPIES, vinci
from tests.support.line_client import PreparedUi, table
from tests.support.server.in_process import eventually, within
from vinci.v1 import game_pb2, match_pb2
from vinci_cli.connection.seating import login_name
from vinci_cli.game import completion
from vinci_cli.game.commands import BY_WORD, COMMANDS
from vinci_cli.line.terminal import TerminalScreen, WordCompleter
from vinci_cli.line.ui import LineInterface
from vinci_cli.records.loader import names_of
from vinci_cli.text.i18n import choose
from vinci_cli.text.manual import help_lines
from vinci_client.errors import ServerGone, ServerRefused
from vinci_rules import position
from vinci_rules.board import load_board

NAMES: Final = ("Ann", "Bob", "Cleo")


async def typed(folder: Path, start: str, *lines: str, seat: int = 1) -> list[str]:
    """Return the output before the first typed line and after each of them."""
    async with table(folder, start, NAMES) as here:
        return (await here.sits(seat, *lines)).answers()


async def after(folder: Path, start: str, *lines: str, seat: int = 1) -> str:
    """Return the position after a person at this seat has typed these lines."""
    async with table(folder, start, NAMES) as here:
        await here.sits(seat, *lines)
        return await here.position()


async def candidates(folder: Path, start: str, text: str, seat: int = 1) -> dict[str, str]:
    """Return the completions of a text at the first prompt, each with its description."""
    async with table(folder, start, NAMES) as here:
        screen = await here.sits(seat)
        return dict(screen.asked[0][2](text))


async def test_help(tmp_path: Path) -> None:
    """`help` and `?` list what can be typed, in lines that fit."""
    _, first, second = await typed(tmp_path, BORDER, "help", "?")
    assert first == second == "\n".join(help_lines(is_spectator=False))
    assert all(len(line) <= 80 for line in help_lines(is_spectator=False))


@pytest.mark.parametrize("is_spectator", [False, True])
def test_help_lists_the_permitted_commands(is_spectator: bool) -> None:
    """The overview lists the commands of a player or of a spectator; completion has them all."""
    text = " ".join(help_lines(is_spectator=is_spectator))
    named = set(re.findall(r"\w+", text)) & set(BY_WORD)
    offered = {command.word for command in COMMANDS if command.for_spectators or not is_spectator}
    assert named <= offered
    assert offered - named <= {"help", "forfeit", "rematch"}


async def test_every_completed_command_exists(tmp_path: Path) -> None:
    """Every command that completion offers has an effect."""
    names = [command.word for command in COMMANDS if command.word != "quit"]
    _, *answers = await typed(tmp_path, BORDER, *names)
    assert len(answers) == len(names)
    for name, answer in zip(names, answers, strict=True):
        if name != "ok":
            assert answer.strip(), name


async def test_commands_that_show_the_table(tmp_path: Path) -> None:
    """board, scores, market and legal show their part of the table."""
    _, board, scores, market, legal = await typed(tmp_path, BORDER, "board", "scores", "market", "legal")
    assert "ARAf+ 1:1" in board
    assert "f farmland" in board
    assert ">1 Ann (you)" in scores
    assert "  I  free  " in market
    assert "conquer   Fen 2 (+1)  Collis 5 (+1)  Dolomite 2" in legal


async def test_letters_of_the_board_are_explained_once(tmp_path: Path) -> None:
    """The legend follows the first board only."""
    _, first, second = await typed(tmp_path, BORDER, "board", "board")
    assert "f farmland" in first
    assert "ARAf+ 1:1" in second
    assert "f farmland" not in second


async def test_why_explains_a_cost(tmp_path: Path) -> None:
    """`why x COL` shows parts of the cost, effects and resulting score, and plays nothing."""
    async with table(tmp_path, BORDER, NAMES) as here:
        before = await here.position()
        answer = (await here.sits(1, "why x COL")).answers()[1]
        assert await here.position() == before
    assert answer.splitlines() == [
        "5 pawns = terrain +2, pawns there +4, your Weapons -1",
        "  You would conquer Collis for 5 pawns from Bob (2), 3 survive.",
        "Your empires are worth 2 VP now, 3 then.",
    ]


async def test_why_explains_an_illegal_action(tmp_path: Path) -> None:
    """`why` shows the cost of a province that is too expensive, and the rule against an illegal action."""
    poor = BORDER.replace("reserve=9", "reserve=3")
    _, dear, far, nothing, nonsense = await typed(tmp_path, poor, "why x COL", "why x GOR", "why", "why jump")
    assert dear.splitlines() == [
        "5 pawns = terrain +2, pawns there +4, your Weapons -1",
        "Conquering Collis costs 5; you have 3 in hand (R-CONQ-3).",
    ]
    assert far == "You cannot reach Gorge; within reach: COL DOL FEN (R-CONQ-1)."
    assert nothing == "Write the action: why x ALP."
    assert "'jump' is not an action" in nonsense


async def test_why_hold_shows_the_score(tmp_path: Path) -> None:
    """`why hold` shows the score of the suggested reorganisation."""
    _, answer = await typed(tmp_path, BORDER, "why hold")
    assert "You would hold Arable 6, Boscage 5." in answer
    assert "would score 2 VP" in answer


async def test_market_explains_its_traits(tmp_path: Path) -> None:
    """Each trait is explained once, and the draft tells where."""
    start = "tiny; round 0; seat 1 vp=20; seat 2; seat 3; market WEA+MIL BAR+CUR AST+WEA AGR+LIV MIN+POR SPI+FOR"
    draft, market = await typed(tmp_path, start, "market")
    assert "market explains the traits" in draft
    assert "Weapons: " not in draft
    assert market.count("Weapons: Conquests cost 1 pawn less.") == 1
    assert len(re.findall("^[A-Z][a-z]+: ", market, re.MULTILINE)) == 11


@pytest.mark.parametrize("word", ["suggest", "s"])
async def test_suggestion_is_one_letter_away(tmp_path: Path, word: str) -> None:
    """`s` suggests in lines as the key does in full screen."""
    _, answer = await typed(tmp_path, BORDER, word)
    assert answer.startswith("Suggestion: conquer ")


async def test_unknown_word_is_answered_by_more_than_actions(tmp_path: Path) -> None:
    """The error for a word that is no action names words that show the table and help."""
    _, answer = await typed(tmp_path, BORDER, "hmm")
    assert "the actions are: take decline" in answer
    assert "Further words: suggest, why, board, market, rules, help." in " ".join(answer.split())


async def test_chat_line_that_is_refused_is_not_lost(tmp_path: Path) -> None:
    """A chat line that is too long comes back to be changed; an action that is refused does not."""
    long = f"say {'word ' * 70}".strip()
    async with table(tmp_path, BORDER, NAMES) as here:
        screen = await here.sits(1, long, "jump")
    assert screen.answers()[1] == "A chat line has 1 to 300 printable characters."
    assert screen.given_back == [long]


async def test_suggest_and_ok(tmp_path: Path) -> None:
    """`suggest` shows a legal action, `ok` plays it; a second `ok` needs another suggestion."""
    async with table(tmp_path, BORDER, NAMES) as here:
        before = await here.position()
        first = (await here.sits(1, "ok", "suggest")).answers()
        assert first[1] == "Type suggest first."
        assert first[2].startswith("Suggestion: conquer ")
        assert await here.position() == before
        second = (await here.sits(1, "suggest", "ok", "ok")).answers()
        assert "You conquer " in second[2]
        assert second[3] == "Type suggest first."
        assert await here.position() != before


async def test_turn_by_suggestions(tmp_path: Path) -> None:
    """`suggest` and `ok` alone play a turn to its end."""
    text = await after(tmp_path, BORDER, *["suggest", "ok"] * 8)
    assert "; turn 1 " not in text


async def test_turn_in_one_line(tmp_path: Path) -> None:
    """One line may have several actions, with any case and spaces."""
    text = await after(tmp_path, BORDER, "x fen ;  X DOL; hold ARA=3 BOS=3 DOL=4 FEN=1")
    assert "seat 1 vp=13 | WEA+MIL ARA=3 BOS=3 DOL=4 FEN=1;" in text
    assert "; turn 2 start;" in text


async def test_hold_without_placements_ends_a_line_of_actions(tmp_path: Path) -> None:
    """In `x FEN; x DOL; hold` the pawns are placed as suggested after the conquests, unless one fails."""
    assert "WEA+MIL ARA=4 BOS=2 DOL=2 FEN=3;" in await after(tmp_path, BORDER, "x FEN; x DOL; hold")
    (tmp_path / "again").mkdir()
    assert "; turn 1 conquer eliminated=1;" in await after(tmp_path / "again", BORDER, "x FEN; x HAM; HOLD")


async def test_hold_without_placements_is_the_suggestion(tmp_path: Path) -> None:
    """`hold` without provinces plays the suggested reorganisation."""
    assert "WEA+MIL ARA=6 BOS=5;" in await after(tmp_path, BORDER, "hold")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x GOR", "You cannot reach Gorge; within reach: COL DOL FEN (R-CONQ-1)."),
        ("take 1", "Not now: what fits here is "),
        ("hold ARA=1", "(R-REORG-"),
        ("jump", "'jump' is not an action"),
        ("x ZZZ", "no province 'ZZZ' on the board tiny"),
        ("x", "x"),
        ("hold ARA=many", "many"),
        ("x COL;; x GOR", "cannot reach"),
        (";", ""),
        ("\N{SNOWMAN}", "is not an action"),
        ("ok", "Type suggest first."),
        ("forfeit", "forfeit yes"),
        ("forfeit no", "forfeit yes"),
        ("rules spam", "no rule or trait 'spam'"),
    ],
)
async def test_invalid_lines_are_answered(tmp_path: Path, line: str, expected: str) -> None:
    """An illegal or unreadable line gets an answer, and the next line is read."""
    async with table(tmp_path, BORDER, NAMES) as here:
        screen = await here.sits(1, line, "x FEN")
        answer, then = screen.answers()[1:3]
        assert expected in " ".join(answer.split())
        assert all(len(shown) <= 80 for shown in screen.text().splitlines() if expected != "no rule or trait 'spam'")
        assert "You conquer Fen" in then or "x COL" in line
        assert "FEN=2" in await here.position()


async def test_actions_before_an_illegal_one_are_played(tmp_path: Path) -> None:
    """Of several actions those before the illegal one are played; the answer says that the others were not."""
    async with table(tmp_path, BORDER, NAMES) as here:
        answer = (await here.sits(1, "x FEN; x HAM; x DOL")).answers()[1]
        assert "You conquer Fen" in answer
        assert "You cannot reach Hamlet" in answer
        assert "WEA+MIL reserve=7 ARA=1 BOS=1 FEN=2;" in await here.position()


async def test_lines_typed_while_the_server_is_away_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line typed while the server is away gets an error, and the client goes on."""

    async def nobody_answers(*_arguments: object, **_more: object) -> None:
        raise ServerGone("no answer from there; is a server running there?")

    async with table(tmp_path, BORDER, NAMES) as here:
        screen = PreparedUi(["suggest", "why x COL", "x COL", "hold", "forfeit yes", "board"])
        client = await here.client(screen)
        monkeypatch.setattr(here.session, "call", nobody_answers)
        await within(client.play({1: here.tokens[1]}))
    _, *unheard, board = screen.answers()
    for answer in unheard:
        assert " ".join(answer.split()).startswith("Type it again when the connection is back")
    assert "ARAf+ 1:1" in board


async def test_refused_watch_ends_the_game_of_a_waiting_action(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the watch is refused while an action waits for its update, the client ends with the refusal."""
    async with table(tmp_path, BORDER, NAMES) as here:
        client = await here.client(PreparedUi(["x FEN"], leaves=False))
        watch = here.session.watch

        async def refused(*arguments: Any, **more: Any) -> AsyncIterator[match_pb2.WatchResponse]:
            async for response in watch(*arguments, **more):
                if response.update.revision:
                    raise ServerRefused(grpc.StatusCode.INTERNAL, "INTERNAL", "the match cannot be read", {})
                yield response

        monkeypatch.setattr(here.session, "watch", refused)
        with pytest.raises(ServerRefused, match="cannot be read"):
            await asyncio.wait_for(client.play({1: here.tokens[1]}), 60)


async def test_forfeit_needs_a_confirmation(tmp_path: Path) -> None:
    """`forfeit` asks for a confirmation, and `forfeit yes` leaves the game."""
    assert "seat 1 vp=10 forfeited=1" in await after(tmp_path, BORDER, "forfeit", "forfeit yes")


@pytest.mark.parametrize("word", ["quit", "q", "exit", "QUIT"])
async def test_quit_does_not_change_the_game(tmp_path: Path, word: str) -> None:
    """Lines after `quit` are not read, and the position stays."""
    async with table(tmp_path, BORDER, NAMES) as here:
        before = await here.position()
        screen = await here.sits(1, word, "x FEN")
        assert len(screen.asked) == 1
        assert await here.position() == before


async def test_rules_command(tmp_path: Path) -> None:
    """Rules and traits can be read at the table."""
    _, rule, trait = await typed(tmp_path, BORDER, "rules R-CONQ-5", "rules Weapons")
    assert rule.startswith("R-CONQ-5  A conquest of cost 0")
    assert trait == "Weapons  strength 3. conquests cost 1 less"


@pytest.mark.parametrize(
    ("start", "seat", "expected"),
    [
        (BORDER, 1, "Your turn: x PROVINCE, hold, decline, or abandon PROVINCE."),
        (DIPLOMAT, 1, "Your turn: x PROVINCE, hold, peace N, decline, or abandon PROVINCE."),
        (SPIES, 1, "x PROVINCE conquers, hold ends your turn."),
        (SPIES.replace("reserve=6", "reserve=0").replace("SPI+", "CUR+").replace("BAR+CUR", "BAR+MIL"), 1, "Nothing more can be conquered: hold"),
        (RENAISSANCE, 1, "Renaissance: decline now, or stay."),
        (REDEPLOY, 2, "Place 3 surviving pawns: redeploy PROVINCE=N."),
        ("tiny; round 0; seat 1; seat 2; seat 3", 1, "Choose a civilization: take N."),
        ("tiny; rules NL; seat 1 must_decline | WEA+MIL; seat 2 | BAR+CUR ARA=4; seat 3 | AST+SLA", 1, "Your empire lost its last province: decline."),
    ],
)  # fmt: skip
async def test_last_line_says_what_can_be_typed(tmp_path: Path, start: str, seat: int, expected: str) -> None:
    """In every phase the last line says what can be typed."""
    shown = (await typed(tmp_path, start, seat=seat))[0]
    assert expected in " ".join(shown.split())


async def test_prompt_and_toolbar(tmp_path: Path) -> None:
    """The prompt names the seat; the toolbar has round, pawns in reserve and useful commands."""
    async with table(tmp_path, BORDER, NAMES) as here:
        prompt, toolbar, _ = (await here.sits(1)).asked[0]
    assert prompt == "seat 1> "
    assert " round 1   9 in hand " in toolbar
    assert len(toolbar) <= 80


async def test_completion_offers_legal_actions_first(tmp_path: Path) -> None:
    """At an empty prompt completion offers the legal actions, then the commands."""
    words = list(await candidates(tmp_path, BORDER, ""))
    assert words[:4] == ["x", "hold", "abandon", "decline"]
    assert words[4:] == [command.word for command in COMMANDS]


@pytest.mark.parametrize(
    ("start", "seat", "text", "expected"),
    [
        (BORDER, 1, "x ", {"COL": "Collis, cost 5, +1 VP", "DOL": "Dolomite, cost 2, +0 VP", "FEN": "Fen, cost 2, +1 VP"}),
        (BORDER, 1, "why x ", {"COL": "Collis, cost 5, +1 VP", "DOL": "Dolomite, cost 2, +0 VP", "FEN": "Fen, cost 2, +1 VP"}),
        (BORDER, 1, "x COL; abandon ", {"ARA": "Arable", "BOS": "Boscage"}),
        (BORDER, 1, "hold ", {"ARA=": "Arable", "BOS=": "Boscage"}),
        (BORDER, 1, "hold ARA=3 ", {"ARA=": "Arable", "BOS=": "Boscage"}),
        (BORDER, 1, "x COL ", {}),
        (BORDER, 1, "jump ", {}),
        (SPIES, 1, "x COL ", {"spy": "for exactly 2"}),
        (SPIES, 1, "hold ", {"ARA=": "Arable", "fort": "build a fort in the provinces that follow"}),
        (DIPLOMAT, 1, "peace ", {"2": "Bob (2)", "3": "Cleo (3)"}),
        (REDEPLOY, 2, "redeploy ", {"ERB=": "Erbage", "HAM=": "Hamlet"}),
    ],
)  # fmt: skip
async def test_completion(tmp_path: Path, start: str, seat: int, text: str, expected: dict[str, str]) -> None:
    """Completion offers the legal actions, with costs, scores and names."""
    assert await candidates(tmp_path, start, text, seat) == expected


async def test_completion_of_the_market(tmp_path: Path) -> None:
    """`take` offers the slots that can be paid for, with their traits."""
    start = "tiny; round 0; seat 1 vp=5; seat 2; seat 3; market WEA+MIL BAR+CUR AST+SLA AGR+LIV MIN+POR SPI+FOR"
    completions = await candidates(tmp_path, start, "take ")
    assert completions == {"1": "Weapons+Militia", "2": "Barbarians+Currency", "3": "Astronomy+Slavery"}


async def test_completion_offers_provinces_that_need_spies(tmp_path: Path) -> None:
    """Completion offers provinces that are affordable by Spies only."""
    poor = SPIES.replace("reserve=6", "reserve=2").replace("ARA", "ARA=1")
    completions = await candidates(tmp_path, poor, "x ")
    assert completions["COL"] == "Collis, by Spies for 2: x COL spy"


async def test_completion_replaces_the_last_word(tmp_path: Path) -> None:
    """Completion ignores case and replaces only the last word."""
    async with table(tmp_path, BORDER, NAMES) as here:
        words = WordCompleter((await here.sits(1)).asked[0][2])
    (completion,) = words.get_completions(Document("x c"), None)  # type: ignore[arg-type]
    assert (completion.text, completion.start_position) == ("COL", -1)
    assert completion.display_meta_text == "Collis, cost 5, +1 VP"


def test_completion_offers_codes_and_names() -> None:
    """A province is offered once: by its code, or by its name if that is what has been begun, with accents or without."""
    board = load_board("europe")
    choose("fr")
    legal = game_pb2.Legal(
        conquer=["SCO", "MAS"], cost=[3, 2], worth=[1, 1], redeploy=game_pb2.Redeployment(provinces=["MAS"])
    )
    words = WordCompleter(lambda typed: completion.candidates(typed, {}, legal, [], names_of(board)))

    def offered(typed: str) -> list[str]:
        return [found.text for found in words.get_completions(Document(typed, len(typed)), None)]  # type: ignore[arg-type]

    assert offered("x ") == ["SCO", "MAS"]
    assert offered("x ec") == ["Écosse"]
    assert offered("why x mas") == ["MAS"]
    assert offered("redeploy massif") == ["Massif-central="]
    choose("en")


async def at_a_terminal(folder: Path, start: str, *steps: tuple[str, str]) -> tuple[list[str], str]:
    """Type keys at a terminal of 80 columns and 24 lines, each time waiting for what must be on it then.

    Returns what is on it at the end, and the position.
    """
    drawn = pyte.Screen(80, 24)
    stream = pyte.Stream(drawn)

    class EmulatorOutput:
        """An output stream for prompt-toolkit that feeds a terminal emulator."""

        encoding = "utf-8"

        def write(self, text: str) -> int:
            stream.feed(text.replace("\r\n", "\n").replace("\n", "\r\n"))
            return len(text)

        def flush(self) -> None: ...

        def fileno(self) -> int:
            raise OSError("no file")

        def isatty(self) -> bool:
            return True

    async def shows(text: str) -> None:
        await eventually(lambda: any(text in line for line in drawn.display))

    async with table(folder, start, NAMES) as here:
        with create_pipe_input() as pipe:
            size = Size(rows=24, columns=80)
            output = Vt100_Output(EmulatorOutput(), lambda: size, term="xterm", enable_cpr=False)  # type: ignore[arg-type]
            with create_app_session(input=pipe, output=output):
                client = await here.client(TerminalScreen())
                playing = asyncio.create_task(client.play({1: here.tokens[1]}))
                await shows("seat 1>")
                for keys, expected in steps:
                    pipe.send_text(keys)
                    await shows(expected)
                shown = [line.rstrip() for line in drawn.display]
                pipe.send_text("\x03")
                await asyncio.sleep(0.1)
                pipe.send_text("quit\r")
                await within(playing)
        return shown, await here.position()


async def test_typing_at_a_terminal(tmp_path: Path) -> None:
    """Tab completes the only matching province, Enter plays it, and the result is above the prompt."""
    sentence = "You conquer Collis for 5 pawns from Bob (2), 3 survive."
    keys = ("x c", "seat 1> x c"), ("\t", "seat 1> x COL"), ("\r", sentence)
    shown, text = await at_a_terminal(tmp_path, BORDER, *keys)
    assert "WEA+MIL reserve=4 ARA=1 BOS=1 COL=5;" in text
    assert sum(sentence in line for line in shown) == 1


async def test_tab_shows_costs_at_a_terminal(tmp_path: Path) -> None:
    """Tab lists several candidates with names, costs and scores."""
    shown, _ = await at_a_terminal(tmp_path, BORDER, ("x ", "seat 1> x"), ("\t", "Collis, cost 5, +1 VP"))
    assert any("COL" in line and "Collis, cost 5, +1 VP" in line for line in shown)
    assert any("DOL" in line and "Dolomite, cost 2, +0 VP" in line for line in shown)


async def test_table_is_shown_above_the_prompt(tmp_path: Path) -> None:
    """On a small board the screen has scores, provinces, possible conquests and what to type."""
    shown, _ = await at_a_terminal(tmp_path, BORDER, ("h", "seat 1> h"))
    text = "\n".join(shown)
    parts = (
        "Ann (you) 10 (+2), Bob 10 (+2)",
        "Yours: Arable 1, Boscage 1.",
        "conquer   ",
        "Your turn: x PROVINCE",
        "seat 1> h",
    )
    for part in parts:
        assert part in text
    assert "ARAf+" not in text


async def test_line_that_was_given_back_stands_at_the_prompt() -> None:
    """It can be changed at once, and only the next prompt has it."""
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        screen = TerminalScreen()
        screen.give_back("say hello")
        answers = []
        for keys in ("!\r", "hold\r"):
            pipe.send_text(keys)
            answers.append(await screen.ask(str, str, lambda _typed: ()))
    assert answers == ["say hello!", "hold"]


@pytest.mark.parametrize(("typed", "agrees"), [(["what", "y"], True), (["n"], False), ([""], True)])
async def test_question_is_repeated_until_it_is_answered(typed: list[str], agrees: bool) -> None:
    """At a terminal a person is asked; Enter is yes."""
    screen = PreparedUi(typed)
    screen.asked.append(("", "", lambda _typed: ()))  # a person has been asked, so it is a terminal
    assert await LineInterface(screen).agrees("Go on?") is agrees
    assert [prompt for prompt, *_ in screen.asked[1:]] == ["Go on? [Y/n] "] * len(typed)


async def test_end_of_input_quits(tmp_path: Path) -> None:
    """Ctrl-D at an empty prompt quits."""
    async with table(tmp_path, BORDER, NAMES) as here:
        before = await here.position()
        with create_pipe_input() as pipe, create_app_session(input=pipe):
            client = await here.client(TerminalScreen())
            pipe.send_text("\x04")
            assert await within(client.play({1: here.tokens[1]})) == "left"
        assert await here.position() == before


async def test_moves_of_others_are_shown(tmp_path: Path) -> None:
    """A waiting player sees the moves of others, and is prompted at the next own move."""
    async with table(tmp_path, BORDER, NAMES) as here:
        waiting = PreparedUi()
        client = await here.client(waiting)
        playing = asyncio.create_task(client.play({2: here.tokens[2]}))
        await here.sits(1, "x COL; hold")
        await within(playing)
    assert "Ann (1) conquers Collis for 5 pawns from you, 3 survive." in waiting.text()
    assert "Round 1: you have 3 pawns in hand." in waiting.text()
    assert waiting.asked[0][0] == "seat 2> "


async def test_turn_begins_with_what_was_lost(tmp_path: Path) -> None:
    """A turn begins with losses since the last one, by whom; a terse client leaves out what others did to each other."""
    async with table(tmp_path, BORDER, NAMES) as here:
        screens = PreparedUi([], leaves=False), PreparedUi([], leaves=False)
        playing = [
            asyncio.create_task((await here.client(screen, is_terse=is_terse)).play({1: here.tokens[1]}))
            for screen, is_terse in zip(screens, (False, True), strict=True)
        ]
        await here.sits(1, "hold ARA=10 BOS=1")
        await here.sits(2, "hold")
        await here.sits(3, "x BOS; hold")
        await eventually(lambda: all("Since your last turn" in screen.text() for screen in screens))
        for task in playing:
            task.cancel()
    usual, terse = (screen.text() for screen in screens)
    assert "Since your last turn Cleo (3) took Boscage from you." in usual
    assert "Since your last turn Cleo (3) took Boscage from you." in terse
    assert "Cleo (3) conquers Boscage" in usual
    assert "Cleo (3) conquers Boscage" not in terse
    assert "Cleo (3) scores" in terse
    assert "the game ends at" not in terse


async def test_end_of_the_game_is_shown(tmp_path: Path) -> None:
    """After the last action the client shows score and ranking, and ends."""
    last = "tiny; rules standard target=20; round 9 reached; turn 3 conquer; seat 1 vp=20 | WEA+MIL COL=8; seat 2 vp=12 | BAR+CUR ERB=2; seat 3 vp=9 | AST+SLA ARA=3"
    async with table(tmp_path, last, NAMES) as here:
        screen = PreparedUi(["hold"], leaves=False)
        client = await here.client(screen)
        assert await within(client.play({3: here.tokens[3]})) == "over"
    assert screen.text().splitlines()[-4:] == [
        "The game is over.",
        "  1. Ann (1): 20 VP",
        "  2. Bob (2): 12 VP",
        "  3. Cleo (3): 10 VP",
    ]


def test_play_through_a_pipe(tmp_path: Path) -> None:
    """`vinci play --line` works with server and dummies as processes; quit keeps the game."""
    arguments = [sys.executable, "-m", "vinci_cli", "play", "--line", "--board", "tiny", "--seed", "9"]
    done = subprocess.run(
        [*arguments, "--players", "human,dummy,dummy", "--name", "Ann"],
        input="help\ntake 1\nx ZZZ\nwhy x ARA\nsuggest\nok\nquit\n",
        env={**os.environ, "VINCI_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    for expected in (
        "harder\nthan Easy, about as hard as Normal",
        "Play by typing an action",
        "seat 1> take 1",
        "You take ",
        "no province 'ZZZ' on the board tiny",
        " = terrain +2",
        "Suggestion: ",
        "At the end of the game you would have about ",
        "seat 1> ok\nYou ",
        "The game waits for you. To go on with it: vinci play",
    ):
        assert expected in done.stdout, expected
    (seat,) = json.loads((tmp_path / "seats.json").read_text(encoding="utf-8"))
    assert (tmp_path / "seats.json").stat().st_mode & 0o077 == 0
    assert seat["seat"] == 1


def test_play_in_a_pipe_goes_on_with_the_saved_game(tmp_path: Path) -> None:
    """It names the game with round and score, asks nothing, and plays every line; --new makes another game."""
    (tmp_path / "game.txt").write_text(
        "tiny; seat 1 vp=17 | WEA+MIL reserve=9 ARA BOS; seat 2 dummy | BAR+CUR COL=4; seat 3 dummy | AST+SLA",
        encoding="utf-8",
    )

    def play(typed: str, *more: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "vinci_cli", "play", "--line", *more],
            input=typed,
            env={**os.environ, "VINCI_HOME": str(tmp_path), "LOGNAME": "bob"},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        return done.stdout

    play("x FEN\nquit\n", "--position", str(tmp_path / "game.txt"))
    output = play("scores\nwhy x ARA\nquit\n")
    assert "A game is waiting for bob (round 1, you have 17 VP). Go on with it? Yes" in output
    assert "Fen 2" in output
    assert [line for line in output.splitlines() if line.startswith("seat 1> ")] == [
        "seat 1> scores",
        "seat 1> why x ARA",
        "seat 1> quit",
    ]
    output = play("quit\n", "--new")
    assert "Opening draft" in output
    assert "17 VP" not in output


def test_bots_join_the_game_they_were_started_for(tmp_path: Path) -> None:
    """A bot plays the game it was started for, not an older saved one."""
    arguments = [sys.executable, "-m", "vinci_cli", "play", "--line", "--new", "--board", "tiny", "--seed", "3"]
    for _ in range(2):
        done = subprocess.run(
            [*arguments, "--players", "human,random,random"],
            input="take 1\nscores\nquit\n",
            env={**os.environ, "VINCI_HOME": str(tmp_path), "LOGNAME": "cleo"},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert "cleo (you)" in done.stdout
    assert len(json.loads((tmp_path / "seats.json").read_text(encoding="utf-8"))) == 2


@pytest.mark.parametrize(
    ("login", "name"), [("ann", "ann"), ("ann\x07\n", "ann"), ("é" * 40, "é" * 32)], ids=["plain", "odd", "long"]
)
def test_default_name_is_the_login_name(monkeypatch: pytest.MonkeyPatch, login: str, name: str) -> None:
    """The default player name is the login name, adjusted to the rules for names."""
    monkeypatch.setattr("getpass.getuser", lambda: login)
    assert login_name() == name


@pytest.mark.parametrize("error", [KeyError, OSError])
def test_no_default_name_without_a_login(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    """Without a login name, as in a container, the server chooses the name."""

    def nobody() -> str:
        raise error

    monkeypatch.setattr("getpass.getuser", nobody)
    assert login_name() == ""


def test_play_without_terminal_uses_a_bot(tmp_path: Path) -> None:
    """In a script a bot plays the seat of the person to the end."""
    status, text = vinci(
        "play", "--board", "tiny", "--players", "human,dummy,dummy", "--target", "20", "--seed", "5", home=tmp_path
    )
    assert status == 0
    assert "The game is over." in text
    assert "greedy (1)" in text


def test_positions_of_these_tests_are_valid() -> None:
    """The positions of these tests can be read."""
    for text in (BORDER, SPIES, DIPLOMAT, RENAISSANCE, REDEPLOY):
        position.read(text)
