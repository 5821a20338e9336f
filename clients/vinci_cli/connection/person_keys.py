"""Keys of the person at this machine, one for each server, kept in a file for this user only."""

import json
from pathlib import Path

from vinci.v1 import lobby_pb2, person_pb2
from vinci_client.address import with_port
from vinci_client.session import Session, new_person_key

from .. import home


def at(address: str) -> str:
    """Return the key for the server at an address; a new one is saved if there is none."""
    if saved := _load().get(with_port(address)):
        return saved
    return save(address, new_person_key())


def save(address: str, key: str) -> str:
    """Save the key for the server at an address in place of an earlier one, and return it."""
    _write(_load() | {with_port(address): key})
    return key


def forget(address: str) -> None:
    """Remove the key for the server at an address."""
    _write({where: key for where, key in _load().items() if where != with_port(address)})


def moved(address: str) -> None:
    """Change the only key, of one server, to its address now."""
    for key in list(_load().values())[-1:]:
        _write({with_port(address): key})


async def name_at(session: Session) -> str | None:
    """Return the name of the person at a server, empty if it has none yet; None if this session is one of guests."""
    if not session.has_person:
        return None
    info = await session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())
    if not info.persons:
        return None
    answer = await session.call(session.person.GetPerson, person_pb2.GetPersonRequest(), as_person=True)
    return answer.person.name


def _file() -> Path:
    return home.folder() / "keys.json"


def _load() -> dict[str, str]:
    try:
        saved = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {where: key for where, key in saved.items() if isinstance(key, str)} if isinstance(saved, dict) else {}


def _write(keys: dict[str, str]) -> None:
    home.write_private(_file(), json.dumps(keys, indent=1))
