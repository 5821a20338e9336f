"""The language of texts: gettext catalogues, chosen for each session.

`_("text")` and `plural("{n} pawn", "{n} pawns", n)` give the text in the language of the running session: over SSH one
process serves people of several languages, so the choice is bound to the context and not to the process.
"""

import os
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final

from ..exceptions import Misused

LANGUAGES: Final = ("en", "fr", "nl", "de")
OF_PROGRAMS: Final = ("python", "typescript")
"""Programming languages that `vinci bot new --lang` takes."""
FOLDER: Final = Path(__file__).parents[1] / "locale"
DOMAIN: Final = "vinci"
VARIABLE: Final = "VINCI_LANG"
"""Environment variable: the language, in place of that of the locale."""


@dataclass(slots=True)
class _Language:
    """A language: its code and its texts."""

    code: str
    texts: NullTranslations


_ENGLISH: Final = _Language("en", NullTranslations())
_chosen: Final[ContextVar[_Language]] = ContextVar("language", default=_ENGLISH)


def choose(code: str = "", environment: Mapping[str, str] = os.environ, setting: str = "") -> None:
    """Use a language in this context: as given, else that of VINCI_LANG, as set, the locale, or English.

    Raises Misused.
    """
    asked = code or environment.get(VARIABLE, "")
    if asked and _of(asked) not in LANGUAGES:
        whose = "--lang" if code else VARIABLE
        raise Misused(_("{option} {given}: languages are en, fr, nl and de").format(option=whose, given=asked))
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    chosen = _of(asked or setting or locale)
    chosen = chosen if chosen in LANGUAGES else "en"
    _chosen.set(_Language(chosen, _texts(chosen)))


def switch(code: str) -> None:
    """Change the language wherever the one that was chosen last is used, such as in tasks that run already.

    An empty code is that of VINCI_LANG, the locale, or English.
    """
    changed = _chosen.get()
    choose(code)
    changed.code, changed.texts = language(), _texts(language())
    _chosen.set(changed)


def reword(words: Mapping[str, str]) -> None:
    """Use English in this context, with other words for some of its texts."""
    _chosen.set(_Language("en", _Reworded(words)))


class _Reworded(NullTranslations):
    """English with other words for some texts."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__()
        self._words: Final = words

    def gettext(self, message: str) -> str:
        return self._words.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def _of(locale: str) -> str:
    """Return the language of a locale such as de_DE.UTF-8."""
    return locale.replace("-", "_").partition("_")[0].partition(".")[0].partition("@")[0].lower()


def _texts(code: str) -> NullTranslations:
    """Return the catalogue of a language; English texts are those of the sources."""
    return NullTranslations() if code == "en" else translation(DOMAIN, FOLDER, [code])


def language() -> str:
    """Return the code of the language of this session."""
    return _chosen.get().code


def _(text: str) -> str:
    """Translate a text into the language of this session."""
    return _chosen.get().texts.gettext(text) if text else ""  # gettext gives the head of the catalogue for nothing


def form_of(one: str, many: str, number: int) -> str:
    """Translate a text with a number, in the form for it."""
    return _chosen.get().texts.ngettext(one, many, number)


def plural(one: str, many: str, number: int, **fields: object) -> str:
    """Translate a text with a number and fill in `{n}` and the other fields."""
    return form_of(one, many, number).format(n=number, **fields)


def titled(word: str) -> str:
    """Return a word with a colon, set as the language does."""
    return _("{word}: ").format(word=word)


def decimal(number: str) -> str:
    """Write a number with the decimal separator of the language."""
    return number if language() == "en" else number.replace(".", ",")


def untied(text: str) -> str:
    """Replace no-break spaces, since prompt-toolkit underlines them."""
    return text.replace("\u00a0", " ")


def N_(text: str) -> str:  # noqa: N802  (the name in gettext)
    """Mark a string for extraction; translate it with `_` when it is displayed."""
    return text
