"""Short answers over HTTP."""

import json
from typing import Any

from .context import Scope, Send


def header(scope: Scope, name: bytes) -> str:
    """Return a header of a request; empty if it has none."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return ""


async def answer(send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    """Send a whole response."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [length, *headers]})
    await send({"type": "http.response.body", "body": body})


async def answer_json(send: Send, status: int, value: Any) -> None:
    """Send a whole response as JSON."""
    body = json.dumps(value, ensure_ascii=False).encode()
    await answer(
        send,
        status,
        body,
        (b"content-type", b"application/json"),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    )


async def answer_error(send: Send, status: int, code: str, text: str) -> None:
    """Send an error as the Connect protocol writes it."""
    await answer_json(send, status, {"code": code, "message": text})
