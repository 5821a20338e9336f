"""The form for a new match: its fields, their values, and the resulting request."""

from dataclasses import replace

import grpc
import pytest

from tests.support.full_screen.lobbies import INFO
from vinci.v1 import game_pb2, lobby_pb2
from vinci_cli.connection.match_request import match_request
from vinci_cli.full.lobby.form import ANY_BOT, Form
from vinci_cli.text.i18n import choose
from vinci_client.errors import ServerRefused
from vinci_refusals.wording import Refused
from vinci_server.errors import ServiceError
from vinci_server.match.seats.setup import Setup, from_request


def all_fields(form: Form) -> list[str]:
    """Return the names of all fields."""
    return [field.name for field in form.fields()]


def made(request: lobby_pb2.CreateMatchRequest) -> Setup:
    """Return the match that a server makes, but for a secret that it draws."""
    setup = from_request(request, "")
    return replace(setup, seed="", salt="") if setup.salt else setup


def turned(form: Form, name: str, times: int = 1) -> str:
    """Return the value of a field after that many turns."""
    for _ in range(abs(times)):
        form.turn(name, 1 if times > 0 else -1)
    return form.value(name)


def test_unchanged_form_makes_the_default_match() -> None:
    """An unchanged form makes the same match as the command line without options."""
    assert made(Form(INFO).request()) == made(match_request("human,dummy,dummy,dummy"))


def test_arrow_keys_leave_typed_names_unchanged() -> None:
    """Arrow keys leave a field unchanged that has no other value than the typed names."""
    form = Form(INFO)
    form.put("names", "Ann, Ben")
    assert turned(form, "names") == turned(form, "names", -1) == "Ann, Ben"


def test_characters_are_chosen_and_explained() -> None:
    """Arrow keys reach a level with each character, Enter types budgets; what is chosen is explained first."""
    private = Form(INFO, is_private=True)
    values = {turned(private, "seat 2") for _ in private.field("seat 2").values}
    assert {"easy", "expert", "hard:raider", "hard:kingslayer"} <= values
    for form, name in ((private, "seat 2"), (Form(INFO), "seat 2"), (Form(INFO), "substitute")):
        form.type(name, "expert@500ms:hermit")
        assert form.wrong == ("", "")
        assert form.value(name) == "expert@500ms:hermit"
        assert form.field(name).help[1] == "Leaves others in peace if it can."
        assert form.field(name).show(form.value(name)).endswith("expert@500ms hermit")
        form.type(name, "easy:3")
        assert form.wrong[0] == name
        assert "no budget" in form.wrong[1]
        assert form.value(name) == "expert@500ms:hermit"
    assert private.request().seats[1].bot == "expert@500ms:hermit"


def test_form_and_command_line_make_equal_matches() -> None:
    """With a value in every field the match equals that of the command line."""
    form = Form(INFO)
    form.turn("seats", 1)
    for name, value in {
        "seat 2": "greedy",
        "seat 3": "human",
        "board": "tiny",
        "edition": "NL",
        "give_up": "only_if_forced",
        "target": "90",
        "dummy_extra_pawns": "9",
        "seed": "friday",
        "clock": "10m+15s",
        "timeout": "substitute",
        "absence": "120",
        "substitute": "greedy",
        "tries": "5",
        "refused": "forfeit",
        "advice": "none",
    }.items():
        form.put(name, value)
    request = match_request(
        "human,greedy,human,dummy,dummy",
        board="tiny",
        edition="NL",
        options=["give_up=only_if_forced", "dummy_extra_pawns=9"],
        target=90,
        seed="friday",
        clock="10m+15s",
        on_timeout="substitute",
        absence=120,
        substitute="greedy",
        tries=5,
        on_refused="forfeit",
        no_advice=True,
    )
    assert made(form.request()) == made(request)


