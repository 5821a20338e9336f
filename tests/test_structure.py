"""The structure of the code: sizes of packages, beginnings of docstrings, imports at the top of modules."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import PROJECT

FOLDERS = ("server", "clients", "bots", "tests", "tools", "benchmarks")
FLAT = {Path("server/vinci_rules")}
"""Packages that are meant to be flat: the rules read like the chapters of the rule book."""
MANY, MOST = 15, 8
"""With more modules than this, sub-packages included, a package has at most so many outside of sub-packages."""
UNPLAIN = re.compile(r"(What|How|Where|Who|Whoever|Whose|Which|When)\b")

LAZY = ("clients/vinci_cli/main.py", "clients/vinci_cli/commands/")
"""Modules that may import inside of functions, so that a command loads no other."""
HEAVY = {"zeroconf", "ifaddr", "cryptography"}
"""Libraries that may be imported where a server is announced or searched or has TLS, as most have no need of them."""


def sources(folder: str) -> Iterator[Path]:
    """Yield the sources of a folder that are written by hand, relative to the root."""
    for path in (PROJECT / folder).rglob("*.py"):
        if "_pb2" not in path.name and not {"node_modules", "__pycache__"} & set(path.parts):
            yield path.relative_to(PROJECT)


@pytest.mark.parametrize("folder", ["server", "clients", "bots", "tests/support"])
def test_large_packages_have_sub_packages(folder: str) -> None:
    """A newcomer sees a tree instead of a long list of files."""
    modules: Counter[Path] = Counter()
    direct: Counter[Path] = Counter()
    for path in sources(folder):
        if path.name != "__init__.py":
            direct[path.parent] += 1
            modules.update(path.parents)
    large = {package: direct[package] for package, count in modules.items() if count > MANY and package not in FLAT}
    assert large
    assert not {package: count for package, count in large.items() if count > MOST}


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_begin_with_a_verb_or_a_noun(folder: str) -> None:
    """CONTRIBUTING.md requires "Return ...", "Send ...", or a noun phrase for a value; for descriptions of constants too."""
    unplain = []
    for path in sources(folder):
        for node in ast.walk(ast.parse((PROJECT / path).read_text(encoding="utf-8"))):
            match node:
                case ast.Expr(ast.Constant(str(text))) if UNPLAIN.match(text):
                    unplain.append(f"{path}: {text.splitlines()[0]}")
    assert not unplain


@pytest.mark.parametrize("folder", ["server", "clients", "bots"])
def test_functions_have_no_imports(folder: str) -> None:
    """An import inside a function hides a cycle; only commands import lazily."""
    hidden = []
    for path in sources(folder):
        if str(path).startswith(LAZY):
            continue
        tree = ast.parse((PROJECT / path).read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        for node in {node for function in functions for node in ast.walk(function)}:
            match node:
                case ast.Import(names=[ast.alias(name=module)]) | ast.ImportFrom(module=str(module)):
                    if module.partition(".")[0] not in HEAVY:
                        hidden.append(f"{path}:{node.lineno}: {module}")
                case ast.Import() | ast.ImportFrom():
                    hidden.append(f"{path}:{node.lineno}")
    assert not hidden
