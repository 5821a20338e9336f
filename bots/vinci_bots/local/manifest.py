"""The manifest of a bot that is a folder: `bot.toml` with its name, how it runs, and how it is built."""

import os
import shlex
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from vinci_client.processes import SCRIPT

from .participants import LONGEST_NAME, NAME, Player, split_kind, started_by
from .sandbox import MANIFEST

KEYS: Final = ("name", "run", "build")


class BadManifest(ValueError):
    """The manifest, or the program that it names, cannot be used; the text says what would be right."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest: `run` are the words of the command, perhaps with `stdio:` before the first; `build` may be empty."""

    name: str
    run: tuple[str, ...]
    build: str = ""


def read(folder: Path, name: str = "") -> Manifest:
    """Read the manifest in a folder; `name` is that of the bot if the manifest has none. Raises BadManifest."""
    file = folder / MANIFEST
    if not file.is_file():
        raise BadManifest(f'there is no {MANIFEST} in it; it needs one with at least: run = "python3 bot.py"')
    try:
        fields: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadManifest(f"{MANIFEST} is no TOML: {error}") from None
    if unknown := set(fields).difference(KEYS):
        raise BadManifest(f"{MANIFEST}: {min(unknown)!r} is unknown; known: {', '.join(KEYS)}")
    name = fields.get("name", name)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise BadManifest(
            f"{MANIFEST}: name: {name!r}: expected up to {LONGEST_NAME} letters, digits, dots, dashes, underscores"
        )
    build = fields.get("build", "")
    if not isinstance(build, str):
        raise BadManifest(f'{MANIFEST}: build: {build!r}: expected a command line, such as build = "make"')
    return Manifest(name, _words(fields.get("run")), build)


def check(manifest: Manifest, folder: Path) -> None:
    """Raise BadManifest unless the program of a manifest is there, and can be run."""
    program = split_kind(manifest.run)[1][0]
    own = folder / program
    if "/" not in program and shutil.which(program) and not own.is_file():
        return
    if not own.is_file():
        raise BadManifest(
            f"{MANIFEST}: run: there is no program {program!r}, neither here nor in the folder of the bot"
        )
    if not program.endswith(SCRIPT) and not os.access(own, os.X_OK):
        raise BadManifest(
            f"{MANIFEST}: run: {program!r} is not executable; chmod +x {program}, or name its interpreter"
        )


def player(name: str, run: tuple[str, ...], folder: Path) -> Player:
    """Return the player that a command is in its folder."""
    kind, (program, *others) = split_kind(run)
    own = (folder / program).absolute()
    command = started_by((f"{kind}{own if own.is_file() else program}", *others))
    return Player(name, command, folder=str(folder))


def _words(given: Any) -> tuple[str, ...]:
    """Return the words of a command. Raises BadManifest."""
    known = 'expected a command such as run = "python3 bot.py", or run = "stdio:./mybot" for one that plays by lines'
    try:
        words = tuple(shlex.split(given) if isinstance(given, str) else given)
    except (ValueError, TypeError):
        words = ()
    if (
        not words
        or not all(isinstance(word, str) and word and "\0" not in word for word in words)
        or not split_kind(words)[1][0]
    ):
        raise BadManifest(f"{MANIFEST}: run: {given!r}: {known}")
    return words
