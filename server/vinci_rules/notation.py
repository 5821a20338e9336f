"""Actions as text, for people and records: `take 3`, `x ALP spy`, `hold ALP=3 PYR=2 fort ALP`. See docs/notation.md."""

import difflib
import re
from collections.abc import Sequence
from typing import assert_never

from .actions import Abandon, Action, Conquer, Decline, Forfeit, Hold, Peace, Placement, Redeploy, Stay, Take
from .board import Board, Province
from .phases import WORDS
from .state import Seat


class NotationError(ValueError):
    """The text is no action; the message names what is wrong and what would be right."""


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
            return Take(_number(rest, "take N, a slot of the market") - 1)
        case "peace":
            return Peace(Seat(_number(rest, "peace N, a seat") - 1))
        case "forfeit":
            return Forfeit(Seat(_number(rest, "forfeit N, a seat") - 1))
        case "abandon":
            return Abandon(province(_only(rest, "abandon CODE, a province"), board))
        case "x":
            spies = rest[1:] == ["spy"]
            return Conquer(province(_only(rest[:1] if spies else rest, "x CODE or x CODE spy"), board), spies)
        case "hold":
            split = rest.index("fort") if "fort" in rest else len(rest)
            forts = tuple(sorted(province(code, board) for code in rest[split + 1 :]))
            if split < len(rest) and not forts:
                raise NotationError("fort needs a province: hold ALP=3 PYR=2 fort ALP")
            return Hold(_pawns(rest[:split], board), forts)
        case "redeploy":
            return Redeploy(_pawns(rest, board))
        case "decline" | "stay":
            if rest:
                raise NotationError(f"{word} stands alone; {' '.join(rest)!r} is too much")
            return Decline() if word == "decline" else Stay()
    if word.upper() in board.index and not rest:
        raise NotationError(f"{text.strip()!r} is a province; to conquer it: x {word.upper()}")
    raise NotationError(f"{text.split()[0] if word else ''!r} is no action; {_hint(word, list(WORDS.values()))}")


def _write_pawns(pawns: Placement, board: Board) -> str:
    return "".join(f" {board.codes[p]}={number}" for p, number in sorted(pawns))


def _pawns(words: Sequence[str], board: Board) -> Placement:
    found = []
    for word in words:
        match = re.fullmatch(r"([^=]+)=(\d{1,3})", word, re.ASCII)
        if not match:
            raise NotationError(f"{word!r} is not CODE=PAWNS, like ALP=3")
        found.append((province(match[1], board), int(match[2])))
    return tuple(sorted(found))


def province(code: str, board: Board) -> Province:
    """The province with this code; capitals do not matter. Raises NotationError."""
    found = board.index.get(code.upper())
    if found is None:
        hint = _hint(code.upper(), list(board.codes))
        raise NotationError(f"{code.upper()!r} is no province of {board.name}; {hint}")
    return found


def _hint(word: str, known: list[str]) -> str:
    near = difflib.get_close_matches(word, known, n=3)
    return f"did you mean {' or '.join(near)}?" if near else f"known: {' '.join(known)}"


def _only(words: Sequence[str], form: str) -> str:
    if len(words) != 1:
        raise NotationError(f"write {form}")
    return words[0]


def _number(words: Sequence[str], form: str) -> int:
    word = _only(words, form)
    if not re.fullmatch(r"\d{1,3}", word, re.ASCII):
        raise NotationError(f"{word!r} is no number; write {form}")
    return int(word)
