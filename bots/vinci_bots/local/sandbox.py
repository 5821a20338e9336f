"""Run a bot in bubblewrap: it sees a read-only system, its own files and a socket to its game, and nothing else.

Everything that knows bubblewrap stands here.
"""

import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from vinci.v1 import bot_pb2
from vinci_client.processes import bot_environment, is_script

from .linux import family
from .participants import files_in

SOCKET: Final = "vinci.sock"
"""Name of the server's Unix socket for bots, in a folder that holds nothing else.

The bot sees the folder: a server that starts again makes another socket, which a view of the first one would not show.
"""
FOLDER: Final = "/run/vinci"
"""Path of that folder for the bot."""
ADDRESS: Final = f"unix:{FOLDER}/{SOCKET}"
"""The address of the server for the bot."""
MANIFEST: Final = "bot.toml"
"""A folder with this file belongs to one bot, which then sees all of it, not only the files that its command names."""
TMP_BYTES: Final = 64 * 2**20
"""Size of each of the two folders that the bot can write to."""
FILE_BYTES: Final = 80 * 2**20
"""Size of the largest file that it can write; its output, too, ends there if it writes faster than it is watched."""
BUILD_BYTES: Final = 256 * 2**20
"""Size of the folder in which a bot is built."""
BUILD_MEMORY: Final = 4 * 2**30
"""Address space of each process that builds a bot."""
MOST_PROCESSES: Final = 256
"""Processes and threads that it can have at once. The system does not count those of root, so they are watched too."""
MOST_CPU: Final = 3600
"""CPU seconds that all its processes together can use until it ends, so that none burns a processor for ever."""
NOBODY: Final = "65534"
SYSTEM: Final = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin")
OF_ETC: Final = ("ld.so.cache", "alternatives", "localtime", "java*")
"""Patterns of what programs need from /etc to start; the rest tells of this machine."""
NEEDED: Final = {"bwrap": "bubblewrap", "prlimit": "util-linux"}
"""Programs by the packages that have them."""
ISOLATED: Final = (
    "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
    "--uid", NOBODY, "--gid", NOBODY, "--hostname", "bot", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
)  # fmt: skip
HIDDEN: Final = ("HOME", "TMPDIR", "PYTHONPATH", "LD_LIBRARY_PATH", "TMP", "TEMP")
"""Variables that bots inherit elsewhere, but which name folders that do not exist in the sandbox."""


class SandboxMissing(Exception):
    """No bot can be confined on this machine; the text says why and what would help."""


