"""`vinci analyze`: legal actions of a position, effects of actions, and reasons for refusals."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli_runner import BORDER, vinci
from vinci_rules import position
from vinci_rules.board import board_names

WHOLE = position.write(position.read(BORDER))


def analyzed(*arguments: str, status: int = 0, stdin: str = "") -> dict[str, Any]:
    """Run `vinci analyze --json` and return its parsed output."""
    ended, text = vinci("analyze", "--json", *arguments, stdin=stdin)
    assert ended == status, text
    answer: dict[str, Any] = json.loads(text)
    return answer


def test_position_is_printed_with_legal_actions_costs_and_values() -> None:
    """Without actions the command prints the canonical position and the legal actions, with cost and value of each conquest."""
    answer = analyzed("--position", BORDER)
    assert answer["position"] == WHOLE
    legal = answer["legal"]
    assert legal["conquer"] == ["COL", "DOL", "FEN"]
    assert legal["cost"] == [5, 2, 2]
    assert legal["worth"] == [1, 0, 1]
    assert legal["abandon"] == ["ARA", "BOS"]
    assert legal["decline"] is True
    assert legal["hold"]["parts"] == [{"provinces": ["ARA", "BOS"], "least": 11, "most": 11}]
    assert sum(legal["hold"]["suggestion"]["pawns"]) == 11


def test_actions_given_by_traits_are_listed() -> None:
    """The output lists actions given by traits: provinces open to Spies, forts to build, seats for peace."""
    spies = "tiny; seat 1 | SPI+FOR reserve=3 ARA; seat 2 | BAR+CUR COL=4; seat 3 | AST+SLA reserve=15"
    legal = analyzed("--position", spies)["legal"]
    assert legal["conquer_by_spies"] == ["BOS", "COL", "FEN"]
    assert legal["conquer"] == ["FEN"]
    assert legal["cost"] == [3]
    assert legal["hold"]["forts"] == 1
    diplomacy = "tiny; seat 1 | DIP+FOR reserve=3 ARA; seat 2 | BAR+CUR COL=4; seat 3 | AST+SLA reserve=15"
    assert analyzed("--position", diplomacy)["legal"]["peace"] == [2, 3]


def test_legal_actions_of_other_phases() -> None:
    """The draft lists the slots that can be paid for; a seat with survivors has to place them."""
    draft = "tiny; round 0; seat 1 vp=5; seat 2; seat 3"
    assert analyzed("--position", draft)["legal"] == {"take": [1, 2, 3]}
    redeploy = (
        "tiny; turn 1 redeploy=2; seat 1 | WEA+MIL COL=8; seat 2 survivors=3 | BAR+CUR ERB=2 HAM=1; seat 3 | AST+SLA"
    )
    legal = analyzed("--position", redeploy)["legal"]
    assert list(legal) == ["redeploy"]
    assert legal["redeploy"]["pawns"] == 3
    assert legal["redeploy"]["provinces"] == ["ERB", "HAM"]


def test_finished_game_has_no_legal_actions() -> None:
    """A finished game has an empty list of legal actions."""
    answer = analyzed(
        "--position", "tiny; round 9 reached; turn 1 over; seat 1 | WEA+MIL ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
    )
    assert answer["legal"] == {}


def test_actions_are_applied_in_order() -> None:
    """Each action is printed with canonical text, parts of the cost and events; the new position follows."""
    answer = analyzed("--position", BORDER, "--action", "X  col", "--action", "hold COL=3 ARA=6 BOS=2")
    conquest, hold = answer["steps"]
    assert conquest["action"] == "x COL"
    assert conquest["cost"] == {"terrain": 2, "pawns": 4, "weapons": -1}
    assert conquest["events"] == [
        {
            "conquered": {
                "seat": 1,
                "province": "COL",
                "cost": 5,
                "held": "HOLDING_ACTIVE",
                "defender": 2,
                "lost": 1,
                "survivors": 3,
                "spies": False,
                "fort": False,
            }
        }
    ]
    assert hold["action"] == "hold ARA=6 BOS=2 COL=3"
    assert hold["cost"] == {}
    kinds = [kind for event in hold["events"] for kind in event]
    assert kinds == ["reorganised", "scored", "survivors_in_reserve", "turn_started"]
    assert hold["events"][1]["scored"]["total"] == 13
    assert answer["position"] == position.write(position.read(answer["position"]))
    assert (
        "turn 2 start; seat 1 vp=13 | WEA+MIL ARA=6 BOS=2 COL=3; seat 2 vp=10 | BAR+CUR reserve=3;"
        in answer["position"]
    )
    assert "legal" not in answer


def test_legal_actions_after_given_actions() -> None:
    """--legal with actions lists the legal actions after them."""
    answer = analyzed("--position", BORDER, "--action", "x DOL", "--legal")
    assert answer["legal"]["conquer"] == ["COL", "ERB", "FEN", "GOR"]
    assert answer["legal"]["cost"] == [4, 1, 2, 1]
    assert "abandon" not in answer["legal"]


def test_equal_positions_have_equal_draws() -> None:
    """An action on the same position draws the same each time."""
    draft = ["--position", "tiny; round 0; seat 1; seat 2; seat 3", "--action", "take 2"]
    first = analyzed(*draft)
    assert [kind for event in first["steps"][0]["events"] for kind in event] == [
        "civilization_taken",
        "civilization_drawn",
    ]
    assert analyzed(*draft) == first


@pytest.mark.parametrize(
    ("action", "rule", "reason", "facts"),
    [
        ("x GOR", "R-CONQ-1", "OutOfReach", {"province": "GOR", "reachable": "COL DOL FEN"}),
        ("x ARA", "R-CONQ-8", "OwnProvince", {"province": "ARA"}),
        ("x COL spy", "R-CONQ-7", "NoSpies", {"copies": "0"}),
        ("peace 2", "R-PEACE-1", "NoMorePeace", {"copies": "0"}),
        ("abandon FEN", "R-MOB-2", "NotHeld", {"province": "FEN"}),
        ("hold ARA=5 BOS=5", "R-REORG-1", "WrongNumberOfPawns", {"placed": "10", "least": "11", "most": "11"}),
        ("hold ARA=11", "R-REORG-3", "WrongNumberOfProvinces", {"kept": "1", "needed": "2", "part": "ARA BOS"}),
        ("take 1", "R-MOB-5", "NotNow", {"phase": "start", "legal": "x hold abandon peace decline"}),
        ("forfeit 9", "R-FORFEIT-1", "NoSuchSeat", {"seat": "9"}),
    ],
)  # fmt: skip
def test_illegal_action_is_reported_with_rule_and_facts(
    action: str, rule: str, reason: str, facts: dict[str, str]
) -> None:
    """An illegal action is not played; the command prints rule, kind and facts of the violation and exits with status 1."""
    answer = analyzed("--position", BORDER, "--action", action, status=1)
    violation = answer["violation"]
    assert violation["action"] == action
    assert violation["rule"] == rule
    assert violation["reason"] == reason
    if reason == "NotNow":
        assert violation["facts"]["phase"] == "start"
        assert set(violation["facts"]["legal"].split()) == set(facts["legal"].split())
    else:
        assert violation["facts"] == facts
    assert answer["position"] == WHOLE
    assert answer["steps"] == []


def test_cost_of_a_conquest_that_is_too_expensive_is_itemised() -> None:
    """The cost of a province is itemised even if the reserve is too small."""
    poor = BORDER.replace("reserve=9", "reserve=4")
    violation = analyzed("--position", poor, "--action", "x COL", status=1)["violation"]
    assert violation["facts"] == {"province": "COL", "needed": "5", "available": "4"}
    assert violation["cost"] == {"terrain": 2, "pawns": 4, "weapons": -1}


def test_actions_before_an_illegal_one_are_applied() -> None:
    """Actions before the first illegal one are applied and printed; those after it are not."""
    answer = analyzed("--position", BORDER, "--action", "x COL", "--action", "x HAM", "--action", "x DOL", status=1)
    assert [step["action"] for step in answer["steps"]] == ["x COL"]
    assert answer["violation"]["action"] == "x HAM"
    assert "COL=5" in answer["position"]


def test_text_output_has_names_of_provinces() -> None:
    """Without --json the analysis is printed in sentences with names of provinces, and the new position last."""
    status, text = vinci("analyze", "--position", BORDER, "--action", "x COL", "--action", "hold ARA=6 BOS=2 COL=3")
    assert status == 0
    assert text.splitlines()[:4] == [
        "seat 1 conquers Collis for 5 pawns from seat 2, 3 survive.",
        "seat 1 holds Arable 6, Boscage 2, Collis 3.",
        "seat 1 scores 3 VP and stands at 13.",
        "  provinces +3",
    ]
    assert position.read(text.splitlines()[-1]).vp == [13, 10, 10]


def test_illegal_action_in_text_output() -> None:
    """Without --json an illegal action is explained in a sentence with its rule, and the status is 1."""
    status, text = vinci("analyze", "--position", BORDER, "--action", "x GOR")
    assert status == 1
    assert text == "x GOR: You cannot reach Gorge; within reach: COL DOL FEN (R-CONQ-1).\n"


def test_position_is_read_from_text_file_or_standard_input(tmp_path: Path) -> None:
    """The position may be an argument, a file of several lines, or standard input."""
    file = tmp_path / "game.txt"
    file.write_text(BORDER.replace("; ", ";\n") + "\n", encoding="utf-8")
    expected = analyzed("--position", BORDER)
    assert analyzed("--position", str(file)) == expected
    assert analyzed("--position", "-", stdin=BORDER + "\n") == expected


def test_every_fault_of_a_position_is_reported() -> None:
    """Every fault of a position is reported with its rule, and the status is 2."""
    impossible = "tiny; seat 1 | WEA+WEA reserve=99 ARA; seat 2 | BAR+CUR GOR=4; seat 3 | WEA+SLA HAM"
    for more in ([], ["--json"]):
        status, text = vinci("analyze", "--position", impossible, *more)
        assert status == 2
        assert "impossible position:\n" in text
        faults = text.partition("impossible position:\n")[2].splitlines()
        assert len(faults) >= 2
        assert any("WEA" in fault and "R-SETUP-3" in fault for fault in faults)
        assert any("R-DRAFT-4" in fault for fault in faults)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nonsense", "no position (such as: tiny; "),
        ("no-such-file.txt", "no file: "),
        ("x" * 5000, "no position"),
        ("", "europe, tiny"),
        ("mars; seat 1; seat 2; seat 3", f"known: {', '.join(board_names())}"),
        ("tiny; seat 1; seat 2", "a game has 3 to 6 seats, not 2"),
        ("tiny; seat 1 | XXX+CUR; seat 2; seat 3", "XXX"),
        ("tiny; seat 1 | WEA+CUR ZZZ; seat 2; seat 3", "ZZZ"),
        ("tiny; spam 1; seat 1; seat 2; seat 3", "spam"),
        ("tiny; rules XX; seat 1; seat 2; seat 3", "standard, FR, NL, DE, WEB"),
        (";;;", "europe, tiny"),
        ("tiny; seat 1 \N{SNOWMAN}; seat 2; seat 3", "\N{SNOWMAN}"),
    ],
)
def test_invalid_position_is_refused(text: str, expected: str) -> None:
    """An invalid position exits with status 2 and a message that names the error."""
    status, output = vinci("analyze", "--position", text)
    assert status == 2
    assert expected in output


def test_example_position_in_the_error_is_valid() -> None:
    """The position that the error gives as an example can be read."""
    _, output = vinci("analyze", "--position", "nonsense")
    example = output.partition("(such as: ")[2].partition(")")[0]
    assert vinci("analyze", "--position", example).status == 0


def test_folder_or_binary_file_is_refused(tmp_path: Path) -> None:
    """A folder or a binary file is refused as a position."""
    bytes_file = tmp_path / "bytes"
    bytes_file.write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path, bytes_file):
        status, output = vinci("analyze", "--position", str(path))
        assert status == 2
        assert "no position" in output


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("jump", "the actions are: take decline peace"),
        ("x ZZZ", "there is no province 'ZZZ' on the board tiny; write its code or its name"),
        ("", "''"),
    ],
)
def test_unreadable_action_is_refused_with_known_words(action: str, expected: str) -> None:
    """An unknown word or province of an action is refused with what would be right."""
    status, output = vinci("analyze", "--position", BORDER, "--action", action)
    assert status == 2
    assert expected in output
