"""Every rule of docs/rules.md is covered by a test with its mark, and no mark names an unknown rule."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from tests.support.paths import DOCS, PROJECT

TESTS: Final = PROJECT / "tests"
RULES: Final = DOCS / "rules.md"
RULE_ID: Final = re.compile(r"\bR-[A-Z]+-\d+\b")


def written() -> list[str]:
    """Return the rule ids that docs/rules.md defines, in order."""
    return re.findall(r"^- (R-[A-Z]+-\d+) ", RULES.read_text(encoding="utf-8"), re.MULTILINE)


def marks(source: str) -> Iterator[tuple[int, str]]:
    """Return line and rule id of every `pytest.mark.rule` in a test file; an id that is not a literal is `?`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
            for argument in node.args:
                literal = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                yield node.lineno, argument.value if literal else "?"  # type: ignore[attr-defined]


@cache
def proved() -> dict[str, list[str]]:
    """Return for every marked rule id the places of its marks."""
    collected: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for line, rule in marks(path.read_text(encoding="utf-8")):
            collected.setdefault(rule, []).append(f"{path.relative_to(TESTS)}:{line}")
    return collected


def test_rule_ids_are_found_in_the_document() -> None:
    """The ids of all sections are found, none twice."""
    rules = written()
    assert len(rules) == len(set(rules))
    groups = {rule.rpartition("-")[0] for rule in rules}
    assert groups == {
        "R-SETUP", "R-DRAFT", "R-PEACE", "R-MOB", "R-ENTRY", "R-CONQ", "R-CONTACT", "R-REORG", "R-SCORE", "R-REDEP",
        "R-DECL", "R-LAND", "R-END", "R-FORFEIT", "R-DUMMY",
    }  # fmt: skip


def test_document_refers_only_to_defined_rules() -> None:
    """Every reference in the document is to a rule that it defines."""
    assert set(RULE_ID.findall(RULES.read_text(encoding="utf-8"))) == set(written())


@pytest.mark.parametrize("folder", ["server", "clients", "bots", "proto", "docs"])
def test_source_files_name_only_defined_rules(folder: str) -> None:
    """Rule ids in code, data, messages and documents are those of the rules."""
    files = [path for end in ("py", "csv", "proto", "md") for path in (PROJECT / folder).rglob(f"*.{end}")]
    assert files
    for path in files:
        unknown = set(RULE_ID.findall(path.read_text(encoding="utf-8"))) - set(written())
        assert not unknown, f"{path}: {unknown}"


@pytest.mark.parametrize("rule", written())
def test_every_rule_has_a_test(rule: str) -> None:
    """At least one test has the mark of the rule."""
    assert proved().get(rule), f"no test carries @pytest.mark.rule({rule!r})"


def test_marks_name_only_defined_rules() -> None:
    """Every rule named by a mark is in the rules document."""
    unknown = {rule: where for rule, where in proved().items() if rule not in written()}
    assert unknown == {}


def test_marks_are_found_at_tests_and_parameters() -> None:
    """A mark counts above a test and in a parameter; one whose id is not a literal is reported."""
    source = (
        "@pytest.mark.rule('R-A-1', 'R-A-2')\ndef test_one(): ...\n"
        "@pytest.mark.parametrize('n', [pytest.param(1, marks=pytest.mark.rule('R-B-1'))])\ndef test_two(n): ...\n"
        "@pytest.mark.rule(SOME)\ndef test_three(): ...\n"
    )
    assert sorted(marks(source)) == [(1, "R-A-1"), (1, "R-A-2"), (3, "R-B-1"), (5, "?")]
