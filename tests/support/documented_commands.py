"""Commands in the README and the documents, found in their shell blocks and between backquotes."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import click
from google.protobuf import descriptor_pool, json_format, message_factory

from tests.support.cli_runner import parsed
from tests.support.paths import DOCS, PROJECT
from vinci.v1 import admin_pb2, analysis_pb2, bot_pb2, lobby_pb2, match_pb2, person_pb2

PAGES: Final = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
SERVICES: Final = (admin_pb2, analysis_pb2, bot_pb2, lobby_pb2, match_pb2, person_pb2)
"""Modules whose import lets the services be found by name."""
SHELLS: Final = ("sh", "bash", "console")
"""Languages of fenced blocks that are typed."""
PROGRAM: Final = re.compile(
    r"(?:[A-Z_]+=\S+ )*(?:\S*/)?(?:cd|curl|dask|docker|exec|git|grpcurl|journalctl|make|mkdir|node|npm|pip|protoc|python"
    r"|runuser|setpriv|ssh|su|sudo|systemd-run|tar|vinci) "
)
"""A call of one of the programs that the documents call; an indented block that begins with one is a shell block."""
BLOCK: Final = re.compile(
    r"^ *```(?P<language>\w*)\n(?P<fenced>.*?)^ *```$|(?<=\n\n)(?P<indented>(?: {4}[^\n]*\n)+)",
    re.MULTILINE | re.DOTALL,
)
BEFORE_VINCI: Final = re.compile(r"(?:sudo |docker (?:compose )?exec (?:-e \S+ )?\w+ |[A-Z_]+=\S+ )*(?:\S*/)?vinci ")
"""A call of `vinci` up to its arguments, by another user, in a container, with variables, or by its path."""
OURS: Final = re.compile(
    r"(?:docs|bots|benchmarks|proto|tools)/\S+\.(?:py|toml|proto|service)|Containerfile|requirements\S*\.lock"
)
"""Files that a clone has."""


def saved_as(name: str, page: str) -> str:
    """Return the program that a page shows and has saved as a file of this name."""
    program = page.partition(f"```\n\nSaved as `{name}`")[0].rpartition("\n```")[2].partition("\n")[2]
    assert program, name
    return program


class Command(NamedTuple):
    """A command of a document: its page, its line there, and its text without comment."""

    page: Path
    line: int
    text: str

    def __str__(self) -> str:
        """Return the place and the command, for messages."""
        return f"{self.page.relative_to(PROJECT)}:{self.line}: {self.text}"

    @property
    def words(self) -> list[str]:
        """Return the words of the command up to a pipe, a redirection or another command."""
        lexer = shlex.shlex(re.sub(r"\$\([^()]*\)", "X", self.text), posix=True, punctuation_chars=True)
        lexer.whitespace_split, lexer.commenters = True, ""
        words = list(lexer)
        end = next((index for index, word in enumerate(words) if word and set(word) <= set("();<>|&")), len(words))
        return words[:end]

    @property
    def arguments(self) -> list[str] | None:
        """Return the arguments of the command if it is `vinci`, else nothing."""
        found = BEFORE_VINCI.match(self.text)
        return self._replace(text=self.text[found.end() :]).words if found else None


def typed(page: Path) -> list[Command]:
    """Return the commands in the shell blocks of a page, in its order, and lines of other blocks that call `vinci`."""
    text = page.read_text(encoding="utf-8")
    found = []
    for block in BLOCK.finditer(text):
        group = "indented" if block["indented"] else "fenced"
        line = text.count("\n", 0, block.start(group)) + 1
        paragraph = list(_joined(block[group] or "", line))
        is_shell = block["language"] in SHELLS or (group == "indented" and PROGRAM.match(paragraph[0][1]) is not None)
        found += [Command(page, line, text) for line, text in paragraph if is_shell or text.startswith("vinci ")]
    return found


def mentioned(page: Path) -> list[Command]:
    """Return the commands of `vinci` with an argument that stand between backquotes on a page."""
    text = page.read_text(encoding="utf-8")
    return [
        Command(page, text.count("\n", 0, found.start()) + 1, re.sub(r"\s+", " ", found[1]))
        for found in re.finditer(r"`(vinci [a-z]+ [^`]+)`", text)
    ]


def fault(command: Command) -> str | None:
    """Return why a command cannot work as it is printed, or nothing; it is not run.

    `vinci` must have the command and its options and arguments, `make` the target, the package an extra that is
    installed, a clone each file of its own that is named, and the protocol the method that is called with its fields.
    """
    words, arguments = command.words, command.arguments
    if words[0] in ("curl", "grpcurl"):
        return _fault_of_call(command)
    if arguments and arguments[0] != "--version":
        try:
            parsed(shlex.join(["vinci", *arguments]))
        except click.ClickException as error:
            return f"{command}: {error.format_message()}"
    elif not PROGRAM.match(command.text):
        return f"{command}: no program of tests/support/documented_commands.py"
    if words[0] == "make" and f"\n{words[1]}:" not in (PROJECT / "Makefile").read_text(encoding="utf-8"):
        return f"{command}: no such target"
    extras = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    for listed in re.findall(r"\[([\w,]+)\](?:'| @ )", command.text) if "pip" in command.text else ():
        for extra in listed.split(","):
            if f"\n{extra} = [" not in extras:
                return f"{command}: no extra {extra}"
    if words[1:2] == ["-m"] and words[2].startswith("tools."):
        words = [*words, f"{words[2].replace('.', '/')}.py"]
    for word in words:
        if OURS.fullmatch(word) and not any(PROJECT.glob(word)):
            return f"{command}: no file {word}"
    return None


def shell_fault(page: Path) -> str:
    """Return what a shell, if there is one, says about the syntax of the commands of a page, without running them."""
    if shutil.which("sh") is None:
        return ""
    script = "\n".join(command.text for command in typed(page))
    return subprocess.run(["sh", "-n"], input=script, capture_output=True, text=True, check=False).stderr


def _fault_of_call(command: Command) -> str | None:
    """Return why the protocol has no such method or no such request, of a call by `curl` or `grpcurl`."""
    words = command.words
    for word in words:
        found = re.search(r"(vinci\.v1\.\w+)/(\w+)$", word)
        if not found:
            continue
        try:
            method = descriptor_pool.Default().FindServiceByName(found[1]).FindMethodByName(found[2])
            if "-d" in words:
                request = message_factory.GetMessageClass(method.input_type)()
                json_format.Parse(words[words.index("-d") + 1], request)
        except (KeyError, json_format.ParseError) as error:
            return f"{command}: {error}"
    return None


def _joined(block: str, first: int) -> Iterator[tuple[int, str]]:
    """Yield the commands of a block and their line numbers: after a backslash, or within quotes, a command goes on."""
    begun, start = "", first
    for number, line in enumerate([*block.splitlines(), ""], first):
        start = start if begun else number
        begun += re.sub(r"\s+#.*", "", line.strip().removeprefix("$ "))
        if line and begun.endswith("\\"):
            begun = begun.removesuffix("\\")
        elif line and _is_open(begun):
            begun += "\n"
        elif begun:
            yield start, begun
            begun = ""


def _is_open(text: str) -> bool:
    """Return whether a quotation has not ended yet."""
    try:
        shlex.split(text)
    except ValueError:
        return True
    return False
