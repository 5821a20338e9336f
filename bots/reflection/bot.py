"""A bot that reads the protocol from the server by reflection, without .proto files, generated code or Vinci itself.

Needs grpcio and grpcio-reflection. With VINCI_SEAT_TOKEN it plays that seat by the environment contract; otherwise, as
`python bot.py [address] [name]`, one game of a bot seat that asks for its name.
"""

import os
import queue
import random
import sys
import threading
import time

import grpc
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

ADDRESS = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("VINCI_ADDRESS", "localhost:7654")
NAME = sys.argv[2] if len(sys.argv) > 2 else "reflection"
TOKEN = os.environ.get("VINCI_SEAT_TOKEN", "")
CODE = os.environ.get("VINCI_CODE", "")
KEY = os.environ.get("VINCI_BOT_KEY", "")
SEED = os.environ.get("VINCI_SEED") or random.randbytes(16).hex()
OPTIONS = [
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.max_reconnect_backoff_ms", 1_000),
]
UNWANTED = (
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "UNAUTHENTICATED",
    "PERMISSION_DENIED",
    "FAILED_PRECONDITION",
    "UNIMPLEMENTED",
)
NOT_ASKED = ("STALE_REVISION", "NOT_YOUR_SEAT", "PAUSED", "SUBSTITUTED", "MATCH_ENDED", "GAME_OVER")
GONE_SECONDS = 30.0


def choose(legal, chance):
    """Return the most valuable conquest; a decline if there is none; otherwise the suggestion."""
    if legal.take:
        return {"notation": f"take {chance.choice(legal.take)}"}
    if legal.HasField("redeploy"):
        return {"redeploy": legal.redeploy.suggestion}
    if legal.conquer:
        best = [place for place, worth in zip(legal.conquer, legal.worth, strict=True) if worth == max(legal.worth)]
        return {"notation": f"x {chance.choice(best)}"}
    if legal.stay or legal.decline:
        return {"notation": "stay" if legal.stay else "decline"}
    return {"hold": legal.hold.suggestion}


def converse(channel, method):
    """Say hello and answer decisions on one connection; yield all messages of the server."""
    request, response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
    says = queue.SimpleQueue()
    tokens = [TOKEN] if TOKEN else []
    says.put(request(hello={"name": NAME, "key": KEY, "seat_tokens": tokens, "without_state": True}))
    play = channel.stream_stream(
        f"/{method.containing_service.full_name}/{method.name}", request.SerializeToString, response.FromString
    )
    decision = None
    for said in play(iter(says.get, None), metadata=[("vinci-access", CODE)] if CODE else None):
        yield said
        refused = said.refused
        if said.HasField("ping"):
            says.put(request(pong={"stamp": said.ping.stamp}))
        if said.HasField("decision"):
            decision = said.decision
        stands = refused.tries_left and not refused.played and refused.refusal.reason not in NOT_ASKED
        if said.HasField("decision") or stands:
            asked = {name: getattr(decision, name) for name in ("match_id", "seat", "revision")}
            action = choose(decision.legal, random.Random(f"{SEED}|{decision.revision}"))
            says.put(request(answer={**asked, "actions": [action]}))


def end_with_input():
    """Exit when standard input closes, because the bot is no longer needed."""
    sys.stdin.read()
    os._exit(0)


def main():
    """Play until a game is over or the server is gone for good."""
    if TOKEN:
        threading.Thread(target=end_with_input, daemon=True).start()
    lost = None
    with grpc.insecure_channel(ADDRESS, OPTIONS) as channel:
        method = None
        while True:
            try:
                if method is None:
                    pool = DescriptorPool(ProtoReflectionDescriptorDatabase(channel))
                    method = pool.FindServiceByName("vinci.v1.BotService").FindMethodByName("Play")
                for said in converse(channel, method):
                    lost = None
                    if not said.HasField("ping") and not said.HasField("decision"):
                        print(said)
                    if said.HasField("finished"):
                        return
            except grpc.RpcError as error:
                if method is None or error.code().name in UNWANTED:
                    sys.exit(f"{error.code().name}: {error.details()}")
                lost = lost or time.monotonic()
                if time.monotonic() - lost > GONE_SECONDS:
                    return
            time.sleep(random.uniform(0.5, 1.5))


if __name__ == "__main__":
    main()
