"""The levels of computer players, from the policy alone to a search with hundreds of simulations for a turn."""

from random import Random
from typing import Final, NamedTuple, final

from vinci_rules.actions import DECLINE, Action
from vinci_rules.board import Provinces
from vinci_rules.chance import Chance, FastChance
from vinci_rules.engine import play, suggestion
from vinci_rules.state import State

from . import names, policy, search, value
from .characters import CHARACTERS, NOBODY, Character, attacker, choose
from .search import Horizon


class Level(NamedTuple):
    """Budget of a level.

    Attributes:
        samples: expansions sampled for a turn; 0 to play by the policy.
        simulations: simulations for a turn.
        heat: noise of the policy if it plays, in VP.
        seconds: most seconds for a decision, used up instead of the number of simulations, or 0.
        character: what it likes besides VP, or None.
        limit: seconds after which a search ends early, or 0; equal seeds may then give other games.
        cut: the simulations up to a horizon that come first, unless a seat is a dummy; None for none.
    """

    samples: int
    simulations: int
    heat: float = 0.0
    seconds: float = 0.0
    character: Character | None = None
    limit: float = 0.0
    cut: Horizon | None = None


HORIZON: Final = Horizon(value.trained(), replies=5, width=8, kept=24, share=10, finalists=12, trust=2.0, ends=3)
LEVELS: Final = {
    "easy": Level(0, 0, 15.0),
    "normal": Level(0, 0, 2.0),
    "hard": Level(20, 60),
    "expert": Level(40, 1200, cut=HORIZON),
}
"""Levels by name, the weakest first."""

DIGITS: Final = "0123456789abcdef"


def level(text: str) -> Level:
    """Return a level by its name as `names.parse` reads it. Raises UnknownLevel."""
    name = names.parse(text)
    chosen = LEVELS[name.level]._replace(character=CHARACTERS[name.character] if name.character else None)
    if name.simulations:
        return chosen._replace(simulations=name.simulations)
    return chosen._replace(seconds=name.milliseconds / 1000)


@final
class Player:
    """Plays one seat of one game at a level. It sees the position only, never the draws to come.

    It plans a whole turn at its first decision and keeps the plan while the game follows it.
    """

    def __init__(self, level: Level) -> None:
        self._level = level
        self._planned: list[Action] = []
        self._expected: State | None = None
        self._own: Provinces = 0
        self._foe = NOBODY

    def __call__(self, state: State, chance: Chance) -> Action:
        """Return the action of the seat to act. Equal positions, plans and chances give equal actions.

        Raises:
            ValueError: the game is over.
        """
        character = self._level.character
        if character is None or not character.revenge:
            return self._choose(state, chance)
        if self._own:
            self._foe = attacker(state, self._own, self._foe)
        seat, action = state.actor, self._choose(state, chance)
        after = state.copy()
        play(after, action, FastChance(0))
        self._own = after.provinces_of(seat)
        return action

    def limit(self, seconds: float) -> None:
        """End searches after so many seconds from now on, unless the level has a time of its own."""
        self._level = self._level._replace(limit=seconds)

    def _choose(self, state: State, chance: Chance) -> Action:
        level = self._level
        if state.phase == "redeploy":
            return suggestion(state)
        random = Random(int("".join([chance.pick("player", (place,), DIGITS) for place in range(12)]), 16))
        if not level.samples:
            if level.character is not None:
                return choose(state, random, level.character, self._foe, level.heat)
            return policy.choose(state, random, policy.trained(), level.heat)
        if not self._planned or state != self._expected:
            self._planned = self._plan(state, random)
        action = self._planned.pop(0)
        if self._planned:
            self._expected = state.copy()
            play(self._expected, action, FastChance(0))
        return action

    def _plan(self, state: State, random: Random) -> list[Action]:
        """Return the actions of the best plan, up to a decline: the choice of a civilization is searched again."""
        level = self._level
        budget = (level.samples, level.simulations, level.seconds, level.limit)
        weights = policy.simulating()
        found = search.ranked(state, random, weights, *budget, level.character, self._foe, level.cut)
        best = found[0].actions
        return best[: best.index(DECLINE) + 1] if DECLINE in best else best[:]
