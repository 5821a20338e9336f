"""Marks of all tests; see tests/test_rule_coverage.py for `rule`."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark that names the rules a test proves."""
    config.addinivalue_line("markers", "rule(*ids): the rule ids of docs/rules.md that this test proves")
