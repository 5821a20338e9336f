"""Names and descriptions for codes, from the boards and traits of the server, and names of players."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2
from vinci_players.names import CHARACTERS, LEVELS

from .i18n import _, language

ROMAN: Final = ("I", "II", "III", "IV", "V", "VI")
_LEVEL: Final = re.compile(r"(\w+)([:@]\d\w*)?(?::([a-z]\w*))?")


def label(word: str) -> str:
    """Return a computer player in words: `Hard raider` for `hard:raider`, `Dummy` for `dummy`; others as they are."""
    if word == "dummy":
        return _("dummy").capitalize()
    level, budget, character = found.groups("") if (found := _LEVEL.fullmatch(word)) else ("", "", "")
    if level not in LEVELS or (character and character not in CHARACTERS):
        return word
    named = level + budget if budget else _(LEVELS[level][0])
    if character:
        named = _("{level} {character}").format(level=named, character=_(CHARACTERS[character][0]))
    return named if budget else named[:1].upper() + named[1:]


@final
class Catalogue:
    """Looks up provinces, traits and seats in one language, by default that of the session.

    Names that the server does not send in this language are in English, else their code.

    Attributes:
        language: code of the language.
        own: the seats of whoever reads what is written with these names.
        provinces: the provinces of the board by code, in board order.
        regions: the provinces of each region, in board order.
        board: the board itself. seas, coasts, terrains: of the board; terrains by code.
    """

    def __init__(
        self,
        board: game_pb2.Board,
        rules: lobby_pb2.ListTraitsResponse,
        code: str = "",
    ) -> None:
        self.language: Final = code or language()
        self.board: Final = board
        self.seas: Final = board.seas
        self.coasts: Final = board.coasts
        self.terrains: Final = {terrain.code: terrain for terrain in rules.terrains}
        self.provinces: Final = {province.code: province for province in board.provinces}
        self.traits: Final = {trait.code: trait for trait in rules.traits}
        self._regions: Final = _by_code(board.regions)
        self._scores: Final = _by_code(rules.score_sources)
        self._costs: Final = _by_code(rules.cost_sources)
        self.regions: Final[dict[str, list[game_pb2.Province]]] = {}
        for province in board.provinces:
            self.regions.setdefault(province.region, []).append(province)
        self.own: Collection[int] = ()
        self._players: list[str] = []

    @property
    def you(self) -> int:
        """The seat that is called "you"; 0 if several or none are."""
        return next(iter(self.own)) if len(self.own) == 1 else 0

    def seat_players(self, match: lobby_pb2.Match) -> None:
        """Take the names of the players from a match."""
        self._players = [label(seat.player.strip()) for seat in match.seats]

    def player(self, seat: int) -> str:
        """Return the name of the player of a seat."""
        return self._name(seat) or _("seat {number}").format(number=seat)

    def seat(self, seat: int) -> str:
        """Return a seat as named in a sentence: player and number."""
        name = self._name(seat)
        return f"{name} ({seat})" if name else _("seat {number}").format(number=seat)

    def whom(self, seat: int) -> str:
        """Return a seat as named after a preposition."""
        return _("you") if seat == self.you else self.seat(seat)

    def _name(self, seat: int) -> str:
        return self._players[seat - 1] if 0 < seat <= len(self._players) else ""

    def province(self, code: str) -> str:
        """Return the name of a province."""
        return self._own(self.provinces[code].names, code) if code in self.provinces else code

    def province_object(self, code: str) -> str:
        """Return the name of a province as the object of a verb, with its article."""
        names = self.provinces[code].object_names if code in self.provinces else {}
        return self._own(names, self.province(code))

    def region(self, code: str) -> str:
        """Return the name of a region."""
        return self._own(self._regions.get(code, {}), code)

    def terrain(self, code: str) -> str:
        """Return the name of a terrain."""
        return self._own(self.terrains[code].names, code) if code in self.terrains else code

    def sea(self, sea: game_pb2.Sea) -> str:
        """Return the name of a sea."""
        return self._own(sea.names, sea.code)

    def coast(self, coast: game_pb2.Coast) -> str:
        """Return the name of a coast."""
        return self._own(coast.names, coast.name)

    def provinces_text(self, codes: Sequence[str]) -> str:
        """Return provinces as a list in a sentence."""
        return listed([self.province(code) for code in codes])

    def provinces_object(self, codes: Sequence[str]) -> str:
        """Return provinces as the object of a verb."""
        return listed([self.province_object(code) for code in codes])

    def trait(self, code: str) -> str:
        """Return the name of a trait; a star marks a lasting one."""
        plain = code.rstrip("*")
        star = "*" if code.endswith("*") else ""
        return (self._own(self.traits[plain].names, plain) if plain in self.traits else plain) + star

    def trait_description(self, code: str) -> str:
        """Return the description of a trait."""
        return self._own(self.traits[code].descriptions, self.traits[code].effect)

    def score_source(self, code: str) -> str:
        """Return the name of a source of VP."""
        return self._own(self._scores.get(code, {}), code)

    def cost_source(self, code: str) -> str:
        """Return the name of an item of a cost."""
        return self._own(self._costs.get(code, {}), code)

    def civilization(self, traits: Sequence[str]) -> str:
        """Return traits as the name of a civilization, such as Weapons+Militia."""
        return "+".join(self.trait(code) for code in traits) or _("no lasting trait")

    def _own(self, texts: Mapping[str, str], usual: str) -> str:
        return text_in(self.language, texts, usual)


def text_in(language: str, texts: Mapping[str, str], usual: str) -> str:
    """Return the text in a language, else in English, else `usual`."""
    return texts.get(language) or texts.get("en") or usual


def _by_code(texts: Iterable[game_pb2.LocalizedText]) -> dict[str, Mapping[str, str]]:
    return {text.code: text.names for text in texts}


def round_title(number: int) -> str:
    """Return a round in words; 0 is the opening draft."""
    return _("Round {round}").format(round=number) if number else _("Opening draft")


def listed(words: Sequence[str]) -> str:
    """Join words as in a sentence: a, b and c."""
    if len(words) < 2:
        return "".join(words)
    return _("{first} and {last}").format(first=", ".join(words[:-1]), last=words[-1])
