"""The form for a new match: its fields are those that the server describes, and the server reads their values.

Of the seats, which it describes as one field, each has a line; the names are those of the people at this terminal.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2
from vinci_client.errors import ServerRefused
from vinci_players.names import is_bot

from ...connection.match_request import seat_setup
from ...exceptions import Misused
from ...text import manual, opponents, refusals
from ...text.i18n import _, language
from ...text.names import text_in
from . import words

ANY_BOT: Final = "any bot"
SEAT_KINDS: Final = ("human", "dummy", *opponents.CHOICES, ANY_BOT)
STEP: Final = 10
"""Step of a number with a large range."""

LARGE: Final = 1000


@final
@dataclass(frozen=True, slots=True)
class Field:
    """A line of the form. Values are texts; the empty one is the default.

    Attributes:
        name, label: code of the field, and its text on the screen.
        help: paragraphs about it.
        show: returns the text of a value.
        values: values in the order of the arrow keys, the default first; for a number its minimum and maximum.
        read: returns the value of a typed text; raises Misused for others. None if nothing can be typed.
    """

    name: str
    label: str
    help: Sequence[str]
    show: Callable[[str], str] = str
    values: Sequence[str] = ("",)
    read: Callable[[str], str] | None = None
    is_number: bool = False

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
        info: description of the fields by the server.
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
        groups: dict[str, list[Field]] = {}
        for entry in self._shown():
            lines = self._seats(entry) if entry.kind == lobby_pb2.MATCH_FIELD_KIND_SEATS else [self._line(entry)]
            groups.setdefault(text_in(language(), entry.group.names, entry.group.code), []).extend(lines)
        return groups

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
        """The match to create. Board and edition are where servers without a description of fields read them, too."""
        codes = [entry.text.code for entry in self._shown()]
        settings = {code: value for code in codes if (value := self.values.get(code, ""))}
        return lobby_pb2.CreateMatchRequest(
            seats=[_setup(word) for word in self.seats],
            board=settings.pop("board", ""),
            options=game_pb2.Options(edition=settings.pop("edition", ""), settings=settings),
            start_when_full=True,
        )

    def blame(self, error: ServerRefused) -> str:
        """Set `wrong` to the sentence of a refusal; returns the name of the field that it is about."""
        blamed = error.facts.get("field") or error.facts.get("option", "").partition("=")[0]
        names = [entry.name for entry in self.fields()]
        self.wrong = (blamed if blamed in names else "seats", refusals.sentence(error))
        return self.wrong[0]

    def _shown(self) -> list[lobby_pb2.MatchField]:
        """Return the fields that can be chosen, given the values of the others."""
        fields = [entry for entry in words.fields(self.info) if entry.HasField("group")]
        return [
            entry
            for entry in fields
            if not (entry.remote and self.is_private) and (not entry.only_if or self.values.get(entry.only_if))
        ]

    def _line(self, entry: lobby_pb2.MatchField) -> Field:
        code, value = entry.text.code, self.value(entry.text.code)
        about = [
            *(opponents.about(value) if entry.kind == lobby_pb2.MATCH_FIELD_KIND_BOT else []),
            text_in(language(), entry.text.descriptions, ""),
            *(text_in(language(), text.descriptions, "") for text in entry.values if text.code == value),
            *([_of_rule(entry), manual.OF_OPTIONS.sub("", manual.rule_text(entry.rule))] if entry.rule else []),
        ]
        is_choice, is_bot = (entry.kind == kind for kind in (_CHOICE, lobby_pb2.MATCH_FIELD_KIND_BOT))
        codes = [text.code for text in entry.values if text.code] if is_choice else entry.proposed
        is_number = entry.kind == lobby_pb2.MATCH_FIELD_KIND_NUMBER and not codes
        return Field(
            code,
            words.label(entry),
            list(filter(None, about)),
            lambda value: self._text(entry, value),
            [str(entry.least), str(entry.most)] if is_number else ["", *(opponents.CHOICES if is_bot else codes)],
            None if is_choice else lambda text: _typed(entry, text),
            is_number,
        )

    def _text(self, entry: lobby_pb2.MatchField, value: str) -> str:
        """Return the text of a value, that of a rule with the edition that it comes from."""
        if value or not entry.by_edition:
            return words.value(entry, value)
        edition = self.values.get("edition", "")
        name = next(words.value(other, edition) for other in self._shown() if other.text.code == "edition")
        return _("{edition}: {value}").format(edition=name, value=words.value(entry, entry.by_edition[edition]))

    def _seats(self, entry: lobby_pb2.MatchField) -> list[Field]:
        kinds = SEAT_KINDS[:-1] if self.is_private else SEAT_KINDS

        def read(text: str) -> str:
            if not text:
                raise Misused(_("Type human, dummy or the name of a computer player."))
            if self.is_private and text not in kinds and not is_bot(text) and not opponents.fault(text):
                raise Misused(_("This machine knows these players: {names}.").format(names=", ".join(kinds)))
            return _bot(text)

        def show(value: str) -> str:
            return words.kind(_setup(value))

        names = _("Your name at the table; several with commas, for several people at this terminal. Enter types.")
        about = [
            _(
                "Who sits here: a person, a dummy of the rules (played by the server), or a computer player. "
                "Enter types a name."
            )
        ]
        if not self.is_private:
            about.append(_("“Any computer player” is the first that is free or connects; the match waits for it."))
        text = _("Seat {seat}")
        numbers = [str(number) for number in range(entry.least, entry.most + 1)]
        return [
            Field("names", _("Names here"), [names], read=str),
            Field("seats", words.label(entry), [text_in(language(), entry.text.descriptions, "")], values=numbers),
            *(
                Field(f"seat {seat}", text.format(seat=seat), [*opponents.about(word), *about], show, kinds, read)
                for seat, word in enumerate(self.seats, 1)
            ),
        ]


_CHOICE: Final = lobby_pb2.MATCH_FIELD_KIND_CHOICE


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


def _of_rule(entry: lobby_pb2.MatchField) -> str:
    """Return how a rule is written as an option of a command."""
    if entry.kind == _CHOICE:
        text = _("{name}: {values}; or what the edition has.")
        return text.format(name=entry.text.code, values=", ".join(text.code for text in entry.values if text.code))
    text = _("{name}: a number from {least} to {most}; nothing for what the table size says.")
    return text.format(name=entry.text.code, least=entry.least, most=entry.most)


def _typed(entry: lobby_pb2.MatchField, text: str) -> str:
    """Return the value that is typed. Raises Misused for what is no number or no bot; the server refuses the rest."""
    if entry.kind == lobby_pb2.MATCH_FIELD_KIND_BOT:
        return _bot(text)
    if entry.kind == lobby_pb2.MATCH_FIELD_KIND_TEXT or not text:
        return text
    if not (text.isascii() and text.isdecimal() and entry.least <= int(text) <= entry.most):
        wanted = _("A number from {least} to {most} is needed here, or nothing for the usual.")
        raise Misused(wanted.format(least=entry.least, most=entry.most))
    return text


def _bot(text: str) -> str:
    if wrong := opponents.fault(text):
        raise Misused(wrong)
    return text
