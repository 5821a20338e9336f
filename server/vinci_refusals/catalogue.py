"""Every reason for which a server, the rules or the client library refuse something, with its sentences.

They are lines of `refusals.csv`. A reason may have several sentences, one a variant, `which`. The fact `which` gives
the variant, or else the fact `needs` or `limit`. Names in braces are facts of the refusal. A published reason or
variant keeps its meaning; new ones are added.
"""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

TABLE: Final = Path(__file__).with_name("refusals.csv")


class Reason(NamedTuple):
    """A reason for which something is refused."""

    status: str
    """Name of the gRPC status; empty for what the client library refuses by itself."""
    texts: dict[str, str]
    """Sentences by variant; that of the variant "" has no fact `which`."""
    retry_seconds: float
    """Time after which the call can be repeated unchanged, if no fact `retry_after` gives it; 0 for never."""


def _reasons() -> dict[str, Reason]:
    found: dict[str, Reason] = {}
    for row in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()):
        reason = found.setdefault(row["reason"], Reason(row["status"], {}, float(row["retry_seconds"] or 0)))
        if row["text"]:  # an illegal action is worded from the rule that it breaks: vinci_rules.violations
            reason.texts[row["which"]] = row["text"]
    return found


REASONS: Final[Mapping[str, Reason]] = _reasons()
"""By name. A client that does not know a reason goes by its status."""

FORMS: Final[Mapping[str, str]] = {
    "take": "take N, a slot of the market",
    "peace": "peace N, a seat",
    "forfeit": "forfeit N, a seat",
    "abandon": "abandon CODE, a province",
    "x": "x CODE or x CODE spy",
}
"""Forms of actions by their first word: values of the fact `form`."""
NOT_STARTED_IN_TIME: Final = "it did not start in time"
"""Reason why a server ends an unstarted match: a value of the fact `ended`."""
PHRASES: Final = (*FORMS.values(), NOT_STARTED_IN_TIME)
"""Values of facts that are translated."""
OR: Final = " or "
"""Between the words of the fact `near`."""
AT_POSITION: Final = "position {place}: {sentence}"
"""A refusal of one of several positions, with the fact `place`, from 1."""
