"""The catalogue of refusals contains exactly the refusals that are raised, with their facts."""

# ruff: noqa: D103  # the name of each test says what it checks

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
    "server/vinci_refusals",
    "server/vinci_server",
    "server/vinci_rules",
    "server/vinci_codec",
    "clients/vinci_client",
    "clients/vinci_cli/game",
)
IMPLIED: Final = {"NotationError": "BAD_ACTION", "OptionError": "BAD_OPTION", "storing": "STORE_FAILED"}
"""Names that stand for one reason: errors of the rules, and the context of calls of the database."""
RAISED: Final = {"Refused", "ServiceError", "SeedError", "UnknownBoard", "BadAccess", "NotationError", "OptionError"}
ENTRIES: Final = [(reason, which) for reason, about in REASONS.items() for which in about.texts]


@cache
def trees() -> dict[Path, ast.Module]:
    paths = [path for source in SOURCES for path in sorted((ROOT / source).rglob("*.py"))]
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths if path.name != "catalogue.py"}


@cache
def constants() -> list[set[str]]:
    """Return the texts in each source file, those of the client together."""
    by_file = {path: texts_in(tree) for path, tree in trees().items()}
    of_client = [texts for path, texts in by_file.items() if "clients" in path.parts]
    return [*by_file.values(), set().union(*of_client)]


def texts_in(tree: ast.Module) -> set[str]:
    """Return all literals, and the reasons of errors of the rules."""
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    literals = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return literals | {IMPLIED[name] for name in names & IMPLIED.keys()} | {""}


def choices(node: ast.expr) -> list[str]:
    """Return the texts that an expression can have; none if it is not a literal."""
    if isinstance(node, ast.IfExp):
        return choices(node.body) + choices(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def raised() -> Iterator[tuple[str, list[str], set[str]]]:
    """Return place, reason with variant, and facts of every refusal that the sources spell out."""
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


def test_tables_in_the_docs_are_current() -> None:
    """`python -m tools.protocol_tables` writes them."""
    assert subprocess.run([sys.executable, "-m", "tools.protocol_tables", "--check"], cwd=ROOT).returncode == 0


@pytest.mark.parametrize(("reason", "which"), ENTRIES)
def test_every_sentence_is_used(reason: str, which: str) -> None:
    """The reason and variant of every sentence occur together in a source file."""
    assert any({reason, which} <= texts for texts in constants())


def test_raised_refusals_are_in_the_catalogue_with_their_facts() -> None:
    """Every fact of a sentence is given; variants chosen by `limit` have equal facts."""
    seen = 0
    for place, (reason, which), facts in raised():
        texts = REASONS[reason].texts
        assert which in texts or "limit" in facts or "needs" in facts, (place, reason, which)
        for text in [texts[which]] if which in texts else texts.values():
            assert fields(text) <= facts | {"needs"}, place
        seen += 1
    assert seen > 100


def test_facts_are_texts_and_occur_in_the_sentence() -> None:
    error = ServiceError("BAD_SEAT", "NONE", seat=7, seats=4)
    assert (str(error), error.message) == (2 * (sentence("BAD_SEAT", error.facts),))
    assert error.facts == {"which": "NONE", "seat": "7", "seats": "4"}
    assert "seat 7" in error.message


def test_variant_follows_from_the_facts_of_older_servers() -> None:
    """An older server does not send `which`."""
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
def test_unknown_refusals_have_no_sentence(reason: str, facts: dict[str, str]) -> None:
    """This covers a new reason or variant, a missing fact, and an older server that sends no variant."""
    assert sentence(reason, facts) == ""


def test_braces_in_facts_are_not_filled_in() -> None:
    assert sentence("UNKNOWN_BOARD", {"board": "{boards}", "boards": "europe"}).count("europe") == 1


def test_long_fact_is_left_out_and_long_sentence_cut() -> None:
    error = ServiceError("BAD_POSITION", faults="x" * 2000)
    assert "faults" not in error.facts
    assert error.message.endswith("...")
    assert len(error.message) < 2000
    assert str(ServiceError("BAD_POSITION", faults="x" * LONGEST_FACT)).endswith("x")


def test_refusal_without_a_sentence_shows_its_reason() -> None:
    """This holds after pickling too, which keeps only the text."""
    assert str(Refused("NEW_REASON")) == "NEW_REASON"
