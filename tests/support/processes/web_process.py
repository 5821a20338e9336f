"""A server with its web server as a process, with a page of its own: `web_process.py DATABASE PORT`.

It prints the port of the web server.
"""

import asyncio
import sys
from pathlib import Path

from tests.support.server.over_http import page
from vinci_server.app import Server, serve
from vinci_server.operations import logs
from vinci_server.web.server import WebServer


async def main(database: Path, port: int) -> None:
    """Serve until standard input ends."""
    logs.configure("warning")
    folder = database.parent / "page"
    server = await Server.start("127.0.0.1", 0, database)
    front = await WebServer.start(
        "127.0.0.1",
        port,
        server.services,
        server.gate,
        server.metrics,
        page=folder if folder.exists() else page(folder),
    )
    server.add(front)
    print(front.port, flush=True)  # noqa: T201
    await serve(server.stop, until_stdin_closes=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
