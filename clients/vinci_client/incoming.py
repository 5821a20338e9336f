"""Reads streams ahead, checks messages of a server and makes their texts printable before anything else reads them."""

import asyncio
import re
from collections.abc import AsyncIterator, MutableMapping, MutableSequence
from typing import Any, Final, TypeVar

import grpc
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from .errors import ServerRefused
from .printable import printable

T = TypeVar("T")

MATCH_ID: Final = re.compile(r"[0-9a-z]{1,64}")
"""Pattern of match ids. They become part of file names, so nothing else is accepted."""

LONGEST_SHOWN: Final = 80


def checked_id(match_id: str) -> str:
    """Return the id of a match. Raises ServerRefused (BAD_ANSWER) for a text that is none."""
    if MATCH_ID.fullmatch(match_id):
        return match_id
    shown = printable(match_id)[:LONGEST_SHOWN]
    raise bad_answer("MATCH_ID", shown)


def bad_answer(which: str, value: str, **facts: str) -> ServerRefused:
    """Return the error for an answer of a server that this client cannot use."""
    facts |= {"which": which, "value": value}
    return ServerRefused(grpc.StatusCode.DATA_LOSS, "BAD_ANSWER", "", facts)


def clean(message: Message) -> None:
    """Make every text of a message printable, in place. Raises ServerRefused (BAD_ANSWER) for an invalid match id."""
    for field, value in message.ListFields():
        if isinstance(value, str):
            if field.name == "match_id":
                checked_id(value)
            elif (shown := printable(value)) != value:
                setattr(message, field.name, shown)
        elif isinstance(value, Message):
            clean(value)
        elif field.message_type is None:
            if field.type == FieldDescriptor.TYPE_STRING:
                _clean_texts(value)
        elif field.message_type.GetOptions().map_entry:
            _clean_map(value)
        else:
            for element in value:
                clean(element)


def _clean_texts(texts: MutableSequence[str]) -> None:
    for index, text in enumerate(texts):
        if (shown := printable(text)) != text:
            texts[index] = shown


def _clean_map(entries: MutableMapping[str, Any]) -> None:
    for name, value in list(entries.items()):
        shown = printable(value) if isinstance(value, str) else value
        if (printable(name), shown) != (name, value):
            del entries[name]
            entries[printable(name)] = shown


async def read_ahead(source: AsyncIterator[T]) -> AsyncIterator[T]:
    """Yield the same items in the same order, and raise the same error at the end.

    What must be answered at once, such as a ping, is answered while the source is read.
    """
    items: asyncio.Queue[tuple[T] | None] = asyncio.Queue()

    async def read() -> None:
        async for item in source:
            items.put_nowait((item,))

    def ended(reader: asyncio.Task[None]) -> None:
        if not reader.cancelled():
            reader.exception()  # nobody may be there any more to hear of it
        items.put_nowait(None)

    reader = asyncio.create_task(read())
    reader.add_done_callback(ended)
    try:
        while (item := await items.get()) is not None:
            yield item[0]
        await reader
    finally:
        reader.cancel()
