"""Persons of a server: names that belong to keys, which devices make and send; only hashes of keys are stored."""

import re
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar, final

import structlog

from vinci_refusals.typed import looks

from ..errors import ServiceError
from ..limits import DAY_SECONDS, Traffic
from ..lobby import Lobby
from ..match.seats import tokens
from ..match.seats.names import LONGEST_NAME, SOMEBODY, check_person, check_unlike
from ..match.seats.reassignment import changed, reassign
from ..match.seats.seating import GUEST, Identity
from ..storage.database import storing
from ..storage.persons import Named, Person, PersonTable
from ..storage.store import LogRow, MatchEntry, Store
from .bots.keys import BotKeys

HEADER: Final = "vinci-person"
"""The metadata that carries the key."""
LINK_SECONDS: Final = 300
"""Seconds that a link works with which another device becomes one of a person."""
LINK_LETTERS: Final = 12
SUGGESTIONS: Final = 3
MOST_TRIED: Final = 1000
MOST_REASSIGNED: Final = 100
_KEY: Final = re.compile("[0-9a-f]{32}")
_FEWEST_DIGITS: Final = 6
"""Different digits that a random key has; one in 10^12 has fewer."""

T = TypeVar("T")
_log = structlog.get_logger()


@final
@dataclass(frozen=True, slots=True)
class Caller:
    """The person who makes a call, and the key that it sent."""

    person: Person
    key: str = field(repr=False)

    @property
    def identity(self) -> Identity:
        """The person as it sits down."""
        return Identity(self.person.person_id, self.key)


class Link(NamedTuple):
    """The hash of a code with which a person gets another device, until a time of `time.monotonic`."""

    hashed: str
    until: float


