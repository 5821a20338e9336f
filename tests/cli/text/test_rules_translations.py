"""The French, Dutch and German rules correspond to the English ones, rule by rule and row by row."""

import re

import pytest

from tests.support.cli_runner import vinci
from tests.support.paths import DOCS
from vinci_cli.text import i18n, manual
from vinci_rules.traits import KINDS

ENGLISH = (DOCS / "rules.md").read_text(encoding="utf-8")
TRANSLATED = [code for code in i18n.LANGUAGES if code != "en"]


def document(code: str) -> str:
    """Return the rules in a language."""
    return (DOCS / f"rules.{code}.md").read_text(encoding="utf-8")


def tables(text: str) -> list[list[str]]:
    """Return the rows of tables as trimmed cells."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]


@pytest.mark.parametrize("code", TRANSLATED)
def test_rules_and_references_correspond(code: str) -> None:
    """Ids, headings and references to rules and options are the same."""
    pattern = r"^(?:- (R-[A-Z]+-\d+)|(#+))"
    assert re.findall(pattern, document(code), re.MULTILINE) == re.findall(pattern, ENGLISH, re.MULTILINE)
    english = manual.rules_by_id()
    i18n.choose(code)
    for rule, text in manual.rules_by_id().items():
        for kind in (r"R-[A-Z]+-\d+", r"`[^`]+`"):
            assert sorted(set(re.findall(kind, text))) == sorted(set(re.findall(kind, english[rule]))), rule


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_rule_is_translated(code: str) -> None:
    """No rule is identical with the English one."""
    english = manual.rules_by_id()
    i18n.choose(code)
    assert [rule for rule, text in manual.rules_by_id().items() if text == english[rule]] == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_numbers_correspond(code: str) -> None:
    """The numbers in each rule are the same in all languages."""
    english = manual.rules_by_id()
    i18n.choose(code)
    for rule, text in manual.rules_by_id().items():
        numbers, wanted = (sorted(re.findall(r"\d+", one)) for one in (text, english[rule]))
        assert numbers == wanted, rule


@pytest.mark.parametrize("code", TRANSLATED)
def test_tables_correspond(code: str) -> None:
    """Tables have the same rows, cells, numbers, options and sources of strengths."""
    own, english = tables(document(code)), tables(ENGLISH)
    assert [len(row) for row in own] == [len(row) for row in english]
    for row, wanted in zip(own, english, strict=True):
        for cell, same in zip(row, wanted, strict=True):
            if re.fullmatch(r"\d+|`\w+`|-+|house|review|rules|[a-z]+_[a-z_]+", same):
                assert cell == same


@pytest.mark.parametrize("code", TRANSLATED)
def test_trait_names_match_the_data(code: str) -> None:
    """The rows of section 6 have the names of the data, in the same order."""
    english = [name for name, *_cells in tables(ENGLISH) if name in {kind.names["en"] for kind in KINDS}]
    names = {kind.names["en"]: kind.names[code] for kind in KINDS}
    i18n.choose(code)
    assert list(manual.traits_by_name()) == [names[name] for name in english]


@pytest.mark.parametrize("code", TRANSLATED)
def test_trait_by_translated_or_english_name(code: str) -> None:
    """`vinci rules` accepts both names and the code, and answers in the selected language."""
    weapons = next(kind for kind in KINDS if kind.code == "WEA").names[code]
    output = {vinci("--lang", code, "rules", name) for name in (weapons, "Weapons", "wea", weapons.lower())}
    assert len(output) == 1
    ((status, text),) = output
    assert status == 0
    assert text.startswith(f"{weapons}  ")
    assert "strength" not in text


def test_untranslated_rule_is_shown_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule without a translation is shown in English."""
    rule = "R-CONQ-3"
    english = manual.rules_by_id()[rule]
    i18n.choose("de")
    shortened = {name: text for name, text in manual._rules("de").items() if name != rule}
    monkeypatch.setattr(manual, "_rules", {"de": shortened, "en": manual._rules("en")}.__getitem__)
    assert manual.rule(rule) == f"{rule}  {english}"
