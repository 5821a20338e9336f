"""Names for codes: what the server tells about its board and traits, and who sits where."""

from collections.abc import Sequence
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2

from .i18n import N_, _, language

ROMAN: Final = ("I", "II", "III", "IV", "V", "VI")

REGIONS: Final = {
    "Anatolia": N_("Anatolia"),
    "Baltic": N_("Baltic"),
    "Danube": N_("Danube"),
    "East": N_("East"),
    "Gaul": N_("Gaul"),
    "Germany": N_("Germany"),
    "Greece": N_("Greece"),
    "Iberia": N_("Iberia"),
    "Isles": N_("Isles"),
    "Italy": N_("Italy"),
    "Middle": N_("Middle"),
    "North": N_("North"),
    "Steppe": N_("Steppe"),
    "West": N_("West"),
}
"""The regions of the boards: the server names them in English."""


@final
class Catalogue:
    """Looks up provinces, traits and seats in one language, by default that of the session.

    Attributes:
        provinces: the provinces of the board by code, in board order.
        regions: the provinces of each region, in board order.
        seas, coasts, terrains: what else there is to know of a board; terrains by code.
    """

    def __init__(
        self,
        board: game_pb2.Board,
        traits: Sequence[game_pb2.Trait],
        code: str = "",
        terrains: Sequence[game_pb2.Terrain] = (),
    ) -> None:
        self._language: Final = code or language()
        self.seas: Final = board.seas
        self.coasts: Final = board.coasts
        self.terrains: Final = {terrain.code: terrain for terrain in terrains}
        self.provinces: Final = {province.code: province for province in board.provinces}
        self.traits: Final = {trait.code: trait for trait in traits}
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
        return self.provinces[code].names[self._language] if code in self.provinces else code

    def region(self, name: str) -> str:
        """The name of a region, by its English one."""
        return _(REGIONS.get(name, name))

    def terrain(self, code: str) -> str:
        """The name of a terrain."""
        return self.terrains[code].names[self._language] if code in self.terrains else code

    def sea(self, sea: game_pb2.Sea) -> str:
        """The name of a sea."""
        return sea.names[self._language]

    def coast(self, coast: game_pb2.Coast) -> str:
        """The name of a stretch of shore; the English one, where the server has no other."""
        return coast.names.get(self._language, coast.name)

    def provinces_text(self, codes: Sequence[str]) -> str:
        """Provinces in a sentence."""
        return listed([self.province(code) for code in codes])

    def trait(self, code: str) -> str:
        """The name of a trait; a star marks the lasting kind."""
        plain = code.rstrip("*")
        star = "*" if code.endswith("*") else ""
        return (self.traits[plain].names[self._language] if plain in self.traits else plain) + star

    def civilization(self, traits: Sequence[str]) -> str:
        """Traits in a sentence, such as Weapons+Militia."""
        return "+".join(self.trait(code) for code in traits) or _("no lasting trait")


def listed(words: Sequence[str]) -> str:
    """Words in a sentence: a, b and c."""
    if len(words) < 2:
        return "".join(words)
    return _("{first} and {last}").format(first=", ".join(words[:-1]), last=words[-1])
