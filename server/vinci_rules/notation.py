"""Actions as text, for people and records: `take 3`, `x ALP spy`, `hold ALP=3 PYR=2 fort ALP`. See docs/notation.md."""

import difflib
import re
from collections.abc import Sequence
from typing import Final, assert_never

from vinci_refusals.catalogue import FORMS, Refused

from .actions import Abandon, Action, Conquer, Decline, Forfeit, Hold, Peace, Placement, Redeploy, Stay, Take
from .board import Board, Province
from .phases import WORDS
from .state import Seat

LONGEST_FACT: Final = 300
"""Characters of what was typed that are told again."""


class NotationError(Refused, ValueError):
    """The text is no action; the message names what is wrong and what would be right, and so do the facts."""

    def __init__(self, which: str, **facts: str) -> None:
        super().__init__("BAD_ACTION", which, **{name: text[:LONGEST_FACT] for name, text in facts.items()})


def write(action: Action, board: Board) -> str:
    """An action in its canonical form: small words, provinces in board order. Slots and seats count from 1."""
    word = WORDS[type(action)]
    match action:
        case Take():
            return f"{word} {action.slot + 1}"
        case Peace() | Forfeit():
            return f"{word} {action.seat + 1}"
        case Abandon():
            return f"{word} {board.codes[action.province]}"
        case Conquer():
            return f"{word} {board.codes[action.province]}" + (" spy" if action.spies else "")
        case Hold():
            forts = " fort " + " ".join(board.codes[p] for p in sorted(action.forts)) if action.forts else ""
            return f"{word}{_write_pawns(action.pawns, board)}{forts}"
        case Redeploy():
            return f"{word}{_write_pawns(action.pawns, board)}"
        case Decline() | Stay():
            return word
        case _:
            assert_never(action)


def read(text: str, board: Board) -> Action:
    """The action that a text stands for; capitals do not matter. Raises NotationError."""
    word, *rest = text.lower().split() or [""]
    match word:
        case "take":
            return Take(_number(word, rest) - 1)
        case "peace":
            return Peace(Seat(_number(word, rest) - 1))
        case "forfeit":
            return Forfeit(Seat(_number(word, rest) - 1))
        case "abandon":
            return Abandon(province(_only(word, rest), board))
        case "x":
            spies = rest[1:] == ["spy"]
            return Conquer(province(_only(word, rest[:1] if spies else rest), board), spies)
        case "hold":
            split = rest.index("fort") if "fort" in rest else len(rest)
            forts = tuple(sorted(province(code, board) for code in rest[split + 1 :]))
            if split < len(rest) and not forts:
                raise NotationError("FORT")
            return Hold(_pawns(rest[:split], board), forts)
        case "redeploy":
            return Redeploy(_pawns(rest, board))
        case "decline" | "stay":
            if rest:
                raise NotationError("ALONE", word=word, more=" ".join(rest))
            return Decline() if word == "decline" else Stay()
    if word.upper() in board.index and not rest:
        raise NotationError("ONLY_PROVINCE", text=text.strip(), code=word.upper())
    typed = text.split()[0] if word else ""
    near, known = _near(word, list(WORDS.values()))
    raise NotationError("ACTION_NEAR" if near else "ACTION", text=typed, near=near, known=known)


def _write_pawns(pawns: Placement, board: Board) -> str:
    return "".join(f" {board.codes[p]}={number}" for p, number in sorted(pawns))


def _pawns(words: Sequence[str], board: Board) -> Placement:
    found = []
    for word in words:
        match = re.fullmatch(r"([^=]+)=(\d{1,3})", word, re.ASCII)
        if not match:
            raise NotationError("PAWNS", text=word)
        found.append((province(match[1], board), int(match[2])))
    return tuple(sorted(found))


def province(code: str, board: Board) -> Province:
    """The province with this code; capitals do not matter. Raises NotationError."""
    found = board.index.get(code.upper())
    if found is None:
        typed = code.upper()
        near, known = _near(typed, list(board.codes))
        raise NotationError(
            "PROVINCE_NEAR" if near else "PROVINCE", text=typed, board=board.name, near=near, known=known
        )
    return found


def _near(word: str, known: list[str]) -> tuple[str, str]:
    """What is known that is written alike, and all that is known."""
    return " ".join(difflib.get_close_matches(word, known, n=3)), " ".join(known)


def _only(verb: str, words: Sequence[str]) -> str:
    if len(words) != 1:
        raise NotationError("FORM", form=FORMS[verb])
    return words[0]


def _number(verb: str, words: Sequence[str]) -> int:
    word = _only(verb, words)
    if not re.fullmatch(r"\d{1,3}", word, re.ASCII):
        raise NotationError("NUMBER", text=word, form=FORMS[verb])
    return int(word)
