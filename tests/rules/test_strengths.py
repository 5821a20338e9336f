"""The option `strengths`: a game with other strengths of traits, for studies of the balance."""

import json

import pytest

from tests.support.rules import at, of_kind, play
from vinci_bots.builtin import selfplay
from vinci_rules import position, record
from vinci_rules.board import load_board
from vinci_rules.editions import OptionError, options
from vinci_rules.events import CivilizationTaken
from vinci_rules.fingerprint import fingerprint

PLAYERS = (False, False, False)
MARKET = "{pair} AGR+LIV AGR*+LIV* MIN+POR MIN*+POR* SLA+MED"


def pawns(pair: str, strengths: str) -> int:
    """Return the pawns of a civilization, taken at a table of three in a game with these strengths."""
    rules = f"rules standard strengths={strengths}"
    state = at(f"tiny; {rules}; round 0; seat 1; seat 2; seat 3; market {MARKET.format(pair=pair)}")
    [event] = of_kind(CivilizationTaken, play(state, "take 1"))
    return event.pawns


@pytest.mark.rule("R-DRAFT-4", "R-DRAFT-5")
@pytest.mark.parametrize(
    ("pair", "strengths", "strength"),
    [
        ("WEA+BAR", "WEA:5", 5 + 6),
        ("WEA+BAR", "BAR:0,WEA:20", 20 + 0),
        ("WEA+BAR", "MIL:9", 3 + 6),
        ("WEA+SPE", "WEA:5", 5 + 5 + 1),
        ("WEA+SPE", "SPE:3", 3 + 3 + 3),
    ],
)
def test_a_civilization_has_the_pawns_of_the_changed_strengths(pair: str, strengths: str, strength: int) -> None:
    """Traits that are not named keep their strength; there are 8 extra pawns at a table of three."""
    assert pawns(pair, strengths) == strength + 8


def test_the_text_is_canonical_and_empty_without_a_change() -> None:
    """The order is that of the trait table; a strength as in the table is none, so it is the unchanged game."""
    assert options(PLAYERS, strengths="BAR:1,WEA:5,MIL:4").changed == {"strengths": "WEA:5,BAR:1"}
    assert options(PLAYERS, strengths="WEA:3") == options(PLAYERS)
    assert options(PLAYERS, strengths="WEA:3").text == "standard"


@pytest.mark.parametrize(
    ("strengths", "known"),
    [("WEAPONS:5", "TRAIT:PAWNS"), ("WEA", "WEA:0 to WEA:20"), ("WEA:21", "WEA:0 to WEA:20"), ("WEA:1,WEA:2", "once")],
)
def test_wrong_strengths_are_refused(strengths: str, known: str) -> None:
    """The refusal says what is known."""
    with pytest.raises(OptionError, match=known):
        options(PLAYERS, strengths=strengths)


def test_records_and_positions_of_such_games_say_so() -> None:
    """They have another fingerprint; a record replays with its strengths, and not without them."""
    changed = options(PLAYERS, strengths="BAR:9")
    lines = selfplay.play(["random"] * 3, load_board("tiny"), changed, "strong").lines
    first = json.loads(lines[0])
    assert first["options"] == {"strengths": "BAR:9"}
    assert record.verify_chance(lines) > 0
    with pytest.raises(record.RecordError, match="hash"):
        list(record.replay([record.dump(first | {"options": {}}), *lines[1:]]))
    states = [at(f"tiny; rules {rules}; round 0; seat 1; seat 2; seat 3") for rules in ("standard", changed.text)]
    assert position.read(position.write(states[1])) == states[1]
    assert fingerprint(states[0]) != fingerprint(states[1])
