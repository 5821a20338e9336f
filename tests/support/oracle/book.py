"""Data of the rule book for the oracle: boards, traits and table sizes from their CSV files, editions from docs/rules.md."""

import csv
from typing import Final

from tests.support.paths import DOCS, PROJECT

DATA: Final = PROJECT / "server" / "vinci_rules" / "data"


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file below the data folder."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def editions() -> dict[str, dict[str, str]]:
    """Return the value of every option in every edition, from the table of section 12."""
    section = (DOCS / "rules.md").read_text(encoding="utf-8").partition("\n## 12.")[2]
    table = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in section.splitlines() if "|" in line]
    head, _line, *body = table
    return {name: {row[0]: row[place].split()[0] for row in body} for place, name in enumerate(head) if place}


TRAITS: Final = {row["code"]: row for row in rows("traits.csv")}
SIZES: Final = {int(row["seats"]): row for row in rows("tables.csv")}
COSTS: Final = {row["code"]: int(row["cost"]) for row in rows("terrains.csv")}
EDITIONS: Final = editions()


def doubled(traits: list[str]) -> list[str]:
    """Return the traits that take effect: Specialization counts as the other trait again."""
    return [trait for trait in traits if trait != "SPE"] * (2 if "SPE" in traits else 1)


def copies(traits: list[str], effect: str) -> int:
    """Return the number of traits with an effect."""
    return sum(TRAITS[trait]["effect"] == effect for trait in doubled(traits))


def strength(traits: list[str]) -> int:
    """Return the pawns that two traits give (R-DRAFT-4, R-DRAFT-5)."""
    return sum(int(TRAITS[trait]["strength"]) for trait in doubled(traits)) + traits.count("SPE")


def _joined(places: list[set[str]], code: str) -> set[str]:
    """Return all provinces on a coast or sea with this one."""
    return set().union(*(place for place in places if code in place))


class Board:
    """A board by the codes of its provinces, which `order` lists."""

    def __init__(self, name: str) -> None:
        provinces, seas = rows(f"boards/{name}/provinces.csv"), rows(f"boards/{name}/seas.csv")
        self.name = name
        self.order = [row["code"] for row in provinces]
        self.terrain = {row["code"]: row["terrain"] for row in provinces}
        self.marks = {row["code"]: {mark for mark in ("mine", "port") if row[mark]} for row in provinces}
        self.near = {row["code"]: {*row["borders"].split(), *row["straits"].split()} for row in provinces}
        shores = [set(row["provinces"].split()) for row in rows(f"boards/{name}/coasts.csv")]
        self.on_edge = {row["code"] for row in provinces if row["edge"]}
        self.edge_sea = {code for row in seas if row["edge"] for code in row["provinces"].split()}
        self.open_sea = {code for row in seas if not row["inland"] for code in row["provinces"].split()}
        waters: list[set[str]] = []  # provinces on each group of connected seas
        self.edge_waters: set[str] = set()  # provinces on a sea that is connected with one on the edge
        left = {row["code"]: row for row in seas}
        while left:
            group = [left.pop(min(left))]
            for sea in group:
                group += [left.pop(code) for code in sea["links"].split() if code in left]
            touching = {code for sea in group for code in sea["provinces"].split()}
            waters.append(touching)
            if any(sea["edge"] for sea in group):
                self.edge_waters |= touching
        self.on_shore_of = {code: _joined(shores, code) for code in self.order}
        self.by_sea_from = {code: _joined(waters, code) for code in self.order}

    def worth(self, traits: list[str], province: str) -> int:
        """Return the VP that a province scores for an empire with these traits (R-SCORE-1, section 6)."""
        has = {"province", self.terrain[province], *self.marks[province]}
        vp = 0 if self.terrain[province] == "mountain" else 1
        return vp + sum(int(TRAITS[trait]["vp"]) for trait in doubled(traits) if TRAITS[trait]["per"] in has)

    def sorted(self, provinces: set[str]) -> list[str]:
        """Return provinces in board order."""
        return [code for code in self.order if code in provinces]