@cache
def check() -> None:
    """Try the sandbox once. Raises SandboxMissing."""
    missing = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    if sys.platform != "linux" or missing:
        install = f"install {' and '.join(missing)} (Debian: apt install {' '.join(missing)})" if missing else ""
        raise SandboxMissing(install or "it needs Linux; run the league there, or in a virtual machine")
    tried = subprocess.run(["bwrap", *_system(), "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        said = tried.stderr.strip() or f"status {tried.returncode}"
        if "ermi" not in said and "namespace" not in said:  # neither "not permitted" nor "Permission denied"
            raise SandboxMissing(f"bubblewrap fails ({said})")
        raise SandboxMissing(
            f"this system does not permit it ({said}); allow user namespaces: "
            "sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0"
        )


def confined(command: Sequence[str], door: Path, folder: str = "") -> list[str]:
    """Return the command that runs a bot in the sandbox, from its own one and the folder of the server's socket.

    A bot with a `folder` sees this and runs in it; another one sees the files that its command names.
    """
    words = [sys.executable, *command] if is_script(command[0]) else list(command)
    program = shutil.which(words[0]) or words[0]
    visible = [Path("/usr"), *_installed()]
    inner = [found for word in _after_dashes(words)[:1] if (found := shutil.which(word))]
    where = Path(folder).absolute() if folder else Path.cwd()
    own = [
        *([where] if folder else _of_bot(words)),
        *(path for each in (program, *inner) for path in _program(Path(each).resolve())),
    ]
    return [
        "bwrap",
        *_system(),
        *_bound(path for path in own if not any(path.is_relative_to(seen) for seen in visible)),
        *("--ro-bind", str(door), FOLDER, "--dir", str(where), "--remount-ro", "/", "--chdir", str(where)),
        *("--", "prlimit", *_limits(MOST_CPU), "--", program, *words[1:]),
    ]


def environment(own: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a bot in the sandbox: its own variables, and those that tell path and language."""
    return {name: value for name, value in bot_environment(own).items() if name not in HIDDEN} | {"HOME": "/tmp"}


def built(command: str, folder: Path, seconds: int) -> tuple[list[str], dict[str, str]]:
    """Return the command that builds a bot, and its environment.

    It runs in a copy of a folder, of limited size and without a network, and writes an archive of the copy to standard
    output, so that nothing of this machine is written to.
    """
    script = 'cp -a /source/. . && (eval "$1") >&2 && exec tar -cf - .'
    place = str(folder.absolute())
    limits = (*_limits(seconds), f"--as={BUILD_MEMORY}")
    command_line = [
        *("bwrap", *_system(), "--ro-bind", place, "/source", "--size", str(BUILD_BYTES), "--tmpfs", place),
        *("--remount-ro", "/", "--chdir", place, "--", "prlimit", *limits, "--", "sh", "-c", script, "sh", command),
    ]
    return command_line, environment({})


def _limits(cpu_seconds: int) -> tuple[str, ...]:
    """Return the options of prlimit for each process."""
    return f"--nproc={MOST_PROCESSES}", f"--fsize={FILE_BYTES}", f"--cpu={cpu_seconds}", "--core=0"


def is_crowded(pid: int) -> bool:
    """Return whether a process has more than MOST_PROCESSES descendants, itself included."""
    return len(family(pid, MOST_PROCESSES)) > MOST_PROCESSES


def _system() -> Iterator[str]:
    """Yield the options for namespaces, the system, and empty folders to write to."""
    yield from ISOLATED
    for path in SYSTEM:
        if os.path.islink(path):
            yield from ("--symlink", os.readlink(path), path)
        elif os.path.exists(path):
            yield from ("--ro-bind", path, path)
    for pattern in OF_ETC:
        for path in sorted(map(str, Path("/etc").glob(pattern))):
            yield from ("--ro-bind", path, path)
    size = ("--size", str(TMP_BYTES), "--tmpfs")
    yield from ("--proc", "/proc", "--dev", "/dev", *size, "/dev/shm", *size, "/tmp", "--remount-ro", "/dev")
    yield from _bound(path for path in _installed() if not path.is_relative_to("/usr"))


def _bound(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        yield from ("--ro-bind", str(path), str(path))


@cache  # a search of all packages takes 15 ms, and each bot of each game needs it twice
def _installed() -> tuple[Path, ...]:
    """Return the folders of this Python and of our packages, which need not be in its prefix, and compiled modules."""
    ours = [(module, find_spec(module.name)) for module in pkgutil.iter_modules() if module.name.startswith("vinci")]
    paths = [
        Path(spec.origin).parent if module.ispkg else Path(spec.origin) for module, spec in ours if spec and spec.origin
    ]
    return Path(sys.prefix), Path(sys.base_prefix), Path(bot_pb2.__file__).parent, *paths


def _after_dashes(words: Sequence[str]) -> Sequence[str]:
    """Return the program in front of which an adapter stands, with its arguments; empty for a bot without one."""
    return words[words.index("--") + 1 :] if "--" in words else ()


def _of_bot(words: Sequence[str]) -> Iterator[Path]:
    """Yield the files that a command names, or the folders with a manifest that they are in."""
    for file in files_in(words):
        whole = next((folder for folder in file.absolute().parents if (folder / MANIFEST).is_file()), None)
        yield whole or file.absolute()


def _program(program: Path) -> Iterator[Path]:
    """Yield the installation of a program outside of the system, such as /opt/node for /opt/node/bin/node."""
    prefix = program.parent.parent
    if program.parent.name == "bin" and prefix not in (Path("/"), Path("/usr"), *Path.home().parents, Path.home()):
        yield prefix
