"""The rules and the computer players as a library, which programs import as `vinci`: docs/library.md.

Example:
    >>> import vinci
    >>> game = vinci.new_game(seats=3, board="tiny", seed="example")
    >>> normal = vinci.players["normal"]
    >>> while not game.is_over:
    ...     game.play(normal(game))
    >>> game.scores, game.ranks
    ((123, 51, 152), (2, 3, 1))
"""

from vinci_rules import actions, events

from .game import Game, load, new_game
from .players import Player, players
from .position import IllegalAction, Position

__all__ = ["Game", "IllegalAction", "Player", "Position", "actions", "events", "load", "new_game", "players"]
