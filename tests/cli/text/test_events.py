"""Texts: every event, violation, cost and name has a text in every language."""

from dataclasses import fields
from typing import Any, Final, get_args

import pytest

from tests.support.paths import PROJECT
from vinci.v1 import game_pb2 as pb
from vinci_cli.records.loader import names_of
from vinci_cli.text import events as words
from vinci_cli.text import i18n
from vinci_cli.text.names import Catalogue
from vinci_codec import catalogue as messages
from vinci_codec import events as codec
from vinci_codec.events import refusal
from vinci_players.builtin import POLICIES
from vinci_rules import events, violations
from vinci_rules.board import Board, load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import apply, explain, new_game
from vinci_rules.traits import TRAIT_BY_CODE
from vinci_rules.violations import GameIsOver, Violation

PROTO: Final = PROJECT / "proto" / "vinci" / "v1" / "game.proto"
LANGUAGES: Final = ("en", "fr", "nl", "de")
EUROPE: Final = load_board("europe")
NAMES: Final = names_of(EUROPE, ("Ann", "Bob", "Cleo", "", "", ""))
SILENT: Final = {"civilization_drawn"}
"""Events that are better seen than told."""

FACTS: Final[dict[str, Any]] = {
    "rule": "R-CONQ-3",
    "phase": "conquer",
    "legal": ("x", "hold"),
    "province": EUROPE.index["ALP"],
    "seat": 1,
    "reachable": 0b111,
    "affordable": 0b111,
    "part": 0b111,
    "declined": 0b111,
}


def every_violation() -> list[Violation]:
    """Return one violation of each kind; facts that are numbers are 2."""
    return [
        kind(**{field.name: FACTS.get(field.name, 2) for field in fields(kind)})
        for kind in get_args(violations.Violation)
    ]


def every_event() -> list[pb.Event]:
    """Return one message of each kind of event, with every field set."""
    return [
        pb.Event(**{field.name: filled(field.message_type)})
        for field in pb.Event.DESCRIPTOR.oneofs_by_name["kind"].fields
    ]


def filled(kind: Any) -> Any:
    """Return a message of this kind with every field set: seats 1, provinces ALP, traits WEA."""
    message = getattr(pb, kind.name)()
    for field in kind.fields:
        if field.message_type is not None:
            value: Any = filled(field.message_type)
        elif field.type == field.TYPE_STRING:
            value = "WEA" if field.name in ("traits", "rejected") else "militia" if field.name == "source" else "ALP"
        elif field.type == field.TYPE_BOOL:
            value = True
        else:
            value = 1
        if field.is_repeated:
            getattr(message, field.name).append(value)
        elif field.message_type is not None:
            getattr(message, field.name).CopyFrom(value)
        else:
            setattr(message, field.name, value)
    return message


def is_sentence(text: str) -> None:
    """Fail unless this is a sentence: a capital, a full stop, no identifiers."""
    assert text[:1].isupper() or text[:1].isdigit(), text
    assert text.endswith("."), text
    for trace in ("_", "{", "None", "  ", "..", " ,", "R- ", "()"):
        assert trace not in text, text


def test_every_event_has_a_message() -> None:
    """There are as many kinds of messages as of events, so tests of one cover the other."""
    assert len(every_event()) == len(get_args(events.Event))


@pytest.mark.parametrize("event", every_event(), ids=lambda event: str(event.WhichOneof("kind")))
def test_every_event_has_a_sentence(event: pb.Event) -> None:
    """The sentence of each kind of event names the seat."""
    text = words.event(event, NAMES)
    if event.WhichOneof("kind") in SILENT:
        assert text == ""
        return
    is_sentence(text)
    if event.WhichOneof("kind") != "game_over":
        assert "Ann (1)" in text
    if "ALP" in str(event):
        assert "Alps" in text or event.WhichOneof("kind") in ("scored", "declined", "decline_vanished")


@pytest.mark.parametrize("violation", every_violation(), ids=lambda violation: type(violation).__name__)
def test_every_violation_has_a_sentence_with_its_rule(violation: Violation) -> None:
    """Each kind of violation has a sentence with its rule."""
    message = refusal(violation, EUROPE)
    text = words.refusal(message, NAMES)
    is_sentence(text)
    assert message.reason not in text
    if not isinstance(violation, GameIsOver):
        assert text.endswith(f" ({violation.rule}).")
    if "province" in message.facts and message.reason != "OwnHeritage":
        assert "Alps" in text


def test_sentences_of_violations_differ() -> None:
    """No two kinds of violation have equal sentences."""
    texts = [words.refusal(refusal(violation, EUROPE), NAMES) for violation in every_violation()]
    assert len(set(texts)) == len(texts)