@final
class Persons:
    """The persons of a server. If they are switched off, every caller is a guest and PersonService refuses.

    `bots` returns the names of connected bots.
    """

    def __init__(
        self,
        store: Store,
        keys: BotKeys,
        traffic: Traffic,
        bots: Callable[[], Collection[str]] = frozenset,
        *,
        enabled: bool = True,
    ) -> None:
        self.enabled: Final = enabled
        self._bots: Final = bots
        self._table: Final = PersonTable(store)
        self._keys: Final = keys
        self._traffic: Final = traffic
        self._links: Final[dict[int, Link]] = {}
        """The latest link of each person, the oldest first."""
        self.merged = 0
        """Number of persons since the start whose games became those of another."""

    # Who calls.

    async def caller(self, context: Any) -> Caller | None:
        """Return the person whose key a call has; None for a guest or a key that belongs to nobody."""
        key = self._key(context)
        person = await self._stored(lambda: self._table.of_key(tokens.digest(key))) if key else None
        return None if person is None else Caller(person, key)

    async def required(self, context: Any) -> Caller:
        """Return the person whose key a call has. Raises ServiceError."""
        self._required_key(context)
        if (caller := await self.caller(context)) is None:
            raise ServiceError("BAD_PERSON", "UNKNOWN")
        return caller

    async def get(self, context: Any) -> Person | None:
        """Return the person of the key that a call must have; None if it belongs to nobody. Raises ServiceError."""
        self._required_key(context)
        caller = await self.caller(context)
        return None if caller is None else caller.person

    async def sitter(self, context: Any, name: str) -> tuple[str, Identity]:
        """Return who sits down, and under which name. A free name is bound to the key of the call.

        Without a key, or with one that belongs to nobody and no name, it is a guest.
        """
        key = self._key(context)
        if not key:
            await self.check_free(name)
            return name, GUEST
        caller = await self.caller(context)
        if caller is None and not name:
            return name, GUEST
        caller = caller or Caller(await self._bind(context, key, name), key)
        return caller.person.name, caller.identity

    async def speaker(self, context: Any, name: str) -> tuple[str, Identity]:
        """Return who says something as a spectator, and under which name."""
        if (caller := await self.caller(context)) is not None:
            return caller.person.name, caller.identity
        await self.check_free(name)
        return name, GUEST

    async def again(self, context: Any, person_id: int, name: str) -> tuple[str, Identity]:
        """Return who goes on as the person of a seat, by whoever bears its token; `name` is that of a guest."""
        if not person_id or not self.enabled:
            return name, GUEST
        caller = await self.caller(context)
        if caller is not None and caller.person.person_id == person_id:
            return caller.person.name, caller.identity
        person = await self._stored(lambda: self._table.get(person_id))
        return (name, GUEST) if person is None else (person.name, Identity(person_id))

    # Names.

    async def check_free(self, name: str) -> None:
        """Raises ServiceError if a name looks like that of a person: neither guests nor bots can use it."""
        if name and self.enabled:
            await self._check_owner(name)

    async def _check_owner(self, name: str) -> None:
        if await self._stored(lambda: self._table.owner(_looks(name))):
            raise await self._taken(name)

    async def update(self, context: Any, name: str, *, is_hidden: bool | None) -> Person:
        """Bind a name to the key of a call, or rename its person; hide it or show it. Raises ServiceError."""
        key = self._required_key(context)
        caller = await self.caller(context)
        person = await self._bind(context, key, name) if caller is None else caller.person
        if name and name != person.name:
            await self.rename(person, name)
        if is_hidden is not None:
            await self._stored(lambda: self._table.hide(person.person_id, is_hidden=is_hidden))
        return (await self.required(context)).person

    async def rename(self, person: Person, name: str) -> None:
        """Give a person another name. Raises ServiceError."""
        await self._check(name)
        if not await self._stored(lambda: self._table.rename(person.person_id, name, _looks(name))):
            raise await self._taken(name)
        _log.info("person renamed", person=person.person_id)

    async def listed(self, after: str, most: int, name: str = "") -> list[tuple[Person, int]]:
        """Return persons as `PersonTable.listed` does. Raises ServiceError."""
        return await self._stored(lambda: self._table.listed(after, most, name))

    async def named(self, name: str) -> Person:
        """Return the person with exactly this name. Raises ServiceError."""
        for person, _ in await self.listed("", 1, name) if name else ():
            return person
        raise ServiceError("BAD_NAME", "NOBODY", name=name)

    async def _bind(self, context: Any, key: str, name: str) -> Person:
        await self._check(name)
        await self._check_owner(name)
        self._traffic.new_person(context.peer(), await self._stored(self._table.count))
        person = await self._stored(lambda: self._table.add(tokens.digest(key), name, _looks(name)))
        # Two terminals of one user may bind the same new key at once: the second must not sit down as the first.
        if person is None or person.name != name:
            raise await self._taken(name)
        _log.info("person added", person=person.person_id)
        return person

    async def _check(self, name: str) -> None:
        if not name:
            raise ServiceError("BAD_NAME", "FOR_PERSON")
        check_person(name, [])
        await self._keys.check_unlike(name)
        check_unlike(name, self._bots())

    async def _taken(self, name: str) -> ServiceError:
        """Return the refusal of a name that belongs to somebody, with names that are free."""
        free = await self._stored(lambda: self._table.free(_similar(name), SUGGESTIONS))
        return ServiceError(
            "BAD_NAME", "BOUND", name=name, **dict(zip(("first", "second", "third"), free, strict=True))
        )

    # Devices.

    async def offer_link(self, context: Any) -> str:
        """Return a code with which the key of another device becomes one of the caller; an earlier one ends.

        Raises ServiceError.
        """
        caller = await self.required(context)
        now = time.monotonic()
        while self._links and next(iter(self._links.values())).until < now:
            del self._links[next(iter(self._links))]
        code = tokens.letters(LINK_LETTERS)
        self._links.pop(caller.person.person_id, None)  # so that the new one goes last
        self._links[caller.person.person_id] = Link(tokens.digest(code), now + LINK_SECONDS)
        return code

    async def use_link(self, context: Any, code: str) -> Person:
        """Add the key of a call to the person of a code, which works once. Raises ServiceError."""
        key = self._required_key(context)
        self._traffic.try_code(peer := self._traffic.peer(context.peer()))
        if (caller := await self.caller(context)) is not None:
            raise ServiceError("PERSON_KNOWN", name=caller.person.name)
        person_id = self._used("".join(filter(str.isalnum, code.lower())))
        if person_id is None:
            self._traffic.wrong_code(peer)
            raise ServiceError("BAD_CODE", "DEVICE")
        most = self._traffic.limits.keys_per_person
        person = await self._stored(lambda: self._table.get(person_id))
        if person is not None and person.keys >= most:
            raise ServiceError("TOO_MANY_KEYS", limit="keys_per_person", number=most)
        person = await self._stored(lambda: self._table.add_key(person_id, tokens.digest(key)))
        if person is None:  # forgotten meanwhile
            raise ServiceError("BAD_CODE", "DEVICE")
        _log.info("device added to person", person=person.person_id)
        return person

    def _used(self, code: str) -> int | None:
        """Return the person of a code, which does not work again; None for a wrong one or if its time is over."""
        hashed, now = tokens.digest(code), time.monotonic()
        for person_id, link in self._links.items():
            if link.hashed == hashed:
                del self._links[person_id]
                return person_id if link.until >= now else None
        return None

    # Matches.

    async def own(
        self, person: Person, statuses: Sequence[str], most: int, after: tuple[float, str] | None = None
    ) -> list[tuple[MatchEntry, int]]:
        """Return the matches of a person as `PersonTable.own` does. Raises ServiceError."""
        return await self._stored(lambda: self._table.own(person.person_id, statuses, most, after))

    async def reassign(self, lobby: Lobby, person_id: int, to: int = 0) -> None:
        """Let all that a person did be that of another; without one, let it be done by somebody without a name.

        The keys of a person are removed last, so that it can ask again if this was interrupted. Raises ServiceError.
        """
        await self._move(lobby, person_id, to)
        if not to:
            await self._stored(self._table.flush)

    async def expire(self, lobby: Lobby) -> int:
        """Forget persons who were not seen for the days of the limit and never played a game; returns how many.

        Raises ServiceError.
        """
        before = time.time() - self._traffic.limits.unused_name_days * DAY_SECONDS
        count = 0
        while unused := await self._stored(lambda: self._table.unused(before, MOST_REASSIGNED)):
            for person_id in unused:
                await self._move(lobby, person_id, 0)
            count += len(unused)
        if count:
            await self._stored(self._table.flush)
            _log.info("unused names freed", count=count)
        return count

    async def _move(self, lobby: Lobby, person_id: int, to: int) -> None:
        name = "" if to else SOMEBODY
        if to:
            await self._stored(lambda: self._table.give_keys(person_id, to))
        while not await self._stored(lambda: self._table.remove(person_id)):
            for match_id in await self._stored(lambda: self._table.matches(person_id, MOST_REASSIGNED)):
                await self._reassign(lobby, match_id, person_id, to, name)
        self.merged += to > 0

    async def _reassign(self, lobby: Lobby, match_id: str, person_id: int, to: int, name: str) -> None:
        async def write(change: Callable[[LogRow], LogRow]) -> set[int]:
            return await self._stored(lambda: self._table.reassign(person_id, match_id, change, to))

        try:
            match = await lobby.get(match_id)
        except ServiceError:  # it cannot be read, which is logged, but its rows can
            await write(lambda row: changed(row, to, name))
        else:
            await reassign(match, write, person_id, to, name)

    def _required_key(self, context: Any) -> str:
        if not self.enabled:
            raise ServiceError("NO_PERSONS")
        if key := self._key(context):
            return key
        raise ServiceError("BAD_PERSON", "NONE")

    def _key(self, context: Any) -> str:
        """Return the key in the metadata of a call; empty for none. Raises ServiceError for one that is malformed."""
        if not self.enabled:
            return ""
        for header, value in context.invocation_metadata() or ():
            if header == HEADER:
                if not _KEY.fullmatch(value) or len(set(value)) < _FEWEST_DIGITS:
                    raise ServiceError("BAD_PERSON", "FORM")
                return str(value)
        return ""

    async def _stored(self, work: Callable[[], Awaitable[T]]) -> T:
        with storing():
            return await work()


def _similar(name: str) -> Iterator[Named]:
    """Yield names like one that is taken."""
    numbers = [*map(str, range(2, 10)), *(str(secrets.randbelow(9000) + 1000) for _ in range(MOST_TRIED))]
    for number in numbers:
        similar = f"{name[: LONGEST_NAME - len(number) - 1].rstrip()} {number}"
        yield similar, _looks(similar)


def _looks(name: str) -> frozenset[str]:
    """Return what a name looks like, also without its blanks."""
    return looks(name) | looks(name.replace(" ", ""))
