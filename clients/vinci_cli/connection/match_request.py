"""Requests for matches from words of the command line."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from vinci.v1 import game_pb2, lobby_pb2

from ..exceptions import Misused
from ..text.i18n import _
from ..text.timing import mistakes, timing

EDITION: Final = "standard"
"""The edition of a match that names none."""

KINDS: Final = {"human": lobby_pb2.SEAT_KIND_HUMAN, "dummy": lobby_pb2.SEAT_KIND_DUMMY}


def seats(players: str) -> list[lobby_pb2.SeatSetup]:
    """Parse seats such as `human,dummy,greedy`; other words are names of bots."""
    return [seat_setup(word) for word in map(str.strip, players.split(",")) if word]


def seat_setup(word: str) -> lobby_pb2.SeatSetup:
    """Return the seat for `human`, `dummy` or the name of a bot."""
    return lobby_pb2.SeatSetup(kind=KINDS.get(word, lobby_pb2.SEAT_KIND_BOT), bot="" if word in KINDS else word)


def match_request(
    players: str,
    *,
    board: str = "",
    edition: str = "",
    seed: str = "",
    target: int | None = None,
    options: Sequence[str] = (),
    position: str = "",
    clock: str = "",
    on_timeout: str | None = None,
    absence: int | None = None,
    substitute: str = "",
    tries: int | None = None,
    on_refused: str | None = None,
    no_advice: bool = False,
) -> lobby_pb2.CreateMatchRequest:
    """Return the request for a match, which starts when all people have joined. Raises Misused."""
    if position and (board or edition or target is not None or options):
        raise Misused(
            _(
                "a position has its board and rules in it (tiny; rules FR target=90; seat 1 …); "
                "leave out --board, --edition, --target and --option"
            )
        )
    return lobby_pb2.CreateMatchRequest(
        seats=seats(players),
        options=game_pb2.Options(edition=edition, settings=settings(options, target)),
        board=board,
        seed=seed,
        position=text_or_file(position),
        start_when_full=True,
        timing=timing(clock, on_timeout or "", absence, substitute),
        mistakes=mistakes(tries, on_refused or ""),
        no_advice=no_advice,
    )


def settings(options: Sequence[str], target: int | None) -> dict[str, str]:
    """Parse single rules by name. Raises Misused."""
    settings = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise Misused(_("{option!r} is not NAME=VALUE, like give_up=free").format(option=option))
        settings[name.strip()] = value.strip()
    return settings if target is None else settings | {"target": str(target)}


def text_or_file(given: str) -> str:
    """Return a position as given, or read from a file; - is standard input. Raises Misused."""
    if given == "-":
        return sys.stdin.read().strip()
    if not given or ";" in given:
        return given
    try:
        return Path(given).read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        text = _("{given!r} is no position (such as: tiny; round 0; seat 1; seat 2; seat 3), and no file: {error}")
        raise Misused(text.format(given=given, error=getattr(error, "strerror", None) or error)) from None
