"""Commands that play, or do not, as bots by the contract: each a line of Python run by this Python."""

import sys
from typing import Final

from vinci_bots.local.participants import Player

CONNECT: Final = """
import asyncio, os, subprocess, sys, time
from vinci.v1.bot_pb2 import Hello
from vinci.v1.game_pb2 import Action
from vinci_client.bot import play

async def choose(decision):
    legal = decision.legal
    for suggested, name in ((legal.hold, "hold"), (legal.redeploy, "redeploy")):
        if legal.HasField(name):
            return [Action(**{name: suggested.suggestion})]
    return [Action(notation="take 1" if legal.take else "decline" if legal.decline else f"x {legal.conquer[0]}")]

def run(choose=choose):
    hello = Hello(name="bot", seat_tokens=[os.environ["VINCI_SEAT_TOKEN"]])
    asyncio.run(play(os.environ["VINCI_ADDRESS"], hello, choose, games=1, on_event=print))
"""


def python(name: str, code: str = "run()") -> Player:
    """A bot whose command is this code, after a `run` that plays and a `choose` that picks what is legal."""
    return Player(name, (sys.executable, "-c", f"{CONNECT}\n{code}"))
