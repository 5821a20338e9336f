"""Many games stepped together, as arrays, for learners that play all seats."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, final

import numpy as np
import numpy.typing as npt

from vinci_rules import engine
from vinci_rules.board import DEFAULT_BOARD, load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import Setting, options
from vinci_rules.state import State

from .actions import Actions, Mask, Placement, legal_numbers
from .environment import Reward, rewards_of
from .observations import Array, Observations


class Batch(NamedTuple):
    """Observations and masks of the seats to act, a row a game.

    Attributes:
        observations: what the seat to act sees [games, size].
        masks: its legal actions as ones [games, actions].
        seats: the seat to act, from 0 [games].
        rewards: of each seat in the game that the last step ended, else 0 [games, seats].
        ended: whether the last step ended a game, so that a new one has begun [games].
    """

    observations: Array
    masks: Mask
    seats: npt.NDArray[np.int64]
    rewards: Array
    ended: npt.NDArray[np.bool_]


@final
class VectorEnv:
    """Games of the same rules, each of which begins anew when it is over.

    Draws are quick ones, so these games have no records; `VinciEnv` plays the same with records.
    """

    def __init__(
        self,
        games: int,
        seats: int = 3,
        *,
        edition: str = "standard",
        board: str = DEFAULT_BOARD,
        reward: Reward = "rank",
        **settings: Setting,
    ) -> None:
        """Take the number of games, and what `VinciEnv` takes. Raises OptionError, and ValueError as that does."""
        if games < 1:
            raise ValueError(f"games is {games}; it can be 1 or more")
        self.games: Final = games
        self.actions: Final = Actions(load_board(board), seats)
        self.layout: Final = Observations(load_board(board), seats)
        self._options: Final = options((False,) * seats, edition, **settings)
        self._reward: Final = reward
        self._states: list[State] = []
        self._chances: list[FastChance] = []
        self._placements: list[Placement] = []
        self._masks: Mask = np.zeros((games, self.actions.size), np.int8)
        self._rows: Array = np.zeros((games, self.layout.size), np.float32)
        self._random = np.random.default_rng()

    def reset(self, seed: int | None = None) -> Batch:
        """Begin all games anew; a seed decides them and those after them."""
        self._random = np.random.default_rng(seed)
        self._chances = [FastChance(int(number)) for number in self._random.integers(2**63, size=self.games)]
        self._states = [self._begun(chance) for chance in self._chances]
        self._placements = [Placement(state, self.actions) for state in self._states]
        none = np.zeros((self.games, self.layout.seats), np.float32)
        return self._batch(range(self.games), none, np.zeros(self.games, np.bool_))

    def step(self, numbers: Sequence[int] | npt.NDArray[Any]) -> Batch:
        """Play an action in each game.

        Raises:
            ValueError: one is illegal; nothing was played in any game.
        """
        chosen = np.asarray(numbers, np.int64)
        if chosen.shape != (self.games,) or not ((chosen >= 0) & (chosen < self.actions.size)).all():
            wanted = f"{self.games} numbers from 0 to {self.actions.size - 1}"
            raise ValueError(f"actions are {wanted}; these have the shape {chosen.shape}, or are others")
        legal = self._masks[np.arange(self.games), chosen]
        if not legal.all():
            game = int(np.argmin(legal))
            raise ValueError(f"{self.actions.names[chosen[game]]} is not legal in game {game}")
        rewards = np.zeros((self.games, self.layout.seats), np.float32)
        ended = np.zeros(self.games, np.bool_)
        changed: list[int] = []
        for game, number in enumerate(chosen.tolist()):
            state, placement = self._states[game], self._placements[game]
            played = self.actions.action(number)
            if played is None:
                placement.step(number)
                played = placement.action() if placement.is_done else None
            if played is not None:
                engine.play(state, played, self._chances[game])
                if state.phase == "over":
                    rewards[game] = rewards_of(state.vp, engine.ranks(state), self._reward)
                    ended[game] = True
                    state = self._states[game] = self._begun(self._chances[game])
                placement = self._placements[game] = Placement(state, self.actions)
                changed.append(game)
            else:
                self.layout.place(placement, self._rows[game])
        return self._batch(changed, rewards, ended)

    def _begun(self, chance: FastChance) -> State:
        return engine.new_game(self.actions.board, self._options, chance)

    def _batch(self, changed: Sequence[int], rewards: Array, ended: npt.NDArray[np.bool_]) -> Batch:
        """Return what is seen now; positions have changed in some games, and in the others only placements."""
        seats = [state.actor for state in self._states]
        if changed:
            states, placements = [self._states[game] for game in changed], [self._placements[game] for game in changed]
            self._rows[changed] = self.layout.batch(states, [seats[game] for game in changed], placements)
        size, legal = self.actions.size, []
        for game, (state, placement) in enumerate(zip(self._states, self._placements, strict=True)):
            legal += [game * size + number for number in legal_numbers(state, self.actions, placement)]
        self._masks = np.zeros((self.games, size), np.int8)
        self._masks.reshape(-1)[legal] = 1
        return Batch(self._rows.copy(), self._masks.copy(), np.array(seats, np.int64), rewards, ended)
