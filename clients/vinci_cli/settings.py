"""Settings of a person on this machine, in a file beside the saved seats."""

import json
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final, NamedTuple

from . import home
from .text.i18n import N_

FILE: Final = "settings.json"


class Setting(NamedTuple):
    """A setting.

    Attributes:
        name: its key in the file.
        label, about: its name and a sentence, to be translated.
        values: values with their texts, to be translated, the default first; none for a text that is typed.
    """

    name: str
    label: str
    about: str
    values: dict[str, str]


SETTINGS: Final = (
    Setting("name", N_("Your name"), N_("The name under which you sit down at a table. Enter types it."), {}),
    Setting(
        "pace",
        N_("What others do"),
        N_("How long each action of the others is shown. At the table < and > change it, and space skips."),
        {"0.4": N_("0.4 s each"), "0.8": N_("0.8 s each"), "1.5": N_("1.5 s each"), "0.0": N_("all at once")},
    ),
    Setting(
        "alert",
        N_("At your move"),
        N_(
            "How you hear that it is your move. A notification of the desktop needs a terminal that passes it on "
            "(OSC 9 or 777)."
        ),
        {"bell": N_("the bell"), "desktop": N_("the bell and a notification"), "off": N_("nothing")},
    ),
    Setting(
        "language",
        N_("Language"),
        N_("The language of all texts: that of the terminal (its locale), or one that you choose."),
        {"": N_("as the terminal"), "en": "English", "fr": "Français", "nl": "Nederlands", "de": "Deutsch"},
    ),
    Setting(
        "theme",
        N_("Colours"),
        N_(
            "The colours of the map and of seats: those that fit the background of the terminal, or those for a "
            "dark or a light one."
        ),
        {"": N_("to fit the background"), "dark": N_("dark"), "light": N_("light")},
    ),
    Setting(
        "blocks",
        N_("Detail of the map"),
        N_("How many pixels are drawn in a cell. Choose 4 or 2 if the map is full of boxes or question marks."),
        {
            "": N_("what the terminal can draw"),
            "sextants": N_("6 pixels"),
            "quadrants": N_("4 pixels"),
            "halves": N_("2 pixels"),
        },
    ),
)
"""All settings in the order in which they are shown."""


_given: Final[ContextVar[Mapping[str, str]]] = ContextVar("given", default=MappingProxyType({}))


def give(name: str, value: str) -> None:
    """Use a value in this context, as options of commands do, in place of the saved one."""
    _given.set({**_given.get(), name: value})


def given(name: str) -> str:
    """Return the value that an option gave, empty for none."""
    return _given.get().get(name, "")


def get(name: str) -> str:
    """Return the value of a setting: the given or the saved one if it is valid, else the default."""
    setting = named(name)
    value = given(name) or _saved().get(name, "")
    return value if not setting.values or value in setting.values else next(iter(setting.values))


def put(name: str, value: str) -> None:
    """Save the value of a setting."""
    home.write_private(home.private_folder() / FILE, json.dumps(_saved() | {name: value}, indent=1))


def pace() -> float:
    """Return for how many seconds each thing that others do is shown at first."""
    return float(get("pace"))


def named(name: str) -> Setting:
    """Return a setting."""
    return next(setting for setting in SETTINGS if setting.name == name)


def _saved() -> dict[str, str]:
    """Return what is in the file; nothing if it cannot be read."""
    try:
        read = json.loads((home.folder() / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): str(value) for name, value in read.items()} if isinstance(read, dict) else {}
