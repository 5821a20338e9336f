"""Bots with one fault each, for tests of the doctor: the checks that must fail and those that must pass."""

from dataclasses import dataclass
from typing import Final

RAW: Final = '''
import os, queue, subprocess, sys, time
import grpc
from vinci.v1 import bot_pb2 as pb
from vinci.v1.bot_pb2_grpc import BotServiceStub
from vinci.v1.game_pb2 import Action

def suggested(decision):
    legal = decision.legal
    for form, name in ((legal.hold, "hold"), (legal.redeploy, "redeploy")):
        if legal.HasField(name):
            return Action(**{name: form.suggestion})
    return Action(notation="take 1" if legal.take else "decline" if legal.decline else f"x {legal.conquer[0]}")

def answer(decision, action=None):
    place = {"match_id": decision.match_id, "seat": decision.seat, "revision": decision.revision}
    return pb.PlayRequest(answer=pb.Answer(**place, actions=[action or suggested(decision)]))

def raw(hear, token=os.environ["VINCI_SEAT_TOKEN"], options=()):
    """One stream: `hear` is told everything but the end, and what it returns is sent."""
    out = queue.SimpleQueue()
    out.put(pb.PlayRequest(hello=pb.Hello(name="raw", seat_tokens=[token] if token else [])))
    stream = BotServiceStub(grpc.insecure_channel(os.environ["VINCI_ADDRESS"], options)).Play(iter(out.get, None))
    for response in stream:
        if response.HasField("finished"):
            return
        reply = hear(response, response.WhichOneof("kind"))
        if reply is not None:
            out.put(reply)

def good(response, kind):
    if kind == "ping":
        return pb.PlayRequest(pong=pb.Pong(stamp=response.ping.stamp))
    if kind == "decision":
        return answer(response.decision)
'''
"""Before the code of each: a stream as gRPC has it, with nothing that mends anything."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A faulty bot: its code, the check that must fail with its message, and checks that must not fail."""

    name: str
    code: str
    fails: str
    message: str
    passes: tuple[str, ...] = ()


BROKEN: Final = (
    Broken("never connects", "time.sleep(600)", "handshake", "was not connected 3 s after its start"),
    Broken(
        "goes after its hello",
        "raw(lambda response, kind: sys.exit(3) if kind == 'seated' else good(response, kind))",
        "game",
        "ended with status 3",
        passes=("handshake",),
    ),
    Broken(
        "is always illegal",
        """
def hear(response, kind):
    return answer(response.decision, Action(notation="stay")) if kind == "decision" else good(response, kind)
raw(hear)
""",
        "game",
        "NotNow",
        passes=("handshake", "pings", "exit"),
    ),
    Broken(
        "never answers",
        "raw(lambda response, kind: None if kind == 'decision' else good(response, kind))",
        "game",
        "did not answer within 2 s when it was to take",
        passes=("handshake", "pings"),
    ),
    Broken(
        "knows no survivors",
        """
def hear(response, kind):
    return None if kind == "decision" and response.decision.legal.HasField("redeploy") else good(response, kind)
raw(hear)
""",
        "redeploy",
        "did not answer within 2 s when it was to redeploy",
        passes=("start",),
    ),
    Broken(
        "dies of a refusal",
        "raw(lambda response, kind: sys.exit(5) if kind == 'refused' else good(response, kind))",
        "illegal",
        "ended with status 5",
        passes=("game",),
    ),
    Broken(
        "insists",
        """
last = None
def hear(response, kind):
    global last
    if kind == "decision":
        last = answer(response.decision)
    return last if kind in ("decision", "refused") else good(response, kind)
raw(hear)
""",
        "tries",
        "it has to wait for the next decision",
        passes=("game", "illegal"),
    ),
    Broken(
        "knows all messages",
        "raw(lambda response, kind: {'decision': good, 'ping': good, 'seated': good, 'welcome': good}[kind](response, kind))",
        "unknown",
        "ended with status 1",
        passes=("game",),
    ),
    Broken("does not come back", "raw(good)", "dropped-stream", "did not come back: it ended with", passes=("game",)),
    Broken(
        "does not notice silence",
        """
while True:
    try:
        raw(good)
        break
    except grpc.RpcError:
        time.sleep(0.5)
""",
        "half-open",
        "did not come back within 3 s after its connection had gone silent",
        passes=("dropped-stream",),
    ),
    Broken(
        "comes back once, at once",
        """
for _ in range(2):
    try:
        raw(good)
        break
    except grpc.RpcError:
        pass
else:
    sys.exit("gone")
""",
        "restart",
        "did not come back: it ended with status 1",
        passes=("dropped-stream",),
    ),
    Broken(
        "comes back for ever",
        """
while True:
    try:
        raw(good)
        break
    except grpc.RpcError:
        time.sleep(0.05)
""",
        "turned-away",
        "still ran 2 s after",
        passes=("dropped-stream", "restart"),
    ),
    Broken("does not end", "raw(good); time.sleep(600)", "exit", "still ran 2 s after its game", passes=("game",)),
    Broken(
        "leaves a child",
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); raw(good)",
        "children",
        "left these running: python",
        passes=("game", "exit"),
    ),
    Broken(
        "hides a child",
        """
hidden = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session=True)"
subprocess.run([sys.executable, "-c", f"import subprocess, sys; {hidden}"])
raw(good)
""",
        "children",
        "left these running: python",
        passes=("game", "exit"),
    ),
    Broken(
        "never answers pings",
        "raw(lambda response, kind: None if kind == 'ping' else good(response, kind))",
        "pings",
        "answered 0 of 1 pings",
        passes=("game", "exit"),
    ),
    Broken("hoards", "hoard = bytearray(300_000_000); raw(good)", "memory", "and may have 200"),
    Broken(
        "stands alone",
        """
lock = os.path.join({folder!r}, "lock")
os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
raw(good)
os.unlink(lock)
""",
        "two-games",
        "ended with status 1",
        passes=("game",),
    ),
)
"""Those that are found out at every run of the tests."""

