"""Actions that were played and not taken back."""

from typing import Final, Generic, TypeVar, final

T = TypeVar("T")


@final
class History(Generic[T]):
    """The decisions of a game that still count, by the revision that each made."""

    def __init__(self) -> None:
        self._kept: Final[list[tuple[int, T]]] = []

    def add(self, revision: int, item: T) -> None:
        """Add a decision."""
        self._kept.append((revision, item))

    def undo(self, revision: int, to: int) -> list[T]:
        """Take back everything after revision `to`, whose position gets the number `revision`; returns what it was."""
        remaining = sum(number <= to for number, _item in self._kept)
        taken = [item for _number, item in self._kept[remaining:]]
        del self._kept[remaining:]
        if self._kept and self._kept[-1][0] == to:
            self._kept[-1] = revision, self._kept[-1][1]
        return taken

    def items(self) -> list[T]:
        """Return the decisions that were not taken back, oldest first."""
        return [item for _number, item in self._kept]
