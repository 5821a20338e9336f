"""English, French, Dutch and German: complete catalogues, and the selected language in each context."""

import asyncio
import re
import subprocess
import sys
from contextvars import copy_context
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
from babel.messages.catalog import Message

from tests.support.cli_runner import BORDER, vinci
from tests.support.paths import DOCS, PROJECT
from tools import catalogues
from vinci.v1 import game_pb2 as pb
from vinci_cli.exceptions import Misused
from vinci_cli.records.loader import names_of
from vinci_cli.text import events, i18n, manual, refusals, tables
from vinci_cli.text.i18n import choose, decimal, plural
from vinci_client.address import BadAddress
from vinci_client.errors import ServerGone, ServerRefused, no_answer_from
from vinci_codec import catalogue as messages
from vinci_codec import events as codec
from vinci_codec import states
from vinci_codec.events import refusal
from vinci_players.builtin import POLICIES
from vinci_rules import notation
from vinci_rules.board import board_names, load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import OptionError, options
from vinci_rules.engine import apply, check, explain, new_game
from vinci_rules.events import Event
from vinci_server.errors import ServiceError

OTHERS: Final = [code for code in i18n.LANGUAGES if code != "en"]
ENGLISH: Final = (
    " takes ", " conquers ", " holds ", " scores ", " declines ", " survivors", " abandons ", " has ", " pawn",
    " and ", "Round", "Market", "pawns", "free", "worth", "you", "seat", "Weapons", "Alps", "declined",
)  # fmt: skip
"""English texts that other languages must not show."""


# The catalogues.


def test_catalogues_are_complete_and_current() -> None:
    """Every catalogue translates exactly the texts of the sources, and its compiled form is current."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.catalogues", "--check"], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_extraction_of_texts(tmp_path: Path) -> None:
    """Texts are extracted from calls, tables, format strings and help of options and commands, and nothing else."""
    source = tmp_path / "source.py"
    source.write_text(
        """
_("a" " b"); f"{_('c')}"; TABLE = {"d": N_("e")}; plural("{n} f", "{n} fs", 2); _(variable); other("g")
option("--h", help="i")
@main.command(epilog="j")
@option("-k")
def l():
    \"\"\"M.

    N.
    \"\"\"
def o():
    \"\"\"P.\"\"\"