def test_unknown_refusal_shows_the_message_of_the_server() -> None:
    """A refusal unknown to this client is shown with the message of the server."""
    unknown = pb.Refusal(rule="R-NEW-1", reason="BrandNew", facts={"message": "The comet forbids it."})
    assert words.refusal(unknown, NAMES).startswith("The comet forbids it.")
    assert "BrandNew" in words.refusal(pb.Refusal(reason="BrandNew"), NAMES)
    assert "BrandNew" in words.refusal(pb.Refusal(reason="BrandNew", facts={"seat": "1, 2", "copies": "few"}), NAMES)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            pb.Conquered(
                seat=1, province="ALP", cost=4, held=pb.HOLDING_ACTIVE, defender=2, lost=1, survivors=2, fort=True
            ),
            "Ann (1) conquers the Alps for 4 pawns from Bob (2), 2 survive, razing a fort.",
        ),
        (
            pb.Conquered(seat=4, province="ALP", cost=1, held=pb.HOLDING_NEUTRAL, lost=1),
            "seat 4 conquers the Alps for 1 pawn, removing a neutral pawn.",
        ),
        (
            pb.Conquered(seat=1, province="ALP", cost=2, spies=True, held=pb.HOLDING_DECLINED, defender=2, lost=1),
            "Ann (1) conquers the Alps for 2 pawns by Spies from Bob (2), in decline.",
        ),
        (
            pb.Reorganised(seat=1, provinces=["ALP", "PYR"], pawns=[3, 1], forts=["PYR"], given_up=["WES"], lost=1),
            "Ann (1) holds Alps 3, Pyrenees 1, building a fort in the Pyrenees, abandoning Wessex, losing 1 pawn.",
        ),
        (pb.Reorganised(seat=1), "Ann (1) holds nothing."),
        (
            pb.CivilizationTaken(seat=2, slot=3, traits=["WEA", "MIN*"], pawns=9, paid=4, received=2),
            "Bob (2) takes Weapons+Mines* with 9 pawns, paying 4 VP, receiving 2 VP.",
        ),
        (
            pb.TurnStarted(seat=3, round=2, reserve=8, by_medicine=1, by_general=7),
            "Round 2: Cleo (3) has 8 pawns in hand, 1 of them new by Medicine, 7 of them lent by General.",
        ),
        (pb.Declined(seat=1, provinces=["ALP"], pawns=2), "Ann (1) declines with 1 province."),
        (pb.OrderDrawn(order=[2, 1, 3]), "The game begins. Order of play: Bob (2), Ann (1), Cleo (3)."),
    ],
    ids=lambda value: type(value).__name__,
)
def test_sentence_of_each_event(event: Any, text: str) -> None:
    """Each event has exactly the expected sentence."""
    kinds = pb.Event.DESCRIPTOR.oneofs_by_name["kind"].fields
    kind = next(field.name for field in kinds if field.message_type is event.DESCRIPTOR)
    assert words.event(pb.Event(**{kind: event}), NAMES) == text


def test_details_of_events() -> None:
    """Details follow below the sentence: parts of a score, the final table; internal events have no text."""
    scored = pb.Scored(seat=1, vp=3, total=13, items=[pb.ScoreItem(source="provinces", vp=3)])
    assert words.event_lines(pb.Event(scored=scored), NAMES) == [
        "Ann (1) scores 3 VP and stands at 13.",
        "  provinces +3",
    ]
    over = pb.GameOver(ranks=[2, 1], vp=[9, 10])
    assert words.event_lines(pb.Event(game_over=over), NAMES) == [
        "The game is over.",
        "  1. Bob (2): 10 VP",
        "  2. Ann (1): 9 VP",
    ]
    assert words.event_lines(pb.Event(civilization_drawn=pb.CivilizationDrawn()), NAMES) == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_random_games_have_texts(edition: str) -> None:
    """In random games of every edition all events have sentences, and scores and costs have parts that add up."""
    for board, seats in ((load_board("tiny"), 3), (EUROPE, 6)):
        check_texts_of_a_game(board, edition, seats)


def check_texts_of_a_game(board: Board, edition: str, seats: int) -> None:
    """Play a random game and check every sentence about it."""
    names = names_of(board, [f"P{seat}" for seat in range(1, seats + 1)])
    chance = FastChance(seats)
    log: list[events.Event] = []
    state = new_game(board, options((False,) * seats, edition, target=60), chance, log)
    while state.phase != "over":
        action = POLICIES["random"](state, chance)
        items = explain(state, action)
        if items:
            cost_text = words.cost((pb.CostItem(source=source, pawns=pawns) for source, pawns in items), names)
            assert {source for source, _ in items} <= {text.code for text in messages.traits().cost_sources}
            assert cost_text.startswith(words.pawns_text(max(sum(pawns for _, pawns in items), 0)) + " = ")
        apply(state, action, chance, log)
    for event in log:
        message = codec.event(event, board)
        text = words.event(message, names)
        assert text or message.WhichOneof("kind") in SILENT
        if text:
            is_sentence(text)
        if message.HasField("scored"):
            parts = "".join(words.score_lines(message.scored, names)).replace(",", "").replace("+", "").split()
            assert sum(int(word) for word in parts if word.isdigit()) == message.scored.vp
    ranking = words.ranking(codec.event(log[-1], board).game_over, names)
    assert len(ranking) == seats
    ranks = [int(line.split(".")[0]) for line in ranking]
    assert ranks == sorted(ranks)
    assert ranks[0] == 1


