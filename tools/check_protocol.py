"""Checks the tables of docs/protocol.md: every call, every reason with its status, every violation with rule and facts,
every rate with its default.

Run as `python -m tools.check_protocol`. Wording is not checked, only that nothing is missing, left over or different.
"""

import re
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

from vinci.v1 import admin_pb2, analysis_pb2, bot_pb2, lobby_pb2, match_pb2
from vinci_refusals.catalogue import REASONS
from vinci_rules.violations import Violation
from vinci_server.limits import USUAL

PAGE = Path(__file__).parents[1] / "docs" / "protocol.md"


def table(heading: str) -> dict[str, list[str]]:
    """The rows of the table with this first heading: what stands in backticks at the beginning, and the other cells."""
    text = PAGE.read_text(encoding="utf-8")
    rows = text.partition(f"\n| {heading} |")[2].partition("\n\n")[0].splitlines()[1:]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]
    return {first.strip("`"): others for first, *others in cells if first.startswith("`")}


def calls() -> dict[str, list[str]]:
    """The calls of all services."""
    files = (lobby_pb2, match_pb2, bot_pb2, admin_pb2, analysis_pb2)
    services: list[Any] = [service for file in files for service in file.DESCRIPTOR.services_by_name.values()]
    return {method.name: [] for service in services for method in service.methods}


def reasons() -> dict[str, list[str]]:
    """The reasons and their status."""
    return {name: [reason.status] for name, reason in REASONS.items()}


def violations() -> dict[str, list[str]]:
    """The violations with their rule and facts. An empty rule: it depends on the action."""
    return {
        kind.__name__: [
            getattr(kind, "rule", "") if "rule" not in (names := [field.name for field in fields(kind)]) else "",
            " ".join(f"`{name}`" for name in names if name != "rule"),
        ]
        for kind in get_args(Violation)
    }


def rates() -> dict[str, list[str]]:
    """The limits of what one host may do."""
    return {name: [str(number)] for name, number in USUAL.by_name().items()}


def differences(heading: str, wanted: Mapping[str, list[str]]) -> list[str]:
    """What is wrong in the table with this first heading."""
    rows = table(heading)
    found = [f"{name} is not in the table of each {heading}" for name in wanted if name not in rows]
    found += [f"{name} is in the table of each {heading}, but does not exist" for name in rows if name not in wanted]
    for name, cells in wanted.items():
        for cell, told in zip(cells, rows.get(name, cells), strict=False):
            if cell != told and (cell or not re.fullmatch(r"R-[A-Z]+-\d+(, R-[A-Z]+-\d+)+", told)):
                found.append(f"{name}: the table says {told or 'nothing'}, the code {cell or 'nothing'}")
    return found


def main() -> int:
    """0 if the tables say what the code says."""
    found = differences("call", calls()) + differences("reason", reasons())
    found += differences("violation", violations()) + differences("name", rates())
    for fault in found:
        print(f"docs/protocol.md: {fault}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
