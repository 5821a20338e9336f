"""A match that is being made: its fields, what each can be, and the request that comes out of it.

What options there are and what they can be is the server's word, and so is what is wrong with them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2
from vinci_client.errors import ServerRefused

from ...connection.local_server import BOTS
from ...connection.match_request import EDITION, seat_setup
from ...exceptions import Misused
from ...text import manual, refusals
from ...text.i18n import _, language
from ...text.mistakes import MOST_TRIES, TRIES, mistakes
from ...text.names import text_in
from ...text.timing import POLICIES, timing
from . import words as lobby_words

FEWEST: Final = 3
MOST: Final = 6
ANY_BOT: Final = "any bot"
POLICY_NAMES: Final = ["", *(name for name in POLICIES if name != "default")]
SEAT_KINDS: Final = ("human", "dummy", *reversed(BOTS), ANY_BOT)
CLOCKS: Final = ("", "30", "10m+15s", "2m+5s", "60", "24h")
ABSENCES: Final = ("", "60", "120", "300", "900")
TRIES_TO_TURN: Final = ("", "1", "2", "5", "10")
STEPS: Final = 10
"""By how much a number with a large range goes up and down."""

LARGE: Final = 1000

FIELD_OF: Final = {
    "BAD_SEAT": "seats",
    "UNKNOWN_BOARD": "board",
    "BAD_SEED": "seed",
    "BAD_TIMING": "clock",
    "BAD_MISTAKES": "tries",
    "BAD_NAME": "substitute",
    "BAD_OPTION": "edition",
}
"""The field that a refusal is about, unless it names an option."""


@final
@dataclass(slots=True)
class Form:
    """The values of the fields by name; what is not there is as usual. `seats` are words as in `human,dummy,greedy`.

    `is_private` says that nobody else can join: all people sit at this terminal.
    `wrong` is the field that the last error is about, and the error.
    """

    info: lobby_pb2.GetServerInfoResponse
    seats: list[str] = field(default_factory=lambda: ["human", "dummy", "dummy", "dummy"])
    values: dict[str, str] = field(default_factory=dict)
    is_private: bool = False
    wrong: tuple[str, str] = ("", "")

    def value(self, name: str) -> str:
        """The value of a field; empty for the usual one."""
        if name.startswith("seat "):
            return self.seats[int(name.split()[1]) - 1]
        return str(len(self.seats)) if name == "seats" else self.values.get(name, "")

    def put(self, name: str, value: str) -> None:
        """Give a field a value."""
        self.wrong = ("", "")
        if name.startswith("seat "):
            self.seats[int(name.split()[1]) - 1] = value
        elif name == "seats":
            number = int(value)
            self.seats = [*self.seats, *["dummy"] * number][:number]
        elif value:
            self.values[name] = value
        else:
            self.values.pop(name, None)


def fields(form: Form) -> dict[str, list[str]]:
    """The names of the fields in their order, by group."""
    options = [f"option {option.name}" for option in form.info.options if option.name != "target"]
    has_target = any(option.name == "target" for option in form.info.options)
    clock = ["clock", *(["timeout"] if form.value("clock") else [])]
    return {
        "seats": ["names", "seats", *(f"seat {seat}" for seat in range(1, len(form.seats) + 1))],
        "game": ["board", "edition", *(["option target"] if has_target else []), "seed"],
        "time": clock if form.is_private else [*clock, "absence", "substitute", "start"],
        "bots": ["tries", "refused"],
        "options": options,
    }


def values(form: Form, name: str) -> list[str]:
    """What a field can be, in the order in which it turns; the usual value first."""
    if name.startswith("seat "):
        found = [kind for kind in SEAT_KINDS if kind != ANY_BOT] if form.is_private else list(SEAT_KINDS)
    elif name.startswith("option "):
        found = ["", *_option(form, name).values]
    else:
        found = {
            "seats": [str(number) for number in range(FEWEST, MOST + 1)],
            "board": ["", *(board for board in form.info.boards if board != form.info.default_board)],
            "edition": ["", *(edition for edition in form.info.editions if edition != EDITION)],
            "seed": [""],
            "names": [form.value("names")],
            "clock": list(CLOCKS),
            "timeout": POLICY_NAMES,
            "tries": list(TRIES_TO_TURN),
            "refused": POLICY_NAMES,
            "absence": list(ABSENCES),
            "substitute": ["", *reversed(BOTS)],
            "start": ["", "host"],
        }[name]
    return found


def turn(form: Form, name: str, step: int) -> None:
    """Give a field its next value (1) or the one before (-1), around the end."""
    now = form.value(name)
    option = _option(form, name) if name.startswith("option ") else None
    if option is not None and option.number:
        form.put(name, _counted(now, step, int(option.values[0]), int(option.values[1])))
        return
    found = values(form, name)
    form.put(name, found[(found.index(now) + step) % len(found)] if now in found else found[0])


def _counted(now: str, step: int, least: int, most: int) -> str:
    """A number further up or down; below the least it is the usual one again."""
    size = STEPS if most >= LARGE else 1
    if not now:
        return str(max(least, size if size > 1 else least)) if step > 0 else ""
    number = (int(now) // size + step) * size
    return "" if number < max(least, 0) else str(min(number, most))


def can_be_typed(form: Form, name: str) -> bool:
    """Whether a field can have other values than those that it turns through."""
    if name.startswith("option "):
        return _option(form, name).number
    return name.startswith("seat ") or name in ("names", "seed", "clock", "absence", "substitute", "tries")


def typed(form: Form, name: str, text: str) -> None:
    """Give a field a value that was typed; if it cannot be, `wrong` says why."""
    text = text.strip()
    form.wrong = ("", "")
    problem = ""
    if name == "clock" and text:
        text = text.replace(" ", "").replace("min", "m")
        try:
            timing(text, "", None, "")
        except Misused:
            problem = _("That is no clock: 30 is 30 seconds a decision, 10m+15s ten minutes and 15 s more each turn.")
    elif (name == "absence" or name.startswith("option ")) and not re.fullmatch(r"\d{0,7}", text):
        problem = _("A number is needed here, or nothing for the usual.")
    elif name == "tries" and text not in ("", *map(str, range(1, MOST_TRIES + 1))):
        problem = _("A bot has 1 to {most} tries; nothing is for the usual.").format(most=MOST_TRIES)
    elif name.startswith("seat ") and not text:
        problem = _("Type human, dummy or the name of a bot.")
    elif name.startswith("seat ") and form.is_private and text not in SEAT_KINDS[:-1]:
        problem = _("This machine knows these players: {names}.").format(names=", ".join(SEAT_KINDS[:-1]))
    if problem:
        form.wrong = (name, problem)
    else:
        form.put(name, text)


def request(form: Form) -> lobby_pb2.CreateMatchRequest:
    """The match to make."""
    chosen = {name.removeprefix("option "): text for name, text in form.values.items() if name.startswith("option ")}
    clock = form.value("clock")
    absence = int(form.value("absence") or 0)
    return lobby_pb2.CreateMatchRequest(
        seats=[_setup(word) for word in form.seats],
        options=game_pb2.Options(edition=form.value("edition"), settings=chosen),
        board=form.value("board"),
        seed=form.value("seed"),
        start_when_full=form.value("start") != "host",
        timing=timing(clock, form.value("timeout") if clock else "", absence, form.value("substitute")),
        mistakes=mistakes(int(form.value("tries") or 0), form.value("refused")),
    )


def _setup(word: str) -> lobby_pb2.SeatSetup:
    return seat_setup("" if word == ANY_BOT else word)


def setups() -> Sequence[lobby_pb2.SeatSetup]:
    """Who can sit at a seat, in the order in which it turns."""
    return [_setup(word) for word in SEAT_KINDS]


def blame(form: Form, error: ServerRefused) -> str:
    """Find the field that a refusal of the server is about, and keep its sentence there."""
    option = error.facts.get("option", "").partition("=")[0]
    if any(option == known.name for known in form.info.options):
        name = f"option {option}"
    else:
        name = FIELD_OF.get(error.reason, "seats")
    form.wrong = (name, refusals.sentence(error))
    return name


def _option(form: Form, name: str) -> lobby_pb2.OptionInfo:
    wanted = name.removeprefix("option ")
    return next(option for option in form.info.options if option.name == wanted)


# In words.


def group(name: str) -> str:
    """The heading of a group of fields."""
    return {
        "seats": _("Seats"),
        "game": _("Game"),
        "time": _("Time"),
        "bots": _("Bots"),
        "options": _("Single rules"),
    }[name]


def label(name: str) -> str:
    """What a field is called."""
    if name.startswith("seat "):
        return _("Seat {seat}").format(seat=name.split()[1])
    if name.startswith("option "):
        return lobby_words.option(name.removeprefix("option "))
    return {
        "names": _("Names here"),
        "seats": _("How many"),
        "board": _("Board"),
        "edition": _("Edition"),
        "seed": _("Chance"),
        "clock": _("Clock"),
        "timeout": _("When time is up"),
        "absence": _("Whoever is away"),
        "substitute": _("Substitute"),
        "start": _("Start"),
        "tries": _("Tries"),
        "refused": _("When none is left"),
    }[name]


def shown(form: Form, name: str) -> str:
    """The value of a field as people read it."""
    value = form.value(name)
    if name.startswith("option "):
        return _shown_option(form, name, value)
    if name.startswith("seat "):
        word = {"human": _("person"), "dummy": _("dummy"), ANY_BOT: _("any bot")}.get(value)
        return word or _("bot {name}").format(name=value)
    if name == "clock":
        return lobby_words.clock(timing(value, "", None, ""))
    if name in ("board", "edition"):
        text = _text(form, name)
        return text_in(language(), text.names, text.code)
    if name == "absence":
        return _("is replaced after {time}").format(time=lobby_words.short(int(value))) if value else _("is waited for")
    if name == "tries":
        return value or str(TRIES)
    if name in ("timeout", "refused"):
        return {
            "": _("the default action is played"),
            "substitute": _("a substitute plays on"),
            "forfeit": _("the seat leaves the game"),
        }[value]
    usual = {
        "seed": _("secret, checked afterwards"),
        "substitute": _("the server itself"),
        "start": _("when everybody sits"),
    }
    words = {"host": _("when I say so")} if name == "start" else {}
    if name == "seed" and value:
        return _("open, seed {seed}").format(seed=value)
    return words.get(value) or value or usual.get(name, "")


def _shown_option(form: Form, name: str, value: str) -> str:
    option = _option(form, name)
    if value:
        return value if option.number else lobby_words.value(value)
    if option.number:
        return _("as usual")
    edition = form.value("edition") or EDITION
    own = manual.options_by_edition().get(option.name, {}).get(edition, "")
    meaning = lobby_words.value(own) if own else _("its own")
    return _("{edition}: {value}").format(edition=shown(form, "edition"), value=meaning)


def _text(form: Form, name: str) -> game_pb2.LocalizedText:
    """Name and description of the board or the edition in a form; of an older server the code alone."""
    info, value = form.info, form.value(name)
    texts, usual = (info.board_texts, info.default_board) if name == "board" else (info.edition_texts, EDITION)
    code = value or usual
    return next((text for text in texts if text.code == code), game_pb2.LocalizedText(code=code))


def explained(form: Form, name: str) -> list[str]:
    """What a field is about, a paragraph each; for an option, with its rule."""
    if name.startswith("option "):
        option = _option(form, name)
        between = _("{name}: a number from {least} to {most}; nothing for what the table size says.")
        among = _("{name}: {values}; or what the edition has.")
        if option.number:
            first = between.format(name=option.name, least=option.values[0], most=option.values[1])
        else:
            first = among.format(name=option.name, values=", ".join(option.values))
        return [first, manual.rule_text(option.rule)]
    if name.startswith("seat "):
        return [
            _("Who sits here: a person, a dummy of the rules (played by the server), or a bot. Enter types a name."),
            _("{bot} waits for a bot of any name.").format(bot=_("any bot")) if not form.is_private else "",
        ]
    return {
        "names": [_("Your name at the table; several with commas, for several people at this terminal. Enter types.")],
        "seats": [_("How many play: 3 to 6. What dummies need is said by the server.")],
        "board": [_("The map that is played on."), text_in(language(), _text(form, name).descriptions, "")],
        "edition": [
            _("Whose rules; single rules can be changed further down."),
            text_in(language(), _text(form, name).descriptions, ""),
        ],
        "seed": [
            _("Secret: the server commits to a seed that nobody knows, and everybody can check the draws afterwards."),
            _("With a chosen seed the game is open and can be played again just so. Enter types one."),
        ],
        "clock": [_("Seconds for each decision, or a bank for all of them with more at each turn. Enter types one.")],
        "timeout": [_("What happens to whoever lets the clock run out.")],
        "absence": [_("Whether somebody who has gone away is replaced by a substitute. Enter types seconds.")],
        "tries": [_("How many answers of a bot to one decision may be refused: 1 to 100. Enter types a number.")],
        "refused": [_("What happens to a bot whose last try was refused.")],
        "substitute": [_("Which bot plays for whoever is gone, if it is connected; else the server does.")],
        "start": [_("By itself as soon as all people sit, or when whoever makes the match says so.")],
    }[name]
