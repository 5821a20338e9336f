"""Notes of bots about their answers, in lines."""

from vinci.v1.bot_pb2 import Note
from vinci_client.printable import printable

from .i18n import _


def note_lines(note: Note) -> list[str]:
    """Return the lines of a note: its value and text, then other answers."""
    value = [f"{note.value:g}"] if note.HasField("value") else []
    text = [printable(note.text)] if note.text else []
    return [line for line in ("  ".join([*value, *text]), *map(printable, note.lines)) if line]


def told(note: Note, who: str) -> list[str]:
    """Return the lines of the note of a player, the first with who it is."""
    first, *others = note_lines(note) or [""]
    return [_("{who} notes: {text}").format(who=who, text=first).rstrip(), *(f"  {line}" for line in others)]
