"""Fields of a match: described in four languages, read as typed, told of a match, refused by their code."""

import pytest

from tests.support.server.in_process import refused
from vinci.v1 import game_pb2
from vinci.v1 import lobby_pb2 as pb
from vinci_client.session import Session
from vinci_codec import match_fields
from vinci_rules.data import LANGUAGES

SEATS = [pb.SeatSetup(kind=pb.SEAT_KIND_HUMAN), *[pb.SeatSetup(kind=pb.SEAT_KIND_DUMMY)] * 3]
TYPED = {
    "board": "tiny",
    "edition": "FR",
    "target": "90",
    "seed": " friday ",
    "advice": "none",
    "clock": "600 + 15",
    "timeout": "forfeit",
    "absence": "90",
    "substitute": "greedy",
    "tries": "5",
    "refused": "substitute",
    "give_up": "free",
    "strengths": "WEA:5",
}
RULES = {"target", "give_up", "strengths"}


def request(**settings: str) -> pb.CreateMatchRequest:
    """Return a request for a match with these values, as typed."""
    return pb.CreateMatchRequest(seats=SEATS, options=game_pb2.Options(settings=settings), start_when_full=True)


async def test_description_comes_on_request_and_has_every_language(session: Session) -> None:
    """Every field, heading and value has a text in each language; those that are not asked for are not sent."""
    assert not (await session.lobby.GetServerInfo(pb.GetServerInfoRequest())).match_fields
    fields = (await session.lobby.GetServerInfo(pb.GetServerInfoRequest(match_fields=True))).match_fields
    assert [field.text.code for field in fields] == list(match_fields.described())
    for field in fields:
        texts = [field.text, *field.values, *([field.group] if field.HasField("group") else [])]
        for text in texts:
            assert sorted(text.names) == sorted(LANGUAGES), text
            assert not text.descriptions or sorted(text.descriptions) == sorted(LANGUAGES), text
        codes = [value.code for value in field.values]
        assert len(set(codes)) == len(codes)
        if field.kind == pb.MATCH_FIELD_KIND_CHOICE and field.HasField("group") and not field.by_edition:
            assert codes[0] == ""
        assert set(field.by_edition.values()) <= set(codes)
        assert not field.only_if or field.only_if in match_fields.described()


async def test_typed_values_are_told_of_the_match(session: Session) -> None:
    """Typed settings of a request are read, and told by the same codes; usual values are not told."""
    match = await session.get((await session.create(request(**TYPED))).match.match_id)
    assert match.choices == TYPED | {"seed": "friday", "clock": "10m+15s"}
    assert (match.board, match.options.settings["target"], match.timing.bank_seconds) == ("tiny", "90", 600)
    usual = (await session.create(request(**dict.fromkeys({*TYPED} - RULES, " ")))).match
    assert not usual.choices
    assert usual.commitment


async def test_values_and_published_fields_make_the_same_match(session: Session) -> None:
    """Requests of older clients, without settings, are told alike; a sealed seed is not told as one of an open game."""
    timing = pb.Timing(decision_seconds=90, absence_seconds=60, on_timeout=pb.TIMEOUT_POLICY_DEFAULT_ACTION)
    mistakes = pb.Mistakes(tries=3, after=pb.TIMEOUT_POLICY_FORFEIT)
    older = pb.CreateMatchRequest(seats=SEATS, board="europe", seed="s", sealed=True, timing=timing, mistakes=mistakes)
    match = (await session.create(older)).match
    assert match.choices == {"clock": "90s", "absence": "60", "refused": "forfeit", "sealed": "yes"}


async def test_start_by_the_host(session: Session) -> None:
    """The form sends that a match starts when it is full; the field `start` has the last word."""
    host = await session.create(request(start="host"))
    await session.lobby.JoinMatch(pb.JoinMatchRequest(match_id=host.match.match_id, player="Ann"))
    assert (await session.get(host.match.match_id)).status == pb.MATCH_STATUS_OPEN


@pytest.mark.parametrize(
    ("typed", "field", "sentence"),
    [
        ({"clok": "30"}, "clok", "unknown option clok; known: board, edition, target, seed"),
        ({"sealed": "yes"}, "sealed", "unknown option sealed"),
        ({"seats": "4"}, "seats", "unknown option seats"),
        ({"tries": "-1"}, "tries", "tries=-1: give a whole number from 1 to 100"),
        ({"absence": "9" * 10}, "absence", "give a whole number from 1 to 2592000"),
        ({"timeout": "cry"}, "timeout", "timeout=cry: possible values are substitute, forfeit"),
        ({"timeout": "forfeit"}, "timeout", "on_timeout needs a clock"),
        ({"clock": "soon"}, "clock", "'soon' is no clock"),
        ({"board": "moon"}, "board", "unknown board 'moon'"),
        ({"target": "5"}, "target", "it must be above the 10 VP"),
        ({"target": "many"}, "target", "give a whole number"),
        ({"seed": "|"}, "seed", "use 1 to 128 letters"),
        ({"edition": "X"}, "edition", "unknown edition 'X'"),
    ],
    ids=str,
)
async def test_refusal_names_the_field(session: Session, typed: dict[str, str], field: str, sentence: str) -> None:
    """The code of the field that is wrong is a fact of the refusal."""
    error = await refused(session.create(request(**typed)))
    assert error.facts["field"] == field
    assert sentence in str(error)
