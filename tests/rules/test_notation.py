"""Actions as text: the table of docs/notation.md, round trips, and what is said about a wrong text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.paths import DOCS
from vinci_rules import notation
from vinci_rules.actions import Abandon, Action, Conquer, Decline, Forfeit, Hold, Peace, Redeploy, Stay, Take
from vinci_rules.board import Board, Province, board_names, load_board
from vinci_rules.notation import NotationError
from vinci_rules.phases import WORDS
from vinci_rules.state import Seat

DOCUMENT = (DOCS / "notation.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^\|[^|]*\| `([^`]+)` \|", DOCUMENT, re.MULTILINE)
EUROPE = load_board("europe")


def p(code: str) -> Province:
    """Return a province of Europe by its code."""
    return EUROPE.index[code]


MEANING: dict[str, Action] = {
    "take 3": Take(2),
    "decline": Decline(),
    "peace 2": Peace(Seat(1)),
    "abandon ALP": Abandon(p("ALP")),
    "x ALP": Conquer(p("ALP")),
    "x ALP spy": Conquer(p("ALP"), spies=True),
    "hold ALP=3 PYR=2": Hold(((p("PYR"), 2), (p("ALP"), 3))),
    "hold ALP=3 PYR=2 fort ALP": Hold(((p("PYR"), 2), (p("ALP"), 3)), (p("ALP"),)),
    "stay": Stay(),
    "redeploy ALP=1 PYR=1": Redeploy(((p("PYR"), 1), (p("ALP"), 1))),
    "forfeit 2": Forfeit(Seat(1)),
}


def test_the_document_shows_every_action() -> None:
    """The examples of the document are those tested here, and cover every word."""
    assert list(MEANING) == EXAMPLES
    assert {example.split()[0] for example in EXAMPLES} == set(WORDS.values())


@pytest.mark.parametrize(("text", "action"), MEANING.items())
def test_documented_examples_have_the_documented_meaning(text: str, action: Action) -> None:
    """Slots and seats count from 1, provinces are codes."""
    assert notation.read(text, EUROPE) == action
    assert notation.read(notation.write(action, EUROPE), EUROPE) == action


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  TAKE   3 ", "take 3"),
        ("Take 03", "take 3"),
        ("X alp SPY", "x ALP spy"),
        ("hold alp=3 pyr=2", "hold PYR=2 ALP=3"),
        ("HOLD ALP=03 PYR=2 FORT ALP PYR", "hold PYR=2 ALP=3 fort PYR ALP"),
        ("hold", "hold"),
        ("redeploy\tALP=1\nPYR=1", "redeploy PYR=1 ALP=1"),
        ("Abandon Alp", "abandon ALP"),
        ("Decline", "decline"),
    ],
)
def test_reading_ignores_capitals_and_spaces_and_writing_is_canonical(text: str, canonical: str) -> None:
    """Small words, codes in capitals, provinces in board order, single spaces."""
    assert notation.write(notation.read(text, EUROPE), EUROPE) == canonical
    assert notation.read(canonical, EUROPE) == notation.read(text, EUROPE)


def test_writing_puts_provinces_in_board_order() -> None:
    """However an action lists them."""
    action = Hold(((p("ALP"), 3), (p("PYR"), 2)), (p("ALP"), p("PYR")))
    assert notation.write(action, EUROPE) == "hold PYR=2 ALP=3 fort PYR ALP"
    assert notation.write(Redeploy(((p("ALP"), 3), (p("PYR"), 2))), EUROPE) == "redeploy PYR=2 ALP=3"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", r"'' is not an action; the actions are: take decline peace abandon x hold stay redeploy forfeit"),
        ("jump ALP", r"'jump' is not an action; the actions are: take"),
        ("tkae 3", r"'tkae' is not an action; did you mean take\?"),
        ("conquer ALP", r"'conquer' is not an action"),
        ("take", r"write take N, a slot of the market"),
        ("take 1 2", r"write take N, a slot of the market"),
        ("take III", r"'iii' is not a number; write take N"),
        ("take -1", r"'-1' is not a number; write take N"),
        ("take ²", r"'²' is not a number; write take N"),
        ("take ٣", r"'٣' is not a number"),
        ("take 1234", r"'1234' is not a number"),
        ("peace", r"write peace N, a seat"),
        ("peace ALP", r"'alp' is not a number; write peace N, a seat"),
        ("forfeit", r"write forfeit N, a seat"),
        ("forfeit me", r"'me' is not a number; write forfeit N, a seat"),
        ("abandon", r"write abandon CODE, a province"),
        ("abandon ALP PYR", r"write abandon CODE, a province"),
        ("abandon ALTS", r"no province 'ALTS' on the board europe; did you mean ALP"),
        ("x", r"write x CODE or x CODE spy"),
        ("x ALP spies", r"write x CODE or x CODE spy"),
        ("x ALP spy spy", r"write x CODE or x CODE spy"),
        ("x ARA", r"no province 'ARA' on the board europe; (did you mean|write its code)"),
        ("x XQJ", r"no province 'XQJ' on the board europe; write its code or its name, like IRL$"),
        ("x flandes", r"no province 'flandes' on the board europe; did you mean FLA\?"),
        ("x po", r"'po' fits more than one province: POM or POL or PON; write more of the name, or the code$"),
        ("x =", r"no province '=' on the board europe; write its code"),
        ("Poland", r"'Poland' is a province; to conquer it, write x POL"),
        ("alp", r"'alp' is a province; to conquer it, write x ALP"),
        ("hold ALP", r"'alp' is not of the form CODE=PAWNS, like ALP=3"),
        ("hold ALP=", r"'alp=' is not of the form CODE=PAWNS, like ALP=3"),
        ("hold ALP=x", r"'alp=x' is not of the form CODE=PAWNS"),
        ("hold ALP=-1", r"'alp=-1' is not of the form CODE=PAWNS"),
        ("hold ALP=3=2", r"'alp=3=2' is not of the form CODE=PAWNS"),
        ("hold ALP=²", r"'alp=²' is not of the form CODE=PAWNS"),
        ("hold ALP=٣", r"'alp=٣' is not of the form CODE=PAWNS"),
        ("hold QQQ=3", r"no province 'QQQ' on the board europe"),
        ("hold ALP=3 fort", r"name a province after fort: hold ALP=3 PYR=2 fort ALP"),
        ("hold ALP=3 fort XXX", r"no province 'XXX' on the board europe"),
        ("hold ALP=3 fort ALP=1", r"no province 'ALP=1' on the board europe"),
        ("redeploy ALP", r"'alp' is not of the form CODE=PAWNS, like ALP=3"),
        ("redeploy ALP=1 fort ALP", r"'fort' is not of the form CODE=PAWNS"),
        ("decline now", r"nothing may follow decline; leave out 'now'"),
        ("stay here please", r"nothing may follow stay; leave out 'here please'"),
    ],
)
def test_invalid_text_is_refused_with_the_valid_form(text: str, fault: str) -> None:
    """The message names the wrong word, and the form or the names that are known."""
    with pytest.raises(NotationError, match=fault):
        notation.read(text, EUROPE)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("x Poland", "x POL"),
        ("x POLOGNE", "x POL"),
        ("x polen spy", "x POL spy"),
        ("x ecosse", "x SCO"),
        ("x Écosse", "x SCO"),
        ("x E\u0301cosse", "x SCO"),
        ("x schott", "x SCO"),
        ("x bohmen", "x BOH"),
        ("x massif  central SPY", "x MAS spy"),
        ("x massif-central", "x MAS"),
        ("x pol", "x POL"),
        ("abandon steppe pontique", "abandon PON"),
        ("hold Massif Central=3 alpen=2 fort massif central Alps", "hold MAS=3 ALP=2 fort MAS ALP"),
        ("hold ALP=3 MAS=2 fort massif ALP", "hold MAS=2 ALP=3 fort MAS ALP"),
        ("redeploy steppe=1 Pyrénées=1", "redeploy PYR=1 PON=1"),
    ],
)
def test_provinces_can_be_named(text: str, canonical: str) -> None:
    """A name is accepted in any language, without accents and capitals, and shortened; a code is that province."""
    assert notation.write(notation.read(text, EUROPE), EUROPE) == canonical


@pytest.mark.parametrize("code", ["en", "fr", "nl", "de"])
def test_every_name_is_its_province(code: str) -> None:
    """No name in any language is ambiguous, or another province's code."""
    for name in board_names():
        board = load_board(name)
        for province in board.provinces:
            assert notation.read(f"x {board.names[province][code]}", board) == Conquer(province)


