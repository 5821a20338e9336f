"""The language that texts are shown in: gettext catalogues, chosen for each session.

`_("text")` and `plural("{n} pawn", "{n} pawns", n)` give the text in the language of the running session: over SSH one
process serves people of several languages, so the choice is bound to the context and not to the process.
"""

import os
from collections.abc import Mapping
from contextvars import ContextVar
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final

from ..exceptions import Misused

LANGUAGES: Final = ("en", "fr", "nl", "de")
OF_PROGRAMS: Final = ("python", "typescript")
"""What `vinci bot new --lang` takes."""
FOLDER: Final = Path(__file__).parents[1] / "locale"
DOMAIN: Final = "vinci"
VARIABLE: Final = "VINCI_LANG"
"""Environment variable: the language, whatever the locale says."""

_chosen: Final[ContextVar[tuple[str, NullTranslations]]] = ContextVar("language", default=("en", NullTranslations()))


def choose(code: str = "", environment: Mapping[str, str] = os.environ) -> None:
    """Show everything in a language from now on in this context. Raises Misused.

    Without a code it is that of VINCI_LANG, or else of the locale; English, where there are no texts for the locale.
    """
    asked = code or environment.get(VARIABLE, "")
    if asked and _of(asked) not in LANGUAGES:
        whose = "--lang" if code else VARIABLE
        raise Misused(_("{option} {given}: languages are en, fr, nl and de").format(option=whose, given=asked))
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    found = _of(asked or locale)
    _chosen.set((found, _texts(found)) if found in LANGUAGES else ("en", _texts("en")))


def _of(locale: str) -> str:
    """The language of a locale such as de_DE.UTF-8."""
    return locale.replace("-", "_").partition("_")[0].partition(".")[0].partition("@")[0].lower()


def _texts(code: str) -> NullTranslations:
    """The catalogue of a language; the English texts are those in the sources."""
    return NullTranslations() if code == "en" else translation(DOMAIN, FOLDER, [code])


def language() -> str:
    """The code of the language of this session."""
    return _chosen.get()[0]


def _(text: str) -> str:
    """A text in the language of this session."""
    return _chosen.get()[1].gettext(text) if text else ""  # gettext gives the head of the catalogue for nothing


def plural(one: str, many: str, number: int, **fields: object) -> str:
    """A text for so many things, in the language of this session; `{n}` is filled in, and what else is given."""
    return _chosen.get()[1].ngettext(one, many, number).format(n=number, **fields)


def titled(word: str) -> str:
    """A word before what is said about it, with a colon as the language has it."""
    return _("{word}: ").format(word=word)


def decimal(number: str) -> str:
    """A number with decimals, as English writes it, as the language does."""
    return number if language() == "en" else number.replace(".", ",")


def untied(text: str) -> str:
    """A text with usual blanks for those at which no line is broken, as prompt-toolkit underlines these."""
    return text.replace("\u00a0", " ")


def N_(text: str) -> str:  # noqa: N802  (the name that gettext has for it)
    """Mark a string for extraction; translate it with `_` when it is displayed."""
    return text
