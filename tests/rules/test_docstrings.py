"""The examples in docstrings of the rules."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "name", ["chance", "conquest", "engine", "fingerprint", "notation", "playout", "position", "record"]
)
def test_examples_in_docstrings(name: str) -> None:
    """Each example has the output written below it."""
    results = doctest.testmod(importlib.import_module(f"vinci_rules.{name}"), optionflags=doctest.ELLIPSIS)
    assert results.attempted
    assert not results.failed
