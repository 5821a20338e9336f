"""A search in a process without rules, which asks an analysis service for playouts.

It reads one line with positions as JSON, then lines `policy calls playouts at_once`; for each of them it asks about
the positions in turn, that often, for so many playouts each, with so many calls at a time, and writes the number of
finished playouts.
"""

import asyncio
import json
import sys
from itertools import cycle, islice
from typing import Final

from vinci.v1 import analysis_pb2 as pb
from vinci_client.session import Session

MOST_MILLISECONDS: Final = 5000


async def main() -> None:
    """Search until standard input closes."""
    async with Session(sys.argv[1]) as session:
        positions = cycle(json.loads(sys.stdin.readline()))
        while line := await asyncio.to_thread(sys.stdin.readline):
            policy, calls, playouts, at_once = map(int, line.split())
            requests = [
                pb.RunPlayoutsRequest(position=position, playouts=playouts, milliseconds=MOST_MILLISECONDS)
                for position in islice(positions, calls)
            ]
            for request in requests:
                request.policy = policy  # type: ignore[assignment]
            shares = [_ask(session, requests[place::at_once]) for place in range(at_once)]
            print(sum(await asyncio.gather(*shares)), flush=True)


async def _ask(session: Session, requests: list[pb.RunPlayoutsRequest]) -> int:
    """Ask one request after the other; returns the number of playouts."""
    return sum([(await session.analysis.RunPlayouts(request)).playouts for request in requests])


if __name__ == "__main__":
    asyncio.run(main())
