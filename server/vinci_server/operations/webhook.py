"""Tells people who are away that it is their move: a message over HTTP to a webhook."""

import asyncio
import json
import math
import urllib.error
import urllib.request
from typing import Final, final
from urllib.parse import urlsplit

import structlog

from ..match.match import Match, MatchObserver

FORMATS: Final = ("json", "discord")
SECONDS: Final = 5.0
"""Timeout of an attempt."""
WAITS: Final = (1.0, 5.0, 30.0)
"""Seconds before each further attempt."""
LONGEST_WAIT: Final = 60.0
"""Most seconds that are waited because the webhook asks for it (Retry-After)."""
MOST_WAITING: Final = 100
"""Messages that wait; more are dropped."""
TOO_MANY: Final = 429

_log = structlog.get_logger()


class BadWebhook(ValueError):
    """A URL is no webhook; the text does not contain it, as it is a secret."""


@final
class Webhook(MatchObserver):
    """Observes matches and posts a message for each turn of a person who is not connected.

    Matches never wait for it: messages are queued and posted one after another; one that fails is dropped and logged.
    The URL is a secret and is not logged.
    """

    def __init__(self, url: str, form: str = "json") -> None:
        """Prepare a webhook.

        Args:
            url: where to post, with http or https.
            form: one of FORMATS.

        Raises:
            BadWebhook: the URL is none.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadWebhook("the URL of a webhook begins with https:// or http://, and names a host")
        self._url: Final = url
        self._form: Final = form
        self._observer = MatchObserver()
        self._told: Final[dict[str, tuple[int, int]]] = {}  # round and seat of the last message, by match
        self._waiting: Final[asyncio.Queue[bytes]] = asyncio.Queue(MOST_WAITING)
        self._posting: asyncio.Task[None] | None = None

    def before(self, observer: MatchObserver) -> "Webhook":
        """Pass everything on to another observer; returns the webhook."""
        self._observer = observer
        return self

    def close(self) -> None:
        """Stop posting; what waits is dropped."""
        if self._posting is not None:
            self._posting.cancel()

    def on_seats(self, match: Match) -> None:
        """Pass it on."""
        self._observer.on_seats(match)

    def on_turn(self, match: Match) -> None:
        """Queue a message if a person is to act who is not there, once a turn; then pass it on."""
        self._observer.on_turn(match)
        ledger = match.ledger
        seat = ledger.to_act()
        if seat is None or ledger.state is None or match.is_finished:
            self._told.pop(match.match_id, None)
            return
        turn = (ledger.state.round, seat)
        is_read = match.changed == -math.inf  # from the log, at the start of the server
        is_known = self._told.get(match.match_id) == turn
        self._told[match.match_id] = turn
        is_absent = ledger.kind(seat) == "human" and not match.audience.is_present(seat)
        if is_absent and not (is_known or is_read or ledger.substituted[seat] or ledger.paused):
            self._put(match.match_id, seat + 1, ledger.sitters[seat].player, ledger.state.round)

    def _put(self, match_id: str, seat: int, player: str, round_: int) -> None:
        if self._form == "discord":
            who = player or f"seat {seat}"
            text = f"It is the move of {who} in match {match_id}, round {round_}."
            message: dict[str, object] = {"content": text, "allowed_mentions": {"parse": []}}
        else:
            message = {"event": "turn", "match": match_id, "seat": seat, "player": player, "round": round_}
        try:
            self._waiting.put_nowait(json.dumps(message).encode())
        except asyncio.QueueFull:
            _log.warning("webhook: message dropped, too many wait", match=match_id)
            return
        if self._posting is None:
            self._posting = asyncio.create_task(self._post_all())

    async def _post_all(self) -> None:
        while True:
            await self._deliver(await self._waiting.get())

    async def _deliver(self, body: bytes) -> None:
        """Post a message, again after failures that may pass."""
        for wait in (*WAITS, None):
            status, asked = await asyncio.to_thread(_post, self._url, body)
            if status.startswith("2"):
                return
            may_pass = not status.startswith("4") or status == str(TOO_MANY)
            if wait is None or not may_pass:
                _log.warning("webhook: message not delivered", status=status)
                return
            await asyncio.sleep(min(max(wait, asked), LONGEST_WAIT))


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirection, which could lead anywhere."""

    def redirect_request(self, *_arguments: object) -> None:
        """Return nothing."""


_OPENER: Final = urllib.request.build_opener(_NoRedirect)


def _post(url: str, body: bytes) -> tuple[str, float]:
    """Post a message; returns the status, or the kind of error, and the seconds that the webhook asks to wait."""
    headers = {"Content-Type": "application/json", "User-Agent": "vinci-server"}
    try:
        with _OPENER.open(urllib.request.Request(url, body, headers), timeout=SECONDS) as answer:  # checked
            return str(answer.status), 0.0
    except urllib.error.HTTPError as error:
        asked = error.headers.get("Retry-After", "")
        return str(error.code), float(asked) if asked.isdecimal() else 0.0
    except (OSError, ValueError) as error:
        return type(getattr(error, "reason", error)).__name__, 0.0
