"""Completion in bash, zsh and fish as click does it, with options of several words, and words with : and = in bash."""

import os
import re
from typing import Any, Final

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

OPTIONS_OF_WORDS: Final = ("--bots", "--against")
"""Options of any command that take all words up to the next option."""
SHELLS: Final = ("bash", "zsh", "fish")


class _Words(ShellComplete):
    """Completion of each word after an option that takes several."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Return what the last word can be; each of several words stands after its option for click."""
        options = [word for word in args if word.startswith("-")]
        if options and options[-1] in OPTIONS_OF_WORDS and args[-1] != options[-1]:
            args = [*args, options[-1]]  # a word that follows no option would be an argument for click
        return super().get_completions(args, incomplete)


class _Bash(_Words, BashComplete):
    """bash, which ends words at : and = and is given the whole line here instead."""

    # click hands over COMP_WORDS, which bash has split at COMP_WORDBREAKS: hard:raider is three words there.
    source_template = BashComplete.source_template.replace(
        "COMP_CWORD=$COMP_CWORD", 'COMP_CWORD=$COMP_CWORD COMP_LINE="${COMP_LINE:0:$COMP_POINT}"'
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor, and the one at the cursor."""
        _program, *words, last = split_arg_string(os.environ["COMP_LINE"] + "|")  # a blank may be part of a quoted word
        return words, last[:-1]

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Return what the last word can be, without what bash has as words of its own."""
        typed_before = re.sub(r"^--[\w-]+=|[^:=]*$", "", incomplete)
        items = super().get_completions(args, incomplete)
        for item in items:
            item.value = item.value.removeprefix(typed_before)
        return items


class _Zsh(_Words, ZshComplete):
    """zsh."""


class _Fish(_Words, FishComplete):
    """fish, in which values and descriptions can have commas."""

    # click writes kind, value and description with commas between them: only the first one separates.
    source_template = FishComplete.source_template.replace('string split ","', 'string split --max 1 ","')


def register() -> None:
    """Let click use these classes for their shells."""
    for shell in (_Bash, _Zsh, _Fish):
        add_completion_class(shell)


def script(shell: str, root: click.Command, program: str) -> str:
    """Return the script that makes a shell complete a program, whose commands are those of `root`."""
    classes: dict[str, Any] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}
    name = "_{}_COMPLETE".format(program.replace("-", "_").upper())  # as click names it
    text: str = classes[shell](root, {}, program, name).source()
    return text
