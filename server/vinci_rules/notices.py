"""Notices: the base of events and violations, which are immutable values with named fields."""

from dataclasses import FrozenInstanceError, dataclass
from typing import Any, ClassVar, Final, TypeVar, dataclass_transform

T = TypeVar("T", bound="Notice")

_set: Final = object.__setattr__


class Notice:
    """A value with the fields that its class annotates; see `notice`."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]

    def __init__(self, *given: Any, **named: Any) -> None:
        names = self.__match_args__
        if not named and len(given) == len(names):  # events are created like this
            for name, fact in zip(names, given, strict=True):
                _set(self, name, fact)
            return
        count = len(given) + len(named)
        named.update(zip(names, given, strict=False))
        if not count == len(named) == len(names):
            raise TypeError(f"{type(self).__name__} takes {', '.join(names) or 'nothing'}")
        for name, fact in named.items():
            _set(self, name, fact)

    def _facts(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __setattr__(self, name: str, _value: Any) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}={fact!r}" for name, fact in zip(self.__match_args__, self._facts(), strict=True))
        return f"{type(self).__qualname__}({facts})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._facts()


@dataclass_transform(frozen_default=True)
def notice(kind: type[T]) -> type[T]:
    """Make a subclass of Notice a dataclass with the methods of Notice.

    Those of `dataclass(frozen=True, slots=True)` are generated and compiled at every import, which took a tenth of the
    start of each process with the rules.
    """
    return dataclass(init=False, repr=False, eq=False, slots=True)(kind)
