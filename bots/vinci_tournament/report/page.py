"""A report as one HTML page with charts; it links to files in its folder. Its layout is in `report.html`."""

from typing import Final

from vinci_html.pages import POLICY, environment, policy_with

from ..play.files import record_file
from . import wording
from .document import Document

MOST_FORFEITS: Final = 100
"""Maximum number of forfeits shown, each with its position."""


def page(document: Document) -> str:
    """Return the page; sections without blocks are left out."""
    return PAGES.get_template("report.html").render(
        language="en",
        style=document.style,
        title=document.title,
        document=document,
        sections=list(document.shown("P")),
        policy=policy_with(document.script) if document.script else POLICY,
    )


PAGES: Final = environment("vinci_tournament.report")
PAGES.globals |= {"wording": wording, "record_file": record_file, "MOST_FORFEITS": MOST_FORFEITS}
