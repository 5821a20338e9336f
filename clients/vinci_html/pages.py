"""Jinja environments for pages: text is escaped, and an undefined name is an error."""

import base64
import hashlib
import json
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from .text import printable, short

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Content-Security-Policy of a page: only its own style, so no script runs and nothing is loaded."""


def policy_with(script: str) -> str:
    """Return the policy of a page with one script of its own: this text runs, and no other."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"{POLICY}; script-src 'sha256-{digest}'"


def data_block(value: object) -> Markup:
    """Return a value as JSON for the inside of a `script` element, which no text in it can end."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def environment(*packages: str) -> Environment:
    """Return an environment that finds templates in these packages, then in this one.

    Text from outside is made printable (see `printable`) and escaped where a template shows it.

    Args:
        packages: names of packages with a folder `templates`.
    """
    pages = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in (*packages, __package__)]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    pages.globals["policy"] = POLICY
    pages.filters["short"] = short
    return pages


def _printable(value: Any) -> Any:
    return printable(value) if type(value) is str else value
