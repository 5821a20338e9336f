"""Waits between attempts to reach a server."""

import random
from typing import Final

FIRST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 5.0
TRIES: Final = 8
"""Attempts of a call after which a lost connection is an error."""


def backoff(attempt: int) -> float:
    """Return the seconds to wait before retry `attempt`, from 0: exponential up to LONGEST_WAIT, with jitter."""
    return float(min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(attempt, TRIES)) * random.uniform(0.5, 1.0))
