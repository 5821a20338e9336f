"""Reads matches from the store. Everything raises ServiceError for a match that is missing or cannot be read."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog

from ...errors import ServiceError
from ...storage.store import Store, StoreError
from .ledger import Ledger

ROWS_AT_ONCE: Final = 500
"""Rows of a match that are read, in about a millisecond, before other tasks run."""

_log = structlog.get_logger()


async def load(match_id: str, store: Store) -> Ledger:
    """Read the ledger of a match, while other tasks go on."""
    try:
        stored = await store.load(match_id)
    except StoreError as error:
        raise unreadable(error) from None
    if not stored.rows:
        raise ServiceError("UNKNOWN_MATCH", match=match_id)
    with reading(match_id):
        ledger = Ledger(match_id, stored.snapshot)
        for start in range(0, len(stored.rows), ROWS_AT_ONCE):
            for row in stored.rows[start : start + ROWS_AT_ONCE]:
                ledger.fold(row)
            await asyncio.sleep(0)
        ledger.game.check()
    return ledger


def load_now(match_id: str, store: Store) -> Ledger:
    """Read the ledger of a match; the event loop stands still meanwhile, for a millisecond or two."""
    try:
        stored = store.load_now(match_id)
    except StoreError as error:
        raise unreadable(error) from None
    with reading(match_id):
        return Ledger.read(match_id, stored)
    raise AssertionError  # `reading` does not suppress errors


@contextmanager
def reading(match_id: str) -> Iterator[None]:
    """Log any error while a stored match is read, and raise ServiceError for it."""
    try:
        yield
    except Exception as error:
        _log.error("match cannot be read", match=match_id, exc_info=error)
        raise unreadable_match(match_id) from None


def unreadable_match(match_id: str) -> ServiceError:
    """The match is stored, but not as this server can read it."""
    return ServiceError("MATCH_UNREADABLE", match=match_id)


def unreadable(error: StoreError) -> ServiceError:
    """The store could not be asked."""
    return ServiceError("STORE_FAILED", "READ", error=error)
