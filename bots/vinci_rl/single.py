"""A Gymnasium environment: one seat is the learner's, computer players have the others."""

from collections.abc import Sequence
from typing import Any, Final

import gymnasium
import numpy as np

import vinci

from .actions import Mask
from .environment import Reward, VinciEnv


class SingleSeatEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """A game in which the learner plays a seat, a random one unless `seat` is given, against computer players."""

    metadata: dict[str, Any] = {  # noqa: RUF012 (an instance variable in Gymnasium)
        "render_modes": ["human", "ansi", "svg"],
        "render_fps": 4,
    }

    def __init__(
        self,
        opponents: Sequence[str] = ("random", "random"),
        *,
        seat: int | None = None,
        reward: Reward = "rank",
        render_mode: str | None = None,
        **rules: Any,
    ) -> None:
        """Take the opponents, names of `vinci.players`, and what `VinciEnv` takes but the number of seats.

        Raises:
            KeyError: a player is unknown.
            ValueError: the seat does not exist, or as `VinciEnv`.
        """
        self._inner: Final = VinciEnv(len(opponents) + 1, reward=reward, render_mode=render_mode, **rules)
        if seat is not None and not 0 <= seat <= len(opponents):
            raise ValueError(f"seat is {seat}; it can be 0 to {len(opponents)}")
        self._players: Final = [vinci.players[name] for name in opponents]
        self._wanted: Final = seat
        self._seat = 0
        self.render_mode = render_mode
        agent = self._inner.possible_agents[0]
        self.observation_space = self._inner.observation_space(agent)
        self.action_space = self._inner.action_space(agent)

    @property
    def inner(self) -> VinciEnv:
        """The environment of all seats."""
        return self._inner

    def action_masks(self) -> Mask:
        """Return the legal actions as ones, under the name by which sb3-contrib asks for them."""
        return self._inner.mask()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], Any]:
        """Begin a game, and play it to the learner's first decision; the seed and options are those of `VinciEnv`."""
        super().reset(seed=seed)
        inner_seed = int(self.np_random.integers(2**31))
        seats = len(self._players) + 1
        self._seat = int(self.np_random.integers(seats)) if self._wanted is None else self._wanted
        self._inner.reset(seed=inner_seed, options=options)
        self._play_others()
        return self._observation(), {"seat": self._seat}

    def step(self, action: np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play an action, and then those of the others to the learner's next decision.

        An illegal action ends the episode with a reward of -1; `info` says which one it was.
        """
        if not self._inner.mask()[action]:
            return self._observation(), -1.0, True, False, {"illegal": self._inner.actions.names[action]}
        self._inner.step(int(action))
        self._play_others()
        is_over = self._inner.game.is_over
        agent = self._inner.possible_agents[self._seat]
        reward = self._inner.rewards[agent] if is_over else 0.0
        return self._observation(), reward, is_over, False, self._inner.infos[agent]

    def _play_others(self) -> None:
        game = self._inner.game
        while game.seat is not None and game.seat != self._seat:
            player = self._players[game.seat - (game.seat > self._seat)]
            for number in self._inner.actions.steps(game.state, player(game)):
                self._inner.step(number)

    def _observation(self) -> dict[str, Any]:
        return self._inner.observe(self._inner.possible_agents[self._seat])

    def render(self) -> str | None:
        """Print the position (`human`), or return it as text (`ansi`) or as a picture (`svg`)."""
        return self._inner.render()
