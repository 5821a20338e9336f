"""A bot that reads the protocol from the server by reflection, without .proto files, generated code or Vinci itself.

Needs grpcio and grpcio-reflection. With VINCI_SEAT_TOKEN it plays that seat by the environment contract; otherwise, as
`python bot.py [address] [name]`, one game of a bot seat that asks for its name. With VINCI_BOT_GAMES it plays so many
games at once, until it is stopped.
"""

import base64
import hashlib
import os
import queue
import random
import ssl
import sys
import threading
import time

import grpc
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

ADDRESS = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("VINCI_ADDRESS", "localhost:7654")
NAME = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("VINCI_BOT_NAME") or "reflection"
TOKEN = os.environ.get("VINCI_SEAT_TOKEN", "")
CODE = os.environ.get("VINCI_CODE", "")
KEY = os.environ.get("VINCI_BOT_KEY", "")
GAMES = int(os.environ.get("VINCI_BOT_GAMES") or 0)
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
LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
SECRET, FINGERPRINT = 8, 16
BASE_32 = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", LETTERS)


def open_channel():
    """Open a channel; with TLS to exactly the certificate of the fingerprint in the code, if it holds one."""
    code = CODE.lower().translate(str.maketrans("oil", "011", "- "))
    if len(code) != SECRET + FINGERPRINT or not set(code) <= set(LETTERS):  # a short code, a password or none
        return grpc.insecure_channel(ADDRESS, OPTIONS)
    host, _, port = ADDRESS.rpartition(":")
    try:
        certificate = ssl.get_server_certificate((host.strip("[]"), int(port)), timeout=GONE_SECONDS)
    except OSError as error:
        sys.exit(f"no server with TLS at {ADDRESS}: {error}")
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate)).digest()[:10]
    if base64.b32encode(digest).decode().translate(BASE_32) != code[SECRET:]:
        sys.exit(f"the server at {ADDRESS} has another certificate than the code says")
    options = [*OPTIONS, ("grpc.ssl_target_name_override", "vinci")]
    return grpc.secure_channel(ADDRESS, grpc.ssl_channel_credentials(certificate.encode()), options)


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
    hello = {"name": NAME, "key": KEY, "games": GAMES, "seat_tokens": tokens, "without_state": True}
    says.put(request(hello=hello))
    play = channel.stream_stream(
        f"/{method.containing_service.full_name}/{method.name}", request.SerializeToString, response.FromString
    )
    decisions = {}
    for said in play(iter(says.get, None), metadata=[("vinci-access", CODE)] if CODE else None):
        yield said
        refused = said.refused
        if said.HasField("ping"):
            says.put(request(pong={"stamp": said.ping.stamp}))
        decision = None
        if said.HasField("decision"):
            decision = decisions[said.decision.match_id, said.decision.seat] = said.decision
        elif refused.tries_left and not refused.played and refused.refusal.reason not in NOT_ASKED:
            decision = decisions.get((refused.match_id, refused.seat))
        if decision:
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
    with open_channel() as channel:
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
                    if said.HasField("finished") and not GAMES:
                        return
            except grpc.RpcError as error:
                if method is None or error.code().name in UNWANTED:
                    sys.exit(f"{error.code().name}: {error.details()}")
                lost = lost or time.monotonic()
                if not GAMES and time.monotonic() - lost > GONE_SECONDS:
                    return
            time.sleep(random.uniform(0.5, 1.5))


if __name__ == "__main__":
    main()