def test_form_can_request_any_bot_and_a_start_by_the_host() -> None:
    """The form can request any bot and a start by the host, for which there are no options."""
    form = Form(INFO)
    form.put("seat 2", ANY_BOT)
    form.put("start", "host")
    request = form.request()
    assert request.seats[1] == lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_BOT)
    assert not made(request).start_when_full


def test_form_has_every_option_and_value_of_the_server() -> None:
    """Every option of the rules is a field, and turning it shows each of its values."""
    form = Form(INFO)
    for option in INFO.options:
        name = option.name
        assert name in all_fields(form)
        if not option.number:
            reached = [turned(form, name) for _ in range(len(option.values) + 1)]
            assert reached == [*option.values, ""]
            assert turned(form, name, -1) == option.values[-1]


@pytest.mark.parametrize("is_private", [False, True])
def test_every_field_cycles_through_described_values(is_private: bool) -> None:
    """Each field cycles through its values back to the default; each value and field has a text."""
    form = Form(INFO, is_private=is_private)
    form.put("clock", "30s")
    for name in all_fields(form):
        values = form.field(name).values
        first = form.value(name)
        texts = set()
        for _ in values:
            texts.add(form.field(name).show(form.value(name)))
            form.turn(name, 1)
        if not form.field(name).is_number:
            assert form.value(name) == first
            assert len(texts) == len(values)
        assert form.field(name).label
        assert form.field(name).help[0]


def test_numbers_change_in_steps_between_their_limits() -> None:
    """Numbers change in suitable steps; below the minimum is the default."""
    form = Form(INFO)
    assert turned(form, "target") == "10"
    assert turned(form, "target", 8) == "90"
    assert turned(form, "target", -1) == "80"
    assert turned(form, "target", -8) == ""
    assert turned(form, "target", -1) == ""
    assert [turned(form, "dummy_extra_pawns") for _ in range(3)] == ["0", "1", "2"]
    form.put("dummy_extra_pawns", "99")
    assert turned(form, "dummy_extra_pawns") == "99"


def test_number_of_seats_keeps_the_remaining_players() -> None:
    """The number of seats cycles from three to six and keeps the players of remaining seats."""
    form = Form(INFO, ["human", "greedy", "random", "dummy"])
    assert turned(form, "seats", -1) == "3"
    assert form.seats == ["human", "greedy", "random"]
    assert turned(form, "seats", 3) == "6"
    assert form.seats == ["human", "greedy", "random", "dummy", "dummy", "dummy"]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("clock", "2m + 5s", "2m + 5s"),
        ("clock", "10 min", "10 min"),
        ("clock", "", ""),
        ("seat 2", "hermit", "hermit"),
        ("absence", "90", "90"),
        ("tries", "7", "7"),
        ("target", "85", "85"),
        ("seed", " friday ", "friday"),
    ],
)
def test_typed_values(name: str, text: str, value: str) -> None:
    """A field accepts typed values besides those it cycles through."""
    form = Form(INFO)
    assert form.field(name).read is not None
    form.type(name, text)
    assert form.value(name) == value
    assert form.wrong == ("", "")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("absence", "long", "A number from 1 to 2592000 is needed"),
        ("target", "many", "A number from 1 to 10000 is needed"),
        ("target", "10001", "A number from 1 to 10000 is needed"),
        ("tries", "0", "A number from 1 to 100 is needed"),
        ("substitute", "easy:3", "no budget"),
        ("seat 1", "", "Type human, dummy or the name of a computer player"),
    ],
)
def test_invalid_typed_value_is_reported_at_its_field(name: str, text: str, expected: str) -> None:
    """An invalid typed value gets a message at its field, whose value stays."""
    form = Form(INFO)
    before = form.value(name)
    form.type(name, text)
    assert form.value(name) == before
    assert form.wrong[0] == name
    assert expected in form.wrong[1]


def test_local_form_offers_known_bots_only() -> None:
    """A local game offers only bots that this machine can start."""
    form = Form(INFO, is_private=True)
    form.type("seat 2", "hermit")
    assert "human, dummy, easy, normal, hard, expert, greedy, random" in form.wrong[1]
    assert ANY_BOT not in form.field("seat 2").values


