"""Where chance comes from. Rules never draw by themselves: a `Chance` is passed in.

`FairChance` is the method that games use and anyone can check, in any language: of the candidates of a draw, the one
with the smallest SHA-256 of the UTF-8 text `seed|purpose|key|candidate` is picked, where key is numbers joined by dots.
Keys are places, not counters, so that two games with one seed go on drawing alike after their first difference:

| purpose    | key                           | candidates                                              |
|------------|-------------------------------|---------------------------------------------------------|
| `first`    | (none)                        | seats, `1` upward (R-SETUP-5)                           |
| `order`    | place in the order, from 0    | seats without a place yet (R-DUMMY-1)                   |
| `market`   | fill, attempt, position       | traits in the bag with their copy, `WEA#1` (R-SETUP-4)  |
| `die`      | round, seat                   | `1` to `6` (R-DUMMY-5)                                  |
| `peace`    | round, seat, seats named      | seats of real players (R-DUMMY-6)                       |
| `conquest` | round, seat, provinces held   | codes of provinces (R-DUMMY-3)                          |
| `keep`     | round, seat, provinces kept   | codes of provinces (R-DUMMY-4, fewer pawns than land)   |
| `defence`  | round, seat, pawns spread     | codes of provinces (R-DUMMY-4)                          |
| `fort`     | round, seat, forts built      | codes of provinces (R-DUMMY-6)                          |
| `redeploy` | round, attacker, seat, pawns spread | codes of provinces (R-DUMMY-4)                    |

Fills count from 0, rounds and seats from 1. A draw of one candidate is no draw: nothing is asked and nothing recorded.
"""

import hashlib
import random
import re
from collections.abc import Sequence
from typing import Final, Protocol, final

from vinci_refusals.catalogue import Refused


class Chance(Protocol):
    """Settles what the rules leave to chance."""

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """One of `candidates`, which are different from each other and never empty."""


class SeedError(Refused, ValueError):
    """A seed or salt with other characters than it may have."""


def checked(text: str, name: str) -> str:
    """A seed or salt as it was given; `name` is how an error calls it. Raises SeedError for other characters."""
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,128}", text):
        raise SeedError("BAD_SEED", "FORM", field=name, text=text)
    return text


@final
class FairChance:
    """Uniform, reproducible and checkable draws from one seed. Raises ValueError for a seed of another form."""

    def __init__(self, seed: str) -> None:
        self.seed: Final = checked(seed, "seed")

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """The candidate with the smallest hash."""
        place = f"{self.seed}|{purpose}|{'.'.join(map(str, key))}|"
        return min(candidates, key=lambda candidate: hashlib.sha256((place + candidate).encode()).digest())


@final
class FastChance:
    """Draws for playouts: fast, reproducible on one Python version, not checkable."""

    def __init__(self, seed: int) -> None:
        self._random: Final = random.Random(seed)

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """A random candidate."""
        return candidates[int(self._random.random() * len(candidates))]


@final
class RecordingChance:
    """Draws from another chance and keeps what was picked, in order, in `picks`."""

    def __init__(self, source: Chance) -> None:
        self._source: Final = source
        self.picks: Final[list[str]] = []

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """What the other chance picks."""
        picked = self._source.pick(purpose, key, candidates)
        self.picks.append(picked)
        return picked


class WrongPick(ValueError):
    """A recorded pick is missing, left over, or not among the candidates."""


@final
class RecordedChance:
    """Gives back recorded picks and draws nothing. Raises WrongPick where the record does not fit the game."""

    def __init__(self, picks: Sequence[str]) -> None:
        self._left: Final = list(picks)

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """The next recorded pick."""
        if not self._left:
            raise WrongPick(f"a pick for {purpose} is missing")
        picked = self._left.pop(0)
        if picked not in candidates:
            raise WrongPick(f"{picked!r} could not be picked for {purpose}; candidates: {', '.join(candidates)}")
        return picked

    def finish(self) -> None:
        """Raises WrongPick if a recorded pick was not asked for."""
        if self._left:
            raise WrongPick(f"{', '.join(self._left)} recorded, but nothing was drawn")


def pick_one(chance: Chance, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
    """One of the candidates; a single one is taken without a draw."""
    return candidates[0] if len(candidates) == 1 else chance.pick(purpose, key, candidates)


def commitment(seed: str, salt: str) -> str:
    """Return the commitment to a secret seed, published before the game: SHA-256 of `seed|salt`, in hexadecimal."""
    return hashlib.sha256(f"{seed}|{salt}".encode()).hexdigest()


def nonce_hash(nonce: str) -> str:
    """Return the SHA-256 of a nonce, in hexadecimal, which is published before the nonce."""
    return hashlib.sha256(nonce.encode()).hexdigest()


def mixed_seed(seed: str, salt: str, nonces: Sequence[str]) -> str:
    """Return the seed that a secret game draws from: SHA-256 of `seed|salt|nonce|...`, nonces in seat order."""
    return hashlib.sha256("|".join((seed, salt, *nonces)).encode()).hexdigest()
