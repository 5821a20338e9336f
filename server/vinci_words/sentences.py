"""Reader of `sentences.csv`: what clients say about games, by id and facts.

A line is a form of a sentence, or of a part of one:

- `id`: a kind of event or violation, as the protocol names it, or another occasion.
- `slot`: empty for a sentence; for a part, the field of the sentence in which it stands.
- `if`: facts that must be there, `a`, have a value, `a=1`, or equal another one, `a={b}`; the fact `you` is the seat of
  whoever reads the sentence. The first form of a sentence whose conditions hold is said; of the parts of a slot, all
  whose conditions hold.
- `text`: the form in English; for one, if there is also `many` for other numbers `{n}`.
- `ahead`: the sentence about what would happen.
- `arguments`: fields that are not the fact of their name: `field=fact`, or `field=kind:fact,fact` for facts as a kind
  of word, such as `province`: one of those that clients have, or the id of a sentence that has the fact as `n`.
- `rule`: of an event, the rule behind it.

Enumerations are numbers: `held` is 2 for neutral, 3 for active, 4 for declined; `kind` of a proposal is 1 for a pause,
2 for going on, of a seat 1 for a person, 2 for a dummy; `status` of a match is 1 for open, 2 for running, 4 for ended.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeAlias

Facts: TypeAlias = Mapping[str, Any]
Argument: TypeAlias = tuple[str, tuple[str, ...]]
"""The kind of word, empty for a fact as it is, and its facts."""


class Form(NamedTuple):
    """A line of the table."""

    slot: str
    conditions: tuple[tuple[str, str], ...]
    text: str
    many: str
    ahead: str
    arguments: Mapping[str, Argument]
    rule: str


class Language(NamedTuple):
    """Functions of a client that translate texts and word facts."""

    translate: Callable[[str], str]
    plural: Callable[[str, str, int], str]
    kinds: Mapping[str, Callable[..., str]]
    """Words for facts, by kind."""


@cache
def sentences() -> Mapping[str, tuple[Form, ...]]:
    """Return the forms of each sentence by its id."""
    found: dict[str, tuple[Form, ...]] = {}
    for row in csv.DictReader((files("vinci_words") / "sentences.csv").read_text(encoding="utf-8").splitlines()):
        conditions = tuple(_pair(condition) for condition in row["if"].split())
        arguments = {name: _argument(said) for name, said in map(_pair, row["arguments"].split())}
        form = Form(row["slot"], conditions, row["text"], row["many"], row["ahead"], arguments, row["rule"])
        found[row["id"]] = (*found.get(row["id"], ()), form)
    return found


def rule(name: str) -> str:
    """Return the id of the rule behind a kind of event; empty if it is unknown."""
    return next((form.rule for form in sentences().get(name, ())), "")


def texts() -> Iterator[str | tuple[str, str]]:
    """Yield all texts that are translated, those with a number in both forms."""
    for forms in sentences().values():
        for form in forms:
            yield from filter(None, ((form.text, form.many) if form.many else form.text, form.ahead))


def sentence(name: str, facts: Facts, language: Language, *, ahead: bool = False) -> str:
    """Return a sentence; empty if its id is unknown, nothing is said there, or a fact in it is missing.

    Args:
        name: its id.
        facts: what it is about, by name.
        language: words and translations.
        ahead: whether to say what would happen instead of what happened.
    """
    facts = {"you": "", **facts}  # nobody's seat
    forms = [
        form for form in sentences().get(name, ()) if all(_holds(*condition, facts) for condition in form.conditions)
    ]
    chosen = next((form for form in forms if not form.slot), None)
    if chosen is None:
        return ""
    slots = {form.slot: "" for form in sentences()[name]}
    for form in forms:
        if form.slot:
            slots[form.slot] += _filled(form, form.text, facts, language)
    return _filled(chosen, (ahead and chosen.ahead) or chosen.text, {**facts, **slots}, language)


def _filled(form: Form, text: str, facts: Facts, language: Language) -> str:
    """Return a form with its fields; empty if a fact in it is missing or no number where one is needed."""
    try:
        fields = {**facts, **{name: _word(*argument, facts, language) for name, argument in form.arguments.items()}}
        translated = language.plural(text, form.many, int(fields["n"])) if form.many else language.translate(text)
        return translated.format_map(fields)
    except (KeyError, ValueError):
        return ""


def _word(kind: str, names: tuple[str, ...], facts: Facts, language: Language) -> str:
    values = [facts[name] for name in names]
    if kind in language.kinds:
        return language.kinds[kind](*values)
    return sentence(kind, {"n": values[0]}, language) if kind else str(values[0])


def _holds(name: str, wanted: str, facts: Facts) -> bool:
    """Return whether a fact has a value, or one at all if none is wanted: 0 is none, also as a text."""
    value = facts.get(name)
    if not wanted:
        return bool(value) and value != "0"
    return str(value) == (str(facts.get(wanted[1:-1])) if wanted.startswith("{") else wanted)


def _pair(words: str) -> tuple[str, str]:
    name, _equals, value = words.partition("=")
    return name, value


def _argument(said: str) -> Argument:
    kind, _colon, names = said.rpartition(":")
    return kind, tuple(names.split(","))
