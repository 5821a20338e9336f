"""Games recomputed by the oracle (tests/support/oracle), which knows docs/rules.md and shares no code with the engine."""

import json
from collections import Counter
from collections.abc import Sequence
from random import Random
from types import ModuleType
from typing import Any, Final, TypeAlias

import pytest

from tests.support.oracle.book import rows
from tests.support.oracle.records import check
from tests.support.oracle.table import Disagreement
from vinci_bots.builtin import selfplay
from vinci_players.builtin import POLICIES
from vinci_rules import conquest, core, decline, dummy, engine, market, notation, redeployment, reorganisation, scoring
from vinci_rules.actions import Action, Hold
from vinci_rules.board import load_board
from vinci_rules.chance import Chance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import check as check_action
from vinci_rules.engine import legal_actions, open_decision
from vinci_rules.playout import random_action
from vinci_rules.reorganisation import Reorganisation
from vinci_rules.state import State
from vinci_rules.traits import FORTS

CHANGES: Final[list[dict[str, str]]] = [
    *({row["option"]: value} for row in rows("editions.csv") for value in row["values"].split()),
    {"target": "60"},
    {"max_rounds": "9"},
    {"dummy_start_vp": "15"},
    {"dummy_extra_pawns": "9"},
]
"""Every option with each of its values."""

GAMES: Final = 500
BLOCK: Final = 25
WORDS: Final = {"take", "decline", "peace", "abandon", "x", "hold", "stay", "redeploy"}


Played: TypeAlias = tuple[Sequence[str], Sequence[set[str]]]
"""The record of a game, and what the engine offered before each action."""


def leaner(state: State, action: Hold, random: Random) -> Hold:
    """Return a reorganisation with fewer pawns if that is legal: random ones place as many as they may (R-REORG-2)."""
    fewer = tuple((p, random.randint(1, pawns)) for p, pawns in action.pawns)
    return Hold(fewer) if check_action(state, Hold(fewer)) is None else action


def played(monkeypatch: pytest.MonkeyPatch, number: int, **settings: str) -> Played:
    """Play one of many games: every edition with three to six seats, random bots and dummies, boards and options in turn.

    Two of three games have dummies, every other one an option of its own unless settings are given; one of ten is on
    the small board.
    """
    offered: list[set[str]] = []

    def look(state: State, _: Action) -> None:
        """Record the legal actions."""
        offered.append({notation.write(action, state.board) for action in legal_actions(state)})
        offered[-1] |= {open_decision(state) or ""} - {""}

    random = Random(number)

    def wild(state: State, _: Chance) -> Action:
        """Return any legal action, with forts that random actions leave out."""
        action = random_action(state, random)
        if isinstance(action, Hold) and any(part.least < part.most for part in Reorganisation(state).parts):
            action = leaner(state, action, random)
        if isinstance(action, Hold) and state.empire().copies[FORTS]:
            free = [p for p, _ in action.pawns if not state.forts >> p & 1]
            action = Hold(action.pawns, tuple(sorted(free[: random.randint(0, state.empire().copies[FORTS])])))
        return action

    monkeypatch.setitem(POLICIES, "wild", wild)
    edition, seats = EDITIONS[number % 5], 3 + number // 5 % 4
    players = [random.choice(("wild", "dummy")) if number % 3 else "wild" for _ in range(seats)]
    if not settings and number % 2:
        settings = CHANGES[number // 2 % len(CHANGES)]
    board = load_board("europe" if number % 10 else "tiny")
    rules = options(tuple(player == "dummy" for player in players), edition, **settings)
    return selfplay.play(players, board, rules, f"oracle-{number}", look=look).lines, offered


def check_short_games(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Check that many games that end after eight rounds."""
    for game in range(number):
        check(*played(monkeypatch, game, max_rounds="8"))


@pytest.mark.parametrize("number", range(10))
def test_short_games_of_every_edition_agree(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Two games of each edition, ended after eight rounds."""
    assert check(*played(monkeypatch, number, max_rounds="8"))["results"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, GAMES, BLOCK))
def test_games_agree(monkeypatch: pytest.MonkeyPatch, first: int) -> None:
    """Whole games, 500 in all; each block has every kind of action, and dummies that draw."""
    counts = sum((check(*played(monkeypatch, number)) for number in range(first, first + BLOCK)), Counter[str]())
    assert counts["results"] == BLOCK
    assert set(counts) >= WORDS
    assert min(counts["draws"], counts["rolls"]) > 0


@pytest.mark.skipif(core.active() == "compiled", reason="compiled functions call each other, not those of a test")
@pytest.mark.parametrize(
    ("module", "name", "wrong"),
    [
        (market, "MARKER_VP", 1),
        (engine, "GENERAL_PAWNS", 6),
        (engine, "is_last_round", lambda state: state.round > 6),
        (conquest, "SPIES_COST", 1),
        (conquest, "_attack", lambda *key, attack=conquest._attack: (key[0].cost, attack(*key)[1])),  # without skills
        (conquest, "_defences", lambda _state: []),
        (conquest, "_evacuate", lambda *_: None),
        (decline, "lasting", lambda _traits: ()),
        (scoring, "slavery_vp", lambda _state, _empire: 0),
        (reorganisation, "may_hold", lambda _state: True),
        (reorganisation, "may_hold", lambda state: bool(state.empire().provinces)),
        (reorganisation, "exempt", lambda _state, _empire: True),
        (redeployment, "even", lambda _state, _seat, provinces, _pawns, more, _tie: [more] * len(provinces)),
        (dummy, "POOR_EMPIRE_VP", 9),
        (dummy, "MOST_FREE_PAWNS", 4),
        (dummy, "worth", lambda board, _traits: (1,) * len(board.codes)),
    ],
)
def test_oracle_finds_engine_faults(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, wrong: Any) -> None:
    """Records of an engine with one fault, with right hashes, disagree with the rules."""
    monkeypatch.setattr(module, name, wrong)
    with pytest.raises(Disagreement, match=r"^line \d+: "):
        check_short_games(monkeypatch, 60)


@pytest.mark.parametrize(
    ("key", "changed"),
    [
        ("do", lambda text: text[:-1] + ("1" if text[-1] != "1" else "2")),
        ("seat", lambda seat: seat % 3 + 1),
        ("n", lambda number: number + 1),
        ("by", lambda _: "player"),
        ("picks", lambda picks: picks[::-1] if len(picks) > 1 else [*picks, "WEA#1"]),
        ("rolls", lambda _: ["7"]),
        ("hash", lambda text: text[::-1]),
        ("result", lambda result: {**result, "ranks": [1, 1, 1]}),
        ("seed", lambda seed: seed + "0"),
        ("edition", lambda _: "NL"),
    ],
)
def test_oracle_finds_changed_lines(monkeypatch: pytest.MonkeyPatch, key: str, changed: Any) -> None:
    """If one value of one line is changed, that line is named."""
    lines = [json.loads(line) for line in played(monkeypatch, 1, max_rounds="8")[0]]
    place = next(place for place, line in enumerate(lines) if key in line)
    lines[place][key] = changed(lines[place][key])
    with pytest.raises(Disagreement, match=f"^line {place + 1}: "):
        check([json.dumps(line) for line in lines])


def test_oracle_finds_truncated_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """The missing line with the result is reported."""
    with pytest.raises(Disagreement, match="no result"):
        check(played(monkeypatch, 1, max_rounds="8")[0][:-1])
