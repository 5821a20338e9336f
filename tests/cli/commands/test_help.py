"""Help: every command has examples, and the examples can be parsed."""

import re
import subprocess
import sys
from typing import Final

import click
import pytest

from tests.support.cli_runner import commands_of, parsed, vinci
from vinci_cli.main import GROUPS, main
from vinci_cli.text import i18n
from vinci_cli.text.manual import help_lines
from vinci_rules import notation
from vinci_rules.board import load_board

COMMANDS: Final = {
    f"{name} {inner}".strip(): member
    for name, command in sorted(commands_of(main).items())
    for inner, member in {"": command, **commands_of(command)}.items()
}
"""All commands; those of a group after it, by both words."""


def actions_in_help() -> list[str]:
    """Return the actions that `help` in a game lists: its indented lines are columns of actions and meanings."""
    rows = [re.split(r"\s{3,}", line.strip()) for line in help_lines(is_spectator=False) if line.startswith("  ")]
    return sorted({action for row in rows for column in row[::2] for action in column.split("; ")})


def test_list_of_commands_is_complete() -> None:
    """The list of commands tested below is complete."""
    words = (
        "play tutorial join watch person players replay review rules board serve analysis admin mcp health export import "
        "bot match selfplay dataset tournament analyze completion"
    )
    groups = commands_of(main)
    assert " ".join(groups) == words
    assert [*commands_of(groups["match"])] == ["times"]
    leagues = "run resume extend open invite start withdraw readmit change merge status report balance verify reproduce"
    assert " ".join(commands_of(groups["tournament"])) == leagues
    administration = "list inspect pause resume end kick hand-over rotate status bot-key persons drain backup"
    assert " ".join(commands_of(groups["admin"])) == administration


@pytest.mark.parametrize("name", COMMANDS)
def test_lazily_imported_commands_match_their_groups(name: str) -> None:
    """Each lazily imported command is the one that its group lists."""
    assert COMMANDS[name].name == name.split()[-1]


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_ends_with_examples(name: str, flag: str) -> None:
    """The help of every command says what the command does and ends with an example."""
    status, text = vinci(*name.split(), flag)
    assert status == 0
    _, _, examples = text.partition("\nExamples:\n")
    lines = examples.splitlines()
    assert lines
    assert all(line.startswith(f"  vinci {name}") for line in lines)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help(name: str) -> None:
    """Every option has a help text, unless it is hidden."""
    for parameter in COMMANDS[name].params:
        if isinstance(parameter, click.Option) and not parameter.hidden and parameter.name != "log_level":
            assert parameter.help, parameter.name


@pytest.mark.parametrize("line", [line for command in COMMANDS.values() for line in (command.epilog or "").split("\n")])
def test_examples_in_help_can_be_parsed(line: str) -> None:
    """Every example in a help text parses with its options and values."""
    if line.strip():
        assert parsed(line.strip()).command.callback is not None


def test_check_of_examples_finds_unknown_options() -> None:
    """The check of examples fails for an option that does not exist."""
    with pytest.raises(click.UsageError):
        parsed("vinci play --no-such-option")


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_main_help_lists_all_commands_in_groups(language: str) -> None:
    """`vinci --help` lists every command once, below headings in the language of the session."""
    status, text = vinci("--lang", language, "--help")
    assert status == 0
    i18n.choose(language)
    for title, commands in GROUPS.items():
        block = text.partition(f"\n{i18n.untied(i18n._(title))}")[2].partition("\n\n")[0]
        for command in commands:
            assert re.search(rf"^  {command.name} ", block, re.MULTILINE), (title, command.name)
            assert len(re.findall(rf"^  {command.name}  ", text, re.MULTILINE)) == 1


@pytest.mark.parametrize("name", ["match", "selfplay", "tournament run"])
def test_help_says_which_command_plays_games_of_bots(name: str) -> None:
    """Each of the three commands that play games of bots names the other two."""
    text = " ".join(vinci(*name.split(), "--help").text.split())
    assert all(f"`vinci {other}`" in text for other in ("match", "selfplay", "tournament run") if other != name)


def test_help_imports_no_slow_modules() -> None:
    """`vinci --help` imports no slow modules."""
    program = "import sys, vinci_cli.main; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "vinci_cli.main" in loaded
    assert not {"grpc", "google.protobuf", "prompt_toolkit", "vinci_rules", "vinci_server"} & set(loaded)


def test_version() -> None:
    """`vinci --version` prints the version and whether the rules are compiled."""
    assert re.fullmatch(r"vinci, version \d+\.\d+\.\d+, (compiled|interpreted) rules\n", vinci("--version").text)


@pytest.mark.parametrize("action", actions_in_help())
def test_help_in_a_game_shows_valid_notation(action: str) -> None:
    """Every action that `help` shows in a game is valid notation, with provinces of Europe."""
    notation.read(action, load_board("europe"))


def test_help_in_a_game_shows_every_kind_of_action() -> None:
    """`help` shows every word of the notation but `forfeit`, which needs a confirmation."""
    words = {type(notation.read(action, load_board("europe"))).__name__ for action in actions_in_help()}
    assert words == {"Take", "Conquer", "Hold", "Abandon", "Peace", "Decline", "Stay", "Redeploy"}


def test_vinci_without_terminal_prints_help() -> None:
    """`vinci` without a terminal prints its help."""
    assert vinci() == vinci("--help")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_the_environment_variables_for_secrets(name: str) -> None:
    """Options are visible in the process list; each command with a secret option names the variable to use instead."""
    for parameter in COMMANDS[name].params:
        if parameter.name in ("password", "token") and isinstance(parameter, click.Option):
            assert f"Better in {parameter.envvar}: options are seen by all users" in (parameter.help or "")
