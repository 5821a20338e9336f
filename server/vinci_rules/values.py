"""Values: dataclasses that are copied and pickled by their fields, compiled as well as interpreted."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any


class Value:
    """Base of frozen dataclasses; compiled ones cannot be restored attribute by attribute, since they are frozen."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        return _rebuilt, (type(self), values)


def _rebuilt(kind: type[Any], values: dict[str, Any]) -> object:
    return kind(**values)
