"""Seats saved on this machine with their tokens, so that a later command can continue a game."""

import json
import traceback
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from vinci_client.access import OPEN, Access

from .. import home


@dataclass(frozen=True, slots=True)
class SavedSeat:
    """A seat in a match, on a server or in a database of this machine, and what opens the server.

    `bots` are started anew with the game: their names, and the tokens of their seats. `others` are further seats of the
    same terminal, with their tokens.

    These check the game when it is over: the `commitment` to its seed, or the open `seed`, when the seat was taken;
    whether the match was `sealed` and `from_position` then, None if an older client saved the seat; the `nonces` of
    these seats; the `hashes` of the nonces of all seats as they were before one of these was revealed, empty as long as
    none was; and how often revealed nonces were `void`.
    """

    where: str
    match_id: str
    seat: int
    token: str
    bots: tuple[tuple[str, str], ...] = ()
    access: Access = OPEN
    others: tuple[tuple[int, str], ...] = ()
    commitment: str = ""
    nonces: tuple[tuple[int, str], ...] = ()
    hashes: tuple[str, ...] = ()
    void: int = 0
    seed: str = ""
    sealed: bool | None = None
    from_position: bool | None = None

    @property
    def seats(self) -> dict[int, str]:
        """The seats of the terminal with their tokens."""
        return {self.seat: self.token, **dict(self.others)}


def is_new_here() -> bool:
    """Return whether nobody has taken a seat or played a game with this folder."""
    return not _file().exists() and not (home.folder() / "records").exists()


def moved(where: str, access: Access) -> None:
    """Change all saved seats to one server, which is now at this address with this access."""
    with _locked():
        seats = load()
        if any((seat.where, seat.access) != (where, access) for seat in seats):
            _write([replace(seat, where=where, access=access) for seat in seats])


def load() -> list[SavedSeat]:
    """Return all saved seats, the latest last."""
    try:
        return [_seat(entry) for entry in json.loads(_file().read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError, KeyError):
        return []


def save(seat: SavedSeat) -> None:
    """Save the seats of a terminal in a file for this user only.

    Seats of the same match that another terminal on this machine has stay remembered beside them.
    """
    same = seat.seats.keys()
    with _locked():
        _write([*_without(lambda match_id, number, _token: match_id == seat.match_id and number in same), seat])


def forget(seat: SavedSeat) -> None:
    """Remove the seats of a terminal; a seat that got a new token since stays saved with it."""
    with _locked():
        _write(_without(lambda _match_id, number, token: seat.seats.get(number) == token))


def find(match_id: str, tokens: Iterable[str]) -> SavedSeat | None:
    """Return the saved seats that have one of these tokens; None if there are none."""
    wanted = set(tokens)
    return next((entry for entry in load() if entry.match_id == match_id and wanted & set(entry.seats.values())), None)


def change(match_id: str, tokens: Iterable[str], changed: Callable[[SavedSeat], SavedSeat]) -> SavedSeat | None:
    """Save the seats that have one of these tokens as changed and return them; None if there are none."""
    with _locked():
        before = find(match_id, tokens)
        if before is None:
            return None
        after = changed(before)
        if after != before:
            _write([after if entry == before else entry for entry in load()])
    return after


def at(where: str) -> list[SavedSeat]:
    """Return the saved seats for a server or database, the latest first."""
    return [seat for seat in reversed(load()) if seat.where == where]


def _without(is_removed: Callable[[str, int, str], bool]) -> list[SavedSeat]:
    left = []
    for entry in load():
        remaining = [
            (number, token) for number, token in entry.seats.items() if not is_removed(entry.match_id, number, token)
        ]
        if remaining:
            (seat, token), *others = remaining
            left.append(replace(entry, seat=seat, token=token, others=tuple(others)))
    return left


def _seat(entry: dict[str, Any]) -> SavedSeat:
    pairs = {name: tuple((key, value) for key, value in entry.get(name, ())) for name in ("bots", "others", "nonces")}
    hashes = tuple(entry.get("hashes", ()))
    return SavedSeat(**entry | pairs | {"hashes": hashes, "access": Access(**entry.get("access", {}))})


def _file() -> Path:
    return home.folder() / "seats.json"


def keep_traceback(error: BaseException) -> Path:
    """Write the trace of an error to a file for this user only and return its path; it holds the last one."""
    path = home.private_folder() / "error.log"
    home.write_private(path, "".join(traceback.format_exception(error)))
    return path


def _locked() -> AbstractContextManager[None]:
    return home.locked("seats")


def _write(seats: list[SavedSeat]) -> None:
    home.write_private(_file(), json.dumps([asdict(seat) for seat in seats], indent=1))
