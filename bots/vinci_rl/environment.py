"""The PettingZoo environment: every seat is an agent, and they act in turns (AEC)."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, Literal

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import vinci
from vinci_rules.board import DEFAULT_BOARD, load_board
from vinci_rules.editions import Setting, options

from .actions import Actions, Mask, Placement, mask
from .observations import Observations

Reward = Literal["rank", "margin"]


class VinciEnv(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A game of Vinci with an agent `seat_0`, `seat_1` and so on at each seat.

    Attributes:
        game: the game, whose `record()` is that of every action so far.
        actions: the meaning of the numbers of actions.
        layout: the meaning of observations.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "vinci_v0",
        "render_modes": ["human", "ansi", "svg"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        seats: int = 3,
        *,
        edition: str = "standard",
        board: str = DEFAULT_BOARD,
        reward: Reward = "rank",
        render_mode: str | None = None,
        **settings: Setting,
    ) -> None:
        """Take the seats (3 to 6) and the rules, as `vinci.new_game`.

        Args:
            seats: the number of seats.
            edition: `standard`, `FR`, `NL`, `DE` or `WEB`.
            board: the name of the board.
            reward: at the end of the game `rank` gives 1 to the first, -1 to the last, and evenly between; `margin`
                the VP ahead of the best other seat, in hundreds. During the game it is 0.
            render_mode: `human` prints the position as text, `ansi` returns it, `svg` returns the board as a picture.
            settings: options that differ from the edition.

        Raises:
            OptionError: an edition or an option is unknown.
            ValueError: the reward, the render mode or the board is.
        """
        super().__init__()
        if reward not in ("rank", "margin"):
            raise ValueError(f"reward is {reward!r}; it can be rank or margin")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode is {render_mode!r}; it can be {', '.join(self.metadata['render_modes'])}")
        options((False,) * seats, edition, **settings)  # refuses now what would be refused at the first reset
        self._rules: Final[dict[str, Any]] = {"seats": seats, "edition": edition, "board": board, **settings}
        self._reward: Final = reward
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.actions: Final = Actions(load_board(board), seats)
        self.layout: Final = Observations(load_board(board), seats)
        shapes: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(-np.inf, np.inf, (self.layout.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (self.actions.size,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(shapes) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.actions.size) for agent in self.possible_agents}
        self._random = np.random.default_rng()
        self._mask: Mask | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of observations, the same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of actions, the same object for all calls, as it is seeded."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; a seed decides it and the games after it, until the next one.

        Args:
            seed: the seed.
            options: `{"position": text}` begins from a position of the same board and number of seats, and
                `{"seed": text}` plays the game of this seed of the rules.
        """
        if seed is not None:
            self._random = np.random.default_rng(seed)
        given = options or {}
        drawn = str(self._random.integers(2**63))
        self.game = vinci.new_game(
            **self._rules, seed=given.get("seed", drawn), position=given.get("position", ""), names=self.possible_agents
        )
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._next_decision()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees, with the mask of its legal actions; none are legal out of its turn."""
        seat = self.possible_agents.index(agent)
        is_asked = seat == self.game.seat
        return {
            "observation": self.layout.of(self.game.state, seat, self._placement),
            "action_mask": self.mask() if is_asked else np.zeros(self.actions.size, np.int8),
        }

    def mask(self) -> Mask:
        """Return the legal actions of the seat to act as ones."""
        if self._mask is None:
            self._mask = mask(self.game.state, self.actions, self._placement)
        return self._mask.copy()

    def step(self, action: int | None) -> None:
        """Play an action of `agent_selection`, or a step of its placement.

        Raises:
            ValueError: it is illegal; the game goes on unchanged.
        """
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        number = -1 if action is None else int(action)
        if not (0 <= number < self.actions.size and self.mask()[number]):
            legal = ", ".join(self.actions.names[place] for place in np.flatnonzero(self.mask()))
            name = self.actions.names[number] if 0 <= number < self.actions.size else str(action)
            raise ValueError(f"{name} is not legal for {self.agent_selection}; legal are: {legal}")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        played = self.actions.action(number)
        if played is None:
            self._placement.step(number)
            self._mask = None
            played = self._placement.action() if self._placement.is_done else None
        if played is not None:
            self.game.play(played)
            self._next_decision()
            if self.game.is_over:
                self._end()
        self._accumulate_rewards()

    def _next_decision(self) -> None:
        self._placement = Placement(self.game.state, self.actions)
        self._mask = None
        if self.game.seat is not None:
            self.agent_selection = self.possible_agents[self.game.seat]

    def _end(self) -> None:
        self.rewards = dict(zip(self.possible_agents, rewards(self.game, self._reward), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"rank": rank} for agent, rank in zip(self.possible_agents, self.game.ranks, strict=True)}
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """Print the position (`human`), or return it as text (`ansi`) or as a picture (`svg`)."""
        if self.render_mode == "human":
            print(self.game)  # noqa: T201
        if self.render_mode in (None, "human"):
            return None
        return str(self.game) if self.render_mode == "ansi" else self.game.svg()

    def close(self) -> None:
        """Do nothing; there is nothing to close."""


def rewards(game: vinci.Game, kind: Reward) -> list[float]:
    """Return the reward of each seat for a game that is over; seats that share a rank share those of their places."""
    return rewards_of(game.scores, game.ranks, kind)


def rewards_of(scores: Sequence[int], ranks: Sequence[int], kind: Reward) -> list[float]:
    """Return the rewards for the scores and ranks of a game."""
    if kind == "margin":
        return [(vp - max(*scores[:seat], *scores[seat + 1 :])) / 100 for seat, vp in enumerate(scores)]
    last = len(ranks) - 1
    places = [rank - 1 + (ranks.count(rank) - 1) / 2 for rank in ranks]
    return [1 - 2 * place / last for place in places]


def env(**options: Any) -> Any:
    """Return a `VinciEnv` in the usual wrappers of PettingZoo: an illegal action ends the game with a reward of -1."""
    inner = wrappers.TerminateIllegalWrapper(VinciEnv(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))
