"""The computer players by name."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

from vinci_bots.seeds import bot_seed, decision_chance
from vinci_players import names
from vinci_players.builtin import KNOWN, Policy, is_policy, policy
from vinci_rules.actions import Action

from .game import Game
from .position import Position


@final
@dataclass(frozen=True, slots=True)
class Player:
    """A computer player: call it with a game or a position, and it returns a legal action of the seat to act.

    In a game it plays as in `vinci selfplay` with the same seed, and remembers what it has seen.
    """

    name: str

    def __call__(self, where: Position) -> Action:
        """Return an action for the seat to act. Raises ValueError when the game is over."""
        if where.is_over:
            raise ValueError("the game is over")
        seed, number, memory = where.memory() if isinstance(where, Game) else (str(where), 0, {})
        key = self.name, where.state.actor
        if key not in memory:
            memory[key] = policy(self.name)
        choose: Policy = memory[key]
        return choose(where.state, decision_chance(bot_seed(seed, str(where.state.actor + 1)), number))


@final
class Players(Mapping[str, Player]):
    """The computer players; a level can have a budget and a character, as in `expert:2000:raider`."""

    def __getitem__(self, name: str) -> Player:
        if not is_policy(name):
            known = ", ".join(KNOWN)
            raise KeyError(str(names.fault(name) or f"there is no player {name!r}; there are {known}"))
        return Player(name)

    def __iter__(self) -> Iterator[str]:
        return iter(KNOWN)

    def __len__(self) -> int:
        return len(KNOWN)


players: Final = Players()
"""The computer players by name."""
