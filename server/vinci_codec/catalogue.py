"""Static data as messages: boards and their maps, traits, terrains, options."""

from collections.abc import Mapping
from functools import cache

from google.protobuf.json_format import Parse

from vinci.v1 import game_pb2 as pb
from vinci.v1 import lobby_pb2
from vinci_rules.board import Board, board_texts, has, load_board, terrains
from vinci_rules.data import DATA, LocalizedText
from vinci_rules.editions import EDITIONS, NUMBERS, Options, Setting, option_kinds, texts
from vinci_rules.scoring import LAND
from vinci_rules.traits import BONUSES, EFFECT_NAMES, KINDS


def board(board: Board) -> pb.Board:
    """Return a board as a message."""
    return pb.Board(
        name=board.name,
        digest=board.digest,
        provinces=[
            pb.Province(
                code=board.codes[p],
                names=board.names[p],
                object_names=board.object_names[p],
                terrain=board.terrain[p],
                mine=has(board.having["mine"], p),
                port=has(board.having["port"], p),
                edge=has(board.on_edge, p),
                region=board.regions[p],
                neighbours=board.codes_of(board.neighbours[p]),
                straits=board.codes_of(board.straits[p]),
            )
            for p in board.provinces
        ],
        seas=[
            pb.Sea(
                code=sea.code,
                names=sea.names,
                edge=sea.edge,
                inland=sea.inland,
                provinces=board.codes_of(sea.provinces),
                links=sea.links,
            )
            for sea in board.seas
        ],
        coasts=[
            pb.Coast(name=name, names=names, provinces=board.codes_of(shore))
            for (name, shore), names in zip(board.coasts, board.coast_names, strict=True)
        ],
        text=_text(board.text),
        regions=map(_text, board.region_texts.values()),
    )


@cache
def board_map(name: str) -> pb.BoardMap:
    """Return the map of a board, from its `map.json` (`tools/board_map.py`). Raises ValueError for an unknown board."""
    return Parse((DATA / "boards" / load_board(name).name / "map.json").read_text(encoding="utf-8"), pb.BoardMap())


def boards() -> list[pb.LocalizedText]:
    """Return the texts of all boards as messages."""
    return [_text(text) for text in board_texts()]


def editions() -> list[pb.LocalizedText]:
    """Return the texts of all editions as messages."""
    return [_text(texts("edition")[name]) for name in EDITIONS]


def _text(text: LocalizedText) -> pb.LocalizedText:
    return pb.LocalizedText(code=text.code, names=text.names, descriptions=text.descriptions)


def traits() -> lobby_pb2.ListTraitsResponse:
    """Return the message of all traits and terrains, with the texts of the sources of VP and costs.

    The source of VP for an effect has the name of its trait.
    """
    kinds = {kind.effect_name: kind for kind in reversed(KINDS)}
    effects = dict.fromkeys(EFFECT_NAMES[effect] for effect, _per, _vp in BONUSES)
    bonuses = [pb.LocalizedText(code=effect, names=kinds[effect].names) for effect in effects]
    return lobby_pb2.ListTraitsResponse(
        traits=all_traits(),
        terrains=all_terrains(),
        score_sources=[_text(texts("score")[LAND]), *bonuses],
        cost_sources=map(_text, texts("cost").values()),
    )


def all_terrains() -> list[pb.Terrain]:
    """Return all terrains as messages."""
    return [pb.Terrain(code=code, names=names, cost=cost) for code, (names, cost) in terrains().items()]


def all_traits() -> list[pb.Trait]:
    """Return all traits as messages, in the order of the rules."""
    return [
        pb.Trait(
            code=kind.code,
            names=kind.names,
            descriptions=kind.descriptions,
            effect=kind.effect_name,
            lasting=kind.lasting,
            strength=kind.strength,
            source=kind.source,
            colour=kind.colour,
            vp=kind.vp,
            per=kind.per,
        )
        for kind in KINDS
    ]


def all_options() -> list[lobby_pb2.OptionInfo]:
    """Return all options and their values as messages."""
    listed = [lobby_pb2.OptionInfo(name=kind.name, rule=kind.rule, values=kind.values) for kind in option_kinds()]
    return listed + [
        lobby_pb2.OptionInfo(name=name, rule=rule, values=[str(least), str(most)], number=True)
        for name, (least, most, rule) in NUMBERS.items()
    ]


def options(options: Options) -> pb.Options:
    """Return the options of a game as a message."""
    return pb.Options(edition=options.edition, settings={name: str(value) for name, value in options.changed.items()})


def settings(message: pb.Options) -> tuple[str, Mapping[str, Setting]]:
    """Return the edition and the changed options of a message, as arguments of `editions.options`."""
    return message.edition or "standard", dict(message.settings)
