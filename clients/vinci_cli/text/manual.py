"""Help at a table, and the rules by id or trait, from docs/rules.md."""

import re
import textwrap
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from .i18n import _, language


def help_lines(*, is_spectator: bool) -> list[str]:
    """Return the help at a table. The words to type are the same in every language."""
    if is_spectator:
        return _(
            """\
You look on. board, scores, market, clock and rules show the table.
say TEXT talks to the others who look on.  quit ends it.
"""
        ).splitlines()
    return _(
        """\
Play by typing an action; Tab completes what is legal.
  take 3               choose the civilization in slot III
  x ALP                conquer the Alps      x ALP spy    by Spies, for 2
  hold                 end your conquests, evenly defended
  hold ALP=3 PYR=2     the same, placed by you   hold ALP=3 PYR=2 fort ALP
  abandon ALP          leave a province, before the first conquest
  peace 2              Diplomacy: peace with seat 2
  decline              decline your empire   stay         do not (Renaissance)
  redeploy ALP=1       place survivors
  x ALP; x PYR; hold   several at once
Provinces by code or name, in any language, also shortened: x poland, x massif.
Look around: board, scores, market, legal.  why x ALP explains a cost.
suggest proposes an action, ok plays it.  rules R-CONQ-3, rules Weapons: rules.
undo takes back your last action.  clock tells what is left.  say TEXT talks.
pause, resume, substitute 2 propose it to the others, or agree to it.
back takes your seat back from a substitute.  handover: go on elsewhere.
give 2: the host gives the seat of somebody who is gone to another player.
quit leaves, and the game waits for you.  resign leaves it for good.
"""
    ).splitlines()


OF_SOURCES: Final = re.compile(
    r" \((?:house|maison|huisregel|Hausregel)\)"
    r"|, (?:house|maison|huisregel|Hausregel)(?=\))"
    r"| \((?:WEB|DE (?:and|et|en|und) WEB)\b[^()]*\.\)"
)
"""Notes on the sources of rules: that a rule is our own, and where the documents contradict themselves."""
OF_OPTIONS: Final = re.compile(r" (?:Options?|Opties?|Optionen)\u00a0?: ([^:]+)\.$")
"""The options that change a rule, at its end."""
LINK: Final = re.compile(r"\[([^]]+)\]\([^)]+\)")
"""A link in Markdown."""


ALIKE: Final = 0.7
"""Least likeness of a name that is proposed in place of an unknown one."""


class UnknownRule(ValueError):
    """Unknown rule or trait; the text lists the known ones."""


@cache
def _document(code: str) -> str:
    """Read the rules in a language, from the installed package or the checkout, without the addresses of links."""
    name = "rules.md" if code == "en" else f"rules.{code}.md"
    packaged = files("vinci_cli") / name
    place = packaged if packaged.is_file() else Path(__file__).parents[3] / "docs" / name
    return LINK.sub(r"\1", place.read_text(encoding="utf-8"))


def rules_document() -> str:
    """Return docs/rules.md in the language of the session, without what is for contributors."""
    return _document(language()).partition("\n<!--")[0]


def _without_notes(text: str) -> str:
    """Return a rule without the notes on its sources, which the whole document explains."""
    return OF_SOURCES.sub("", text)


@cache
def _rules(code: str) -> dict[str, str]:
    matches = re.finditer(r"^- (R-[A-Z]+-\d+) (.*?)(?=^- R-|^#|^\||^$|\Z)", _document(code), re.MULTILINE | re.DOTALL)
    return {rule[1]: _without_notes(re.sub("[ \n]+", " ", rule[2]).strip()) for rule in matches}


def rules_by_id() -> dict[str, str]:
    """Return the text of every rule by its id; in English where it is not translated."""
    return _rules("en") | _rules(language())


@cache
def _traits(code: str) -> dict[str, tuple[str, str, str]]:
    """Return strength, source and effect of every trait by its name, from the table of section 6."""
    table = _document(code).partition("\n## 6. ")[2].partition("\n## ")[0].partition("|---|")[2]
    rows = re.findall(r"^\| (\w+) \| ([^|]+) \| (\w+) \| ([^|]+) \|$", table, re.MULTILINE)
    return {name: (strength, source, effect.strip()) for name, strength, source, effect in rows}


def traits_by_name() -> dict[str, str]:
    """Return strength and effect of every trait by its name, in the language of the session."""
    text = _("strength {strength}. {effect}")
    return {
        name: text.format(strength=strength, effect=_without_notes(effect))
        for name, (strength, _source, effect) in _traits(language()).items()
    }


def rule(name: str) -> str:
    """Return a rule, a group of rules such as R-CONQ, or a trait. Raises UnknownRule."""
    wanted = name.strip().upper()
    rules = rules_by_id()
    group = [wanted] if wanted in rules else [rule for rule in rules if rule.startswith(f"{wanted.rstrip('-')}-")]
    if wanted and group:
        return "\n\n".join(f"{rule}  {rules[rule]}" for rule in group)
    kind = wanted.removeprefix("LASTING ").rstrip("*")
    for english, (trait, text) in zip(_traits("en"), traits_by_name().items(), strict=True):
        if kind in (english.upper(), english[:3].upper(), trait.upper()):
            mentioned = [rule for rule in re.findall(r"R-[A-Z]+-\d+", text) if rule in rules]
            return "\n\n".join([f"{trait}  {text}", *(f"{rule}  {rules[rule]}" for rule in mentioned)])
    groups = dict.fromkeys(rule.rpartition("-")[0] for rule in rules)
    alike = _alike(wanted, rules, groups)
    text = (
        _(
            "no rule or trait {name!r}. Did you mean {alike}? "
            "Rules: {groups} (vinci rules R-CONQ, vinci rules R-CONQ-3). Traits: {traits}"
        )
        if alike
        else _(
            "no rule or trait {name!r}. Rules: {groups} (vinci rules R-CONQ, vinci rules R-CONQ-3). Traits: {traits}"
        )
    )
    fields = {"groups": ", ".join(groups), "traits": ", ".join(traits_by_name())}
    raise UnknownRule(text.format(name=name, alike=alike, **fields))


def _alike(wanted: str, rules: Iterable[str], groups: Iterable[str]) -> str:
    """Return the known name that is most like a name in capitals, empty if none is.

    A rule is sought in the group that is most like its own, since numbers make rules of other groups alike as a whole.
    """
    bare = wanted.removeprefix("R-")
    near = get_close_matches(f"R-{bare.partition('-')[0]}", groups, n=1, cutoff=ALIKE)
    others = {name.upper(): name for name in [*groups, *traits_by_name(), *_traits("en")]}
    named = {rule: rule for rule in rules if rule.rpartition("-")[0] in near} if "-" in bare else others
    alike = get_close_matches(wanted, named, n=1, cutoff=ALIKE)
    return named[alike[0]] if alike else "".join(near)


def wrapped(text: str, width: int) -> list[str]:
    """Break a text into lines between words."""
    return [line for paragraph in text.splitlines() for line in textwrap.wrap(paragraph, width) or [""]]


def rule_text(name: str) -> str:
    """Return a rule as `rule` does, or the error for an unknown name."""
    try:
        return rule(name)
    except UnknownRule as error:
        return str(error)
