"""The built page: read once, kept in memory, sent with a strict policy."""

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from .answers import answer, header
from .context import Receive, Scope, Send

PAGE: Final = Path(__file__).parent / "page"
"""The folder with the page that was built from its sources."""
INDEX: Final = "index.html"
HIDDEN: Final = "sources.sha256"
PLACES: Final = re.compile(
    r"/|/rules|/tutorial|/players(/(person|bot)/.+)?|/r|/league(/games/[0-9]+-[0-9]+)?|/m/[0-9a-z]{1,64}"
)
"""Paths that show the page."""
COMPRESSED: Final = ("text/", "application/javascript", "application/json", "image/svg+xml")

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)


def security(policy: str) -> tuple[tuple[bytes, bytes], ...]:
    """Return the headers that restrict what a page may do, with its Content-Security-Policy."""
    return (
        (b"content-security-policy", policy.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", b"DENY"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
    )


SECURITY: Final = security(POLICY)


class PageMissing(Exception):
    """There is no page to serve; the text says what is missing."""


@dataclass(frozen=True, slots=True)
class _File:
    """A file of the page; `packed` is its content by gzip, empty if that is of no use."""

    content: bytes
    packed: bytes
    kind: str
    tag: bytes
    caching: bytes


@final
class Static:
    """Serves the files of a folder. Raises PageMissing if there is no page in it."""

    def __init__(self, folder: Path) -> None:
        if not (folder / INDEX).is_file():
            raise PageMissing(f"the page for browsers is missing: {folder / INDEX}; make web builds it")
        self._files: Final = {
            f"/{path.relative_to(folder).as_posix()}": _file(path, for_ever=path.parent.name == "assets")
            for path in folder.rglob("*")
            if path.is_file() and path.name != HIDDEN
        }

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Send a file."""
        path = scope["path"]
        file, status = self._files.get(f"/{INDEX}" if PLACES.fullmatch(path) else path), 200
        if file is None:
            if scope["method"] != "GET" or "text/html" not in header(scope, b"accept"):
                await answer(send, 404, b"there is no such page\n", _TEXT, *SECURITY)
                return
            file, status = self._files[f"/{INDEX}"], 404  # the page says it in the language of its user
        if scope["method"] not in ("GET", "HEAD"):
            await answer(send, 405, b"send it by GET\n", _TEXT, (b"allow", b"GET, HEAD"), *SECURITY)
            return
        headers = (
            (b"content-type", file.kind.encode()),
            (b"cache-control", file.caching),
            (b"etag", file.tag),
            (b"vary", b"accept-encoding"),
            *SECURITY,
        )
        if status == 200 and header(scope, b"if-none-match").encode("latin-1") == file.tag:
            await answer(send, 304, b"", *headers)
        elif file.packed and "gzip" in header(scope, b"accept-encoding"):
            await answer(send, status, file.packed, *headers, (b"content-encoding", b"gzip"))
        else:
            await answer(send, status, file.content, *headers)


_TEXT: Final = (b"content-type", b"text/plain; charset=utf-8")


def _file(path: Path, *, for_ever: bool) -> _File:
    content = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if path.suffix == ".js":
        kind = "text/javascript"  # whatever this system says
    packed = gzip.compress(content, mtime=0) if kind.startswith(COMPRESSED) else b""
    return _File(
        content,
        packed if len(packed) < len(content) else b"",
        f"{kind}; charset=utf-8" if kind.startswith("text/") else kind,
        b'"' + hashlib.sha256(content).hexdigest()[:32].encode() + b'"',
        b"public, max-age=31536000, immutable" if for_ever else b"no-cache",
    )
