"""Links by which others come to the page, and their QR codes."""

import io
import json
from functools import lru_cache, partial
from ipaddress import ip_address
from time import perf_counter
from typing import Any, Final, final
from urllib.parse import urlsplit

import segno

from ..errors import ServiceError
from ..metrics import Metrics
from ..rpc.admission import Admission
from .answers import answer_error, answer_json, header
from .context import Call, Receive, Scope, Send, whole_body

PATH: Final = "/qr"
LONGEST: Final = 500
"""Characters of the path of a link."""
MOST_BYTES: Final = 4096
BORDER: Final = 4
"""Modules around a code, as the standard requires."""
_ON: Final = "\x1b[38;5;231;48;5;16m"
_OFF: Final = "\x1b[0m"


@final
class Links:
    """Answers with the link to a place of the page and its QR code, as SVG.

    `base` is the address under which others reach the server, such as `http://192.168.1.5:8080`.
    """

    def __init__(self, base: str, admission: Admission, metrics: Metrics) -> None:
        self._base: Final = base
        self._admission: Final = admission
        self._metrics: Final = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer `{"path": "/m/ID#code=..."}` with `{"url": ..., "svg": ...}`."""
        call = Call("qr", scope, self._admission, self._metrics)
        is_json = header(scope, b"content-type").partition(";")[0] == "application/json"
        try:
            peer = call.admitted()
            if scope["method"] != "POST" or not is_json:
                text = "send it by POST, with the content type application/json"
                await answer_error(send, 415, "invalid_argument", text)
                return
            with self._admission.traffic.waiting(peer):
                body = await whole_body(receive, MOST_BYTES, partial(self._admission.traffic.request, peer))
        except ServiceError as error:
            refusal = call.refuse(error)
            await self._admission.hold_back(refusal, call.peer())
            await answer_error(send, 403, refusal.code.name.lower(), refusal.message)
            return
        path = None if body is None else _path(body)
        if path is None:
            text = f'send {{"path": "/m/ID"}}, a path of at most {LONGEST} printable characters without blanks'
            await answer_error(send, 400, "invalid_argument", text)
            return
        begin = perf_counter()
        url = self._base_for(scope) + path
        svg = _svg(url)
        call.payer().charge(perf_counter() - begin)
        await answer_json(send, 200, {"url": url, "svg": svg})

    def _base_for(self, scope: Scope) -> str:
        """Return the address that the client uses, unless only its own machine can."""
        base = f"{scope['scheme']}://{header(scope, b'host')}"
        return self._base if _is_own_machine(urlsplit(base).hostname or "") else base


def on_terminal(url: str) -> str:
    """Return the QR code of a link for a terminal, white on black whatever its colours are."""
    text = io.StringIO()
    _code(url).terminal(text, border=BORDER, compact=True)
    return "\n".join(f"{_ON}{line}{_OFF}" for line in text.getvalue().splitlines())


@lru_cache(64)
def _svg(url: str) -> str:
    svg = io.BytesIO()
    _code(url).save(
        svg,
        kind="svg",
        xmldecl=False,
        nl=False,
        omitsize=True,
        light="#fff",
        border=BORDER,
        svgclass=None,
        lineclass=None,
    )
    return svg.getvalue().decode()


def _code(url: str) -> Any:
    return segno.make_qr(url, error="m")


def _path(body: bytes) -> str | None:
    """Return the path in a request; None if it has none that can be used."""
    try:
        path = json.loads(body)["path"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    if not isinstance(path, str) or not path.startswith("/") or path.startswith("//") or len(path) > LONGEST:
        return None
    return path if path.isascii() and path.isprintable() and " " not in path else None


def _is_own_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