ALSO_BROKEN: Final = (
    Broken("comes without its token", "raw(good, token='')", "handshake", "no seat_tokens"),
    Broken("comes with a wrong token", "raw(good, token=os.environ['VINCI_SEAT_TOKEN'] + 'x')", "handshake", "UNAUTH"),
    Broken(
        "goes in the middle",
        """
def hear(response, kind):
    if kind == "decision" and response.decision.revision > 5:
        os.kill(os.getpid(), 9)
    return good(response, kind)
raw(hear)
""",
        "game",
        "killed by signal 9",
        passes=("handshake", "pings"),
    ),
    Broken(
        "answers for another match",
        """
def hear(response, kind):
    if kind == "decision":
        response.decision.match_id = "elsewhere"
    return good(response, kind)
raw(hear)
""",
        "game",
        "NOT_YOUR_SEAT",
        passes=("handshake", "pings"),
    ),
    Broken(
        "writes nonsense",
        """
def hear(response, kind):
    return answer(response.decision, Action(notation="?")) if kind == "decision" else good(response, kind)
raw(hear)
""",
        "game",
        "BAD_ACTION",
        passes=("handshake", "pings"),
    ),
    Broken(
        "always takes the third",
        """
def hear(response, kind):
    takes = kind == "decision" and response.decision.legal.take
    return answer(response.decision, Action(notation="take 3")) if takes else good(response, kind)
raw(hear)
""",
        "dear-draft",
        "TooExpensive",
        passes=("draft",),
    ),
    Broken(
        "does not answer again",
        "raw(good)",
        "nonsense",
        "did not answer again after its answer was refused",
        passes=("game", "late"),
    ),
    Broken(
        "does not believe that it is late",
        """
last = None
def hear(response, kind):
    global last
    if kind == "decision":
        last = answer(response.decision)
    return last if kind == "decision" or (kind == "refused" and response.refused.tries_left) else good(response, kind)
raw(hear)
""",
        "late",
        "it has to wait for the next decision",
        passes=("illegal", "tries"),
    ),
    Broken(
        "believes everything",
        """
last = None
def hear(response, kind):
    global last
    if kind == "decision":
        last = answer(response.decision)
    return last if kind in ("decision", "refused") and last.answer.revision < 9 else good(response, kind)
raw(hear)
""",
        "unknown",
        "answered once more",
        passes=("game",),
    ),
    Broken("ends badly", "raw(good); sys.exit(1)", "exit", "it ended with status 1", passes=("game", "children")),
)
"""More of them."""
