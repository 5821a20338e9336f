"""Unpack, build and check the bots of a folder, each in the sandbox, before a league of those that passed."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from vinci_bots.doctor.checks import CHECKS
from vinci_bots.doctor.host import Host
from vinci_bots.doctor.runner import examine
from vinci_bots.doctor.tested_bot import Deadlines, LocalBot
from vinci_bots.local import manifest, sandbox
from vinci_bots.local.manifest import BadManifest, Manifest

from ..play.files import replace_file, safe_name
from .archive import BadArchive, stem, unpack, unpack_stream

INDEX: Final = "entrants.json"
BUILD_SECONDS: Final = 300
LAST_LINES: Final = 8
"""Lines of the output of a build that is told if it fails."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A result of the doctor: check, verdict, what was seen, and after a fault what the bot said."""

    check: str
    verdict: str
    text: str
    docs: str
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that was handed in: `source` is what came, `fault` why it does not play, empty if it does.

    `step` is where the fault was found: `archive`, `manifest`, `build` or `doctor`.
    """

    name: str
    source: str
    step: str = ""
    fault: str = ""
    findings: tuple[Finding, ...] = ()

    @property
    def plays(self) -> bool:
        """Whether it takes part in the league."""
        return not self.fault


def folder_of(place: Path, name: str) -> Path:
    """Return the folder with the files of an entrant."""
    return place / safe_name(name)


def build_log(place: Path, name: str) -> Path:
    """Return the file with the output of the build of an entrant."""
    return place / f"{safe_name(name)}.build.log"


def stored(place: Path) -> list[Entrant]:
    """Return the entrants of a league as they were found; none if it has no folder for them."""
    if not (place / INDEX).exists():
        return []
    entries = json.loads((place / INDEX).read_text(encoding="utf-8"))
    return [Entrant(**entry | {"findings": tuple(Finding(**each) for each in entry["findings"])}) for entry in entries]


def prepare(source: Path, place: Path, limits: Deadlines, tell: Callable[[str], None]) -> list[Entrant]:
    """Prepare all entrants of a folder in another one, anew if that was interrupted; `tell` gets the progress.

    Raises OSError for a folder that cannot be read.
    """
    sources = sorted(path for path in source.iterdir() if not path.name.startswith("."))
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    found: list[Entrant] = []
    for number, path in enumerate(sources, start=1):

        def told(text: str, number: int = number, path: Path = path) -> None:
            tell(f"{number} of {len(sources)} entrants: {path.name}: {text}")

        found.append(_prepared(path, place, {entrant.name for entrant in found}, limits, told))
    replace_file(place / INDEX, [json.dumps([asdict(entrant) for entrant in found], indent=1).encode()])
    return found


def _prepared(source: Path, place: Path, taken: set[str], limits: Deadlines, tell: Callable[[str], None]) -> Entrant:
    """Return an entrant after all steps up to the one that failed."""
    entrant = Entrant(_free(safe_name(stem(source)), taken), source.name)
    fresh = place / ".unpacking"
    shutil.rmtree(fresh, ignore_errors=True)
    tell("unpacked")
    try:
        unpack(source, fresh)
        known = manifest.read(fresh, stem(source))
    except BadArchive as error:
        return replace(entrant, step="archive", fault=str(error))
    except BadManifest as error:
        return replace(entrant, step="manifest", fault=str(error))
    if known.name in taken:
        text = f"there is another entrant with the name {known.name!r}; names must differ"
        return replace(entrant, step="manifest", fault=text)
    entrant = replace(entrant, name=known.name)
    folder = folder_of(place, known.name)
    fresh.rename(folder)
    try:
        if known.build:
            tell("built")
            _build(known, folder, build_log(place, known.name))
        manifest.check(known, folder)
    except BadArchive as error:
        return replace(entrant, step="build", fault=str(error))
    except BadManifest as error:
        return replace(entrant, step="manifest", fault=str(error))
    logs = place / f"{safe_name(known.name)}.doctor"
    findings = asyncio.run(_examined(known, folder, logs, limits, tell))
    failed = [finding for finding in findings if finding.verdict == "FAIL"]
    fault = f"{failed[0].check}: {failed[0].text}" if failed else ""
    fault += f"; and {len(failed) - 1} more" if failed[1:] else ""
    return replace(entrant, step="doctor" if failed else "", fault=fault, findings=tuple(findings))


def _free(name: str, taken: set[str]) -> str:
    return name if name not in taken else next(f"{name}-{n}" for n in range(2, 10**6) if f"{name}-{n}" not in taken)


def _build(known: Manifest, folder: Path, log: Path) -> None:
    """Build a bot in the sandbox, in place of its folder. Raises BadArchive."""
    command, variables = sandbox.built(known.build, folder, BUILD_SECONDS)
    with tempfile.TemporaryFile() as archive, log.open("wb") as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=archive, stderr=errors, env=variables, start_new_session=True
        )
        try:
            status: int | None = process.wait(BUILD_SECONDS)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if status is None:
            raise BadArchive(f"the build took more than {BUILD_SECONDS} s")
        if status:
            last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]
            raise BadArchive(f"the build ended with status {status}: {' | '.join(last) or 'it said nothing'}")
        archive.seek(0)
        fresh = folder.with_name(".built")
        shutil.rmtree(fresh, ignore_errors=True)
        unpack_stream(archive, fresh)
    shutil.rmtree(folder)
    fresh.rename(folder)


async def _examined(
    known: Manifest, folder: Path, logs: Path, limits: Deadlines, tell: Callable[[str], None]
) -> list[Finding]:
    """Return what the doctor finds about a bot in the sandbox."""
    logs.mkdir()
    player = manifest.player(known.name, known.run, folder)
    checks = [check for check in CHECKS if not check.slow]
    order = {check.name: place for place, check in enumerate(checks)}
    findings: list[Finding] = []
    with tempfile.TemporaryDirectory(prefix="vinci-") as server:
        async with Host(Path(server)) as host:
            async for each in examine(LocalBot(player, limits, host, logs, sandboxed=True), checks):
                findings.append(Finding(each.check.name, each.verdict, each.text, each.check.docs, each.output))
                tell(f"{len(findings)} of {len(checks)} checks")
    return sorted(findings, key=lambda finding: order[finding.check])


def summary(entrants: list[Entrant]) -> Iterator[str]:
    """Yield a line for each entrant that does not play, with the reason, and one with their numbers."""
    for entrant in entrants:
        if not entrant.plays:
            yield f"{entrant.source} does not play: {entrant.fault}"
    playing = sum(entrant.plays for entrant in entrants)
    yield f"{playing} of {len(entrants)} entrants play."
