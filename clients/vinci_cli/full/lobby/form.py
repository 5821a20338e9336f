"""The form for a new match: `Form.groups` declares its fields, and `Form.request` makes the request.

The server says what options there are and what values they have, and what is wrong with a request.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2
from vinci_client.errors import ServerRefused
from vinci_players.names import is_bot
from vinci_refusals.clock import read as seconds_of
from vinci_refusals.wording import Refused

from ...connection import opponents
from ...connection.match_request import EDITION, seat_setup
from ...exceptions import Misused
from ...text import manual, refusals
from ...text.i18n import _, language
from ...text.names import label, text_in
from ...text.timing import MOST_TRIES, TRIES, mistakes, timing
from . import words

ANY_BOT: Final = "any bot"
SEAT_KINDS: Final = ("human", "dummy", *opponents.CHOICES, ANY_BOT)
STEP: Final = 10
"""Step of a number with a large range."""

LARGE: Final = 1000


@final
@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form. Values are texts; the empty one is the default.

    Attributes:
        name, label: name in the program, and on the screen.
        help: paragraphs about it; `rule` is added to them.
        values: values in the order of the arrow keys, the default first; for a number its minimum and maximum.
        show: texts of the values, or a function that gives them; a value without a text is shown as it is.
        read: value of a typed text; raises Misused for others. None if nothing can be typed.
        reason: reason of the refusals that are about it.
    """

    name: str
    label: str
    help: Sequence[str]
    values: Sequence[str] = ("",)
    show: Mapping[str, str] | Callable[[str], str] = str
    read: Callable[[str], str] | None = None
    rule: str = ""
    is_number: bool = False
    reason: str = ""

    def shown(self, value: str) -> str:
        """The text of a value."""
        return self.show.get(value, value) if isinstance(self.show, Mapping) else self.show(value)

    def explained(self) -> list[str]:
        """Paragraphs about the field, with its rule."""
        return [*self.help, *([manual.rule_text(self.rule)] if self.rule else [])]

    @property
    def turns(self) -> bool:
        """Whether it has another value to turn to; else it is typed."""
        return len(self.values) > 1

    def turned(self, now: str, step: int) -> str:
        """The next value (1) or the one before (-1), around the end; numbers stop at their limits."""
        if self.is_number:
            return _counted(now, step, *map(int, self.values))
        if not self.turns:
            return now
        return self.values[(self.values.index(now) + step) % len(self.values)] if now in self.values else self.values[0]


@final
@dataclass(slots=True)
class Form:
    """The values of the fields by name; those that are missing are the default.

    Attributes:
        info: options that the server offers.
        seats: words as in `human,dummy,greedy`.
        is_private: nobody else can join; all people sit at this terminal.
        wrong: name of the field of the last error, and the error.
    """

    info: lobby_pb2.GetServerInfoResponse
    seats: list[str] = field(default_factory=lambda: ["human", "dummy", "dummy", "dummy"])
    values: dict[str, str] = field(default_factory=dict)
    is_private: bool = False
    wrong: tuple[str, str] = ("", "")

    def groups(self) -> dict[str, list[Field]]:
        """The fields in their order by the heading above them, in the language of the session."""
        return {
            _("Seats"): _seats(self),
            _("Game"): _game(self),
            _("Time"): _time(self),
            _("Bots"): _bots(),
            _("Single rules"): [_option(self, option) for option in self.info.options if option.name != "target"],
        }

    def fields(self) -> list[Field]:
        """All fields in their order."""
        return [entry for entries in self.groups().values() for entry in entries]

    def field(self, name: str) -> Field:
        """A field by its name."""
        return next(entry for entry in self.fields() if entry.name == name)

    def value(self, name: str) -> str:
        """The value of a field; empty for the default."""
        if name.startswith("seat "):
            return self.seats[int(name.split()[1]) - 1]
        return str(len(self.seats)) if name == "seats" else self.values.get(name, "")

    def put(self, name: str, value: str) -> None:
        """Set the value of a field."""
        self.wrong = ("", "")
        if name.startswith("seat "):
            self.seats[int(name.split()[1]) - 1] = value
        elif name == "seats":
            self.seats = [*self.seats, *["dummy"] * int(value)][: int(value)]
        else:
            self.values[name] = value

    def turn(self, name: str, step: int) -> None:
        """Set a field to its next value (1) or the one before (-1)."""
        self.put(name, self.field(name).turned(self.value(name), step))

    def type(self, name: str, text: str) -> None:
        """Set a field that can be typed; `wrong` says why a text is no value of it."""
        read = self.field(name).read
        assert read is not None
        try:
            self.put(name, read(text.strip()))
        except Misused as error:
            self.wrong = (name, str(error))

    def request(self) -> lobby_pb2.CreateMatchRequest:
        """The match to create."""
        options = {entry.name: text for entry in self.info.options if (text := self.value(f"option {entry.name}"))}
        clock, absence = self.value("clock"), int(self.value("absence") or 0)
        return lobby_pb2.CreateMatchRequest(
            seats=[_setup(word) for word in self.seats],
            options=game_pb2.Options(edition=self.value("edition"), settings=options),
            board=self.value("board"),
            seed=self.value("seed"),
            start_when_full=self.value("start") != "host",
            timing=timing(clock, self.value("timeout") if clock else "", absence, self.value("substitute")),
            mistakes=mistakes(int(self.value("tries") or 0), self.value("refused")),
            no_advice=self.value("advice") == "none",
        )

    def blame(self, error: ServerRefused) -> str:
        """Set `wrong` to the sentence of a refusal; returns the name of the field that it is about."""
        fields = self.fields()
        option = f"option {error.facts.get('option', '').partition('=')[0]}"
        blamed = [entry.name for entry in fields if entry.name == option]
        blamed += [entry.name for entry in fields if entry.reason == error.reason]
        self.wrong = ([*blamed, "seats"][0], refusals.sentence(error))
        return self.wrong[0]


