"""Names and descriptions for codes, as the server sends them with its boards and traits, and the players of seats."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2

from .i18n import _, language

ROMAN: Final = ("I", "II", "III", "IV", "V", "VI")


@final
class Catalogue:
    """Looks up provinces, traits and seats in one language, by default that of the session.

    What an older server does not send is shown in English, or as its code.

    Attributes:
        provinces: the provinces of the board by code, in board order.
        regions: the provinces of each region, in board order.
        seas, coasts, terrains: what else there is to know of a board; terrains by code.
    """

    def __init__(
        self,
        board: game_pb2.Board,
        rules: lobby_pb2.ListTraitsResponse,
        code: str = "",
    ) -> None:
        self._language: Final = code or language()
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
        self._players: list[str] = []

    def seat_players(self, match: lobby_pb2.Match) -> None:
        """Take the names of the players from a match."""
        self._players = [_("dummy") if seat.player == "dummy" else seat.player.strip() for seat in match.seats]

    def player(self, seat: int) -> str:
        """The name of whoever sits at a seat."""
        return self._name(seat) or _("seat {number}").format(number=seat)

    def seat(self, seat: int) -> str:
        """A seat in a sentence: its number and who sits there."""
        name = self._name(seat)
        return f"{name} ({seat})" if name else _("seat {number}").format(number=seat)

    def _name(self, seat: int) -> str:
        return self._players[seat - 1] if 0 < seat <= len(self._players) else ""

    def province(self, code: str) -> str:
        """The name of a province."""
        return self._own(self.provinces[code].names, code) if code in self.provinces else code

    def province_object(self, code: str) -> str:
        """The name of a province as the object of a verb, with its article."""
        names = self.provinces[code].object_names if code in self.provinces else {}
        return self._own(names, self.province(code))

    def region(self, code: str) -> str:
        """The name of a region."""
        return self._own(self._regions.get(code, {}), code)

    def terrain(self, code: str) -> str:
        """The name of a terrain."""
        return self._own(self.terrains[code].names, code) if code in self.terrains else code

    def sea(self, sea: game_pb2.Sea) -> str:
        """The name of a sea."""
        return self._own(sea.names, sea.code)

    def coast(self, coast: game_pb2.Coast) -> str:
        """The name of a stretch of shore."""
        return self._own(coast.names, coast.name)

    def provinces_text(self, codes: Sequence[str]) -> str:
        """Provinces in a list."""
        return listed([self.province(code) for code in codes])

    def provinces_object(self, codes: Sequence[str]) -> str:
        """Provinces as the object of a verb."""
        return listed([self.province_object(code) for code in codes])

    def trait(self, code: str) -> str:
        """The name of a trait; a star marks the lasting kind."""
        plain = code.rstrip("*")
        star = "*" if code.endswith("*") else ""
        return (self._own(self.traits[plain].names, plain) if plain in self.traits else plain) + star

    def trait_description(self, code: str) -> str:
        """What a trait does, in a sentence or two."""
        return self._own(self.traits[code].descriptions, self.traits[code].effect)

    def score_source(self, code: str) -> str:
        """What VP are scored for."""
        return self._own(self._scores.get(code, {}), code)

    def cost_source(self, code: str) -> str:
        """What adds to a cost or saves it."""
        return self._own(self._costs.get(code, {}), code)

    def civilization(self, traits: Sequence[str]) -> str:
        """Traits in a sentence, such as Weapons+Militia."""
        return "+".join(self.trait(code) for code in traits) or _("no lasting trait")

    def _own(self, texts: Mapping[str, str], usual: str) -> str:
        return text_in(self._language, texts, usual)


def text_in(language: str, texts: Mapping[str, str], usual: str) -> str:
    """The text in a language; in English if there is none, `usual` without any."""
    return texts.get(language) or texts.get("en") or usual


def _by_code(texts: Iterable[game_pb2.LocalizedText]) -> dict[str, Mapping[str, str]]:
    return {text.code: text.names for text in texts}


def listed(words: Sequence[str]) -> str:
    """Words in a sentence: a, b and c."""
    if len(words) < 2:
        return "".join(words)
    return _("{first} and {last}").format(first=", ".join(words[:-1]), last=words[-1])
