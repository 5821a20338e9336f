"""Definition of a balance study: its arms, and the leagues that are played for them. See docs/balance.md."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from vinci_rules.editions import EDITIONS, MOST_STRENGTH, STRENGTHS
from vinci_rules.record import read_json
from vinci_rules.traits import KINDS, TRAIT_BY_CODE

from ..definition import configuration
from ..definition.league import League
from ..play.files import replace_file
from ..play.folder import Folder

STUDY: Final = "study.json"
LEAGUES: Final = "leagues"


class StudyError(ValueError):
    """The definition of a study is invalid; the text names what is wrong and what would be right."""


class Change(NamedTuple):
    """Another strength of a trait: its code, and its pawns in the changed game."""

    code: str
    pawns: int

    @property
    def words(self) -> str:
        """The change in words, such as `Weapons 3 → 5`."""
        kind = KINDS[TRAIT_BY_CODE[self.code]]
        return f"{kind.names['en']} {kind.strength} → {self.pawns}"


@dataclass(frozen=True, slots=True)
class Arm:
    """The rules of a part of the games: an edition, and the traits whose strength is changed."""

    edition: str
    changes: tuple[Change, ...] = ()

    @property
    def name(self) -> str:
        """Its name in reports, such as `standard` or `Weapons 3 → 5`."""
        return ", ".join(change.words for change in self.changes) or self.edition


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A study: `games` games of each arm for each number of `seats`, with the same seeds in all arms.

    The first edition is the base. Each of the `changes`, such as `WEA=+2`, adds an arm: the base with this change.
    `bots` are names of policies or command lines; `seed` is empty for a random one; `target` is 0 for the usual one.
    """

    editions: tuple[str, ...] = EDITIONS[:1]
    changes: tuple[str, ...] = ()
    bots: tuple[str, ...]
    nodes: bool = False
    seats: tuple[int, ...] = (4,)
    games: int = 400
    seed: str = ""
    board: str = ""
    target: int = 0

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms, the base first. Raises StudyError."""
        for edition in self.editions:
            if edition not in EDITIONS:
                raise StudyError(f"unknown edition {edition!r}; known: {', '.join(EDITIONS)}")
        changed = [Arm(self.editions[0], parse_changes(text)) for text in self.changes]
        arms = (*[Arm(edition) for edition in self.editions], *changed)
        if len(set(arms)) < len(arms):
            raise StudyError("two arms are the same game; leave out one edition or change")
        return arms

    def leagues(self) -> Iterator[tuple[Arm, int, League]]:
        """Yield the leagues with arm and number of seats. Raises StudyError and LeagueError."""
        for number, arm in enumerate(self.arms):
            for seats in self.seats:
                yield arm, seats, self._league(f"{number}-{arm.edition}-{seats}-seats", arm, seats)

    def _league(self, name: str, arm: Arm, seats: int) -> League:
        bots = configuration.bots(self.bots, "nodes" if self.nodes else "time")
        names = [bot["name"] for bot in bots]
        fields: dict[str, Any] = {"format": "round-robin"}
        if len(names) < seats:
            fields = {"format": "line-ups", "line_ups": _repeated(names, seats)}
        if self.board:
            fields["board"] = self.board
        if self.target:
            fields["target"] = self.target
        strengths = ",".join(f"{code}:{pawns}" for code, pawns in arm.changes)
        return configuration.league(
            {
                "name": name,
                "bots": bots,
                "seats": seats,
                "games": self.games,
                "edition": arm.edition,
                "options": {STRENGTHS: strengths} if strengths else {},
                **fields,
            }
        )

    def to_json(self) -> str:
        """Return the study as JSON."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Study":
        """Parse the output of `to_json`. Raises ValueError or TypeError for anything else."""
        fields: dict[str, Any] = read_json(text)
        plain: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in fields.items()}
        return cls(**plain)


class Part(NamedTuple):
    """The games of an arm with a number of seats, and their folder."""

    arm: Arm
    seats: int
    folder: Folder


def begin(study: Study, out: Path) -> list[Part]:
    """Store a study and its leagues in a folder, and return its parts; a study that is there already is continued.

    Raises StudyError, LeagueError, and FolderError if the folder holds another study.
    """
    parts = []
    seed = study.seed
    for arm, seats, league in study.leagues():
        folder = Folder(out / LEAGUES / league.name)
        seed = folder.begin(replace(league, seed=seed)).seed
        parts.append(Part(arm, seats, folder))
    replace_file(out / STUDY, [replace(study, seed=seed).to_json().encode()], mode=0o600)
    return parts


def read(out: Path) -> Study:
    """Read the study of a folder. Raises StudyError."""
    try:
        return Study.from_json((out / STUDY).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StudyError(f"{out} holds no study: there is no {STUDY} in it") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise StudyError(f"{out / STUDY} is not as it was written: {error}") from None


def parse_changes(text: str) -> tuple[Change, ...]:
    """Parse changes of one arm such as `WEA=+2`, `Weapons=5` or `WEA=+2,FOR=-1`. Raises StudyError.

    A number is the new strength, as in the trait table; with a sign it is added to the strength of the table.
    """
    changes = tuple(_change(word.strip()) for word in text.split(","))
    if len({change.code for change in changes}) < len(changes):
        raise StudyError(f"{text}: each trait can be changed once in an arm")
    return changes


def _change(word: str) -> Change:
    name, _, number = word.partition("=")
    codes = {key.lower(): kind.code for kind in KINDS for key in (kind.code, kind.names["en"])}
    code = codes.get(name.strip().lower())
    if code is None:
        raise StudyError(f"{word}: unknown trait {name!r}; known: {' '.join(TRAIT_BY_CODE)}, and their English names")
    if not re.fullmatch(r"[+-]?\d{1,2}", number.strip(), re.ASCII):
        raise StudyError(f"{word}: give the new strength, such as {code}=5, or the difference, such as {code}=+2")
    before = KINDS[TRAIT_BY_CODE[code]].strength
    pawns = int(number) + (before if number.strip()[0] in "+-" else 0)
    if not 0 <= pawns <= MOST_STRENGTH:
        raise StudyError(f"{word}: a strength is from 0 to {MOST_STRENGTH} pawns, and this would be {pawns}")
    if pawns == before:
        raise StudyError(f"{word}: this is the strength of {code} in the trait table, so nothing changes")
    return Change(code, pawns)


def _repeated(names: Sequence[str], seats: int) -> list[list[str]]:
    """Return line-ups in which fewer bots than seats are repeated in turn, each bot equally often."""
    first = range(len(names) if seats % len(names) else 1)
    return [[names[(start + seat) % len(names)] for seat in range(seats)] for start in first]
