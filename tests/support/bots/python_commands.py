"""Commands for local matches: one-line Python programs that play, or fail in some way."""

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
    """Return a bot whose command is this code, after the definitions of `run`, which plays, and `choose`, which picks a legal action."""
    return Player(name, (sys.executable, "-c", f"{CONNECT}\n{code}"))
