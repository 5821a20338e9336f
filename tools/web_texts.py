"""Keeps the translations of the browser client; with `--check`, only tells what is missing in them.

Run as `python -m tools.web_texts [--check]`. Texts are the literals in `t("…")`, `mark("…")` and `plural("…", "…", n)`
of clients/web/src, and those of the sentences that all clients have. A text that the terminal client has, too, is
translated as there; other ones are translated in clients/web/src/i18n/{fr,nl,de}.json, to which new texts are added
with an empty translation; those that are gone are dropped. The catalogue of sentences is written into
clients/web/src/i18n/sentences.json, the refusals of the server into clients/web/src/i18n/refusals, and each with sample
facts into clients/web/tests/refusals.json, with which the page's wording is compared; levels and characters
of computer players into clients/web/src/i18n/players.json, the traits and editions by which the page checks draws
into clients/web/src/draws/rules.json, and the tutorial, translated, into clients/web/src/tutorial/lessons.
"""

import json
import re
import string
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from babel.messages.pofile import read_po

from vinci_players.names import CHARACTERS, LEVELS
from vinci_refusals.catalogue import AT_POSITION, FORMS, NOT_STARTED_IN_TIME, OR, PHRASES, REASONS
from vinci_refusals.wording import sentence
from vinci_rules import ENGINE_VERSION
from vinci_rules.editions import EDITIONS, option_kinds
from vinci_rules.traits import KINDS
from vinci_words import sentences, tutorial

from .catalogues import CLOSE, LANGUAGES, LOCALE, OPEN, ROOT

SOURCES = ROOT / "clients" / "web" / "src"
TEXTS = SOURCES / "i18n"
REFUSALS = TEXTS / "refusals"
RULES = SOURCES / "draws" / "rules.json"
SENTENCES = TEXTS / "sentences.json"
PLAYERS = TEXTS / "players.json"
LESSONS = SOURCES / "tutorial" / "lessons"
OF_TERMINAL: Final = ("conquered_shortly", "substituted")
"""Beginnings of the ids of sentences that only the terminal says."""
SAMPLES = ROOT / "clients" / "web" / "tests" / "refusals.json"
STRING = r'"((?:[^"\\]|\\.)*)"'
ONE = re.compile(rf"\b(?:t|mark)\(\s*{STRING}")
MANY = re.compile(rf"\bplural\(\s*{STRING},\s*{STRING}")
CALL = re.compile(r"(?<!function )\b(?:t|mark|plural)\(")
FIELD = re.compile(r"\{\w+\}")

Text: TypeAlias = str | tuple[str, str]
Translations: TypeAlias = dict[str, str | list[str]]


def sources() -> Iterator[Path]:
    """Yield the sources that have texts."""
    for path in sorted(SOURCES.rglob("*.ts*")):
        if SOURCES / "gen" not in path.parents:
            yield path