def test_records_are_read_with_codes_only() -> None:
    """Readers of records in other languages know no names."""
    assert notation.read("x alp", EUROPE, codes_only=True) == Conquer(p("ALP"))
    for text in ("x Alps", "hold Alps=1", "hold ALP=1 fort Alps", "abandon Alps"):
        with pytest.raises(NotationError, match="no province 'Alps'"):
            notation.read(text, EUROPE, codes_only=True)


def test_a_province_is_read_on_its_own_board() -> None:
    """A code of another board is unknown."""
    assert notation.read("x ARA", load_board("tiny")) == Conquer(Province(0))
    with pytest.raises(NotationError, match="on the board tiny"):
        notation.read("x ALP", load_board("tiny"))


# Round trips


def placements(board: Board) -> st.SearchStrategy[tuple[tuple[Province, int], ...]]:
    """Generate pawns in some provinces, in board order."""
    pawns = st.dictionaries(st.sampled_from(board.provinces), st.integers(1, 999), max_size=8)
    return pawns.map(lambda actual: tuple(sorted(actual.items())))


def actions(board: Board) -> st.SearchStrategy[Action]:
    """Generate any action, legal or not."""
    somewhere = st.sampled_from(board.provinces)
    somewhere_sorted = st.lists(somewhere, max_size=3, unique=True).map(sorted).map(tuple)
    seats = st.integers(0, 5).map(Seat)
    return st.one_of(
        st.builds(Take, st.integers(0, 998)),
        st.just(Decline()),
        st.just(Stay()),
        st.builds(Peace, seats),
        st.builds(Forfeit, seats),
        st.builds(Abandon, somewhere),
        st.builds(Conquer, somewhere, st.booleans()),
        st.builds(Hold, placements(board), somewhere_sorted),
        st.builds(Redeploy, placements(board)),
    )


@pytest.mark.parametrize("name", board_names())
@given(data=st.data())
def test_every_action_survives_writing_and_reading(name: str, data: st.DataObject) -> None:
    """Written and read again an action is the same, and one line of text."""
    board = load_board(name)
    action = data.draw(actions(board))
    text = notation.write(action, board)
    assert "\n" not in text
    assert notation.read(text, board) == action
    assert notation.read(text.upper(), board) == action


@given(
    st.text(max_size=40)
    | st.lists(st.sampled_from(["x", "=", "1", "hold", "ALP=3", "fort", "take", "spy"])).map(" ".join)
)
def test_any_text_is_an_action_or_a_notation_error(text: str) -> None:
    """No other exception is raised for any text."""
    try:
        action = notation.read(text, EUROPE)
    except NotationError:
        return
    assert notation.read(notation.write(action, EUROPE), EUROPE) == action
