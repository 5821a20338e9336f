"""Sources of randomness. The rules never draw by themselves: a `Chance` is passed in.

`FairChance` is the method of games, which can be checked in any language: a draw picks the candidate with the smallest
SHA-256 of the UTF-8 text `seed|purpose|key|candidate`, where the key is numbers joined by dots. Keys are places, not
counters, so two games with the same seed continue to draw alike after their first difference. docs/chance.md lists the
purposes with their keys and candidates. A single candidate is taken without a draw and not recorded.

Example:
    >>> chance = RecordingChance(FairChance("example"))
    >>> chance.pick("die", (1, 2), ["1", "2", "3", "4", "5", "6"])
    '3'
    >>> chance.picks
    ['3']
"""

import random
import re
from collections.abc import Sequence
from hashlib import blake2b, sha256
from typing import Final, Protocol, final

from vinci_refusals.wording import Refused


class Chance(Protocol):
    """A source of random draws."""

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """Return one of the candidates.

        Args:
            purpose: a purpose of docs/chance.md, such as `die`.
            key: the place of the draw in the game, numbers that depend on the purpose.
            candidates: at least one, all different.
        """


class SeedError(Refused, ValueError):
    """A seed or salt is too long or has characters that are not allowed."""


def checked(text: str, name: str) -> str:
    """Return a valid seed or salt unchanged.

    Args:
        text: the seed or salt.
        name: the name of the value in the error message.

    Raises:
        SeedError: the text is not 1 to 128 letters, digits, dots, dashes or underscores.
    """
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,128}", text):
        raise SeedError("BAD_SEED", "FORM", field=name, text=text)
    return text


@final
class FairChance:
    """Uniform, reproducible and verifiable draws from one seed. Raises SeedError for an invalid seed."""

    def __init__(self, seed: str) -> None:
        self.seed: Final = checked(seed, "seed")

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """Return the candidate with the smallest hash."""
        place = f"{self.seed}|{purpose}|{'.'.join([str(number) for number in key])}|"
        picked, smallest = candidates[0], b""
        for candidate in candidates:
            digest = sha256((place + candidate).encode()).digest()
            if not smallest or digest < smallest:
                picked, smallest = candidate, digest
        return picked


@final
class FastChance:
    """Fast draws for playouts: reproducible on one Python version, not verifiable."""

    def __init__(self, seed: int) -> None:
        self._random: Final = random.Random(seed)

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """Return a random candidate."""
        return candidates[int(self._random.random() * len(candidates))]


@final
class RedrawnChance:
    """The draws of one possible future of a game, for searches that must not foresee the real one.

    Draws to come are all that is hidden in Vinci: everything in a `State` is public, the bag too, which holds the
    traits that are nowhere else. So a position is redrawn by playing it on with another `RedrawnChance`. Like those of
    the game, its draws depend on their places: lines of play in one future keep drawing alike after they part.

    Args:
        seed: number of the future; any integer.
    """

    def __init__(self, seed: int) -> None:
        self._seed: Final = seed

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """Return a random candidate, the same for the same place and candidates."""
        place = f"{self._seed}|{purpose}|{'.'.join(map(str, key))}"
        number = int.from_bytes(blake2b(place.encode(), digest_size=8).digest(), "big")
        return candidates[number * len(candidates) >> 64]


@final
class RecordingChance:
    """Draws from another source and appends each result to `picks`."""

    def __init__(self, source: Chance) -> None:
        self._source: Final = source
        self.picks: Final[list[str]] = []

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """Return the result of the other source."""
        picked = self._source.pick(purpose, key, candidates)
        self.picks.append(picked)
        return picked


class WrongPick(ValueError):
    """A recorded pick is missing, left over, or not among the candidates."""


@final
class RecordedChance:
    """Returns recorded picks instead of drawing. Raises WrongPick if the record does not match the game."""

    def __init__(self, picks: Sequence[str]) -> None:
        self._left: Final = list(picks)

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """Return the next recorded pick."""
        if not self._left:
            raise WrongPick(f"a pick for {purpose} is missing")
        picked = self._left.pop(0)
        if picked not in candidates:
            raise WrongPick(f"{picked!r} could not be picked for {purpose}; candidates: {', '.join(candidates)}")
        return picked

    def finish(self) -> None:
        """Raise WrongPick if recorded picks were not used."""
        if self._left:
            raise WrongPick(f"{', '.join(self._left)} recorded, but nothing was drawn")


def pick_one(chance: Chance, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
    """Return one of the candidates; a single one is taken without a draw."""
    return candidates[0] if len(candidates) == 1 else chance.pick(purpose, key, candidates)


def commitment(seed: str, salt: str) -> str:
    """Return the commitment to a secret seed, published before the game: the SHA-256 of `seed|salt` in hexadecimal."""
    return sha256(f"{seed}|{salt}".encode()).hexdigest()


def nonce_hash(nonce: str) -> str:
    """Return the SHA-256 of a nonce in hexadecimal, which is published before the nonce."""
    return sha256(nonce.encode()).hexdigest()


def mixed_seed(seed: str, salt: str, nonces: Sequence[str]) -> str:
    """Return the seed that a secret game draws from: SHA-256 of `seed|salt|nonce|...`, nonces in seat order."""
    return sha256("|".join((seed, salt, *nonces)).encode()).hexdigest()
