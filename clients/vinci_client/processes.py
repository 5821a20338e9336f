"""Commands of this project as child processes, which end with their parent.

They run in a session of their own, so Ctrl-C in a terminal does not reach them. They stop when their standard input
closes, which happens even if whoever started them is killed.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, NoReturn

OF_OTHERS: Final = ("VINCI_PASSWORD", "VINCI_CODE", "VINCI_TLS_CA")
"""Environment variables that open servers of others; these here are open, and only this machine reaches them."""

OF_SERVE: Final = "VINCI_SERVE_"
"""Start of the environment variables for options of `vinci serve`; they are for a server that a person starts."""

OF_BOTS: Final = re.compile(
    "PATH|HOME|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|LD_LIBRARY_PATH|PYTHONPATH|VINCI_RULES"
    "|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|PATHEXT|TEMP|TMP|USERPROFILE|APPDATA|LOCALAPPDATA"
)
"""Environment variables that bots inherit: those by which programs start and find their files."""

MORE_OF_BOTS: Final = "VINCI_BOT_ENV"
"""The environment variable that names further ones for bots, separated by blanks."""

PYTHON: Final = (sys.executable, "-P")
"""This Python, importing nothing from the working directory, where files of others may be named like our modules."""

COMMAND: Final = (*PYTHON, "-m", "vinci_cli")
"""The `vinci` command, run by this Python."""

SCRIPT: Final = ".py"
"""The suffix of bots in Python, which are run by this Python where they are no programs by themselves."""
STOP_SECONDS: Final = 10
APART: Final[dict[str, Any]] = {"creationflags": 0x200} if os.name == "nt" else {"start_new_session": True}
"""Options of a process that Ctrl-C does not reach: a session, or CREATE_NEW_PROCESS_GROUP where there are none."""


class NotStarted(Exception):
    """A process did not start; the text holds its output."""


class InUse(NotStarted):
    """Another server has the database open."""


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that runs: its process, the address that it listens on, and its code."""

    process: subprocess.Popen[str]
    address: str
    code: str


@contextmanager
def server(database: Path, *arguments: str) -> Iterator[tuple[str, str]]:
    """Run a server on a free port of this machine; yields its address and its code.

    `arguments` are those of `vinci serve`. What it says is kept beside the database. Raises NotStarted.
    """
    serving = serve(database, *arguments)
    try:
        yield serving.address, serving.code
    finally:
        stop([serving.process])


def serve(database: Path, *arguments: str) -> Serving:
    """Start such a server, which the caller stops. Raises NotStarted."""
    log = database.with_suffix(".log")
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with log.open("a+", encoding="utf-8") as errors:
        start_of_log = errors.tell()
        usual = ["--db", str(database), "--with-stdin", "--log-level", "warning"]
        command = [*COMMAND, "serve", "--port", "0", *arguments, *usual]
        process = start(command, subprocess.PIPE, errors, environment())
        assert process.stdout is not None
        code = ""
        line = process.stdout.readline()
        if line.startswith("code "):
            code, line = line.split()[-1], process.stdout.readline()
        if not line.startswith("listening on "):
            stop([process])
            errors.seek(start_of_log)
            message = errors.read().strip().removeprefix("Error: ")
            raise (InUse if "in use by another server" in message else NotStarted)(
                message or "the server did not start"
            )
        return Serving(process, line.split()[-1], code)


def is_script(word: str) -> bool:
    """Return whether a word is a Python file to be run by this Python, which has the bot kit."""
    return word.endswith(SCRIPT) and os.path.isfile(word) and shutil.which(word) is None


def environment(*without: str) -> dict[str, str]:
    """Return the environment without these variables, access to other servers, and options of `vinci serve`."""
    left = (*OF_OTHERS, *without)
    return {name: value for name, value in os.environ.items() if name not in left and not name.startswith(OF_SERVE)}


def bot_environment(own: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a bot: its own variables and a few inherited ones.

    The others may be secrets, such as an admin token.
    """
    more = os.environ.get(MORE_OF_BOTS, "").split()
    return {name: os.environ[name] for name in os.environ if name in more or OF_BOTS.fullmatch(name)} | dict(own)


def start(
    command: Sequence[str],
    output: IO[str] | int,
    errors: IO[str] | int,
    variables: Mapping[str, str],
    folder: str | None = None,
) -> subprocess.Popen[str]:
    """Start a command or a Python file in a new session, with an environment of these variables. Raises OSError.

    It runs in a folder, None for this one.
    """
    return subprocess.Popen(
        [sys.executable, *command] if is_script(command[0]) else command,
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=errors,
        text=True,
        env={**variables, "VINCI_LANG": "en"},  # what they say is read by programs
        cwd=folder,
        **APART,
    )


def replace_with(command: list[str]) -> NoReturn:
    """Run a command in place of this process; where that is impossible, end with its status."""
    if os.name != "nt":
        os.execv(command[0], command)
    sys.exit(subprocess.run(command, check=False).returncode)


def stop(processes: Sequence[subprocess.Popen[str]]) -> None:
    """Close the standard input of processes so that they stop; kill those that do not."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
    for process in processes:
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()
