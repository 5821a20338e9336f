"""The catalogue of refusals: everything in it is raised, and everything that is raised is in it with its facts."""

# ruff: noqa: D103  # the name of each test says what it proves

import ast
import string
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from vinci_refusals.catalogue import REASONS
from vinci_refusals.wording import Refused, sentence
from vinci_server.errors import LONGEST_FACT, ServiceError

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = (
    "server/vinci_server",
    "server/vinci_rules",
    "server/vinci_codec",
    "clients/vinci_client",
    "clients/vinci_cli/game",
)
IMPLIED: Final = {"NotationError": "BAD_ACTION", "OptionError": "BAD_OPTION"}
"""Errors of the rules that stand for one reason."""
RAISED: Final = {"ServiceError", "SeedError", "UnknownBoard", "BadAccess", *IMPLIED}
ENTRIES: Final = [(reason, which) for reason, about in REASONS.items() for which in about.texts]


@cache
def trees() -> dict[Path, ast.Module]:
    paths = [path for source in SOURCES for path in sorted((ROOT / source).rglob("*.py"))]
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


@cache
def constants() -> list[set[str]]:
    """The texts in each source file, those of the client together."""
    by_file = {path: texts_in(tree) for path, tree in trees().items()}
    of_client = [texts for path, texts in by_file.items() if "clients" in path.parts]
    return [*by_file.values(), set().union(*of_client)]


def texts_in(tree: ast.Module) -> set[str]:
    """All literals, and the reasons that errors of the rules stand for."""
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    literals = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return literals | {IMPLIED[name] for name in names & IMPLIED.keys()} | {""}


def choices(node: ast.expr) -> list[str]:
    """The texts that an expression can be; none if it is no literal."""
    if isinstance(node, ast.IfExp):
        return choices(node.body) + choices(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def raised() -> Iterator[tuple[str, list[str], set[str]]]:
    """Place, reason with variant, and facts of every refusal in the sources that is written out."""
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in RAISED:
                continue
            implied = IMPLIED.get(node.func.id)
            words = ([[implied]] if implied else []) + [choices(argument) for argument in node.args]
            facts = {word.arg for word in node.keywords if word.arg}
            if len(facts) == len(node.keywords) and len(words) < 3:  # else facts or a sentence are passed on
                for reason in words[0]:
                    for which in words[1] if len(words) > 1 else [""]:
                        yield f"{path.name}:{node.lineno}", [reason, which], facts


def fields(text: str) -> set[str]:
    return {name.partition("!")[0] for _, name, _, _ in string.Formatter().parse(text) if name}


def test_docs_have_the_tables_of_the_code() -> None:
    """`python -m tools.protocol_tables` writes them."""
    assert subprocess.run([sys.executable, "-m", "tools.protocol_tables", "--check"], cwd=ROOT).returncode == 0


@pytest.mark.parametrize(("reason", "which"), ENTRIES)
def test_every_sentence_is_used(reason: str, which: str) -> None:
    """By its reason and variant, in one source file."""
    assert any({reason, which} <= texts for texts in constants())


def test_what_is_raised_is_in_the_catalogue_with_its_facts() -> None:
    """A fact that a sentence names is given; where `limit` tells the variant, all of them have the same facts."""
    seen = 0
    for place, (reason, which), facts in raised():
        texts = REASONS[reason].texts
        assert which in texts or "limit" in facts or "needs" in facts, (place, reason, which)
        for text in [texts[which]] if which in texts else texts.values():
            assert fields(text) <= facts | {"needs"}, place
        seen += 1
    assert seen > 100


def test_every_fact_is_a_text_and_the_sentence_has_it() -> None:
    error = ServiceError("BAD_SEAT", "NONE", seat=7, seats=4)
    assert (str(error), error.message) == (2 * (sentence("BAD_SEAT", error.facts),))
    assert error.facts == {"which": "NONE", "seat": "7", "seats": "4"}
    assert "seat 7" in error.message


def test_a_limit_or_what_is_needed_tells_the_variant() -> None:
    """An earlier server sends no `which`."""
    facts = {"limit": "calls_per_second", "number": "1000", "retry_after": "0.010"}
    assert "1000 calls a second" in sentence("RATE_LIMITED", facts)
    assert "password" in sentence("NO_ACCESS", {"needs": "password"})
    assert sentence("TOO_MANY_CHANGES", {"limit": "changes_per_seat", "number": "1000", "seat": "2"})


@pytest.mark.parametrize(
    ("reason", "facts"),
    [
        ("NEW_REASON", {}),
        ("SEAT_TAKEN", {}),
        ("SEAT_TAKEN", {"which": "NEW", "seat": "2"}),
        ("RATE_LIMITED", {"limit": "new", "number": "2", "retry_after": "1"}),
        ("BAD_REQUEST_ID", {}),
    ],
)
def test_what_is_not_known_has_no_sentence(reason: str, facts: dict[str, str]) -> None:
    """A reason or case that is new, a fact that is missing, an earlier server that does not tell the case."""
    assert sentence(reason, facts) == ""


def test_braces_in_facts_are_not_filled_in() -> None:
    assert sentence("UNKNOWN_BOARD", {"board": "{boards}", "boards": "europe"}).count("europe") == 1


def test_a_long_fact_is_left_out_and_a_long_sentence_cut() -> None:
    error = ServiceError("BAD_POSITION", faults="x" * 2000)
    assert "faults" not in error.facts
    assert error.message.endswith("...")
    assert len(error.message) < 2000
    assert str(ServiceError("BAD_POSITION", faults="x" * LONGEST_FACT)).endswith("x")


def test_a_refusal_without_a_sentence_says_its_reason() -> None:
    """Also after pickling, which keeps only the text."""
    assert str(Refused("NEW_REASON")) == "NEW_REASON"
