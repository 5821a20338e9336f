"""Reads matches from the store."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog

from ...errors import ServiceError
from ...storage.store import DamagedError, Store, StoreError
from .ledger import Ledger

ROWS_AT_ONCE: Final = 500
"""Rows of a match that are read, in about a millisecond, before other tasks run."""

_log = structlog.get_logger()


async def load(match_id: str, store: Store) -> Ledger:
    """Read the ledger of a match while other tasks run. Raises ServiceError."""
    with reading(match_id):
        stored = await store.load(match_id)
        ledger = Ledger(match_id, stored.snapshot)
        for start in range(0, len(stored.rows), ROWS_AT_ONCE):
            for row in stored.rows[start : start + ROWS_AT_ONCE]:
                ledger.fold(row)
            await asyncio.sleep(0)
        ledger.game.check()
    if not stored.rows:
        raise ServiceError("UNKNOWN_MATCH", match=match_id)
    return ledger


def load_now(match_id: str, store: Store) -> Ledger:
    """Read the ledger of a match, blocking the event loop for a millisecond or two. Raises ServiceError."""
    with reading(match_id):
        return Ledger.read(match_id, store.load_now(match_id))
    raise AssertionError  # `reading` does not suppress errors


@contextmanager
def reading(match_id: str) -> Iterator[None]:
    """Raise ServiceError for any error while a stored match is read; log it if the contents are at fault."""
    try:
        yield
    except DamagedError as error:
        _log.error("database damaged", match=match_id, error=str(error))
        raise ServiceError("DATABASE_DAMAGED", "MATCH", match=match_id) from None
    except StoreError as error:
        raise ServiceError("STORE_FAILED", "READ", error=error) from None
    except Exception as error:
        _log.error("match cannot be read", match=match_id, exc_info=error)
        raise ServiceError("MATCH_UNREADABLE", match=match_id) from None
