"""Persons in the database: names, hashes of keys, and the matches in which they play."""

import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, NamedTuple, final

from .results import PERSON
from .store import LogRow, MatchEntry, Store, rewrite

SEEN_SECONDS: Final = 3600.0
"""Time within which the last visit of a person is not written again."""
Named = tuple[str, Collection[str]]
"""A name and what it looks like."""

_COLUMNS: Final = (
    "person.id, person.name, person.hidden, person.created, person.seen,"
    " (SELECT COUNT(*) FROM person_key AS keys WHERE keys.person = person.id)"
)
_BY_KEY: Final = f"SELECT {_COLUMNS} FROM person JOIN person_key AS own ON own.person = person.id WHERE own.hash = ?"
_COUNT: Final = "SELECT COUNT(*) FROM person"
_OWN: Final = (
    "SELECT match.id, match.created, match.status, MAX(person_row.seat) FROM person_row"
    " JOIN match ON match.id = person_row.match WHERE person_row.person = ?1 AND person_row.holds = 1"
    " AND (match.created < ?2 OR (match.created = ?2 AND match.id > ?3)) AND INSTR(?4, match.status)"
    " GROUP BY match.id ORDER BY match.created DESC, match.id LIMIT ?5"
)


class Person(NamedTuple):
    """A person, and the number of its keys."""

    person_id: int
    name: str
    is_hidden: bool
    created: float
    seen: float
    keys: int


