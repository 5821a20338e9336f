"""Policies as bots that play at servers."""

import time
from collections.abc import Callable
from typing import Final, final

from vinci_players.builtin import policy
from vinci_players.levels import Player

from ..sdk import Bot
from ..turn import Answer, Turn

MOST_SECONDS: Final = 2.0
"""Time for a search at a server, where people wait; a turn can need three."""
ACTIVE_SECONDS: Final = 5.0
"""Time after its last decision in which a match counts as played."""


class PolicyFailed(Exception):
    """A policy raised an error, which is the cause; the text names it."""


@final
class SharedTime:
    """The time for searches in one process, which makes one after the other for all of its matches."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds: Final = seconds
        self._clock: Final = clock
        self._asked: dict[str, float] = {}

    def share(self, match_id: str) -> float:
        """Return the seconds for a search in a match, so that one in each match takes no longer than one alone."""
        now = self._clock()
        self._asked = {match: at for match, at in self._asked.items() if at > now - ACTIVE_SECONDS} | {match_id: now}
        return self._seconds / len(self._asked)


def policy_bot(name: str) -> type[Bot]:
    """Return a bot class for a policy. Raises UnknownLevel for an unknown name."""
    policy(name)
    shared = SharedTime(MOST_SECONDS)

    class Connected(Bot):
        def __init__(self) -> None:
            self._policy = policy(name)

        def choose(self, turn: Turn) -> Answer:
            if isinstance(self._policy, Player):
                self._policy.limit(shared.share(turn.game.match_id))
            state, chance = turn.state, turn.chance
            try:
                return self._policy(state, chance)
            except Exception as error:
                raise PolicyFailed(f"{type(error).__name__}: {error}") from error

    Connected.name = name
    return Connected
