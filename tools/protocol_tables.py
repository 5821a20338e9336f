"""Writes the tables of reasons and violations in docs/errors.md; checks those of calls and rates in other pages.

Run as `python -m tools.protocol_tables [--check]`; with `--check` nothing is written, only compared. Of calls
(docs/protocol-reference.md) only the names are checked, of rates (docs/limits.md) the defaults.
"""

import inspect
import re
import string
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, get_args

from tools.generated import keep
from vinci.v1 import admin_pb2, analysis_pb2, bot_pb2, lobby_pb2, match_pb2, person_pb2
from vinci_refusals.catalogue import REASONS
from vinci_rules.violations import Violation
from vinci_server.limits import USUAL

DOCS = Path(__file__).parents[1] / "docs"
ERRORS = DOCS / "errors.md"


def rows(text: str, heading: str) -> dict[str, list[str]]:
    """The rows of the table with this first heading: what stands in backticks at the beginning, and the other cells."""
    lines = text.partition(f"\n| {heading} |")[2].partition("\n\n")[0].splitlines()[1:]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return {first.strip("`"): others for first, *others in cells if first.startswith("`")}


def with_table(text: str, heading: str, lines: Iterator[str]) -> str:
    """The page with the rows of the table with this first heading replaced."""
    before, headings, rest = re.split(rf"(\n\| {heading} \|.*\n\|[-|]+\n)", text, maxsplit=1)
    return (
        before
        + headings
        + "".join(f"{line}\n".replace("|  |", "| |") for line in lines)
        + "\n"
        + rest.partition("\n\n")[2]
    )


def reasons() -> Iterator[str]:
    """A row for each sentence that a server can refuse with."""
    for name, (status, texts, _retry) in REASONS.items():
        if status:
            for variant, text in (texts or {"": "the action breaks a rule; see [Broken rules](#broken-rules)"}).items():
                yield f"| `{name}` | {status} | {fact(variant)} | {plain(text)} |"


def fact(variant: str) -> str:
    """The fact that tells the variant."""
    name = "which" if variant.isupper() else "needs" if variant in REASONS["NO_ACCESS"].texts else "limit"
    return f"`{name}={variant}`" if variant else ""


def plain(text: str) -> str:
    """A sentence as a cell of a table, with the names of facts in braces."""
    parts = string.Formatter().parse(text)
    return "".join(before + (f"{{{name}}}" if name else "") for before, name, _, _ in parts).replace("|", r"\|")


def violations(text: str) -> Iterator[str]:
    """A row for each violation. Where its rule depends on the action, the page keeps the rules that it names."""
    page = rows(text, "violation")
    for kind in get_args(Violation):
        names = [field.name for field in fields(kind)]
        rule = page.get(kind.__name__, ["?"])[0] if "rule" in names else kind.rule
        facts = " ".join(f"`{name}`" for name in names if name != "rule")
        yield f"| `{kind.__name__}` | {rule} | {facts} | {' '.join((inspect.getdoc(kind) or '').split())} |"


def calls() -> dict[str, list[str]]:
    """The calls of all services."""
    files = (lobby_pb2, match_pb2, person_pb2, bot_pb2, admin_pb2, analysis_pb2)
    services: list[Any] = [service for file in files for service in file.DESCRIPTOR.services_by_name.values()]
    return {method.name: [] for service in services for method in service.methods}


def rates() -> dict[str, list[str]]:
    """The limits of what one host may do."""
    return {name: [str(number)] for name, number in asdict(USUAL).items()}


def differences(text: str, heading: str, wanted: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield the faults of the table with this first heading."""
    found = rows(text, heading)
    yield from (f"{name} is missing in the table of each {heading}" for name in wanted.keys() - found.keys())
    yield from (f"{name} in the table of each {heading} does not exist" for name in found.keys() - wanted.keys())
    for name in wanted.keys() & found.keys():
        if wanted[name] != found[name][: len(wanted[name])]:
            yield f"{name}: the table says {found[name]}, the code {wanted[name]}"


def main() -> int:
    """0 if the tables say, or now say, what the code says."""
    checked = [("protocol-reference.md", "call", calls()), ("limits.md", "name", rates())]
    faults = [
        f"docs/{page}: {fault}"
        for page, heading, wanted in checked
        for fault in sorted(differences((DOCS / page).read_text(encoding="utf-8"), heading, wanted))
    ]
    for fault in faults:
        print(fault)
    errors = ERRORS.read_text(encoding="utf-8")
    fresh = with_table(with_table(errors, "reason", reasons()), "violation", violations(errors))
    return keep(ERRORS, fresh, "has other reasons or violations than the code") or bool(faults)


if __name__ == "__main__":
    sys.exit(main())
