"""The games of a large league, packed for the script of its page (`games.js`)."""

import base64
import json
import zlib
from collections.abc import Sequence
from itertools import chain, pairwise

from vinci_html.text import printable

from ..definition.schedule import turned
from ..play.files import safe_name
from ..results.result import Result


def packed(games: Sequence[Result]) -> str:
    """Return games as base64 of a zlib stream of JSON: columns, since they compress best; 8 to 10 bytes a game.

    `blocks` are differences from the game before, `line_ups` those of rotation 0. Ranks that follow from the VP are
    left out.
    """
    bots = sorted(set(chain.from_iterable(game.bots for game in games)))
    number = {bot: place for place, bot in enumerate(bots)}
    circles = [turned(game.bots, -game.rotation) for game in games]
    line_ups = {bots: place for place, bots in enumerate(dict.fromkeys(circles))}
    columns = {
        "bots": [printable(bot) for bot in bots],
        "files": [safe_name(bot) for bot in bots],
        "line_ups": [[number[bot] for bot in bots] for bots in line_ups],
        "line_up": [line_ups[bots] for bots in circles],
        "blocks": [games[0].block, *(after.block - before.block for before, after in pairwise(games))],
        "rotations": [game.rotation for game in games],
        "vp": list(zip(*(game.vp for game in games), strict=True)),
        "ranks": {place: game.ranks for place, game in enumerate(games) if game.ranks != _ranks(game.vp)},
        "rounds": [game.rounds for game in games],
        "actions": [game.actions for game in games],
        "forfeits": {
            place: {forfeit.seat: printable(forfeit.reason) for forfeit in game.forfeits}
            for place, game in enumerate(games)
            if game.forfeits
        },
    }
    return base64.b64encode(zlib.compress(json.dumps(columns, separators=(",", ":")).encode())).decode()


def _ranks(vp: tuple[int, ...]) -> tuple[int, ...]:
    in_order = sorted(vp, reverse=True)
    return tuple([in_order.index(own) + 1 for own in vp])