def setups() -> Sequence[lobby_pb2.SeatSetup]:
    """Kinds of seats in the order of the arrow keys."""
    return [_setup(word) for word in SEAT_KINDS]


def _setup(word: str) -> lobby_pb2.SeatSetup:
    return seat_setup("" if word == ANY_BOT else word)


def _counted(now: str, step: int, least: int, most: int) -> str:
    """A number further up or down; below the minimum it is the default."""
    size = STEP if most >= LARGE else 1
    if not now:
        return str(max(least, size if size > 1 else least)) if step > 0 else ""
    number = (int(now) // size + step) * size
    return "" if number < max(least, 0) else str(min(number, most))


# The fields by group.


def _seats(form: Form) -> list[Field]:
    kinds = SEAT_KINDS[:-1] if form.is_private else SEAT_KINDS

    def read(text: str) -> str:
        if not text:
            raise Misused(_("Type human, dummy or the name of a bot."))
        if wrong := opponents.fault(text):
            raise Misused(wrong)
        if form.is_private and text not in kinds and not is_bot(text):
            raise Misused(_("This machine knows these players: {names}.").format(names=", ".join(kinds)))
        return text

    def show(value: str) -> str:
        word = {"human": _("person"), "dummy": _("dummy"), ANY_BOT: _("any bot")}.get(value)
        return word or _("bot {name}").format(name=label(value))

    names = _("Your name at the table; several with commas, for several people at this terminal. Enter types.")
    count = _("How many play: 3 to 6. The server says what dummies need.")
    explanations = [
        _("Who sits here: a person, a dummy of the rules (played by the server), or a bot. Enter types a name.")
    ]
    explanations += [] if form.is_private else [_("{bot} waits for a bot of any name.").format(bot=_("any bot"))]
    labels = [_("Seat {seat}").format(seat=seat) for seat in range(1, len(form.seats) + 1)]
    return [
        Field("names", _("Names here"), [names], read=str),
        Field("seats", _("How many"), [count], ("3", "4", "5", "6"), reason="BAD_SEAT"),
        *(
            Field(f"seat {seat}", label, [*opponents.about(word), *explanations], kinds, show, read)
            for seat, (label, word) in enumerate(zip(labels, form.seats, strict=True), 1)
        ),
    ]


def _game(form: Form) -> list[Field]:
    info = form.info
    board = [_("The map that is played on."), text_in(language(), _text(form, "board").descriptions, "")]
    about_edition = _("Whose rules; single rules can be changed further down.")
    edition = [about_edition, text_in(language(), _text(form, "edition").descriptions, "")]
    seed = [
        _("Secret: the server commits to a seed that nobody knows, and everybody can check the draws afterwards."),
        _("With a chosen seed the game is open and can be played again just so. Enter types one."),
    ]
    advice = _("Whether players may ask the server for the best action and its reasons (the key s).")
    boards = ["", *(board for board in info.boards if board != info.default_board)]
    editions = ["", *(edition for edition in info.editions if edition != EDITION)]

    def show_seed(value: str) -> str:
        return _("open, seed {seed}").format(seed=value) if value else _("secret, checked afterwards")

    return [
        Field("board", _("Board"), board, boards, lambda _value: _name(form, "board"), reason="UNKNOWN_BOARD"),
        Field("edition", _("Edition"), edition, editions, lambda _value: _name(form, "edition"), reason="BAD_OPTION"),
        *(_option(form, option) for option in info.options if option.name == "target"),
        Field("seed", _("Chance"), seed, [""], show_seed, str, reason="BAD_SEED"),
        Field("advice", _("Suggestions"), [advice], ("", "none"), {"": _("on request"), "none": _("off")}),
    ]


def _name(form: Form, name: str) -> str:
    """Name of the board or the edition in a form."""
    text = _text(form, name)
    return text_in(language(), text.names, text.code)


def _text(form: Form, name: str) -> game_pb2.LocalizedText:
    """Name and description of the board or the edition in a form; of an older server the code alone."""
    info = form.info
    texts, default = (info.board_texts, info.default_board) if name == "board" else (info.edition_texts, EDITION)
    code = form.value(name) or default
    return next((text for text in texts if text.code == code), game_pb2.LocalizedText(code=code))


def _time(form: Form) -> list[Field]:
    def read_clock(text: str) -> str:
        try:
            seconds_of(text)
        except Refused as error:
            raise Misused(refusals.full_sentence(error)) from None
        return text

    def show_absence(value: str) -> str:
        return _("is replaced after {time}").format(time=words.short(int(value))) if value else _("is waited for")

    clock = _("Seconds for each decision, or a bank for all of them with more at each turn. Enter types one.")
    timeout = _("What happens to whoever lets the clock run out.")
    absence = _("Whether a player who has left is replaced by a substitute. Enter types seconds.")
    substitute = _("Which bot plays for whoever is gone, if it is connected; else the server does.")
    start = _("By itself as soon as all people sit, or when whoever makes the match says so.")
    starts = {"": _("when everybody sits"), "host": _("when I say so")}
    clocks = ("", "30", "10m+15s", "2m+5s", "60", "24h")
    seconds = ("", "60", "120", "300", "900")
    bots = ("", *opponents.CHOICES)
    about_bot = opponents.about(form.value("substitute"))

    def show_bot(value: str) -> str:
        return label(value) if value else _("the server itself")

    def read_bot(text: str) -> str:
        if wrong := opponents.fault(text):
            raise Misused(wrong)
        return text

    def show_clock(value: str) -> str:
        return words.clock(timing(value, "", None, ""))

    fields = [Field("clock", _("Clock"), [clock], clocks, show_clock, read_clock, reason="BAD_TIMING")]
    if form.value("clock"):
        fields.append(_policy("timeout", _("When time is up"), timeout))
    if form.is_private:
        return fields
    return [
        *fields,
        Field("absence", _("Whoever is away"), [absence], seconds, show_absence, _read_number),
        Field("substitute", _("Substitute"), [*about_bot, substitute], bots, show_bot, read_bot, reason="BAD_NAME"),
        Field("start", _("Start"), [start], ("", "host"), starts),
    ]


def _bots() -> list[Field]:
    def read(text: str) -> str:
        if text not in ("", *map(str, range(1, MOST_TRIES + 1))):
            raise Misused(_("A bot has 1 to {most} tries; nothing is for the usual.").format(most=MOST_TRIES))
        return text

    tries = _("How many answers of a bot to one decision may be refused: 1 to 100. Enter types a number.")
    values, usual = ("", "1", "2", "5", "10"), {"": str(TRIES)}
    refused = _("What happens to a bot whose last try was refused.")
    return [
        Field("tries", _("Tries"), [tries], values, usual, read, reason="BAD_MISTAKES"),
        _policy("refused", _("When none is left"), refused),
    ]


def _policy(name: str, label: str, about: str) -> Field:
    """A choice of what happens to a seat."""
    texts = {
        "": _("the default action is played"),
        "substitute": _("a substitute plays on"),
        "forfeit": _("the seat leaves the game"),
    }
    return Field(name, label, [about], list(texts), texts)


def _option(form: Form, option: lobby_pb2.OptionInfo) -> Field:
    def show(value: str) -> str:
        if option.number:
            return value or _("as usual")
        if value:
            return words.value(value)
        preset = manual.options_by_edition().get(option.name, {}).get(form.value("edition") or EDITION, "")
        text = words.value(preset) if preset else _("its own")
        return _("{edition}: {value}").format(edition=_name(form, "edition"), value=text)

    if option.number:
        text = _("{name}: a number from {least} to {most}; nothing for what the table size says.")
        text = text.format(name=option.name, least=option.values[0], most=option.values[1])
    else:
        text = _("{name}: {values}; or what the edition has.")
        text = text.format(name=option.name, values=", ".join(option.values))
    return Field(
        f"option {option.name}",
        words.option(option.name),
        [text],
        option.values if option.number else ["", *option.values],
        show,
        _read_number if option.number else None,
        option.rule,
        option.number,
    )


def _read_number(text: str) -> str:
    if not re.fullmatch(r"\d{0,7}", text):
        raise Misused(_("A number is needed here, or nothing for the usual."))
    return text
