"""Reader of the tables in `data/`: CSV files, each described by a Table Schema in `data/schemas/`.

Cells are validated against the schema (https://datapackage.org/standard/table-schema/); errors name file, line and
column. Lines that start with `#` are comments; the first line of each table states its source.
"""

import csv
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, final

DATA: Final = files("vinci_rules") / "data"
LANGUAGES: Final = ("en", "fr", "nl", "de")


class DataError(ValueError):
    """A table does not match its schema; the message names file, line, column, the cell and what the schema allows."""


@final
class TableRow:
    """A line of a table, with cells converted to the types of the schema."""

    def __init__(self, where: str, cells: dict[str, Any]) -> None:
        self.where: Final = where
        self._cells: Final = cells

    def text(self, column: str) -> str:
        """Return a cell of type string."""
        return str(self._cells[column])

    def number(self, column: str) -> int:
        """Return a cell of type integer; 0 if it is empty."""
        return int(self._cells[column])

    def flag(self, column: str) -> bool:
        """Return a cell of type boolean."""
        return bool(self._cells[column])

    def words(self, column: str) -> tuple[str, ...]:
        """Return a cell of type list."""
        return tuple(self._cells[column])

    def names(self) -> dict[str, str]:
        """Return the name by language."""
        return {language: self.text(language) for language in LANGUAGES}

    def object_names(self) -> dict[str, str]:
        """Return the name by language as the object of a verb, with its article: `l'Irlande`."""
        articles = ((language, self.text(f"{language}_article")) for language in LANGUAGES)
        joined = ((language, f"{article} " if article[-1:].isalpha() else article) for language, article in articles)
        return {language: article + self.text(language) for language, article in joined}

    def descriptions(self) -> dict[str, str]:
        """Return the description by language; empty if there is none."""
        texts = {language: self.text(f"{language}_text") for language in LANGUAGES}
        return {language: text for language, text in texts.items() if text}

    def fault(self, column: str, reason: str) -> DataError:
        """Return the error to raise for a cell of this line."""
        return DataError(f"{self.where}, column {column}: {reason}")


def read(table: Traversable, schema: str) -> list[TableRow]:
    """Return the rows of a table, validated against `data/schemas/<schema>.json`. Raises DataError."""
    return list(_rows(table, _fields(schema)))


@final
class LocalizedText:
    """Code, names and descriptions of a board, a region, an edition or a source of VP or costs, by language."""

    def __init__(self, row: TableRow) -> None:
        self.code: Final = row.text("code")
        self.names: Final = row.names()
        self.descriptions: Final = row.descriptions()


def read_texts(table: Traversable, kind: str) -> dict[str, LocalizedText]:
    """Return the texts of a kind, such as `region`, by code. Raises DataError."""
    return {row.text("code"): LocalizedText(row) for row in read(table, "texts") if row.text("kind") == kind}


@cache
def _fields(schema: str) -> dict[str, dict[str, Any]]:
    text = (DATA / "schemas" / f"{schema}.json").read_text(encoding="utf-8")
    return {field["name"]: field for field in json.loads(text)["fields"]}


def _rows(table: Traversable, fields: dict[str, dict[str, Any]]) -> Iterator[TableRow]:
    lines = table.read_text(encoding="utf-8").splitlines()
    first = next((n for n, line in enumerate(lines) if line and not line.startswith("#")), len(lines))
    reader = csv.reader(lines[first:])
    header = next(reader, [])
    if header != list(fields):
        raise DataError(f"{table.name} line {first + 1}: columns are {header}, the schema wants {list(fields)}")
    seen: set[tuple[str, str]] = set()
    for cells in reader:
        where = f"{table.name} line {first + reader.line_num}"
        if len(cells) != len(header):
            raise DataError(f"{where}: {len(cells)} cells, the header has {len(header)}")
        row = TableRow(
            where, {name: _convert(where, fields[name], cell) for name, cell in zip(header, cells, strict=True)}
        )
        for name, cell in zip(header, cells, strict=True):
            if fields[name].get("constraints", {}).get("unique"):
                if (name, cell) in seen:
                    raise row.fault(name, f"{cell!r} is also in an earlier line")
                seen.add((name, cell))
        yield row


def _convert(where: str, field: dict[str, Any], cell: str) -> Any:
    def fault(wanted: str) -> DataError:
        return DataError(f"{where}, column {field['name']}: {cell!r} is not {wanted}")

    constraints = field.get("constraints", {})
    if not cell and constraints.get("required"):
        raise fault(f"allowed here: {field['description']}")
    match field["type"]:
        case "boolean":
            if cell not in field["trueValues"] + field["falseValues"]:
                raise fault(f"one of {field['trueValues'] + field['falseValues']}")
            return cell in field["trueValues"]
        case "list":
            return cell.split()
        case "integer":
            if not cell:
                return 0
            if not re.fullmatch(r"\d+", cell):
                raise fault("a whole number")
            if not constraints.get("minimum", 0) <= int(cell) <= constraints.get("maximum", 10**6):
                raise fault(f"between {constraints.get('minimum', 0)} and {constraints.get('maximum', 10**6)}")
            return int(cell)
    if cell and "enum" in constraints and cell not in constraints["enum"]:
        raise fault(f"one of {', '.join(constraints['enum'])}")
    if cell and "pattern" in constraints and not re.fullmatch(constraints["pattern"], cell):
        raise fault(f"of the form {constraints['pattern']}")
    return cell
