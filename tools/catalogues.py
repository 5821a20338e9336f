"""Brings the catalogues of texts up to date with the sources; with `--check`, only tells what is missing in them.

Run as `python -m tools.catalogues [--check]` with the development packages installed. Texts are what stands in
`_("…")`, `N_("…")` and `plural("…", "…", n)`, in templates too, the help of commands and options, the catalogues of
refusals and of sentences, and the tutorial. A text that is new is added without translation, one that is gone is
dropped; then the catalogues are sorted by text, without the places of texts, so that moved code does not change them,
and compiled. In French the blanks at punctuation become no-break spaces.
"""

import ast
import inspect
import re
import string
import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from vinci_refusals.wording import texts as refusals
from vinci_words import sentences, tutorial

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "clients" / "vinci_cli"
LOCALE = SOURCES / "locale"
PLAYERS = ROOT / "server" / "vinci_players" / "names.py"
LANGUAGES = ("fr", "nl", "de")
FORMS = {"_": 1, "N_": 1, "plural": 2}
"""The functions of `language`, and how many forms of a text they take."""
WIDTH = 120
CLOSE, OPEN = re.compile(" (?=[:;?!»](?: |$))", re.MULTILINE), re.compile("« ")
"""Blanks before and behind which French breaks no line."""

Text: TypeAlias = str | tuple[str, ...]

OF_CLICK: tuple[Text, ...] = (
    "Aborted!",
    "Options",
    "Commands",
    "Missing command.",
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    "env var: {var}",
    "default: {default}",
    "required",
    "%(prog)s, version %(version)s",
    "Show this message and exit.",
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    "Error: {message}",
    "Try '{command} {option}' for help.",
    "Invalid value: {message}",
    "Invalid value for {param_hint}: {message}",
    "Missing argument",
    "Missing option",
    "No such option {name!r}.",
    "No such option: {name}",
    "No such command {name!r}.",
    "Usage:",
    "Option {name!r} does not take a value.",
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    "{value!r} is not a valid {number_type}.",
    "{value} is not in the range {range}.",
)
"""Texts of click for mistyped commands, which it translates by the same catalogues."""


def texts(path: Path) -> Iterator[Text]:
    """The texts of a source file: of the functions of `language`, and the help of commands and options."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and _called(node) in FORMS:
            forms = tuple(_literal(argument) for argument in node.args[: FORMS[_called(node)]])
            if all(forms):
                yield forms if len(forms) > 1 else forms[0]
        elif isinstance(node, ast.Call) and _called(node).lower().endswith(("option", "flag")):
            yield from filter(None, (_literal(word.value) for word in node.keywords if word.arg == "help"))
        elif isinstance(node, ast.FunctionDef) and any(
            isinstance(one, ast.Call) and _called(one) in ("command", "group") for one in node.decorator_list
        ):
            yield inspect.cleandoc(ast.get_docstring(node, clean=False) or "")


def template_texts(path: Path) -> Iterator[Text]:
    """Yield the texts of a Jinja template."""
    for _line, function, text in extract_from_ast(Environment().parse(path.read_text(encoding="utf-8")), tuple(FORMS)):
        forms = text[: FORMS[function]] if isinstance(text, tuple) else (text,)
        if all(forms):
            yield tuple(map(str, forms)) if len(forms) > 1 else str(forms[0])


def _literal(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _called(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def extracted() -> Catalog:
    """All texts that people are shown."""
    found = Catalog()
    for path in sorted((*SOURCES.rglob("*.py"), *SOURCES.rglob("templates/**/*.html"), PLAYERS)):
        for text in texts(path) if path.suffix == ".py" else template_texts(path):
            found.add(text)
    for text in (*refusals(), *sentences.texts(), *tutorial.texts(), *OF_CLICK):
        found.add(text)
    return found


def po_file(language: str) -> Path:
    """The catalogue of a language as its translators read it."""
    return LOCALE / language / "LC_MESSAGES" / "vinci.po"


def read(language: str) -> Catalog:
    """The catalogue of a language."""
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language, domain="vinci")


def update(template: Catalog) -> None:
    """Write all catalogues, with the texts of the sources, and compile them."""
    for language in LANGUAGES:
        catalogue = read(language)
        catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
        if language == "fr":
            for message in catalogue:
                message.string = tied(text_of(message.string))
        with po_file(language).open("wb") as file:
            write_po(file, catalogue, width=WIDTH, ignore_obsolete=True, no_location=True, sort_output=True)
        po_file(language).with_suffix(".mo").write_bytes(compiled(catalogue))


def compiled(catalogue: Catalog) -> bytes:
    """A catalogue as it is read when the command starts."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def tied(text: Text) -> Text:
    """Return a French text, or its forms, with no-break spaces at the punctuation, which then never begins a line."""
    tied = tuple(OPEN.sub("«\u00a0", CLOSE.sub("\u00a0", form)) for form in _forms(text))
    return tied[0] if isinstance(text, str) else tied


def faults(template: Catalog, language: str) -> Iterator[str]:
    """Yield the faults of the catalogue of a language as sentences."""
    catalogue = read(language)
    known = {text_of(message.id): message for message in catalogue if message.id}
    wanted = {text_of(message.id) for message in template if message.id}
    yield from (f"{text!r} is missing" for text in wanted - known.keys())
    yield from (f"{text!r} is used nowhere" for text in known.keys() - wanted)
    for text, message in known.items():
        if not all(_forms(text_of(message.string))):
            yield f"{text!r} is not translated"
        elif message.fuzzy:
            yield f"{text!r} is fuzzy"
        else:
            yield from _wrong_fields(message)
    path = po_file(language).with_suffix(".mo")
    if not path.exists() or _strings(compiled(catalogue)) != _strings(path.read_bytes()):
        yield f"{path.name} is not made of {path.with_suffix('.po').name}"


def _wrong_fields(message: Message) -> Iterator[str]:
    """Forms of a translation with other fields than those of the text."""
    wanted = [fields(form) for form in _forms(text_of(message.id))]
    for form in _forms(text_of(message.string)):
        if fields(form) not in wanted:
            yield f"{message.id!r} is translated with the fields {sorted(fields(form))}"


def fields(text: str) -> set[str]:
    """The names between braces in a text. Raises ValueError for a brace without its partner."""
    return {name.partition("!")[0] for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def text_of(text: str | Sequence[str] | None) -> Text:
    """Return the id or the translation of a message; its forms as a tuple."""
    return tuple(text) if isinstance(text, list | tuple) else str(text or "")


def _forms(text: Text) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else text


def _strings(data: bytes) -> dict[Text, Text]:
    return {text_of(message.id): text_of(message.string) for message in read_mo(BytesIO(data)) if message.id}


def main() -> int:
    """0 if the catalogues are complete; without `--check` what the sources say is taken into them first."""
    template = extracted()
    if "--check" not in sys.argv[1:]:
        update(template)
    found = [f"{language}: {fault}" for language in LANGUAGES for fault in sorted(faults(template, language))]
    for line in found:
        print(line)
    if found:
        print("`make texts` takes the texts of the sources into clients/vinci_cli/locale/*/LC_MESSAGES/vinci.po")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
