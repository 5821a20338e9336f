"""Reads a stream ahead of its consumer."""

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

T = TypeVar("T")


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
