"""The catalogue of sentences: it fits the protocol and the rules, and each of its fields is given."""

import string
from dataclasses import fields
from typing import Final, get_args

import pytest

from tests.support.paths import PROJECT
from vinci.v1 import game_pb2 as pb
from vinci_rules.violations import Violation
from vinci_words.sentences import Form, Language, sentence, sentences

EVENTS: Final = {
    field.name: set(getattr(pb.Event(), field.name).DESCRIPTOR.fields_by_name)
    for field in pb.Event.DESCRIPTOR.oneofs_by_name["kind"].fields
}
VIOLATIONS: Final = {kind.__name__: {field.name for field in fields(kind)} for kind in get_args(Violation)}
ENGLISH: Final = Language(str, lambda one, many, n: one if n == 1 else many, {"seat": "seat {}".format})


def fields_of(text: str) -> set[str]:
    """Return the names between braces."""
    return {name for _text, name, _form, _conversion in string.Formatter().parse(text) if name}


def facts_of(form: Form) -> set[str]:
    """Return the facts that a form needs."""
    conditions = {name for name, _wanted in form.conditions} | {
        wanted.strip("{}") for _name, wanted in form.conditions if wanted.startswith("{")
    }
    plain = fields_of(form.text) - form.arguments.keys() - {one.slot for one in sentences()[name_of(form)]}
    return conditions | plain | {fact for _kind, facts in form.arguments.values() for fact in facts}


def name_of(form: Form) -> str:
    """Return the id of the sentence that a form belongs to."""
    return next(name for name, forms in sentences().items() if form in forms)


def test_all_events_and_violations_have_sentences() -> None:
    """An event that nothing is said about has a line for its rule."""
    assert EVENTS.keys() | VIOLATIONS.keys() <= sentences().keys()
    assert all(sentences()[event][0].rule for event in EVENTS)


@pytest.mark.parametrize("name", [*EVENTS, *VIOLATIONS])
def test_sentences_need_only_facts_that_there_are(name: str) -> None:
    """The facts are fields of the message, or of the violation."""
    known = EVENTS.get(name) or VIOLATIONS[name]
    for form in sentences()[name]:
        assert facts_of(form) <= known | {"you"}, form.text


def test_forms_of_a_text_have_the_same_fields() -> None:
    """The form for many and the one ahead say the same; a last form has no conditions, so that something is said."""
    for name, forms in sentences().items():
        whole = [form for form in forms if not form.slot]
        says_none = name in ("made_by", "draws_why", "move")  # of an unknown verb nothing is said
        assert len(whole) == 1 or says_none or not whole[-1].conditions, name
        for form in forms:
            assert not form.many or fields_of(form.many) | {"n"} == fields_of(form.text) | {"n"}
            assert not form.ahead or fields_of(form.ahead) == fields_of(form.text)
            assert not form.slot or any(f"{{{form.slot}}}" in one.text for one in whole)


def test_all_kinds_of_words_have_both_clients() -> None:
    """A kind is a word of the clients or another sentence."""
    kinds = {
        kind for forms in sentences().values() for form in forms for kind, _facts in form.arguments.values() if kind
    }
    page = (PROJECT / "clients" / "web" / "src" / "match" / "sentences.ts").read_text(encoding="utf-8")
    terminal = (PROJECT / "clients" / "vinci_cli" / "text" / "sentences.py").read_text(encoding="utf-8")
    for kind in kinds - sentences().keys():
        first, *rest = kind.split("_")
        assert f"  {first}{''.join(map(str.capitalize, rest))}: (" in page
        assert f'    "{kind}": ' in terminal


def test_the_first_form_that_fits_is_said_with_the_parts_that_fit() -> None:
    """Conditions ask for a fact, a value or an equal fact; 0 is none, also as a text."""
    assert sentence("NoSpies", {"copies": "0"}, ENGLISH) == "You have no Spies."
    assert sentence("NoSpies", {"copies": "1"}, ENGLISH) == "You have used your Spies this turn."
    pawns = {"placed": "2", "least": "3", "most": "3"}
    assert sentence("WrongNumberOfPawns", pawns, ENGLISH) == "You placed 2 pawns; place 3."
    assert sentence("WrongNumberOfPawns", {**pawns, "most": "4"}, ENGLISH) == "You placed 2 pawns; place 3 to 4."
    started = {"seat": 2, "round": 3, "reserve": 1, "by_medicine": 0, "by_general": 2}
    told = "Round 3: seat 2 has 1 pawn in hand, 2 of them lent by General."
    assert sentence("turn_started", started, ENGLISH) == told


def test_nothing_is_said_of_what_is_not_known() -> None:
    """An unknown id, a fact that is missing, and an event that only the board shows have no sentence."""
    assert sentence("comet_seen", {"seat": 1}, ENGLISH) == ""
    assert sentence("stayed", {}, ENGLISH) == ""
    assert sentence("civilization_drawn", {"slot": 1}, ENGLISH) == ""
    assert sentence("made_by", {"seat": 1, "by": "player"}, ENGLISH) == ""
