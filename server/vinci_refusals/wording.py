"""Refusals in words: the exception that has a reason and facts, and its sentence in any language."""

from collections.abc import Callable, Mapping
from typing import Final

from .catalogue import AT_POSITION, OR, PHRASES, REASONS


class Refused(Exception):
    """Something is refused for one of REASONS; `facts` are for programs, the text is the sentence in English."""

    def __init__(self, reason: str, which: str = "", message: str = "", /, **facts: object) -> None:
        self.reason: Final = reason
        self.facts = ({"which": which} if which else {}) | {name: str(value) for name, value in facts.items()}
        super().__init__(message or sentence(reason, self.facts) or reason)


def sentence(reason: str, facts: Mapping[str, str], translate: Callable[[str], str] = str) -> str:
    """Return the sentence of a refusal, translated; empty if its reason, its variant or a fact in it is unknown."""
    texts = REASONS[reason].texts if reason in REASONS else {}
    which = facts.get("which", "")
    text = texts.get(which or facts.get("needs") or facts.get("limit", ""), "" if which else texts.get("", ""))
    named = {name: translate(fact) if fact in PHRASES else fact for name, fact in facts.items()}
    if "near" in named:
        named["near"] = translate(OR).join(named["near"].split(" "))
    try:
        found = translate(text).format_map(named) if text else ""
    except KeyError:
        return ""
    if found and "place" in named:
        return translate(AT_POSITION).format(place=named["place"], sentence=found)
    return found


def texts() -> tuple[str, ...]:
    """Return all texts of the catalogue that `sentence` may translate."""
    return (*(text for reason in REASONS.values() for text in reason.texts.values()), *PHRASES, OR, AT_POSITION)
