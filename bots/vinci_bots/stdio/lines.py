"""The lines between the adapter and a program: JSON, or plain text for languages without a parser."""

import json
from collections.abc import Sequence
from typing import Any, Final, Protocol

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from vinci.v1 import bot_pb2 as pb
from vinci.v1.game_pb2 import Board
from vinci_client.printable import shortened
from vinci_codec.notes import bounded
from vinci_rules import ENGINE_VERSION

FORMAT: Final = 1
"""Version of the lines; it grows when something is added."""
NOTHING: Final = "(no action)"
"""Sent for a line that is no answer, so that it costs one of the tries of the decision; a note says what was wrong."""
MOST_BYTES: Final = 65_536
"""Longest line that a program may write."""
LONGEST_QUOTE: Final = 100
"""Characters of a line that are quoted."""
SIGNS: Final = ("mine", "port", "edge")
"""Fields of a province that are told in text where they hold."""

_AS_IT_IS: Final = frozenset(
    (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BOOL, FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_SINT32)
)


class BadAnswer(ValueError):
    """A line is no answer; the text quotes it and says what would be right."""


class Form(Protocol):
    """Writes messages for a program and reads its answers."""

    def hello(self, seed: str) -> str:
        """Return the first line, with versions, limits and the seed of the bot's random choices, empty for none."""

    def seated(self, message: pb.Seated, board: Board) -> str:
        """Return the lines about the start of a game on a board."""

    def decision(self, message: pb.Decision, actions: Sequence[str], advice: str, refused: str) -> str:
        """Return the lines of a decision with its legal actions, advice, and why the last answer was refused."""

    def finished(self, message: pb.Finished) -> str:
        """Return the lines about the end of a game."""

    def answer(self, line: str, actions: Sequence[str]) -> tuple[str, ...]:
        """Return the actions of an answer, in notation. Raises BadAnswer."""

    def note(self, line: str) -> pb.Note:
        """Return the note of an answer, empty for none."""


class _Json:
    """One object in a line, with one of the keys hello, seated, decision and finished."""

    def hello(self, seed: str) -> str:
        limits = {"answer_bytes": MOST_BYTES}
        return _line(hello={"format": FORMAT, "rules": ENGINE_VERSION, "seed": seed, "limits": limits})

    def seated(self, message: pb.Seated, board: Board) -> str:
        return _line(seated=_fields(message), board=_fields(board))

    def decision(self, message: pb.Decision, actions: Sequence[str], advice: str, refused: str) -> str:
        more = {"refused": refused} if refused else {}
        return _line(decision=_fields(message), actions=list(actions), advice=advice, **more)

    def finished(self, message: pb.Finished) -> str:
        return _line(finished=_fields(message))

    def answer(self, line: str, actions: Sequence[str]) -> tuple[str, ...]:
        quoted = shortened(repr(line), LONGEST_QUOTE)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise BadAnswer(f'{quoted} is no JSON; an answer is {{"play": "x ALP"}} or {{"index": 0}}') from None
        match answer:
            case {"index": int(index)} if not isinstance(index, bool):
                return _chosen(index, actions)
            case {"play": str(text)} if text.strip():
                return _several(text)
            case {"play": [*texts]} if texts and all(isinstance(text, str) and text.strip() for text in texts):
                return tuple(texts)
        raise BadAnswer(f'{quoted} is no answer; right is {{"play": "x ALP"}}, a list of these, or {{"index": 0}}')

    def note(self, line: str) -> pb.Note:
        given = json.loads(line).get("note", "")
        parts = given if isinstance(given, dict) else {"text": given}
        value, lines = parts.get("value"), parts.get("lines", ())
        return bounded(
            str(parts.get("text", "")),
            float(value) if isinstance(value, int | float) else None,
            [str(other) for other in lines] if isinstance(lines, list) else (),
        )


class _Text:
    """Lines that begin with a word; a decision ends with `go`, and the answer is a number or notation."""

    def hello(self, seed: str) -> str:
        return f"hello format {FORMAT} rules {ENGINE_VERSION}{f' seed {seed}' if seed else ''}\n"

    def seated(self, message: pb.Seated, board: Board) -> str:
        match = message.match
        lines = [f"game {match.match_id} seat {message.seat} of {len(match.seats)} board {match.board}"]
        for province in board.provinces:
            signs = [sign for sign in SIGNS if getattr(province, sign)]
            others = ["neighbours", *province.neighbours, "straits", *province.straits]
            lines.append(" ".join(["province", province.code, province.terrain, *signs, *others]))
        return "\n".join(lines) + "\n"

    def decision(self, message: pb.Decision, actions: Sequence[str], advice: str, refused: str) -> str:
        lines = [f"decision {message.match_id} seat {message.seat} revision {message.revision}"]
        lines += [f"position {message.position}"]
        lines += [f"left {message.left}"] if message.HasField("left") else []
        lines += [f"refused {refused}"] if refused else []
        return "\n".join([*lines, *(f"action {action}" for action in actions), f"advice {advice}", "go\n"])

    def finished(self, message: pb.Finished) -> str:
        ranks, vp = (" ".join(map(str, numbers)) for numbers in (message.ranks, message.vp))
        return f"finished {message.match_id} seat {message.seat} ranks {ranks} vp {vp}\n"

    def answer(self, line: str, actions: Sequence[str]) -> tuple[str, ...]:
        if not line:
            raise BadAnswer("an empty line is no answer; right is a number from 0 or an action such as x ALP")
        return _chosen(int(line), actions) if line.isdecimal() and line.isascii() else _several(line)

    def note(self, line: str) -> pb.Note:
        return pb.Note()


JSON: Final[Form] = _Json()
TEXT: Final[Form] = _Text()


def _fields(message: Message) -> dict[str, Any]:
    """Return what MessageToDict does, which takes three times as long for a decision."""
    result: dict[str, Any] = {}
    for field, value in message.ListFields():
        if field.type in _AS_IT_IS:
            result[field.json_name] = list(value) if field.is_repeated else value
        elif field.type == FieldDescriptor.TYPE_UINT64 and not field.is_repeated:
            result[field.json_name] = str(value)
        elif field.message_type is not None and not field.message_type.has_options:  # those of maps have
            result[field.json_name] = list(map(_fields, value)) if field.is_repeated else _fields(value)
        else:
            return MessageToDict(message)
    return result


def _line(**fields: Any) -> str:
    return json.dumps(fields, separators=(",", ":")) + "\n"


def _several(text: str) -> tuple[str, ...]:
    return tuple(part for part in map(str.strip, text.split(";")) if part)


def _chosen(index: int, actions: Sequence[str]) -> tuple[str, ...]:
    if not 0 <= index < len(actions):
        raise BadAnswer(f"there is no action {index}; they are numbered from 0 to {len(actions) - 1}")
    return (actions[index],)
