"""Runs long computations in slices, between which the event loop runs other tasks."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from time import perf_counter
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

SLICE_SECONDS: Final = 0.0005
"""A slice ends with the first step after this time."""

T = TypeVar("T")
_turns: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]] = WeakKeyDictionary()


async def _at_once() -> None:
    """Do nothing."""


async def in_slices(steps: Iterable[T], credit: Callable[[], Awaitable[None]] = _at_once) -> AsyncIterator[list[T]]:
    """Yield the items of steps, one slice in a round of the event loop; `credit` is awaited before each slice."""
    iterator = iter(steps)
    turn = _turns.setdefault(asyncio.get_running_loop(), asyncio.Lock())
    goes_on = True
    while goes_on:
        await credit()
        async with turn:  # one slice of all computations in a round: many at once delay other tasks no more than one
            await asyncio.sleep(0)
            items, goes_on = _slice(iterator)
        yield items


def _slice(iterator: Iterable[T]) -> tuple[list[T], bool]:
    """Take the items of one slice; returns them, and whether there may be more."""
    end = perf_counter() + SLICE_SECONDS
    items = []
    for item in iterator:
        items.append(item)
        if perf_counter() >= end:
            return items, True
    return items, False


async def listed(steps: Iterable[T], credit: Callable[[], Awaitable[None]] = _at_once) -> list[T]:
    """Return the items of all slices in one list."""
    return [item async for items in in_slices(steps, credit) for item in items]
