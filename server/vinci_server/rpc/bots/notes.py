"""Keeps what bots note about their answers, in a file for each match, which the server sends to nobody."""

import os
import shutil
from errno import ENOSPC
from functools import partial
from pathlib import Path
from typing import Final, final

import structlog

from vinci.v1 import bot_pb2 as pb
from vinci_codec import notes

from ...storage.store import StoreError

MOST_OF_SEAT: Final = 2**18
"""Bytes of the notes of a seat in a game; what comes after them is not kept."""
LEFT_FREE: Final = 2**30
"""Bytes that notes leave free on the disk."""

_log = structlog.get_logger()


@final
class NoteFiles:
    """Files with the notes of matches; without a folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        """Make the folder. Raises StoreError."""
        self._folder: Final = folder
        self._has_failed = False
        self._left: Final[dict[str, dict[int, int]]] = {}
        """Bytes that each seat of a match may still note."""
        try:
            if folder is not None:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{folder} cannot hold the notes of bots: {error.strerror}") from None

    def keep(self, match_id: str, answer: pb.Answer) -> None:
        """Keep the note of an answer that was played; the first failure is logged."""
        if self._folder is None or not answer.HasField("note"):
            return
        line = notes.line(answer.revision + 1, answer.seat, answer.note).encode()
        seats = self._left.setdefault(match_id, {})
        left = seats.get(answer.seat, MOST_OF_SEAT)
        seats[answer.seat] = max(left - len(line), 0)
        if not line or len(line) > left:
            return
        try:
            if shutil.disk_usage(self._folder).free < LEFT_FREE:
                raise OSError(ENOSPC, "the disk is nearly full")
            path = self._folder / f"{match_id}{notes.SUFFIX}"
            with open(path, "ab", opener=partial(os.open, mode=0o600)) as file:
                file.write(line)
        except OSError as error:
            if not self._has_failed:
                self._has_failed = True
                _log.warning("notes of bots are not kept", match=match_id, error=str(error))

    def forget(self, match_id: str) -> None:
        """Forget how much was noted in a match that is over."""
        self._left.pop(match_id, None)
