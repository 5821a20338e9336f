"""Logging with structlog: lines for people on a terminal, JSON otherwise. Tokens, codes and seeds are never logged."""

import logging
import sys
from typing import Any, Final

import structlog

SECRET: Final = frozenset(
    {"token", "seat_token", "host_token", "admin_token", "code", "access_code", "join_code", "password"}
    | {"key", "person_key", "vinci-person"}
    | {"token_hash", "host_hash", "authorization", "seed", "salt", "nonce", "nonces"}
)
"""Names of facts whose values are hidden, should they ever be logged."""


def configure(level: str = "info") -> None:
    """Send log lines to standard error."""
    renderer: Any = (
        structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer(sort_keys=True)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            _hide_secrets,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )


def _hide_secrets(_logger: Any, _method: str, event: Any) -> Any:
    for name in SECRET & event.keys():
        event[name] = "(hidden)"
    return event
