"""Remote bots with one fault each, for tests of the doctor: a stream as gRPC has it, opened again when it breaks."""

from dataclasses import dataclass
from typing import Final

from tests.support.bots.broken_bots import RAW

REMOTE: Final = (
    RAW.replace('token=os.environ["VINCI_SEAT_TOKEN"]', 'token=""')
    + '''
finished = []

def remote(hear=good, name="ann", games=2, leaves=False, stays=False, key=os.environ["VINCI_BOT_KEY"]):
    """One stream after another; `hear` is told everything, and what it returns is sent."""
    while True:
        out = queue.SimpleQueue()
        out.put(pb.PlayRequest(hello=pb.Hello(name=name, key=key, games=games)))
        channel = grpc.insecure_channel(os.environ["VINCI_ADDRESS"], [("grpc.max_reconnect_backoff_ms", 500)])
        try:
            for response in BotServiceStub(channel).Play(iter(out.get, None)):
                if response.HasField("finished") and leaves:
                    sys.exit()
                reply = hear(response, response.WhichOneof("kind"))
                if reply is not None:
                    out.put(reply)
        except grpc.RpcError as error:
            print(error.details(), flush=True)
        if stays:
            time.sleep(600)
        channel.close()
        time.sleep(0.1)
'''
)


@dataclass(frozen=True, slots=True)
class BrokenRemote:
    """A faulty remote bot: its code, the check that must fail with its message, and checks that must not fail."""

    name: str
    code: str
    fails: str
    message: str
    passes: tuple[str, ...] = ()


SOUND: Final = "remote()"
NEVER_CONNECTED: Final = (
    ("sends no key", "remote(key='')", "protected by a key"),
    ("has another name", "remote(name='ben')", "its hello has the name 'ben', but seats are given to 'ann'"),
)
"""Faults with which a bot is never connected: the name, the code and the trouble that the doctor tells."""
BROKEN_REMOTE: Final = (
    BrokenRemote(
        "leaves after its game",
        "remote(leaves=True)",
        "stays",
        "it was not connected for a new game within 3 s",
        passes=("handshake", "game", "pings"),
    ),
    BrokenRemote(
        "does not come back",
        "remote(stays=True)",
        "cut",
        "it did not come back within 3 s",
        passes=("handshake", "game", "stays", "games-at-once"),
    ),
    BrokenRemote(
        "answers pings after it has thought",
        """
def hear(response, kind):
    if kind == "decision" and not finished:
        finished.append(kind)
        time.sleep(2.6)
    return good(response, kind)
remote(hear)
""",
        "pings",
        "it answered a ping after 2.",
        passes=("handshake", "game", "stays"),
    ),
)
ALSO_BROKEN_REMOTE: Final = (
    BrokenRemote(
        "offers more games than it plays",
        """
mine = []
def hear(response, kind):
    if kind == "seated":
        mine.append(response.seated.match.match_id)
    if kind == "finished":
        mine.remove(response.finished.match_id)
    if kind != "decision" or response.decision.match_id == mine[0]:
        return good(response, kind)
remote(hear)
""",
        "games-at-once",
        "it did not answer within",
        passes=("handshake", "game", "stays"),
    ),
    BrokenRemote(
        "is always illegal",
        """
def hear(response, kind):
    return answer(response.decision, Action(notation="stay")) if kind == "decision" else good(response, kind)
remote(hear)
""",
        "game",
        "NotNow",
        passes=("handshake", "pings"),
    ),
)
"""Further ones, in the slow suite."""
