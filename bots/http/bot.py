"""A bot over plain HTTP, with the standard library alone: python bot.py http://localhost:8080 hermit"""

import json
import os
import sys
from urllib.request import Request, urlopen


def main(server: str, name: str) -> None:
    """Play one game as a bot of this name, and print how it ended."""
    token = ""
    for message in listen(server, name):
        token = message.get("token") or token
        said = message.get("response", {})
        if "decision" in said:
            decision = said["decision"]
            send(server, token, {"answer": {**place(decision), "actions": [choose(decision["legal"])]}})
        elif "ping" in said:
            send(server, token, {"pong": said["ping"]})
        elif "refused" in said:
            sys.exit(f"refused: {said['refused']['refusal']}")
        elif "finished" in said:
            print(f"ranks {said['finished']['ranks']}, VP {said['finished']['vp']}")
            return
    sys.exit("the server ended the stream")


def listen(server, name):
    """Yield what the server says: a line of JSON for each message."""
    hello = {"hello": {"name": name, "key": os.environ.get("VINCI_BOT_KEY", ""), "withoutState": True}}
    with post(f"{server}/vinci.v1.BotService/Listen", hello, {}) as lines:
        for line in lines:
            yield json.loads(line)


def send(server, token, said):
    """Say something to the server."""
    headers = {"Authorization": f"Bearer {token}"}
    post(f"{server}/vinci.v1.BotService/Send", {"requests": [said]}, headers).close()


def post(url, message, headers):
    """Return the response to a message."""
    code = os.environ.get("VINCI_CODE")
    headers = {"Content-Type": "application/json", **({"vinci-access": code} if code else {}), **headers}
    return urlopen(Request(url, json.dumps(message).encode(), headers), timeout=45)


def place(decision):
    """Return what tells the server which decision is answered."""
    return {key: decision[key] for key in ("matchId", "seat", "revision") if key in decision}


def choose(legal):
    """Return something legal: the first civilization, the province of most VP, or what the server suggests."""
    if "take" in legal:
        return {"take": {"slot": legal["take"][0]}}
    if "redeploy" in legal:
        return {"redeploy": legal["redeploy"]["suggestion"]}
    if "stay" in legal:
        return {"stay": {}}
    if "conquer" in legal:
        _, province = max(zip(legal["worth"], legal["conquer"], strict=True))
        return {"conquer": {"province": province}}
    if "hold" not in legal:
        return {"decline": {}}
    return {"hold": legal["hold"]["suggestion"]}


if __name__ == "__main__":
    main(*sys.argv[1:])
