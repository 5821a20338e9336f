"""Random messages built from the descriptors, so that new fields are fuzzed from the start."""

import random
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

DEEPEST: Final = 4
LEARNED: Final = 30
"""Texts that are remembered of those learned last, by name of the field."""

_BITS: Final = {
    FieldDescriptor.CPPTYPE_INT32: (31, True),
    FieldDescriptor.CPPTYPE_INT64: (63, True),
    FieldDescriptor.CPPTYPE_UINT32: (32, False),
    FieldDescriptor.CPPTYPE_UINT64: (64, False),
}

ODD: Final = (
    "",
    " ",
    "\0",
    "\n\t\r",
    "é",
    "\u202eabc",
    "\ufeff",
    "\U0001f600" * 9,
    "\uffff",
    "{}{0}{x!r}",
    "%s%n%d",
    "' OR 1=1; DROP TABLE log; --",
    "../../../etc/passwd",
    "NaN",
    "inf",
    "-1",
    "1e999",
    "0x10",
    "\u0663",
    "\uff19\uff19",
    "1_000",
    "nan~x",
    "inf~",
    "1.0~",
    "9" * 400,
    "9" * 5000,
    "None",
    "[]",
    '{"a": 1}',
    "#",
    "|",
    "=",
    ";",
    "a" * 33,
    "x" * 65,
    "hold " * 500,
    "\u0301" * 300,
    "z" * 20_000,
)


class Fuzz:
    """Random values. `known` has valid texts by name of the field; those of "" are for any field."""

    def __init__(self, seed: int, known: Mapping[str, Sequence[str]]) -> None:
        self.random: Final = random.Random(seed)
        self._known: Final = known
        self._learned: Final[defaultdict[str, deque[str]]] = defaultdict(lambda: deque(maxlen=LEARNED))

    def learn(self, name: str, text: str) -> None:
        """Add a valid text for fields of this name."""
        self._learned[name].append(text)

    def data(self, kind: Descriptor) -> bytes:
        """Return the bytes of a message: valid, damaged, or random."""
        drawn = self.random.random()
        if drawn < 0.08:
            return self.random.randbytes(self.random.choice((1, 3, 20, 300)))
        data = bytearray(self.message(kind).SerializeToString())
        if drawn < 0.2:
            for _ in range(self.random.randint(1, 4)):
                self._damage(data)
        return bytes(data)

    def message(self, kind: Descriptor, depth: int = 0) -> Message:
        """Return a message of this kind with random fields."""
        message = GetMessageClass(kind)()
        likely = self.random.choice((0.3, 0.8, 0.95))
        fields = list(kind.fields)
        self.random.shuffle(fields)
        for field in fields:
            if self.random.random() < likely and depth <= DEEPEST:
                self._set(message, field, depth)
        return message

    def text(self, name: str) -> str:
        """Return a text for a field of this name."""
        drawn = self.random.random()
        learned = self._learned.get(name)
        known = self._known.get(name)
        if learned and drawn < (0.25 if known else 0.75):
            return self.random.choice(learned)
        if known and drawn < 0.75:
            return self.random.choice(known)
        if drawn < 0.85:
            return self.random.choice(self._known[""])
        if drawn < 0.97:
            return self.random.choice(ODD)
        return "".join(
            chr(self.random.choice((self.random.randrange(128), self.random.randrange(0xD000)))) for _ in range(9)
        )

    def number(self, bits: int, signed: bool) -> int:
        """Return a number of the type: small, or at the edge of its range."""
        if self.random.random() < 0.7:
            return self.random.randrange(8)
        edges: list[int] = [2**power + one for power in (7, 8, 15, 16, 31, 32, 53, 62, 63, 64) for one in (-1, 0, 1)]
        least, most = -(1 << bits) if signed else 0, (1 << bits) - 1
        result = self.random.choice([*edges, *(-edge for edge in edges), self.random.getrandbits(bits)])
        return max(least, min(most, result))

    def _set(self, message: Any, field: FieldDescriptor, depth: int) -> None:
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            key, value = field.message_type.fields_by_name["key"], field.message_type.fields_by_name["value"]
            entries = getattr(message, field.name)
            for _ in range(self.random.choice((0, 1, 3, 70))):
                entries[self._value(key, f"{field.name}.key")] = self._value(value, f"{field.name}.value")
        elif field.is_repeated:
            many = self.random.choice((0, 1, 1, 2, 3, 3, 4, 6, 70)) if depth == 0 else self.random.choice((0, 1, 2, 9))
            for _ in range(many):
                if field.message_type is not None:
                    getattr(message, field.name).append(self.message(field.message_type, depth + 1))
                else:
                    getattr(message, field.name).append(self._value(field, field.name))
        elif field.message_type is not None:
            getattr(message, field.name).CopyFrom(self.message(field.message_type, depth + 1))
            getattr(message, field.name).SetInParent()
        else:
            setattr(message, field.name, self._value(field, field.name))

    def _value(self, field: FieldDescriptor, name: str) -> Any:
        match field.cpp_type:
            case FieldDescriptor.CPPTYPE_STRING:
                return self.text(name)
            case FieldDescriptor.CPPTYPE_BOOL:
                return self.random.random() < 0.5
            case FieldDescriptor.CPPTYPE_DOUBLE:
                return self.random.choice((0.0, -1.5, 1e300, float("nan"), float("-inf")))
            case FieldDescriptor.CPPTYPE_ENUM:
                return self.random.choice((*(1, 2, 3) * 6, 0, 4, 99, -1, 2**31 - 1))
            case kind:
                return self.number(*_BITS[kind])

    def _damage(self, data: bytearray) -> None:
        place = self.random.randint(0, len(data))
        match self.random.randrange(4):
            case 0:
                del data[place:]
            case 1:
                data[place:place] = self.random.randbytes(self.random.randint(1, 8))
            case 2:
                del data[place : place + self.random.randint(1, 8)]
            case _:
                if place < len(data):
                    data[place] ^= 1 << self.random.randrange(8)