@final
class PersonTable:
    """The persons of a database. Every method raises StoreError if it cannot be read or written."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    async def of_key(self, hashed: str) -> Person | None:
        """Return the person of a key, who is seen now; None if it belongs to nobody."""

        def read(connection: sqlite3.Connection) -> Person | None:
            person = _of_key(connection, hashed)
            if person is not None and person.seen < (now := time.time()) - SEEN_SECONDS:
                connection.execute("UPDATE person SET seen = ? WHERE id = ?", (now, person.person_id))
            return person

        return await self._store.run(read)

    async def get(self, person_id: int) -> Person | None:
        """Return a person; None if it was forgotten."""

        def read(connection: sqlite3.Connection) -> Person | None:
            row = connection.execute(f"SELECT {_COLUMNS} FROM person WHERE person.id = ?", (person_id,)).fetchone()
            return row and Person(*row)

        return await self._store.run(read)

    async def listed(self, after: str, most: int, name: str = "") -> list[tuple[Person, int]]:
        """Return persons whose names follow one, sorted by name, or that of a name, each with its number of matches."""
        query = (
            f"SELECT {_COLUMNS}, (SELECT COUNT(DISTINCT match) FROM person_row AS had WHERE had.person = person.id"
            " AND had.holds = 1) FROM person WHERE person.name > ?1 AND (?2 = '' OR person.name = ?2)"
            " ORDER BY person.name LIMIT ?3"
        )

        def read(connection: sqlite3.Connection) -> list[tuple[Person, int]]:
            return [(Person(*row), number) for *row, number in connection.execute(query, (after, name, most))]

        return await self._store.run(read)

    async def count(self) -> int:
        """Return the number of persons."""
        return await self._store.run(lambda connection: int(connection.execute(_COUNT).fetchone()[0]))

    async def owner(self, looks: Collection[str]) -> int:
        """Return the id of the person whose name looks so; 0 for none."""
        return await self._store.run(lambda connection: _owner(connection, looks))

    async def free(self, names: Iterable[Named], most: int) -> list[str]:
        """Return the first of some names that nobody has."""

        def read(connection: sqlite3.Connection) -> list[str]:
            found: list[str] = []
            for name, looks in names:
                if len(found) == most:
                    break
                if not _owner(connection, looks):
                    found.append(name)
            return found

        return await self._store.run(read)

    async def add(self, hashed: str, name: str, looks: Collection[str]) -> Person | None:
        """Bind a name to a key, unless the key belongs to somebody; returns its person, None if the name is taken."""

        def write(connection: sqlite3.Connection) -> Person | None:
            if (person := _of_key(connection, hashed)) is not None:
                return person
            if _owner(connection, looks):
                return None
            now = time.time()
            person_id = connection.execute(
                "INSERT INTO person (name, hidden, created, seen) VALUES (?, 0, ?, ?)", (name, now, now)
            ).lastrowid
            assert person_id is not None
            _look(connection, person_id, looks)
            _add_key(connection, person_id, hashed)
            return _of_key(connection, hashed)

        return await self._store.run(write)

    async def rename(self, person_id: int, name: str, looks: Collection[str]) -> bool:
        """Give a person another name; returns whether nobody else has one that looks like it."""

        def write(connection: sqlite3.Connection) -> bool:
            if _owner(connection, looks) not in (0, person_id):
                return False
            connection.execute("DELETE FROM person_look WHERE person = ?", (person_id,))
            if connection.execute("UPDATE person SET name = ? WHERE id = ?", (name, person_id)).rowcount:
                _look(connection, person_id, looks)  # else it was forgotten meanwhile
            return True

        return await self._store.run(write)

    async def hide(self, person_id: int, *, is_hidden: bool) -> None:
        """Store whether a person is to be listed."""
        query = "UPDATE person SET hidden = ? WHERE id = ?"
        await self._store.run(lambda connection: connection.execute(query, (is_hidden, person_id)))

    async def add_key(self, person_id: int, hashed: str) -> Person | None:
        """Add a key to a person who exists; returns the person of the key, which may belong to somebody already."""

        def write(connection: sqlite3.Connection) -> Person | None:
            if connection.execute("SELECT 1 FROM person WHERE id = ?", (person_id,)).fetchone():
                if _of_key(connection, hashed) is None:
                    _add_key(connection, person_id, hashed)
                return _of_key(connection, hashed)
            return None

        return await self._store.run(write)

    async def own(
        self, person_id: int, statuses: Sequence[str], most: int, after: tuple[float, str] | None = None
    ) -> list[tuple[MatchEntry, int]]:
        """Return the matches of a person, newest first, with the seat or 0; with `after`, as `Store.entries` does."""
        created, match_id = after if after is not None else (float("inf"), "")
        parameters = (person_id, created, match_id, " ".join(statuses), most)

        def read(connection: sqlite3.Connection) -> list[tuple[MatchEntry, int]]:
            return [(MatchEntry(*entry), seat) for *entry, seat in connection.execute(_OWN, parameters)]

        return await self._store.run(read)

    async def matches(self, person_id: int, most: int) -> list[str]:
        """Return ids of matches that have rows about a person."""
        query = "SELECT DISTINCT match FROM person_row WHERE person = ? LIMIT ?"
        parameters = (person_id, most)
        return await self._store.run(lambda connection: [row[0] for row in connection.execute(query, parameters)])

    async def reassign(
        self, person_id: int, match_id: str, change: Callable[[LogRow], LogRow], to: int = 0
    ) -> set[int]:
        """Change the rows of a match that are about a person, and let them be about another, 0 for nobody.

        Returns their numbers.
        """

        def write(connection: sqlite3.Connection) -> set[int]:
            query = "SELECT sequence FROM person_row WHERE person = ? AND match = ?"
            numbers = {row[0] for row in connection.execute(query, (person_id, match_id))}
            rewrite(connection, match_id, numbers, change)
            if to:
                query = "UPDATE result SET player = ?1 WHERE player = ?2 AND match = ?3"
                connection.execute(query, (f"{PERSON}{to}", f"{PERSON}{person_id}", match_id))
                query = "UPDATE person_row SET person = ?1 WHERE person = ?2 AND match = ?3"
                connection.execute(query, (to, person_id, match_id))
            else:
                connection.execute("DELETE FROM person_row WHERE person = ? AND match = ?", (person_id, match_id))
            return numbers

        return await self._store.run(write)

    async def give_keys(self, person_id: int, to: int) -> None:
        """Let the keys of a person be those of another."""
        query = "UPDATE person_key SET person = ? WHERE person = ?"
        await self._store.run(lambda connection: connection.execute(query, (to, person_id)))

    async def unused(self, before: float, most: int) -> list[int]:
        """Return persons who were not seen since a time and have no match that runs or was played to its end."""
        query = (
            "SELECT id FROM person WHERE seen < ? AND NOT EXISTS (SELECT 1 FROM person_row AS had JOIN match"
            " ON match.id = had.match WHERE had.person = person.id AND had.holds = 1"
            " AND match.status IN ('running', 'over')) LIMIT ?"
        )
        parameters = (before, most)
        return await self._store.run(lambda connection: [row[0] for row in connection.execute(query, parameters)])

    async def flush(self) -> None:
        """Empty the log of SQLite, as `Store.flush` does, after a name was removed."""
        await self._store.flush()

    async def remove(self, person_id: int) -> bool:
        """Remove a person and its keys, unless rows of matches are about it; returns whether it is gone."""

        def write(connection: sqlite3.Connection) -> bool:
            if connection.execute("SELECT 1 FROM person_row WHERE person = ?", (person_id,)).fetchone():
                return False
            for table, column in (("person_look", "person"), ("person_key", "person"), ("person", "id")):
                connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (person_id,))
            return True

        return await self._store.run(write)


def _of_key(connection: sqlite3.Connection, hashed: str) -> Person | None:
    row = connection.execute(_BY_KEY, (hashed,)).fetchone()
    return row and Person(*row)


def _owner(connection: sqlite3.Connection, looks: Collection[str]) -> int:
    for look in looks:
        row = connection.execute("SELECT person FROM person_look WHERE look = ?", (look,)).fetchone()
        if row is not None:
            return int(row[0])
    return 0


def _look(connection: sqlite3.Connection, person_id: int, looks: Collection[str]) -> None:
    rows = [(look, person_id) for look in looks]
    connection.executemany("INSERT INTO person_look (look, person) VALUES (?, ?)", rows)


def _add_key(connection: sqlite3.Connection, person_id: int, hashed: str) -> None:
    connection.execute("INSERT INTO person_key VALUES (?, ?, ?)", (hashed, person_id, time.time()))
