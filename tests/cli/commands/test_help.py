"""Help: every command shows examples, and the examples of help, README and docs can be typed as they stand."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

import click
import pytest

from tests.support.cli_runner import commands_of, parsed, vinci
from tests.support.paths import DOCS, PROJECT
from vinci_bots.builtin.policies import POLICIES
from vinci_cli.connection.local_server import BOTS
from vinci_cli.main import main
from vinci_cli.text.manual import help_lines
from vinci_rules import notation
from vinci_rules.board import load_board

COMMANDS: Final = {
    f"{name} {inner}".strip(): member
    for name, command in sorted(commands_of(main).items())
    for inner, member in {"": command, **commands_of(command)}.items()
}
"""All commands; those of a group after it, by both words."""


def documented() -> Iterator[str]:
    """The command lines in the README and the documents: indented, or between backquotes with an argument."""
    for path in [PROJECT / "README.md", *sorted((DOCS).glob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        for line in re.findall(r"^ {4}(vinci [a-z].*)$|`(vinci [a-z]+ [^`]+)`", text, re.MULTILINE):
            yield re.sub(r"\s+", " ", re.sub(r"\s+#.*", "", line[0] or line[1]))


def actions_in_help() -> list[str]:
    """Return the actions that `help` in a game lists: its indented lines are columns of actions and meanings."""
    rows = [re.split(r"\s{3,}", line.strip()) for line in help_lines(is_spectator=False) if line.startswith("  ")]
    return sorted({action for row in rows for column in row[::2] for action in column.split("; ")})


def test_the_commands_are_known() -> None:
    """Each command of this list is tested below; a new one needs an example, too."""
    words = (
        "play tutorial join watch serve analysis bot match tournament export import selfplay replay analyze board rules"
    )
    groups = commands_of(main)
    assert " ".join(groups) == f"{words} admin"
    assert [*commands_of(groups["match"])] == ["times"]
    assert " ".join(commands_of(groups["tournament"])) == "run resume status report verify reproduce"
    administration = "list inspect pause resume end kick hand-over rotate status bot-key drain backup"
    assert " ".join(commands_of(groups["admin"])) == administration


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_own_name(name: str) -> None:
    """A command that is imported when it is typed is the one that its group lists."""
    assert COMMANDS[name].name == name.split()[-1]


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_has_examples(name: str, flag: str) -> None:
    """The help of every command says what it does and ends with an example of it."""
    status, text = vinci(*name.split(), flag)
    assert status == 0
    _, _, examples = text.partition("\nExamples:\n")
    lines = examples.splitlines()
    assert lines
    assert all(line.startswith(f"  vinci {name}") for line in lines)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name: str) -> None:
    """No option without a sentence, except those hidden from people."""
    for parameter in COMMANDS[name].params:
        if isinstance(parameter, click.Option) and not parameter.hidden and parameter.name != "log_level":
            assert parameter.help, parameter.name


@pytest.mark.parametrize("line", [line for command in COMMANDS.values() for line in (command.epilog or "").split("\n")])
def test_examples_can_be_typed(line: str) -> None:
    """The flags and values of every example exist."""
    if line.strip():
        assert parsed(line.strip()).command.callback is not None


@pytest.mark.parametrize("line", sorted(set(documented())))
def test_documented_commands_can_be_typed(line: str) -> None:
    """Command lines in the README and the docs parse."""
    assert parsed(line).params


def test_documented_commands_are_found() -> None:
    """The search for command lines in documents finds those that must be there."""
    found = {shlex.split(line)[1] for line in documented()}
    assert found >= {"serve", "join", "selfplay", "replay", "analyze", "rules"}


def test_an_option_that_does_not_exist_is_noticed() -> None:
    """The check of examples can fail."""
    with pytest.raises(click.UsageError):
        parsed("vinci play --no-such-option")


def test_the_group_lists_all_commands() -> None:
    """`vinci --help` names every command."""
    status, text = vinci("--help")
    assert status == 0
    for name in main.commands:
        assert re.search(rf"^  {name} ", text, re.MULTILINE)


def test_help_is_quick() -> None:
    """Check that `vinci --help` imports no slow modules."""
    program = "import sys, vinci_cli.main; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "vinci_cli.main" in loaded
    assert not {"grpc", "google.protobuf", "prompt_toolkit", "vinci_rules", "vinci_server"} & set(loaded)


def test_version() -> None:
    """Check the output of `vinci --version`."""
    assert re.fullmatch(r"vinci, version \d+\.\d+\.\d+, (compiled|interpreted) rules\n", vinci("--version").text)


def test_bots_that_the_command_starts_are_the_policies() -> None:
    """The names that `vinci bot` and `vinci play` know are those of the bots, and a dummy is none."""
    assert {*BOTS, "dummy"} == set(POLICIES)


@pytest.mark.parametrize("action", actions_in_help())
def test_help_in_a_game_shows_real_actions(action: str) -> None:
    """Every action that `help` shows while playing is notation, with provinces of Europe."""
    notation.read(action, load_board("europe"))


def test_help_in_a_game_shows_every_kind_of_action() -> None:
    """All words of the notation are in `help`, except `forfeit`, which asks for a confirmation of its own."""
    words = {type(notation.read(action, load_board("europe"))).__name__ for action in actions_in_help()}
    assert words == {"Take", "Conquer", "Hold", "Abandon", "Peace", "Decline", "Stay", "Redeploy"}


def test_vinci_alone_without_a_terminal_is_its_help() -> None:
    """Check that `vinci` without a terminal prints its help."""
    assert vinci() == vinci("--help")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_how_secrets_are_kept_from_other_users(name: str) -> None:
    """Options stand in the list of processes; what keeps them out of it is named by each that takes a secret."""
    for parameter in COMMANDS[name].params:
        if parameter.name in ("password", "token") and isinstance(parameter, click.Option):
            assert f"Better in {parameter.envvar}: options are seen by all users" in (parameter.help or "")
