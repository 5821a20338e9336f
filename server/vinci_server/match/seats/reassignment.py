"""Lets what a person did in a match be that of another person, or of nobody."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

from ...storage.store import LogRow
from ..command_queue import command
from ..log import entries as log
from ..match import Match
from .names import SOMEBODY

Write: TypeAlias = Callable[[Callable[[LogRow], LogRow]], Awaitable[set[int]]]
"""Changes the rows of a match about a person in the database, and returns their numbers."""


def changed(row: LogRow, to: int, name: str) -> LogRow:
    """Return a row about a person as one about another, 0 for nobody, who has this name, empty for the same."""
    entry = log.decode(row)
    match entry:
        case log.Create(setup):
            entry = log.Create(replace(setup, maker=to))
        case log.Join(player=player):
            entry = entry._replace(person=to, player=name or player)
        case log.Chat(name=speaker):
            entry = entry._replace(person=to, name=name or speaker)
    return row._replace(text=log.encode(entry, row.sequence, row.time).text)


@command
async def reassign(match: Match, write: Write, person: int, to: int = 0, name: str = SOMEBODY) -> None:
    """Let rows about a person be about another, 0 for nobody, in the database, then in the match."""
    numbers = await write(lambda row: changed(row, to, name))
    match.ledger.reassign(person, to, name, numbers)
    match.show_match()
