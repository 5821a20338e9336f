"""The examples in docstrings of the rules."""

import ast
import doctest
import importlib

import pytest

from tests.support.paths import PROJECT


@pytest.mark.parametrize(
    "name", ["chance", "conquest", "engine", "fingerprint", "notation", "playout", "position", "record"]
)
def test_examples_in_docstrings(name: str) -> None:
    """Each example has the output written below it; the source is read, as compiled modules have no docstring."""
    source = PROJECT / "server" / "vinci_rules" / f"{name}.py"
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    names = vars(importlib.import_module(f"vinci_rules.{name}"))
    example = doctest.DocTestParser().get_doctest(text, dict(names), name, str(source), 0)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert results.attempted
    assert not results.failed
