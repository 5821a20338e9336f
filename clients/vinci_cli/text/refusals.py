"""Refusals in the language of the session: the sentence of the catalogue with the facts that came with the refusal."""

from collections.abc import Mapping

from vinci_refusals import wording
from vinci_refusals.catalogue import PHRASES

from .i18n import _


def sentence(error: Exception) -> str:
    """Word an error of a server or of the client library."""
    if isinstance(error, wording.Refused):
        return worded(error.reason, error.facts, str(error))
    return str(error)


def worded(reason: str, facts: Mapping[str, str], otherwise: str) -> str:
    """Word a reason with its facts; `otherwise` where the reason, its variant or a fact is not known."""
    return wording.sentence(reason, facts, _) or otherwise


def phrase(text: str) -> str:
    """Translate the value of a fact, such as why a match was ended; free text stays as it is."""
    return _(text) if text in PHRASES else text
