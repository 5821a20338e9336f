"""Refusals in the language of the session: the sentence of the catalogue with the facts that came with the refusal."""

from collections.abc import Callable, Mapping

from vinci_refusals import wording
from vinci_refusals.catalogue import PHRASES

from .i18n import _


def sentence(error: Exception, province: Callable[[str], str] = str) -> str:
    """Word an error of a server or of the client library; provinces that it proposes get their name from `province`."""
    if not isinstance(error, wording.Refused):
        return str(error)
    facts = dict(error.facts)
    if "near" in facts:
        facts["near"] = " ".join(_with_name(word, province(word)) for word in facts["near"].split())
    return worded(error.reason, facts, str(error))


def full_sentence(error: Exception, province: Callable[[str], str] = str) -> str:
    """Word an error as `sentence` does, with a capital and a full stop."""
    text = sentence(error, province).strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def _with_name(code: str, name: str) -> str:
    """Return a code with its name, joined by no-break spaces; a word without a name as it is."""
    return code if name == code else f"{code} ({name})".replace(" ", "\u00a0")


def worded(reason: str, facts: Mapping[str, str], otherwise: str) -> str:
    """Word a reason with its facts; `otherwise` where the reason, its variant or a fact is not known."""
    return wording.sentence(reason, facts, _) or otherwise


def phrase(text: str) -> str:
    """Translate the value of a fact, such as why a match was ended; free text stays as it is."""
    return _(text) if text in PHRASES else text