def test_every_source_of_a_cost_has_a_text() -> None:
    """The sources in the protocol are those with a text."""
    listed = PROTO.read_text(encoding="utf-8").partition("// One part of a cost")[2].partition("string source")[0]
    assert {text.code for text in messages.traits().cost_sources} == set(listed.split('"')[1::2])


@pytest.mark.parametrize("board", ["europe", "tiny"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_names_exist_in_every_language(board: str, language: str) -> None:
    """Provinces, seas, traits and terrains have names in four languages, no two alike."""
    message = messages.board(load_board(board))
    for named in (message.provinces, message.seas, messages.all_traits(), messages.all_terrains()):
        translations = [dict(thing.names) for thing in named]
        assert all(set(names) == set(LANGUAGES) for names in translations)
        texts = [names[language] for names in translations]
        assert all(text.strip() == text != "" for text in texts)
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_follow_the_language(language: str) -> None:
    """Names are in the selected language; a star marks the lasting kind."""
    names = Catalogue(messages.board(EUROPE), messages.traits(), language)
    weapons = next(trait for trait in messages.all_traits() if trait.code == "WEA")
    assert names.trait("WEA") == weapons.names[language]
    assert names.civilization(["MIN*", "WEA"]) == f"{names.trait('MIN')}*+{weapons.names[language]}"
    alps = next(province for province in messages.board(EUROPE).provinces if province.code == "ALP")
    assert names.province("ALP") == alps.names[language]


def test_names_that_differ_between_languages() -> None:
    """Names of the languages differ from each other."""
    kinds = messages.all_traits()
    for language in LANGUAGES[1:]:
        assert sum(kind.names[language] != kind.names["en"] for kind in kinds) > len(kinds) / 2


def test_seats_in_sentences() -> None:
    """A seat is named by player and number, or by number alone if the player is unknown."""
    assert NAMES.seat(1) == "Ann (1)"
    assert NAMES.seat(4) == "seat 4"
    assert NAMES.seat(9) == "seat 9"
    assert NAMES.player(4) == "seat 4"


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("bot", ""),
        ("clock", "Time is up for Ann (1)."),
        ("refused", "Too many answers of Ann (1) were refused."),
        ("default", "For Ann (1) the default action is played."),
    ],
)
def test_substitute_action_is_shown_with_the_reason(by: str, expected: str) -> None:
    """The sentence names who acted instead of the bot, and why; nobody if it acted itself."""
    assert words.made_by(1, by, NAMES, is_person=False) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_regions_and_sources_and_grammatical_objects(language: str) -> None:
    """Names of regions, sources and objects come from the data, in every language."""
    names = Catalogue(messages.board(EUROPE), messages.traits(), language)
    actual = names.region("Isles"), names.cost_source("pawns"), names.province_object("ALP")
    assert (
        actual
        == {
            "en": ("Isles", "pawns there", "the Alps"),
            "fr": ("Îles", "pions présents", "les Alpes"),
            "nl": ("Eilanden", "pionnen daar", "de Alpen"),
            "de": ("Inseln", "Steine dort", "die Alpen"),
        }[language]
    )
    assert names.score_source("mines") == names.trait("MIN")
    assert names.trait_description("WEA") == messages.all_traits()[TRAIT_BY_CODE["WEA"]].descriptions[language] != ""


def test_texts_with_an_older_server() -> None:
    """Codes and plain names replace texts that an older server does not send."""
    board, traits = messages.board(EUROPE), messages.traits()
    board.ClearField("regions")
    traits.ClearField("score_sources")
    traits.ClearField("cost_sources")
    for province in board.provinces:
        province.ClearField("object_names")
    for trait in traits.traits:
        trait.ClearField("descriptions")
    names = Catalogue(board, traits, "de")
    assert names.region("Isles") == "Isles"
    assert names.score_source("mines") == "mines"
    assert names.cost_source("from_fort") == "from_fort"
    assert names.province_object("ALP") == "Alpen"
    assert names.trait_description("WEA") == "weapons"
    assert names.trait("WEA") == "Waffen"


def test_missing_language_falls_back_to_english() -> None:
    """Names in a language that the server lacks are English."""
    names = Catalogue(messages.board(EUROPE), messages.traits(), "it")
    assert (names.province("ALP"), names.trait("WEA"), names.region("Isles")) == ("Alps", "Weapons", "Isles")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("fr", "Ann (1) conquiert l'Irlande pour 2 pions."),
        ("nl", "Ann (1) verovert Ierland voor 2 pionnen."),
        ("de", "Ann (1) erobert Irland für 2 Steine."),
    ],
)
def test_french_province_after_a_verb_has_its_article(code: str, text: str) -> None:
    """French names a country with its article after a verb."""
    i18n.choose(code)
    names = names_of(EUROPE, ["Ann"])
    assert words.event(pb.Event(conquered=pb.Conquered(seat=1, province="IRL", cost=2)), names) == text
