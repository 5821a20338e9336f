"""A session at a table, with a server and a user interface that record calls."""

from pathlib import Path
from typing import Any, cast

import pytest

from vinci.v1 import lobby_pb2
from vinci_cli import home, table_session
from vinci_cli.connection.saved_seats import SavedSeat
from vinci_cli.records import fairness


@pytest.mark.parametrize(("due", "requests"), [([], 1), ([2], 1), ([1, 2], 2)])
async def test_match_is_read_again_only_after_own_nonces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, due: list[int], requests: int
) -> None:
    """Nonces due from others change nothing that this terminal waits for."""
    asked: list[str] = []

    class Server:
        """A server whose match has nonces due."""

        async def get(self, match_id: str) -> lobby_pb2.Match:
            """Record the request."""
            asked.append(match_id)
            seats = [lobby_pb2.MatchSeat(seat=seat) for seat in (1, 2)]
            return lobby_pb2.Match(match_id=match_id, seats=seats, nonces_due=due)

        async def reveal_nonce(self, *_: Any, **__: Any) -> None:
            """Accept a nonce."""

    class Interface:
        """A user interface whose players lose their seat at once."""

        async def play(self, _table: Any) -> str:
            """Return at once."""
            return "lost"

    async def no_names(*_: Any) -> None:
        pass

    monkeypatch.setattr(table_session, "catalogue_of", no_names)
    with home.kept_in(tmp_path):
        seat = SavedSeat("here", "m1", 1, "token", nonces=((1, "nonce"),))
        await table_session.stay(cast(Any, Interface()), cast(Any, Server()), seat, tmp_path, "", fairness.verdict)
    assert len(asked) == requests
