"""Refusals of answers in words, for authors of bots: in English, with codes of provinces."""

from collections.abc import Callable, Mapping
from typing import Final

from vinci.v1.game_pb2 import Refusal
from vinci_refusals import wording
from vinci_words.sentences import Language, sentence

KINDS: Final[Mapping[str, Callable[..., str]]] = {
    "codes": str,
    "province": str,
    "seat": "seat {}".format,
    "words": lambda words: ", ".join(words.split()),
}
"""Words for the facts of broken rules."""
ENGLISH: Final = Language(str, lambda one, many, number: one if number == 1 else many, KINDS)


def told(refusal: Refusal) -> str:
    """Return the sentence of a refusal with its reason; if an action broke a rule, also the rule and the facts."""
    facts = dict(refusal.facts)
    if message := facts.pop("message", ""):
        return f"{message} ({refusal.reason})"
    said = sentence(refusal.reason, facts, ENGLISH) or wording.sentence(refusal.reason, facts)
    known = " ".join((refusal.reason, *(f"{name}={value}" for name, value in sorted(facts.items()))))
    return " ".join(filter(None, (refusal.rule, said, f"({known})" if said else known)))
