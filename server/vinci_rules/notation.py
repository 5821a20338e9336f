"""Actions as text, for people and records: `take 3`, `x ALP spy`, `hold ALP=3 PYR=2 fort ALP`. See docs/notation.md.

Slots and seats count from 1 in texts, from 0 in actions.

Example:
    >>> from vinci_rules.board import load_board
    >>> board = load_board("europe")
    >>> read("take 3", board)
    Take(slot=2)
    >>> write(read("hold pyr=2 alp=3 fort alp", board), board)
    'hold PYR=2 ALP=3 fort ALP'
"""

import difflib
import re
from collections.abc import Sequence
from typing import Final, assert_never

from vinci_refusals.catalogue import FORMS
from vinci_refusals.wording import Refused

from .actions import Abandon, Action, Conquer, Decline, Forfeit, Hold, Peace, Placement, Redeploy, Stay, Take
from .board import Board, Province
from .phases import WORDS
from .state import Seat

LONGEST_FACT: Final = 300
"""Length in characters to which an error shortens what was typed."""


class NotationError(Refused, ValueError):
    """A text is not an action; message and facts name the mistake and the correct form."""

    def __init__(self, which: str, **facts: str) -> None:
        super().__init__("BAD_ACTION", which, **{name: text[:LONGEST_FACT] for name, text in facts.items()})


def write(action: Action, board: Board) -> str:
    """Return an action as canonical text: words in lower case, provinces in board order.

    Args:
        action: the action; it need not be legal.
        board: the board, for the codes of provinces.
    """
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
    """Parse an action.

    Args:
        text: the action in notation, in upper or lower case.
        board: the board, for the codes of provinces.

    Returns:
        The action; it need not be legal.

    Raises:
        NotationError: the text is not an action, or names an unknown province.
    """
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
    placement = []
    for word in words:
        match = re.fullmatch(r"([^=]+)=(\d{1,3})", word, re.ASCII)
        if not match:
            raise NotationError("PAWNS", text=word)
        placement.append((province(match[1], board), int(match[2])))
    return tuple(sorted(placement))


def province(code: str, board: Board) -> Province:
    """Parse the code of a province, in upper or lower case.

    Raises:
        NotationError: the board has no such province; the message suggests similar codes.
    """
    number = board.index.get(code.upper())
    if number is None:
        typed = code.upper()
        near, known = _near(typed, list(board.codes))
        raise NotationError(
            "PROVINCE_NEAR" if near else "PROVINCE", text=typed, board=board.name, near=near, known=known
        )
    return number


def _near(word: str, known: list[str]) -> tuple[str, str]:
    """Return the known words that resemble `word`, and all known words."""
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