def texts() -> tuple[set[Text], list[str]]:
    """Return all texts of the sources, and complaints about calls without a literal."""
    forms = [form for forms in catalogue().values() for form in forms]
    found: set[Text] = {(form["text"], form["many"]) if "many" in form else form["text"] for form in forms}
    found.update(form["ahead"] for form in forms if "ahead" in form)
    found.update(text for texts in players()["levels"].values() for text in texts.values())
    found.update(players()["characters"].values())
    complaints = []
    for path in sources():
        code = re.sub(r"^ *(?:\*|//|/\*\*).*", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        singles = [_read(text) for text in ONE.findall(code)]
        plurals = [(_read(one), _read(many)) for one, many in MANY.findall(code)]
        found.update(singles, plurals)
        if len(CALL.findall(code)) != len(singles) + len(plurals):
            complaints.append(f"{path.relative_to(ROOT)}: t, mark and plural need literals in double quotes")
    return found, complaints


def shared(language: str) -> Mapping[Text, str | list[str]]:
    """Return the translations of the terminal client."""
    with (LOCALE / language / "LC_MESSAGES" / "vinci.po").open("rb") as file:
        catalogue = read_po(file)
    return {
        message.id if isinstance(message.id, str) else (message.id[0], message.id[1]): (
            message.string if isinstance(message.string, str) else list(message.string)
        )
        for message in catalogue
        if message.id and message.string and all(message.string)
    }


def fresh(language: str, found: Iterable[Text]) -> Translations:
    """Return all translations as they should be in the file of a language."""
    kept: Translations = json.loads((TEXTS / f"{language}.json").read_text(encoding="utf-8"))
    terminal = shared(language)
    translations: Translations = {}
    for text in sorted(found, key=_key):
        own = kept.get(_key(text), "" if isinstance(text, str) else ["", ""])
        translations[_key(text)] = terminal.get(text) or _tied(language, own)
    return translations


def problems(language: str, found: Iterable[Text], translations: Translations) -> list[str]:
    """Return what is missing in the translations of a language or has other fields than the text."""
    result = []
    for text in sorted(found, key=_key):
        translated = translations[_key(text)]
        originals = [text] if isinstance(text, str) else list(text)
        forms = [translated] if isinstance(translated, str) else translated
        if len(originals) != len(forms) or not all(forms):
            result.append(f"{language}.json: {_key(text)!r} is not translated")
        elif any(set(FIELD.findall(form)) not in [set(FIELD.findall(one)) for one in originals] for form in forms):
            result.append(f"{language}.json: {_key(text)!r} has other fields than its translation")
    return result


def refusals(translate: Callable[[str], str]) -> dict[str, object]:
    """Return the sentences of all refusals that a server sends, translated."""
    return {
        "reasons": {
            name: {which: translate(text) for which, text in reason.texts.items()}
            for name, reason in REASONS.items()
            if reason.status and reason.texts
        },
        "phrases": {phrase: translate(phrase) for phrase in PHRASES},
        "or": translate(OR),
        "place": translate(AT_POSITION),
    }


def samples() -> list[dict[str, object]]:
    """Return reasons with facts, and the sentence of each in English: every sentence, and each way to choose one."""
    values = {"near": "ALP POM", "form": FORMS["take"], "ended": NOT_STARTED_IN_TIME}
    found = []
    for name, reason in REASONS.items():
        for which, text in reason.texts.items() if reason.status else ():
            fields = sorted({field.partition("!")[0] for _, field, _, _ in string.Formatter().parse(text) if field})
            found.append((name, {"which": which} | {field: values.get(field, f"{field} 1") for field in fields}))
    found += [("BAD_ACTION", {"which": "PAWNS", "text": text}) for text in ("it's", """it's "x\"""", "a\\b", "{text}")]
    found += [
        ("NO_ACCESS", {"needs": "password"}),
        ("RATE_LIMITED", {"limit": "chat_lines_per_minute", "number": "120", "retry_after": "0.500"}),
        ("BAD_POSITION", {"which": "LONG", "most": "4096", "place": "2"}),
        ("MATCH_ENDED", {"ended": "constructor"}),
        ("BAD_CHAT", {"limit": "unknown", "most": "9"}),
        ("BAD_CHAT", {}),
        ("NONCES_DUE", {"which": "LATER", "seats": "2"}),
        ("ILLEGAL_ACTION", {"rule": "R-CONQ-1"}),
        ("LATER", {}),
        ("constructor", {}),
    ]
    return [{"reason": reason, "facts": facts, "text": sentence(reason, facts)} for reason, facts in found]


def rules() -> dict[str, object]:
    """Return the copies of each trait by deck, and the options of each edition that matter for draws."""
    kinds = {kind.name: kind for kind in option_kinds()}
    options = ("deck", "identical_pair")
    return {
        "engine": ENGINE_VERSION,
        "decks": {deck: {kind.code: kind.in_deck[deck] for kind in KINDS} for deck in kinds["deck"].values},
        "editions": {edition: {name: kinds[name].by_edition[edition] for name in options} for edition in EDITIONS},
    }


def catalogue() -> dict[str, list[dict[str, Any]]]:
    """Return the sentences that the page says, with names as in its messages: `byMedicine` for `by_medicine`."""
    return {
        _camel(name): [_form(form) for form in forms if form.text]
        for name, forms in sentences.sentences().items()
        if not name.startswith(OF_TERMINAL)
    }


def _form(form: sentences.Form) -> dict[str, Any]:
    arguments = {field: [*map(_camel, (kind, *facts))] for field, (kind, facts) in form.arguments.items()}
    conditions = [[_camel(fact), wanted] for fact, wanted in form.conditions]
    texts = {"text": form.text, "many": form.many, "ahead": form.ahead}
    parts = {"slot": form.slot, "if": conditions, **texts, "arguments": arguments}
    return {part: content for part, content in parts.items() if content}


def players() -> dict[str, dict[str, Any]]:
    """Return title and description of each level, and the name of each character."""
    return {
        "levels": {level: {"title": title, "about": about} for level, (title, about) in LEVELS.items()},
        "characters": {name: title for name, (title, _about) in CHARACTERS.items()},
    }


def lessons(translate: Callable[[str], str]) -> dict[str, object]:
    """Return the tutorial as the page says it, and the hints for a first game, translated."""
    whole = tutorial.tutorial()
    steps = [
        {
            "title": translate(step.title),
            "text": " ".join(map(translate, tutorial.parts(step.text, "page"))),
            "hint": " ".join(map(translate, tutorial.parts(step.hint, "page"))),
            "wants": step.wants,
            "withWord": step.with_word,
            "times": step.times,
            "also": step.also,
            "province": step.province,
        }
        for step in whole.steps
    ]
    hints = {name: translate(text) for name, text in whole.hints.items()}
    match = {"seat": whole.seat, "seed": whole.seed, "position": whole.position}
    return {**match, "always": whole.always, "steps": steps, "hints": hints}


def outputs(found: Iterable[Text]) -> Iterator[tuple[Path, object]]:
    """Yield each file that is kept, and what it should contain."""
    for language in LANGUAGES:
        terminal = shared(language)
        yield TEXTS / f"{language}.json", fresh(language, found)
        yield REFUSALS / f"{language}.json", refusals(partial(_translated, terminal))
        yield LESSONS / f"{language}.json", lessons(partial(_translated, terminal))
    yield LESSONS / "en.json", lessons(str)
    yield SENTENCES, catalogue()
    yield PLAYERS, players()
    yield RULES, rules()
    yield SAMPLES, {"english": refusals(str), "samples": samples()}


def _translated(terminal: Mapping[Text, str | list[str]], text: str) -> str:
    return str(terminal.get(text, text))


def _camel(name: str) -> str:
    first, *words = name.split("_")
    return first + "".join(map(str.capitalize, words))


def _read(literal: str) -> str:
    """Return the text of a literal."""
    text: str = json.loads(f'"{literal}"')
    return text


def _key(text: Text) -> str:
    return text if isinstance(text, str) else text[0]


def _tied(language: str, forms: str | list[str]) -> str | list[str]:
    """Return a translation with the no-break spaces of French."""
    if language != "fr":
        return forms
    return _french(forms) if isinstance(forms, str) else [_french(form) for form in forms]


def _french(text: str) -> str:
    return OPEN.sub("«\u00a0", CLOSE.sub("\u00a0", text))


def main() -> int:
    """0 if every text is translated and the files are, or now are, up to date."""
    is_check = "--check" in sys.argv[1:]
    found, complaints = texts()
    for path, content in outputs(found):
        written = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != written:
            if is_check:
                complaints.append(f"{path.relative_to(ROOT)} is not up to date; run `make web`")
            else:
                path.write_text(written, encoding="utf-8")
    for language in LANGUAGES:
        complaints += problems(language, found, fresh(language, found))
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
