"""Commits, merges and the GitHub workflow run `make check`, whose steps are in the Makefile only."""

import re

from tests.support.paths import PROJECT


def values(name: str, key: str) -> list[str]:
    """Return what follows a key on the lines of a file."""
    text = (PROJECT / name).read_text(encoding="utf-8")
    return re.findall(rf"^[ -]*{key}(.+)$", text, re.MULTILINE)


def test_pre_commit_runs_make_check_and_nothing_else() -> None:
    """There is one hook, which runs for every commit, whatever files it has."""
    assert values(".pre-commit-config.yaml", "repo: ") == ["local"]
    assert values(".pre-commit-config.yaml", "entry: ") == ["make check"]
    assert values(".pre-commit-config.yaml", "always_run: ") == ["true"]
    assert values(".pre-commit-config.yaml", "pass_filenames: ") == ["false"]


def test_continuous_integration_runs_make_check() -> None:
    """`make check` runs before the tests, in `.ci/run` and on GitHub."""
    assert values(".ci/run", "make ") == ["check", "test"]
    in_chromium = "web-test CHROMIUM=/usr/bin/google-chrome"
    steps = ["check", "check-compiled", "web", in_chromium, "dist", "coverage"]
    assert values(".github/workflows/ci.yml", "run: make ") == steps


def test_workflow_has_every_supported_python() -> None:
    """The versions begin at `requires-python`."""
    assert values(".github/workflows/ci.yml", "python: ")[0] == '["3.11", "3.12", "3.13", "3.14"]'
    assert values("pyproject.toml", "requires-python = ") == ['">=3.11"']
