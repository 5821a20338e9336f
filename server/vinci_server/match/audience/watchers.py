"""Watching a match: what was played, as messages, and a bounded queue for each watcher."""

import asyncio
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias, final

from vinci.v1 import game_pb2, match_pb2
from vinci_codec import recorded, states
from vinci_rules import position
from vinci_rules.actions import Action
from vinci_rules.events import Event
from vinci_rules.state import Seat, State

from ...errors import ServiceError

QUEUE_LENGTH: Final = 1000


class Detail(NamedTuple):
    """Parts of an update that a watcher wants besides the events."""

    state: bool = False
    legal: bool = False
    position: bool = False


@final
@dataclass(eq=False)
class Revision:
    """An action and its events; revision 0 and undos have no action. The state after it is never changed."""

    revision: Final[int]
    seat: Final[Seat | None]
    by: Final[str]
    action: Final[Action | None]
    events: Final[list[Event]]
    after: Final[State]
    undo_to: Final[int | None] = None
    _messages: Final[dict[Detail, game_pb2.Update]] = field(default_factory=dict, init=False)
    _position: str = field(default="", init=False)

    @property
    def position(self) -> str:
        """The position after it, as text, written once."""
        if not self._position:
            self._position = position.write(self.after)
        return self._position

    def message(self, detail: Detail) -> game_pb2.Update:
        """Return the update as a message, built once for each detail."""
        if detail not in self._messages:
            self._messages[detail] = self._build(detail)
        return self._messages[detail]

    def _build(self, detail: Detail) -> game_pb2.Update:
        board = self.after.board
        update = recorded.update(board, self.revision, self.seat, self.by, self.action, self.events, self.undo_to)
        if detail.state:
            update.state.CopyFrom(states.state(self.after))
        if detail.legal:
            update.legal.CopyFrom(states.legal(self.after))
        if detail.position:
            update.position = self.position
        return update


class Closed(NamedTuple):
    """The end of a stream; `error` is None if it ended normally."""

    error: ServiceError | None


Item: TypeAlias = Revision | match_pb2.WatchResponse | Closed


@final
class Watcher:
    """A stream of updates, for a seat or a spectator, with a bounded queue."""

    def __init__(self, detail: Detail, seat: Seat | None = None) -> None:
        self.detail: Final = detail
        self.seat: Final = seat
        self._queue: Final[asyncio.Queue[Item]] = asyncio.Queue(QUEUE_LENGTH + 1)
        self._closed = False

    def put(self, item: Item) -> None:
        """Queue an item; a watcher that is too slow is closed instead."""
        if self._closed:
            return
        if isinstance(item, Closed) or self._queue.qsize() >= QUEUE_LENGTH:
            self._closed = True
            item = item if isinstance(item, Closed) else Closed(ServiceError("SLOW_WATCHER", "STREAM"))
        self._queue.put_nowait(item)

    @property
    def unread(self) -> int:
        """Number of items in the queue."""
        return self._queue.qsize()

    async def get(self, timeout: float) -> Item | None:
        """Return the next item, or None if there is none within `timeout` seconds."""
        try:
            async with asyncio.timeout(timeout):
                return await self._queue.get()
        except TimeoutError:
            return None
