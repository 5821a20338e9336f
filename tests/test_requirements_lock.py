"""The packages of `pip install --require-hashes` on servers, for running and building, consistent with pyproject.toml."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from itertools import chain
from typing import Final, NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.support.paths import PROJECT

PYPROJECT: Final = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
UV: Final = tomllib.loads((PROJECT / "uv.lock").read_text(encoding="utf-8"))
PROJECT_TABLE: Final = PYPROJECT["project"]
EXTRAS: Final = PROJECT_TABLE["optional-dependencies"]
WANTED: Final = {
    "requirements.lock": [
        Requirement(text) for text in (*PROJECT_TABLE["dependencies"], *EXTRAS["leagues"], *EXTRAS["web"])
    ],
    "requirements-build.lock": [Requirement(text) for text in PYPROJECT["dependency-groups"]["build"]],
}
FILES: Final = pytest.mark.parametrize("file", WANTED)
SYSTEMS: Final = [
    {"python_full_version": f"{version}.1", "python_version": version, "sys_platform": system, "extra": ""}
    for version in ("3.11", "3.12", "3.13", "3.14")
    for system in ("linux", "darwin", "win32")
]


class Locked(NamedTuple):
    """A package of the lock: its requirement, number of hashes, and the packages that need it."""

    requirement: Requirement
    hashes: set[str]
    needed_by: list[str]


def locked(file: str) -> Iterator[Locked]:
    """Return the packages of a file; those for several versions of Python occur several times."""
    text = (PROJECT / file).read_text(encoding="utf-8")
    for block in re.split(r"\n(?=\S)", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)):
        first, *rest = block.strip().splitlines()
        hashes = [line for line in rest if re.fullmatch(r" +--hash=sha256:[0-9a-f]{64}( \\)?", line)]
        needed_by = re.findall(r"^ +#(?: via)? +(?!via)(\S.*)$", block, re.MULTILINE)
        assert len(hashes) + len([line for line in rest if line.lstrip().startswith("#")]) == len(rest), block
        known = {line.strip(" \\").removeprefix("--hash=") for line in hashes}
        yield Locked(Requirement(first.removesuffix("\\")), known, needed_by)


def locked_for(file: str, system: dict[str, str]) -> dict[str, str]:
    """Return the versions that are installed on a system, by name."""
    every = [one.requirement for one in locked(file)]
    packages = [one for one in every if one.marker is None or one.marker.evaluate(system)]
    names = [canonicalize_name(one.name) for one in packages]
    assert len(names) == len(set(names)), "two versions of a package for one system"
    return {name: str(one.specifier).removeprefix("==") for name, one in zip(names, packages, strict=True)}


@FILES
def test_every_package_has_hashes_and_no_source(file: str) -> None:
    """The lock names no index, file or other detail of the machine on which it was made."""
    assert all(one.hashes and re.fullmatch(r"==[0-9a-z.]+", str(one.requirement.specifier)) for one in locked(file))
    text = (PROJECT / file).read_text(encoding="utf-8")
    assert not re.search(r"index-url|find-links|://|file:|(^|\s)/", text)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: f"{system['sys_platform']}-{system['python_version']}")
@FILES
def test_lock_satisfies_the_requirements_on_every_system(file: str, system: dict[str, str]) -> None:
    """`make lock` makes the lock after a change of pyproject.toml; indirect requirements are in it too."""
    versions = locked_for(file, system)
    for wanted in WANTED[file]:
        assert versions.get(canonicalize_name(wanted.name), "0") in wanted.specifier, f"{wanted}: make lock"
    for name in versions:
        try:
            needs = [Requirement(text) for text in requires(name) or ()]
        except PackageNotFoundError:
            continue  # it is not installed here
        missing = [
            str(one)
            for one in needs
            if (one.marker is None or one.marker.evaluate(system)) and canonicalize_name(one.name) not in versions
        ]
        assert missing == [], f"{name}: make lock"


@FILES
def test_lock_has_no_obsolete_requirement(file: str) -> None:
    """The direct requirements of the lock are those in pyproject.toml."""
    own = {
        canonicalize_name(one.requirement.name)
        for one in locked(file)
        if not one.needed_by or "vinci-server" in one.needed_by  # nothing needs what a group of pyproject.toml names
    }
    assert own <= {canonicalize_name(one.name) for one in WANTED[file]}  # some are needed by others of the group, too


@FILES
def test_all_locks_have_the_same_versions_and_files(file: str) -> None:
    """`make lock` writes the file from uv.lock, which also has what developers need."""
    in_uv = {(package["name"], package["version"]): package for package in UV["package"]}
    for one in locked(file):
        name, version = one.requirement.name, str(one.requirement.specifier).removeprefix("==")
        package = in_uv[name, version]
        files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]
        assert {file["hash"] for file in files} == one.hashes, f"{name}: make lock"


def test_uv_lock_has_the_requirements_of_pyproject() -> None:
    """A change of pyproject.toml, of its version too, needs `make lock`."""
    (own,) = (package for package in UV["package"] if package["name"] == PYPROJECT["project"]["name"])
    assert own["version"] == PYPROJECT["project"]["version"]
    extras = PYPROJECT["project"]["optional-dependencies"]
    wanted = [Requirement(text) for text in (*PYPROJECT["project"]["dependencies"], *chain(*extras.values()))]
    known = {(one["name"], SpecifierSet(one.get("specifier", ""))) for one in own["metadata"]["requires-dist"]}
    assert known == {(canonicalize_name(one.name), one.specifier) for one in wanted}
    assert UV["requires-python"] == PYPROJECT["project"]["requires-python"]
