"""A block that was chosen by the results so far, as it stands in schedule.jsonl."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from vinci_rules.record import read_json

from ..definition.formats import LineUp
from ..results.result import Result


class Choice(NamedTuple):
    """Line-up of a block, and facts that tell why it was chosen."""

    bots: LineUp
    why: Mapping[str, Any]

    def to_json(self, block: int) -> str:
        """Return a line of JSON."""
        return json.dumps({"block": block, "bots": self.bots, **self.why}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "tuple[int, Choice]":
        """Parse a line: block and choice. Raises ValueError, KeyError or TypeError unless `to_json` wrote it."""
        fields = read_json(text)
        return fields.pop("block"), cls(tuple(fields.pop("bots")), fields)


Blocks: TypeAlias = Mapping[int, Sequence[Result]]
"""Results of complete blocks, by rotation."""
Choose: TypeAlias = Callable[[Sequence[LineUp], Blocks], list[Choice]]
"""Returns the next blocks after those that were chosen; none if results are missing, or if the league is over."""
