"""Sentences of the common catalogue in the language of the session, with the names of a match."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from google.protobuf.message import Message

from vinci.v1 import game_pb2 as pb
from vinci_words import sentences

from .i18n import _, decimal, form_of
from .names import Catalogue, listed

MOST_SHOWN: Final = 4
"""Provinces that are named where some of them are enough."""


def sentence(
    name: str, facts: Mapping[str, Any] | Message, names: Catalogue | None = None, *, ahead: bool = False
) -> str:
    """Return a sentence of the catalogue; empty if it has none for these facts.

    Args:
        name: its id.
        facts: what it is about; of a message, its fields.
        names: names of provinces, seats and traits, if some stand in it.
        ahead: whether to say what would happen instead of what happened.
    """
    if isinstance(facts, Message):
        facts = {field.name: getattr(facts, field.name) for field in facts.DESCRIPTOR.fields}
    kinds = {kind: partial(word, names) for kind, word in _KINDS.items()} if names else {}
    if names and names.you:
        facts = {"you": names.you, **facts}
    return sentences.sentence(name, facts, sentences.Language(_, form_of, kinds), ahead=ahead)


def signed(number: int) -> str:
    """Return a number with its sign; a hyphen, since consoles without UTF-8 lack the minus of typography."""
    return f"{number:+d}"


def _some(names: Catalogue, codes: Sequence[str]) -> str:
    if len(codes) > MOST_SHOWN:
        return ", ".join([*map(names.province, codes[:MOST_SHOWN]), "…"])
    return names.provinces_text(codes)


def _placed(names: Catalogue, codes: Sequence[str], pawns: Sequence[int]) -> str:
    placed = (f"{names.province(code)} {number}" for code, number in zip(codes, pawns, strict=True))
    return ", ".join(placed) or _("nothing")


def _decimal(_names: Catalogue, number: float) -> str:
    return decimal(f"{number:.1f}")


def _size(_names: Catalogue, estimate: pb.Estimate) -> str:
    return decimal(f"{abs(estimate.mean):.1f} ± {estimate.half_width:.1f}")


def _difference(_names: Catalogue, estimate: pb.Estimate) -> str:
    return decimal(f"{round(estimate.mean, 1) + 0.0:+.1f} ± {estimate.half_width:.1f}")


_KINDS: Final[Mapping[str, Callable[..., str]]] = {
    "seat": lambda names, seat: names.seat(int(seat)),
    "whom": lambda names, seat: names.whom(seat),
    "seats": lambda names, seats: ", ".join(map(names.seat, seats)),
    "all_seats": lambda names, seats: listed([*map(names.seat, seats)]),
    "province": Catalogue.province_object,
    "provinces": Catalogue.provinces_object,
    "civilization": Catalogue.civilization,
    "placed": _placed,
    "some": _some,
    "words": lambda _names, words: ", ".join(words.split()),
    "codes": lambda _names, codes: codes or _("nothing"),
    "count": lambda _names, items: str(len(items)),
    "decimal": _decimal,
    "size": _size,
    "difference": _difference,
}
"""Words for facts of sentences, by kind."""
