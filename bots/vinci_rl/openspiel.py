"""Vinci for OpenSpiel: `pyspiel.load_game("vinci")` after this module is imported, with every draw as a chance node.

Parameters of the game: `players` (3 to 6), `board`, `edition`, `target` and `max_rounds` (0: as in the edition).
Actions and observations are those of `vinci_rl`; returns are the rewards by rank, which sum to 0.

Example:
    >>> game = pyspiel.load_game("vinci", {"players": 3, "board": "tiny"})
    >>> state = game.new_initial_state()
    >>> state.is_chance_node()
    True
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np
import pyspiel

from vinci_rules import engine, position
from vinci_rules.actions import Action
from vinci_rules.board import DEFAULT_BOARD, load_board
from vinci_rules.editions import options
from vinci_rules.state import State

from .actions import Actions, Placement, legal_numbers
from .environment import rewards_of
from .observations import Array, Observations

STEPS: Final = 200
"""More steps than a turn has: conquests, and the pawns of a civilization placed one by one."""
TYPE: Final = pyspiel.GameType(
    short_name="vinci",
    long_name="Vinci",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=6,
    min_num_players=3,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={
        "players": 3,
        "board": DEFAULT_BOARD,
        "edition": "standard",
        "target": 0,
        "max_rounds": 0,
    },
)


class _Needed(Exception):
    """A draw that the given ones do not have; its candidates are those of a chance node."""

    def __init__(self, candidates: Sequence[str]) -> None:
        super().__init__()
        self.candidates: Final = tuple(candidates)


class _Given:
    """Draws that were made at chance nodes."""

    def __init__(self, picks: Sequence[str]) -> None:
        self._left: Final = [*reversed(picks)]

    def pick(self, _purpose: str, _key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """Return the next draw. Raises _Needed if it was not made."""
        if not self._left:
            raise _Needed(candidates)
        return self._left.pop()


class Rules:
    """Rules of a game, the same object for equal parameters.

    OpenSpiel keeps only its own part of a game that it loads again, so states take the rules by its parameters.
    """

    def __init__(self, players: int, board: str, edition: str, target: int, max_rounds: int) -> None:
        """Take parameters. Raises OptionError and ValueError for those that are not there."""
        chosen = {name: given for name, given in (("target", target), ("max_rounds", max_rounds)) if given}
        self.options: Final = options((False,) * players, edition, **chosen)
        self.actions: Final = Actions(load_board(board), players)
        self.layout: Final = Observations(load_board(board), players)

    def most_candidates(self) -> int:
        """Return the most candidates of a draw before the game, when the bag is full."""
        picks: tuple[str, ...] = ()
        most = 0
        while True:
            try:
                engine.new_game(self.actions.board, self.options, _Given(picks))
            except _Needed as needed:
                most = max(most, len(needed.candidates))
                # others than the first: two equal traits are put back, and would be drawn for ever
                picks = (*picks, needed.candidates[len(picks) % len(needed.candidates)])
            else:
                return most


_rules: Final = cache(Rules)


def rules_of(parameters: dict[str, Any]) -> Rules:
    """Return the rules of a game with these parameters."""
    return _rules(**{**TYPE.parameter_specification, **parameters})


class VinciGame(pyspiel.Game):  # type: ignore[misc]
    """A game with the parameters of `TYPE`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Take the parameters. Raises OptionError and ValueError for those that are not there."""
        rules = rules_of(params or {})
        seats = rules.layout.seats
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.actions.size,
            max_chance_outcomes=max(rules.most_candidates(), len(rules.actions.board.codes)),
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=(rules.options.max_rounds + 1) * seats * STEPS,
        )
        super().__init__(TYPE, info, params or {})

    def new_initial_state(self) -> "VinciState":
        """Return the game before its first draw."""
        return VinciState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> "VinciObserver":
        """Return what observes a state. Raises ValueError for parameters, since there are none."""
        return VinciObserver(rules_of(self.get_parameters()), params)


class VinciState(pyspiel.State):  # type: ignore[misc]
    """A position, perhaps with a placement under way, or with an action whose draws are made one by one."""

    def __init__(self, game: VinciGame) -> None:
        """Begin; called by `new_initial_state` only."""
        super().__init__(game)
        self._rules: Final = rules_of(game.get_parameters())
        self.state: State | None = None
        self.placement: Placement | None = None
        self._played: Action | None = None
        self._picks: tuple[str, ...] = ()
        self._candidates: tuple[str, ...] = ()
        self._go_on()

    def __deepcopy__(self, memo: dict[int, Any]) -> "VinciState":
        """Return a copy, which shares the rules and the position: positions are not changed but replaced."""
        twin = VinciState(self.get_game())
        twin.state, twin._played = self.state, self._played
        twin._picks, twin._candidates = self._picks, self._candidates
        twin.placement = self.placement and self.placement.copy()
        return twin

    def _go_on(self) -> None:
        """Play what is under way as far as its draws are known; the next one is a chance node."""
        draws, rules = _Given(self._picks), self._rules
        try:
            if self.state is None:
                after = engine.new_game(rules.actions.board, rules.options, draws)
            else:
                after = self.state.copy()
                assert self._played is not None
                engine.play(after, self._played, draws)
        except _Needed as needed:
            self._candidates = needed.candidates
            return
        self.state, self._played, self._picks, self._candidates = after, None, (), ()
        self.placement = None if after.phase == "over" else Placement(after, rules.actions)

    def current_player(self) -> int:
        """Return the seat to act, or the mark of a draw or of the end."""
        if self._candidates:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self._position().actor)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the candidates of the draw by their places, all as likely."""
        return [(place, 1 / len(self._candidates)) for place in range(len(self._candidates))]

    def _legal_actions(self, _player: int) -> list[int]:
        assert self.placement is not None
        return sorted(legal_numbers(self._position(), self._rules.actions, self.placement))

    def _apply_action(self, number: int) -> None:
        if self._candidates:
            self._picks, self._candidates = (*self._picks, self._candidates[number]), ()
            self._go_on()
            return
        assert self.placement is not None
        self._played = self._rules.actions.action(number)
        if self._played is None:
            self.placement.step(number)
            if not self.placement.is_done:
                return
            self._played = self.placement.action()
        self._go_on()

    def _action_to_string(self, player: int, number: int) -> str:
        is_draw = player == pyspiel.PlayerId.CHANCE
        return f"draw {self._candidates[number]}" if is_draw else self._rules.actions.names[number]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.state is not None and self.state.phase == "over"

    def returns(self) -> list[float]:
        """Return the rewards by rank; 0 for all before the end."""
        if not self.is_terminal():
            return [0.0] * self._rules.layout.seats
        return rewards_of(self._position().vp, engine.ranks(self._position()), "rank")

    def _position(self) -> State:
        assert self.state is not None
        return self.state

    def __str__(self) -> str:
        """Return the position as text, with the placement or the draws under way."""
        under_way = [f"drawn {', '.join(self._picks)}"] if self._picks else []
        if self.placement is not None and self.placement.has_begun:
            codes = self._rules.actions.board.codes
            placed = [f"{codes[p]}={pawns}" for p, pawns in self.placement.pawns.items()]
            under_way.append(" ".join(["placed", *placed, *(f"fort {codes[p]}" for p in self.placement.forts)]))
        return "; ".join(["begins" if self.state is None else position.write(self.state), *under_way])


class VinciObserver:
    """Writer of observations, in the layout of `vinci_rl.Observations`; everything but the draws to come is public."""

    def __init__(self, rules: Rules, params: dict[str, Any] | None) -> None:
        """Take the rules. Raises ValueError for parameters."""
        if params:
            raise ValueError(f"observations have no parameters; these were given: {params}")
        self._layout: Final = rules.layout
        self.tensor: Final[Array] = np.zeros(rules.layout.size, np.float32)
        self.dict: Final = rules.layout.split(self.tensor)

    def set_from(self, state: VinciState, player: int) -> None:
        """Write what a seat sees into `tensor`; zeros before the first position."""
        self.tensor.fill(0)
        if state.state is not None:
            placement = state.placement or Placement(state.state, state._rules.actions)
            self.tensor[:] = self._layout.of(state.state, player, placement)

    def string_from(self, state: VinciState, _player: int) -> str:
        """Return the position as text."""
        return str(state)


pyspiel.register_game(TYPE, VinciGame)
