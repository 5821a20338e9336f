"""Actions as text, for people and records: `take 3`, `x ALP spy`, `hold ALP=3 PYR=2 fort ALP`. See docs/notation.md.

Slots and seats count from 1 in texts, from 0 in actions.

Example:
    >>> from vinci_rules.board import load_board
    >>> board = load_board("europe")
    >>> read("take 3", board)
    Take(slot=2)
    >>> write(read("hold pyr=2 Alpes=3 fort alp", board), board)
    'hold PYR=2 ALP=3 fort ALP'
"""

import difflib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, TypeAlias, assert_never

from vinci_refusals.catalogue import FORMS
from vinci_refusals.typed import folded
from vinci_refusals.wording import Refused

from .actions import Abandon, Action, Conquer, Decline, Forfeit, Hold, Peace, Placement, Redeploy, Stay, Take
from .board import Board, Province
from .phases import WORDS
from .state import Seat

MOST_NEAR: Final = 3
"""Provinces that are suggested for a name that fits none."""


def fitting(text: str, board: Board, *, whole: bool = False) -> Sequence[Province]:
    """Return the provinces that a text can mean: the one with this code, else with this name, else those that begin so.

    Args:
        text: a code, a name in any language, or the beginning of either; accents, capitals, spaces and hyphens do not
            count.
        board: the board.
        whole: whether a beginning is not enough.

    Returns:
        The provinces in board order; none if no code or name fits.
    """
    code = text.strip().upper()
    if code in board.index:
        return (board.index[code],)
    known, typed = _known(board), folded(text)
    found = known.get(typed, ())
    if found or whole or not typed:
        return found
    return tuple(sorted({p for name, provinces in known.items() if name.startswith(typed) for p in provinces}))


def near(text: str, board: Board) -> Sequence[Province]:
    """Return the provinces whose code or name resembles a text, the most similar first."""
    known = _known(board)
    names = difflib.get_close_matches(folded(text), list(known), n=MOST_NEAR)
    return tuple(dict.fromkeys(p for name in names for p in known[name]))


@cache
def _known(board: Board) -> dict[str, tuple[Province, ...]]:
    """Return the provinces by code and by name in each language, both without capitals and accents."""
    known: dict[str, tuple[Province, ...]] = {}
    for p in board.provinces:
        for name in (board.codes[p], *board.names[p].values()):
            known[folded(name)] = tuple(dict.fromkeys((*known.get(folded(name), ()), p)))
    return known


Finder: TypeAlias = Callable[[str, Board], Province]
"""Parses a province."""

LONGEST_FACT: Final = 300
"""Length in characters to which an error shortens what was typed."""

_NUMBER: Final = re.compile(r"\d{1,3}", re.ASCII)
_PAWNS: Final = re.compile(r"([^=]+)=(\d{1,3})", re.ASCII)


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


def read(text: str, board: Board, *, codes_only: bool = False) -> Action:
    """Parse an action.

    Args:
        text: the action in notation, in upper or lower case.
        board: the board, for the codes and names of provinces.
        codes_only: whether provinces must be codes; otherwise they can be names too (`fitting`).

    Returns:
        The action; it need not be legal.

    Raises:
        NotationError: the text is not an action, or names an unknown province.
    """
    word, *rest = text.lower().split() or [""]
    typed = text.split()[1:]
    find = province if codes_only else _named
    match word:
        case "take":
            return Take(_number(word, rest) - 1)
        case "peace":
            return Peace(Seat(_number(word, rest) - 1))
        case "forfeit":
            return Forfeit(Seat(_number(word, rest) - 1))
        case "abandon":
            return Abandon(_only_province(word, typed, board, find))
        case "x":
            spies = rest[1:] != [] and rest[-1] == "spy"
            return Conquer(_only_province(word, typed[:-1] if spies else typed, board, find), spies)
        case "hold":
            split = rest.index("fort") if "fort" in rest else len(rest)
            forts = tuple(sorted(_provinces(typed[split + 1 :], board, find)))
            if split < len(rest) and not forts:
                raise NotationError("FORT")
            return Hold(_pawns(typed[:split], board, find), forts)
        case "redeploy":
            return Redeploy(_pawns(typed, board, find))
        case "decline" | "stay":
            if rest:
                raise NotationError("ALONE", word=word, more=" ".join(rest))
            return Decline() if word == "decline" else Stay()
    if len(meant := fitting(text, board, whole=True)) == 1:
        raise NotationError("ONLY_PROVINCE", text=text.strip(), code=board.codes[meant[0]])
    shown = text.split()[0] if word else ""
    words = list(WORDS.values())
    close = " ".join(difflib.get_close_matches(word, words, n=3))
    raise NotationError("ACTION_NEAR" if close else "ACTION", text=shown, near=close, known=" ".join(words))


def _write_pawns(pawns: Placement, board: Board) -> str:
    return "".join(f" {board.codes[p]}={number}" for p, number in sorted(pawns))


def _pawns(words: Sequence[str], board: Board, find: Finder) -> Placement:
    placement: list[tuple[Province, int]] = []
    name: list[str] = []
    for word in words:
        name.append(word)
        if "=" in word:
            match = _PAWNS.fullmatch(" ".join(name))
            if not match:
                raise NotationError("PAWNS", text=" ".join(name).lower())
            placement.append((find(match[1], board), int(match[2])))
            name = []
    if name:
        raise NotationError("PAWNS", text=name[0].lower())
    return tuple(sorted(placement))


def _provinces(words: Sequence[str], board: Board, find: Finder) -> Iterator[Province]:
    """Parse provinces with spaces between them; a name can have several words."""
    start = 0
    while start < len(words):
        ends = range(len(words), start + 1, -1)
        end = next((end for end in ends if len(fitting(" ".join(words[start:end]), board)) == 1), start + 1)
        yield find(" ".join(words[start:end]), board)
        start = end


def _only_province(verb: str, words: Sequence[str], board: Board, find: Finder) -> Province:
    """Parse what follows a verb as one province."""
    if not words or (len(words) > 1 and not fitting(" ".join(words), board)):
        raise NotationError("FORM", form=FORMS[verb])
    return find(" ".join(words), board)


def province(code: str, board: Board) -> Province:
    """Parse the code of a province, in upper or lower case.

    Raises:
        NotationError: the board has no such province; the message suggests similar ones.
    """
    number = board.index.get(code.upper())
    if number is None:
        close = " ".join(board.codes[p] for p in near(code, board))
        known = " ".join(board.codes)
        which = "PROVINCE_NEAR" if close else "PROVINCE"
        raise NotationError(which, text=code, board=board.name, near=close, known=known, code=board.codes[0])
    return number


def _named(text: str, board: Board) -> Province:
    """Parse the code or the name of a province, the name in any language or as much of it as fits no other."""
    found = fitting(text, board)
    if len(found) > 1:
        raise NotationError("PROVINCE_FITS", text=text, near=" ".join(board.codes[p] for p in found))
    return found[0] if found else province(text, board)


def _only(verb: str, words: Sequence[str]) -> str:
    if len(words) != 1:
        raise NotationError("FORM", form=FORMS[verb])
    return words[0]


def _number(verb: str, words: Sequence[str]) -> int:
    word = _only(verb, words)
    if not _NUMBER.fullmatch(word):
        raise NotationError("NUMBER", text=word, form=FORMS[verb])
    return int(word)
