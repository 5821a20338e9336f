"""The run of a server: how it ends."""

import os
import signal

from vinci_server.app import serve


async def test_a_signal_at_the_announcement_stops_the_server() -> None:
    """A reader of the announcement may end the server at once, and it stops as it should."""
    stopped: list[str] = []

    async def stop() -> None:
        stopped.append("stopped")

    await serve(stop, announce=lambda: os.kill(os.getpid(), signal.SIGTERM))
    assert stopped == ["stopped"]
