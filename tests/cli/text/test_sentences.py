"""Sentences in four languages: the cases of tests/data/sentences.json, which the page is tested with, too."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from google.protobuf.json_format import ParseDict

from tests.support.paths import PROJECT
from vinci.v1 import game_pb2 as pb
from vinci.v1 import lobby_pb2
from vinci_cli.review import words
from vinci_cli.review.model import Figure, Moves, ReviewedTurn
from vinci_cli.text import advice, events, i18n, recap
from vinci_cli.text.names import Catalogue
from vinci_cli.text.sentences import sentence
from vinci_words.sentences import sentences

CASES: Final[dict[str, Any]] = json.loads((PROJECT / "tests" / "data" / "sentences.json").read_text(encoding="utf-8"))
WORLD: Final = CASES.pop("names")
MARKET: Final = [ParseDict(slot, pb.MarketSlot()) for slot in WORLD["market"]]


def names_in(language: str) -> Catalogue:
    """Return the names of the cases in a language, which is used from now on."""
    i18n.choose(language)
    board = ParseDict(WORLD["board"], pb.Board())
    names = Catalogue(board, ParseDict(WORLD["rules"], lobby_pb2.ListTraitsResponse()))
    names.seat_players(ParseDict(WORLD["match"], lobby_pb2.Match()))
    return names


def event(case: Any, names: Catalogue) -> str:
    """Return the sentence of an event."""
    return events.event(ParseDict(case["event"], pb.Event()), names)


def refusal(case: Any, names: Catalogue) -> str:
    """Return the sentence of a violation, with its rule."""
    return events.refusal(pb.Refusal(rule="R-X-1", reason=case["reason"], facts=case["facts"]), names)


def prospects(case: Any, names: Catalogue) -> list[str]:
    """Return the sentences about what follows if a seat goes on or declines."""
    found = [ParseDict(prospect, pb.Prospect()) for prospect in case["prospects"]]
    return advice.futures({prospect.slot: prospect for prospect in found}, MARKET, names)


def recaps(case: Any, names: Catalogue) -> list[str]:
    """Return the sentences about what happened since a seat's last turn."""
    updates = (pb.Update(events=[ParseDict(event, pb.Event()) for event in events]) for events in case["updates"])
    recent = [item for update in updates for item in recap.happened(update, None, names)]
    conquests, seat = recap.own_conquests(recent, case["seat"]), case["seat"]
    return [text for _seat, text in recap.sentences(recap.since_last_turn(recent, seat), seat, names, conquests)]


def reviewed(case: Any, names: Catalogue) -> list[str]:
    """Return the sentences about a turn of a review: what it has lost, what was played, and what is better."""
    played, preferred = (Moves(moves["actions"], moves.get("traits", ())) for moves in case["moves"])
    loss, vp_loss = Figure(*case["loss"]), Figure(case.get("vp_loss", 0), 0)
    wins = [Figure(case.get("wins", 0.5), 0)]
    now, choices = case.get("now"), case["choices"]
    turn = ReviewedTurn(0, 1, 1, 1, "player", played, preferred, choices, loss, vp_loss, now, (), wins, ())
    return [words.verdict(turn, names), words.played_text(turn, names), words.better_text(turn, names)]


TOLD: Final[dict[str, Callable[[Any, Catalogue], str | list[str]]]] = {
    "events": event,
    "refusals": refusal,
    "acted": lambda case, names: events.made_by(case["seat"], case["by"], names, is_person=case["person"]),
    "undone": lambda case, names: events.undone(case["seat"], case["taken"], case["to"], names),
    "proposals": lambda case, names: events.proposal(ParseDict(case["proposal"], lobby_pb2.Proposal()), (), names),
    "advice": lambda case, names: advice.reasons(ParseDict(case["advice"], pb.Advice()), MARKET, names),
    "prospects": lambda case, names: advice.prospect(ParseDict(case["prospect"], pb.Prospect()), names),
    "futures": prospects,
    "costs": lambda case, names: events.cost([ParseDict(item, pb.CostItem()) for item in case["items"]], names),
    "scores": lambda case, names: events.event_lines(ParseDict(case["event"], pb.Event()), names)[1].strip(),
    "recaps": recaps,
    "reviews": reviewed,
    "outcomes": lambda case, names: sentence("outcome", case["outcome"], names),
    "plain": lambda case, _names: sentence(case["id"], case["facts"]),
}


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("what", CASES)
def test_sentences_are_those_of_the_cases(what: str, language: str) -> None:
    """Each case gives its sentence in each language."""
    names = names_in(language)
    for case in CASES[what]:
        names.own = case.get("own", ())
        assert TOLD[what](case, names) == case["text"][language], case


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_previews_say_what_would_happen(language: str) -> None:
    """Sentences of previews differ from those of the log where a case has another one."""
    names = names_in(language)
    for case in CASES["events"]:
        names.own = case.get("own", ())
        told = events.event(ParseDict(case["event"], pb.Event()), names, ahead=True)
        assert told == case.get("ahead", case["text"])[language]


def test_cases_cover_all_events_and_violations() -> None:
    """Each kind of event and each reason that has sentences occurs in a case."""
    happened = {ParseDict(case["event"], pb.Event()).WhichOneof("kind") for case in CASES["events"]}
    assert happened == {field.name for field in pb.Event.DESCRIPTOR.oneofs_by_name["kind"].fields}
    assert {case["reason"] for case in CASES["refusals"]} == {name for name in sentences() if name[0].isupper()}


@pytest.mark.parametrize(
    ("reason", "facts"),
    [
        ("AtPeace", {"province": "ALP"}),
        ("AtPeace", {"province": "ALP", "seat": "both"}),
        ("TooManyForts", {"copies": "few"}),
        ("evacuated", {"seat": "1", "provinces": "ALP"}),
    ],
)
def test_a_refusal_with_other_facts_is_shown_as_the_server_words_it(reason: str, facts: dict[str, str]) -> None:
    """A later server may give other facts, and a hostile one the id of another sentence."""
    told = events.refusal(pb.Refusal(reason=reason, facts={**facts, "message": "Keep the peace."}), names_in("en"))
    assert told == "Keep the peace."
