"""The language that texts are shown in: gettext catalogues, chosen for each session.

`_("text")` and `plural("{n} pawn", "{n} pawns", n)` give the text in the language of the running session: over SSH one
process serves people of several languages, so the choice is bound to the context and not to the process.
"""

from contextvars import ContextVar
from gettext import NullTranslations
from typing import Final

LANGUAGES: Final = ("en", "fr", "nl", "de")

_chosen: Final[ContextVar[tuple[str, NullTranslations]]] = ContextVar("language", default=("en", NullTranslations()))


def language() -> str:
    """The code of the language of this session."""
    return _chosen.get()[0]


def _(text: str) -> str:
    """A text in the language of this session."""
    return _chosen.get()[1].gettext(text)


def plural(one: str, many: str, number: int) -> str:
    """A text for so many things, in the language of this session; both forms may hold `{n}`, which is filled in."""
    return _chosen.get()[1].ngettext(one, many, number).format(n=number)