"""
    )
    assert set(catalogues.texts(source)) == {"a b", "c", "e", ("{n} f", "{n} fs"), "i", "M.\n\nN."}


@pytest.mark.parametrize(
    ("translation", "fault"),
    [("", "is not translated"), ("sans champ", "is translated with the fields []"), ("{who} dort", "")],
)
def test_translation_without_a_field_is_refused(translation: str, fault: str) -> None:
    """A translation that lacks a field of its text is refused."""
    message = Message("{who} sleeps", translation)
    faults = list(catalogues._wrong_fields(message)) if translation else ["is not translated"]
    assert [fault in one for one in faults] == ([True] if fault else [])


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Qui ? « Moi » : oui ; non !", "Qui\u00a0? «\u00a0Moi\u00a0»\u00a0: oui\u00a0; non\u00a0!"),
        (("{n} fois :", "x ALP; x PYR :::1"), ("{n} fois\u00a0:", "x ALP; x PYR :::1")),
    ],
)
def test_no_break_spaces_before_french_punctuation(written: Any, kept: Any) -> None:
    """`make texts` writes no-break spaces before punctuation and leaves commands as they are."""
    assert catalogues.tied(written) == kept


def test_french_texts_have_no_break_spaces() -> None:
    """Catalogue and rules have no-break spaces before punctuation."""
    assert [
        message.string
        for message in catalogues.read("fr")
        if message.id and catalogues.tied(text := catalogues.text_of(message.string)) != text
    ] == []
    assert re.findall("[^ |] [:;?!»]|« ", (DOCS / "rules.fr.md").read_text(encoding="utf-8")) == []


# The choice.


@pytest.mark.parametrize(
    ("code", "environment", "chosen"),
    [
        ("nl", {"VINCI_LANG": "fr", "LANG": "de_DE.UTF-8"}, "nl"),
        ("de_AT.UTF-8", {}, "de"),
        ("", {"VINCI_LANG": "fr", "LC_ALL": "de_DE.UTF-8"}, "fr"),
        ("", {"LC_ALL": "de_DE.UTF-8", "LANG": "fr_FR.UTF-8"}, "de"),
        ("", {"LC_ALL": "", "LC_MESSAGES": "nl_BE", "LANG": "fr_FR.UTF-8"}, "nl"),
        ("", {"LANG": "fr_CA.UTF-8@euro"}, "fr"),
        ("", {"LC_ALL": "C", "LANG": "fr_FR.UTF-8"}, "en"),
        ("", {"LANG": "POSIX"}, "en"),
        ("", {"LANG": "C.UTF-8"}, "en"),
        ("", {"LANG": "ja_JP.UTF-8"}, "en"),
        ("", {}, "en"),
    ],
)
def test_order_of_language_settings(code: str, environment: dict[str, str], chosen: str) -> None:
    """The order is option, VINCI_LANG, locale, and English if there is no catalogue."""
    choose(code, environment)
    assert i18n.language() == chosen


@pytest.mark.parametrize(("code", "environment"), [("ja", {}), ("", {"VINCI_LANG": "ja"})])
def test_unknown_language_is_refused_unless_from_the_locale(code: str, environment: dict[str, str]) -> None:
    """An unknown locale means English; an unknown option or variable is refused with the known languages."""
    with pytest.raises(Misused, match="ja: languages are en, fr, nl and de"):
        choose(code, environment)


def test_unknown_language_exits_with_2() -> None:
    """An unknown language ends the command with status 2."""
    assert vinci("play", "--lang", "ja") == (2, "Error: --lang ja: languages are en, fr, nl and de\n")


@pytest.mark.parametrize("arguments", [("rules", "WEA"), ("--help",), ("play", "--help"), ("play", "--bad"), ("fly",)])
@pytest.mark.parametrize("code", OTHERS)
def test_language_option_before_or_after_the_command(arguments: tuple[str, ...], code: str) -> None:
    """--lang works before and after the command, with or without an equals sign."""
    outputs = {
        vinci("--lang", code, *arguments),
        vinci(*arguments, "--lang", code),
        vinci(*arguments, f"--lang={code}"),
    }
    assert len(outputs) == 1
    assert outputs != {vinci(*arguments)}


@pytest.mark.parametrize("code", OTHERS)
def test_errors_are_translated(code: str) -> None:
    """Error messages of click, of commands and of the rules are translated."""
    for arguments in (("join", "--take", "x"), ("serve", "--lan", "--host", "h"), ("join", "a b", "--line")):
        status, text = vinci("--lang", code, *arguments)
        assert status == 2
        assert text != vinci(*arguments).text
        for english in ("Usage:", "Try ", "Error", "leave out", "address;"):
            assert english not in text


# Texts.


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("en", ["0 pawns", "1 pawn", "2 pawns"]),
        ("fr", ["0 pion", "1 pion", "2 pions"]),
        ("nl", ["0 pionnen", "1 pion", "2 pionnen"]),
        ("de", ["0 Steine", "1 Stein", "2 Steine"]),
    ],
)
def test_plurals(code: str, texts: list[str]) -> None:
    """Each language has its own plural rule: zero is singular in French."""
    choose(code)
    assert [plural("{n} pawn", "{n} pawns", number) for number in range(3)] == texts


@pytest.mark.parametrize(("code", "number"), [("en", "0.7"), ("fr", "0,7"), ("nl", "0,7"), ("de", "0,7")])
def test_decimals(code: str, number: str) -> None:
    """The decimal separator is a comma but in English."""
    choose(code)
    assert decimal("0.7") == number


async def test_language_is_set_per_context() -> None:
    """Concurrent contexts have their own languages, as sessions over SSH need it."""

    async def session(code: str) -> list[str]:
        choose(code)
        collected = []
        for _turn in range(3):
            await asyncio.sleep(0)
            collected.append(events.pawns_text(2))
        return collected

    german, french = await asyncio.gather(session("de"), session("fr"))
    assert german == ["2 Steine"] * 3
    assert french == ["2 pions"] * 3
    assert events.pawns_text(2) == "2 pawns"
    context = copy_context()
    context.run(choose, "nl")
    assert context.run(events.pawns_text, 2) == "2 pionnen"


@pytest.mark.parametrize("code", OTHERS)
def test_game_texts_are_translated(code: str) -> None:
    """Events, scores, costs, refusals, tables and the board have no English words, and no line is too long."""
    choose(code)
    board = load_board("europe")
    names = names_of(board, ["A", "B", "C", "D"])
    chance = FastChance(3)
    log: list[Event] = []
    state = new_game(board, options((False,) * 4, "standard", target=80), chance, log)
    texts = [*tables.legend(), *manual.help_lines(is_spectator=False), *manual.help_lines(is_spectator=True)]
    lines = []
    while state.phase != "over":
        action = POLICIES["random"](state, chance)
        message = states.state(state)
        legal = states.legal(state)
        drawn = [*tables.scores(message, names, 1), *tables.market(message, names), *tables.board(message, names)]
        drawn += [*tables.empire(message, names, 1), *tables.conquests(legal, names)]
        lines += [tables.plain(line) for line in drawn]
        items = [pb.CostItem(source=source, pawns=pawns) for source, pawns in explain(state, action)]
        texts.append(events.cost(items, names))
        wrong = notation.read("x ALP", board)
        if (violation := check(state, wrong)) is not None:
            texts.append(events.refusal(refusal(violation, board), names))
        apply(state, action, chance, log)
    for event in log:
        texts += events.event_lines(codec.event(event, board), names)
    shown = "\n".join([*texts, *lines])
    assert [word for word in ENGLISH if word in shown] == []
    assert [line for line in [*lines, *texts[:20]] if len(line) > tables.WIDTH] == []


@pytest.mark.parametrize("code", OTHERS)
def test_region_names_fit_their_column(code: str) -> None:
    """The name of every region fits before its provinces."""
    choose(code)
    for board in map(load_board, board_names()):
        names = names_of(board)
        translated = {region.code for region in messages.board(board).regions if region.names[code]}
        assert set(names.regions) <= translated
        assert all(len(names.region(name)) < tables.LABEL for name in names.regions)


@pytest.mark.parametrize("code", OTHERS)
def test_names_given_by_the_server_are_translated(code: str) -> None:
    """Dummies and coasts have translated names; English-only names of a server stay."""
    choose(code)
    names = names_of(load_board("europe"), ["Ann", "dummy"])
    assert (names.player(1), names.player(2)) == ("Ann", i18n._("dummy").capitalize())
    channel = next(coast for coast in names.coasts if coast.name == "English Channel")
    assert names.coast(channel) == {"fr": "Manche", "nl": "Het Kanaal", "de": "Ärmelkanal"}[code]
    assert names.coast(pb.Coast(name="Far Shore")) == "Far Shore"


# What servers refuse.

WRONG: Final = ("fly", "tak 1", "x", "x QQQ", "x ALF", "take z", "hold ALP", "hold fort", "stay here", "ALP")


@pytest.mark.parametrize("text", WRONG)
def test_refused_action_is_explained_in_every_language(text: str) -> None:
    """The English sentence is that of the rules, the others are translated."""
    with pytest.raises(notation.NotationError) as caught:
        notation.read(text, load_board("europe"))
    error = ServiceError("BAD_ACTION", **caught.value.facts)
    assert refusals.sentence(error) == error.message
    for code in OTHERS:
        choose(code)
        assert refusals.sentence(error) != error.message


@pytest.mark.parametrize(
    ("dummies", "edition", "settings"),
    [
        ((False,) * 2, "standard", {}),
        ((False,) * 3, "UK", {}),
        ((False,) * 3, "FR", {"give_up": "never"}),
        ((False,) * 3, "FR", {"giveup": "free"}),
        ((False,) * 3, "FR", {"target": "ten"}),
        ((False,) * 3, "FR", {"target": "5"}),
    ],
)
def test_refused_option_is_explained_in_every_language(dummies: Any, edition: str, settings: dict[str, str]) -> None:
    """The English sentence is that of the rules, the others are translated."""
    with pytest.raises(OptionError) as caught:
        options(dummies, edition, **settings)
    error = ServiceError("BAD_OPTION", **caught.value.facts)
    assert refusals.sentence(error) == error.message
    choose("fr")
    assert refusals.sentence(error) != error.message


@pytest.mark.parametrize("error", [no_answer_from("here:1"), BadAddress("a b")], ids=str)
def test_errors_of_the_client_library_are_translated(error: Exception) -> None:
    """Errors of the library have English text and facts, which the command translates."""
    assert refusals.sentence(error) == str(error)
    choose("nl")
    assert refusals.sentence(error) != str(error)


@pytest.mark.parametrize(
    ("reason", "facts"), [("NEW_REASON", {}), ("SEAT_TAKEN", {}), ("SEAT_TAKEN", {"which": "NEW", "seat": "2"})]
)
def test_unknown_refusals_show_the_server_sentence(reason: str, facts: dict[str, str]) -> None:
    """An unknown reason, a missing fact or a new variant shows the server's sentence."""
    choose("de")
    error = ServerRefused(grpc.StatusCode.FAILED_PRECONDITION, reason, "the comet forbids it", facts)
    assert refusals.sentence(error) == "the comet forbids it"
    assert refusals.sentence(ServerGone("it is gone")) == "it is gone"


@pytest.mark.parametrize("code", OTHERS)
def test_analyze_is_translated(code: str) -> None:
    """`vinci analyze` explains events and illegal actions in the language."""
    for action in ("x DOL", "x GOR", "fly"):
        english = vinci("analyze", "--position", BORDER, "--action", action)
        other = vinci("analyze", "--position", BORDER, "--action", action, "--lang", code)
        assert other.status == english.status
        assert other.text != english.text
