"""The manual page has every command and valid markup. `make check` compares it with the commands."""

import shutil
import subprocess
import tomllib
from typing import Final

import click
import pytest

from tests.support.cli_runner import commands_of
from tests.support.paths import DOCS, PROJECT
from vinci_cli.main import main

PAGE: Final = DOCS / "vinci.1"


def test_manual_has_every_command_with_its_options() -> None:
    """Subcommands of groups are included."""
    text = PAGE.read_text(encoding="utf-8").replace(r"\-", "-")
    for name, command in commands_of(main).items():
        assert f'.SS "vinci {name} ' in text
        for below, member in commands_of(command).items():
            assert f'.SS "vinci {name} {below} ' in text
            options = [one for one in member.params if isinstance(one, click.Option) and not one.hidden]
            assert all(option.opts[0] in text for option in options)


def test_manual_has_the_version_of_the_package() -> None:
    """The page has version and date of the last release in CHANGELOG.md, the package that of pyproject.toml."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f'"Vinci {project["version"]}"' in PAGE.read_text(encoding="utf-8").splitlines()[1]


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="needs mandoc")
def test_mandoc_reports_no_problem() -> None:
    """mandoc gives no warning and no error."""
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", PAGE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
