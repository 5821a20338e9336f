"""Keys that protect the names of bots: made by an admin, sent by the bot, kept as hashes."""

import secrets
from typing import Final, final

from ...errors import ServiceError
from ...match.seats import tokens
from ...match.seats.names import check_name, check_unlike
from ...storage.database import storing
from ...storage.store import Store

KEY_BYTES: Final = 16


@final
class BotKeys:
    """The keys of a server; if they are `required`, a name without a key cannot be used."""

    def __init__(self, store: Store, *, required: bool = False) -> None:
        self._store: Final = store
        self.required: Final = required
        self._hashes: dict[str, tuple[str, float]] | None = None
        """Cache of `hashes`: no other process writes them."""

    async def hashes(self) -> dict[str, tuple[str, float]]:
        """Return the hash and creation time of the key of each protected name. Raises ServiceError."""
        if self._hashes is None:
            with storing():
                self._hashes = await self._store.bot_keys()
        return self._hashes

    async def check_unlike(self, name: str) -> None:
        """Raises ServiceError if a name looks like a protected one."""
        check_unlike(name, await self.hashes())

    async def check(self, name: str, key: str) -> bool:
        """Return whether a name is protected by this key.

        Raises ServiceError if it is protected by another one, or not invited where keys are required.
        """
        hashed, _made = (await self.hashes()).get(name, ("", 0.0))
        if not hashed:
            await self.check_unlike(name)
        if self.required and not hashed:
            raise ServiceError("BAD_KEY", "UNINVITED", name=name)
        if hashed and not tokens.fits(key, hashed):
            raise ServiceError("BAD_KEY", "" if key else "NONE", name=name)
        return bool(hashed)

    async def make(self, name: str) -> str:
        """Return a new key for a name, which replaces an earlier one. Raises ServiceError."""
        name = check_name(name)
        if not name:
            raise ServiceError("BAD_NAME", "FOR_KEY")
        key = f"key.{secrets.token_urlsafe(KEY_BYTES)}"
        await self._set(name, tokens.digest(key))
        return key

    async def remove(self, name: str) -> None:
        """Let anybody use a name again. Raises ServiceError."""
        hashes = await self.hashes()
        name = name if name in hashes else check_name(name)
        if name not in hashes:
            raise ServiceError("BAD_NAME", "NO_KEY", name=name)
        await self._set(name, "")

    async def _set(self, name: str, hashed: str) -> None:
        with storing("CHANGE"):
            await self._store.set_bot_key(name, hashed)
        self._hashes = None
