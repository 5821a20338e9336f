"""Actions as text, for people and records: `take 3`, `x ALP spy`, `hold ALP=3 PYR=2 fort ALP`. See docs/notation.md."""

import difflib
import re
from collections.abc import Sequence
from typing import Final, assert_never

from .actions import Abandon, Action, Conquer, Decline, Forfeit, Hold, Peace, Placement, Redeploy, Stay, Take
from .board import Board, Province
from .phases import WORDS
from .state import Seat

LONGEST_FACT: Final = 200
"""Characters of what was typed that are told again."""


class NotationError(ValueError):
    """The text is no action; the message names what is wrong and what would be right, and so do the facts."""

    def __init__(self, message: str, which: str = "", **facts: str) -> None:
        super().__init__(message)
        self.facts: Final = {"which": which, **{name: text[:LONGEST_FACT] for name, text in facts.items()}}


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
                raise NotationError("fort needs a province: hold ALP=3 PYR=2 fort ALP", "FORT")
            return Hold(_pawns(rest[:split], board), forts)
        case "redeploy":
            return Redeploy(_pawns(rest, board))
        case "decline" | "stay":
            if rest:
                more = " ".join(rest)
                raise NotationError(f"{word} stands alone; {more!r} is too much", "ALONE", word=word, more=more)
            return Decline() if word == "decline" else Stay()
    if word.upper() in board.index and not rest:
        code = word.upper()
        message = f"{text.strip()!r} is a province; to conquer it: x {code}"
        raise NotationError(message, "ONLY_PROVINCE", text=text.strip(), code=code)
    typed = text.split()[0] if word else ""
    near, known = _near(word, list(WORDS.values()))
    which = "ACTION_NEAR" if near else "ACTION"
    raise NotationError(f"{typed!r} is no action; {_hint(near, known)}", which, text=typed, near=near, known=known)


def _write_pawns(pawns: Placement, board: Board) -> str:
    return "".join(f" {board.codes[p]}={number}" for p, number in sorted(pawns))


def _pawns(words: Sequence[str], board: Board) -> Placement:
    found = []
    for word in words:
        match = re.fullmatch(r"([^=]+)=(\d{1,3})", word, re.ASCII)
        if not match:
            raise NotationError(f"{word!r} is not CODE=PAWNS, like ALP=3", "PAWNS", text=word)
        found.append((province(match[1], board), int(match[2])))
    return tuple(sorted(found))


def province(code: str, board: Board) -> Province:
    """The province with this code; capitals do not matter. Raises NotationError."""
    found = board.index.get(code.upper())
    if found is None:
        typed = code.upper()
        near, known = _near(typed, list(board.codes))
        which = "PROVINCE_NEAR" if near else "PROVINCE"
        message = f"{typed!r} is no province of {board.name}; {_hint(near, known)}"
        raise NotationError(message, which, text=typed, board=board.name, near=near, known=known)
    return found


def _near(word: str, known: list[str]) -> tuple[str, str]:
    """What is known that is written alike, and all that is known."""
    return " ".join(difflib.get_close_matches(word, known, n=3)), " ".join(known)


def _hint(near: str, known: str) -> str:
    return f"did you mean {' or '.join(near.split())}?" if near else f"known: {known}"


def _only(words: Sequence[str], form: str) -> str:
    if len(words) != 1:
        raise NotationError(f"write {form}", "FORM", form=form)
    return words[0]


def _number(words: Sequence[str], form: str) -> int:
    word = _only(words, form)
    if not re.fullmatch(r"\d{1,3}", word, re.ASCII):
        raise NotationError(f"{word!r} is no number; write {form}", "NUMBER", text=word, form=form)
    return int(word)
