"""Compiles rules and players with mypyc: `make fast` beside the sources, the build hook (hatch_build.py) into a wheel.

Run as `python -m tools.compile_rules [--copy FOLDER]` with the development packages installed; with `--copy` they
are copied into the folder and compiled there. Without a C compiler it says what to install and changes nothing.
"""

import argparse
import io
import os
import shutil
import sys
import tempfile
import time
from contextlib import chdir, redirect_stderr, redirect_stdout
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, Final

from mypyc.build import mypycify
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, ExecError, PlatformError

from vinci_rules import core

SERVER: Final = Path(__file__).parents[1] / "server"
RULES: Final = "vinci_rules"
PLAYERS: Final = "vinci_players"
PACKAGES: Final = {RULES: (), PLAYERS: (RULES,)}
"""Packages that are compiled, each with those that it uses: functions of one group call each other directly."""
SEARCH: Final = ("plans", "policy", "search", "value")
"""Modules of the players that are compiled, in which a search spends its time."""
INTERPRETED: Final = ("__init__", "core", "data", "events", "notices", "violations")
"""Modules of the rules that stay interpreted: `core` chooses the core; `data` reads tables once; `events` and
`violations` (with `notices`, their base) have annotated fields, and playouts create none."""
OPTIMISATIONS: Final = {
    "darwin": ["-fvisibility=hidden", "-ffp-contract=off"],
    "linux": ["-fvisibility=hidden", "-ffp-contract=off", "-fno-semantic-interposition"],
}
"""Options of the C compiler, by system: no other library calls the functions, so it may inline them; products and sums
are rounded one after the other, so that every machine gets the same numbers."""
COMPILER: Final = {
    "darwin": "the command line tools (xcode-select --install)",
    "win32": "the Build Tools for Visual Studio with C++",
    "linux": "gcc and the headers of Python (on Debian and Ubuntu: apt install gcc python3-dev)",
}
"""The packages to install, by system."""


class NoCompiler(Exception):
    """No C compiler or no headers of Python; the text says what to install."""


def compile_rules(server: Path, target: Path) -> list[Path]:
    """Compile the rules and the players.

    Args:
        server: the folder of the packages.
        target: the folder for the compiled modules; it may be `server`.

    Returns:
        The files written, relative to `target`: modules, the library that they share, and digests of the sources.

    Raises:
        NoCompiler: there is no C compiler.
        SystemExit: the sources cannot be compiled; the errors are printed.
    """
    with tempfile.TemporaryDirectory(prefix="vinci-") as name:
        temporary = Path(name)
        _check_compiler(temporary)
        start = time.monotonic()
        sources = [path for path in sorted((server / RULES).glob("*.py")) if path.stem not in INTERPRETED]
        sources += [server / PLAYERS / f"{name}.py" for name in SEARCH]
        print(f"Translating {len(sources)} modules to C ...", flush=True)
        extensions = _translated(server, sources, temporary / "translated")
        print("Compiling them, which takes a minute or two ...", flush=True)
        built = temporary / "built"
        _build(extensions, built, temporary / "objects")
        for package, used in PACKAGES.items():
            stamp = built / package / core.STAMP
            stamp.write_text(core.digest(*(server / name for name in (package, *used))), encoding="ascii")
        written = [path.relative_to(built) for path in built.rglob("*") if path.is_file()]
        for path in sorted(
            written, key=lambda path: path.name == core.STAMP
        ):  # the stamps last: they vouch for the others
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(built / path, target / path)
    print(f"Compiled in {time.monotonic() - start:.0f} s.", flush=True)
    return written


def _translated(server: Path, sources: list[Path], target: Path) -> list[Any]:
    """Return the modules as extensions in C. Raises SystemExit with the errors printed."""
    options = ["--cache-dir", os.devnull, "--config-file", os.devnull, "--hide-error-context"]
    names = [str(path.relative_to(server)) for path in sources]
    said = io.StringIO()
    try:
        with chdir(server), redirect_stdout(said), redirect_stderr(said):  # mypyc names modules after their paths
            extensions: list[Any] = mypycify(
                [*options, *names], group_name=RULES, opt_level="3", debug_level="0", target_dir=str(target)
            )
    except SystemExit:
        print(said.getvalue(), file=sys.stderr)
        raise
    for extension in extensions:
        extension.extra_compile_args += OPTIMISATIONS.get(sys.platform, [])
    return extensions


def _build(extensions: list[Any], target: Path, temporary: Path) -> None:
    command = build_ext(Distribution({"name": RULES, "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(target), str(temporary)
    command.ensure_finalized()
    command.run()


def _check_compiler(temporary: Path) -> None:
    """Compile a module of two lines. Raises NoCompiler."""
    source = temporary / "probe.c"
    source.write_text("#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n", encoding="ascii")
    try:
        _build([Extension("probe", [str(source)])], temporary / "probe", temporary)
    except (CCompilerError, ExecError, PlatformError, OSError) as error:
        wanted = COMPILER.get(sys.platform, "a C compiler and the headers of Python")
        raise NoCompiler(f"No C compiler was found ({error}). Install {wanted}.") from None


def compile_copy(folder: Path) -> None:
    """Copy the rules and the players into a folder and compile them there, unless that is done. Raises NoCompiler."""
    packages = [folder / name for name in PACKAGES]
    is_fresh = all(core.is_fresh(folder / name, *(folder / other for other in used)) for name, used in PACKAGES.items())
    if is_fresh and core.digest(*packages) == core.digest(*(SERVER / name for name in PACKAGES)):
        return
    binaries = [f"*{suffix}" for suffix in EXTENSION_SUFFIXES]
    for package in packages:
        shutil.rmtree(package, ignore_errors=True)
        ignored = shutil.ignore_patterns(core.STAMP, "__pycache__", *binaries)
        shutil.copytree(SERVER / package.name, package, ignore=ignored)
    compile_rules(SERVER, folder)


def main() -> int:
    """Compile the rules and the players; 0 also without a C compiler, since nothing needs compiled rules."""
    parser = argparse.ArgumentParser(description="Compile the rules and the players with mypyc.")
    parser.add_argument("--copy", type=Path, metavar="FOLDER", help="compile a copy in this folder")
    folder = parser.parse_args().copy
    try:
        if folder:
            compile_copy(folder)
        else:
            compile_rules(SERVER, SERVER)
    except NoCompiler as error:
        print(f"{error} Without them rules and players stay interpreted: they work the same, but slower.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