WRONG = {
    "board": "moon",
    "edition": "X",
    "target": "5",
    "give_up": "sometimes",
    "seed": "|",
    "advice": "much",
    "clock": "soon",
    "timeout": "cry",
    "absence": "2592001",
    "substitute": "\x07",
    "start": "late",
    "tries": "101",
    "refused": "cry",
}


@pytest.mark.parametrize("name", WRONG)
def test_refusal_is_assigned_to_its_field(name: str) -> None:
    """The server tells which field it refuses, and the sentence is shown in the language of the session."""
    form = Form(INFO)
    form.put("clock", "30")
    form.put(name, WRONG[name])
    with pytest.raises(ServiceError) as refused:
        from_request(form.request(), "")
    error = ServerRefused(
        grpc.StatusCode.INVALID_ARGUMENT, refused.value.reason, str(refused.value), refused.value.facts
    )
    assert form.blame(error) == name
    assert form.wrong == (name, str(error))
    choose("de")
    assert form.blame(error) == name
    assert form.wrong[1] not in ("", str(error))


@pytest.mark.parametrize(
    ("refused", "name"),
    [
        (Refused("BAD_SEAT", "NUMBER", seats=2, fewest=3, most=6), "seats"),
        (Refused("DRAINING"), "seats"),
        (Refused("BAD_OPTION", "VALUE", option="give_up=x", known="free", rule="R-REORG-3"), "give_up"),
    ],
    ids=str,
)
def test_refusal_of_an_older_server_is_assigned_to_its_option(refused: Refused, name: str) -> None:
    """Without a field, a refusal is about the option that it names, else about the whole match."""
    form = Form(INFO)
    error = ServerRefused(grpc.StatusCode.INVALID_ARGUMENT, refused.reason, str(refused), refused.facts)
    assert form.blame(error) == name


def test_older_server_gets_what_it_understands() -> None:
    """Without a description the form has seats, board, edition and rules, and sends them in fields that are published."""
    older = lobby_pb2.GetServerInfoResponse()
    older.CopyFrom(INFO)
    del older.match_fields[:]
    form = Form(older)
    assert not {"clock", "seed", "tries"} & set(all_fields(form))
    assert {"seats", "board", "edition", "target", "give_up"} <= set(all_fields(form))
    assert turned(form, "board") in older.boards
    for name, value in {"board": "tiny", "edition": "FR", "give_up": "free", "target": "90"}.items():
        form.put(name, value)
    request = match_request("human,dummy,dummy,dummy", board="tiny", edition="FR", options=["give_up=free"], target=90)
    sent = form.request()
    assert (sent.board, sent.options, sent.seats) == (request.board, request.options, request.seats)
    assert form.field("board").show("") == "as usual"


def test_new_field_needs_no_change_of_the_form() -> None:
    """A field that no client knows is shown, explained, turned, and sent."""
    info = lobby_pb2.GetServerInfoResponse()
    info.CopyFrom(INFO)
    names = {"en": "Weather", "de": "Wetter"}
    values = [
        game_pb2.LocalizedText(code=code, names={"en": text}) for code, text in {"": "fair", "rain": "wet"}.items()
    ]
    group = next(field.group for field in INFO.match_fields if field.text.code == "clock")
    text = game_pb2.LocalizedText(code="weather", names=names, descriptions={"en": "What falls from the sky."})
    info.match_fields.add(text=text, kind=lobby_pb2.MATCH_FIELD_KIND_CHOICE, group=group, values=values)
    form = Form(info)
    assert [field.name for field in form.groups()["Time"]][-1] == "weather"
    assert turned(form, "weather") == "rain"
    assert (form.field("weather").show("rain"), form.field("weather").help) == ("wet", ["What falls from the sky."])
    assert form.request().options.settings["weather"] == "rain"
    choose("de")
    assert form.field("weather").label == "Wetter"
