"""Settings of a person on this machine, in a file beside the saved seats."""

import json
from typing import Final, NamedTuple

from ..text.i18n import N_
from . import saved_seats
from .seating import LONGEST_NAME, login_name

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
        N_("How long each thing that others do is shown. At the table < and > change it, and space skips."),
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
        N_("Fineness of the map"),
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


def get(name: str) -> str:
    """Return the value of a setting: the saved one if it is valid, else the default."""
    setting = _named(name)
    value = _saved().get(name, "")
    return value if not setting.values or value in setting.values else next(iter(setting.values))


def put(name: str, value: str) -> None:
    """Save the value of a setting."""
    saved_seats.write_private(saved_seats.private_home() / FILE, json.dumps(_saved() | {name: value}, indent=1))


def own_name() -> str:
    """Return the name of the person here: as set, else the login name in a form that servers take."""
    return "".join(filter(str.isprintable, get("name")))[:LONGEST_NAME] or login_name()


def pace() -> float:
    """Return for how many seconds each thing that others do is shown at first."""
    return float(get("pace"))


def _named(name: str) -> Setting:
    return next(setting for setting in SETTINGS if setting.name == name)


def _saved() -> dict[str, str]:
    """Return what is in the file; nothing if it cannot be read."""
    try:
        read = json.loads((saved_seats.home() / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): str(value) for name, value in read.items()} if isinstance(read, dict) else {}
