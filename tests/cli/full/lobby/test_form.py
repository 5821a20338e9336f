"""The form for a new match: its fields, their values, and the resulting request."""

import grpc
import pytest

from tests.support.full_screen.lobbies import INFO
from vinci.v1 import lobby_pb2
from vinci_cli.connection.match_request import match_request
from vinci_cli.full.lobby.form import ANY_BOT, Form
from vinci_cli.text.i18n import choose
from vinci_client.errors import ServerRefused
from vinci_refusals.wording import Refused


def all_fields(form: Form) -> list[str]:
    """Return the names of all fields."""
    return [field.name for field in form.fields()]


def turned(form: Form, name: str, times: int = 1) -> str:
    """Return the value of a field after that many turns."""
    for _ in range(abs(times)):
        form.turn(name, 1 if times > 0 else -1)
    return form.value(name)


def test_unchanged_form_makes_the_default_match() -> None:
    """An unchanged form makes the same request as the command line without options."""
    assert Form(INFO).request() == match_request("human,dummy,dummy,dummy")


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
        assert form.field(name).explained()[1] == "Leaves others in peace if it can."
        assert form.field(name).shown(form.value(name)).endswith("expert@500ms hermit")
        form.type(name, "easy:3")
        assert form.wrong[0] == name
        assert "no budget" in form.wrong[1]
        assert form.value(name) == "expert@500ms:hermit"
    assert private.request().seats[1].bot == "expert@500ms:hermit"


def test_form_and_command_line_make_equal_requests() -> None:
    """With a value in every field the request equals that of the command line."""
    form = Form(INFO)
    form.turn("seats", 1)
    for name, value in {
        "seat 2": "greedy",
        "seat 3": "human",
        "board": "tiny",
        "edition": "NL",
        "option give_up": "only_if_forced",
        "option target": "90",
        "option dummy_extra_pawns": "9",
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
    assert form.request() == match_request(
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


def test_form_can_request_any_bot_and_a_start_by_the_host() -> None:
    """The form can request any bot and a start by the host, for which there are no options."""
    form = Form(INFO)
    form.put("seat 2", ANY_BOT)
    form.put("start", "host")
    request = form.request()
    assert request.seats[1] == lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_BOT)
    assert not request.start_when_full


def test_form_has_every_option_and_value_of_the_server() -> None:
    """Every option of the server is a field, and turning it shows each of its values."""
    form = Form(INFO)
    for option in INFO.options:
        name = f"option {option.name}"
        assert name in all_fields(form)
        if not option.number:
            reached = [turned(form, name) for _ in range(len(option.values) + 1)]
            assert reached == [*option.values, ""]
            assert turned(form, name, -1) == option.values[-1]


@pytest.mark.parametrize("is_private", [False, True])
def test_every_field_cycles_through_described_values(is_private: bool) -> None:
    """Each field cycles through its values back to the default; each value and field has a text."""
    form = Form(INFO, is_private=is_private)
    form.put("clock", "30")
    for name in all_fields(form):
        values = form.field(name).values
        first = form.value(name)
        texts = set()
        for _ in values:
            texts.add(form.field(name).shown(form.value(name)))
            form.turn(name, 1)
        if name not in [f"option {option.name}" for option in INFO.options if option.number]:
            assert form.value(name) == first
            assert len(texts) == len(values)
        assert form.field(name).label
        assert form.field(name).explained()[0]


def test_numbers_change_in_steps_between_their_limits() -> None:
    """Numbers change in suitable steps; below the minimum is the default."""
    form = Form(INFO)
    assert turned(form, "option target") == "10"
    assert turned(form, "option target", 8) == "90"
    assert turned(form, "option target", -1) == "80"
    assert turned(form, "option target", -8) == ""
    assert turned(form, "option target", -1) == ""
    assert [turned(form, "option dummy_extra_pawns") for _ in range(3)] == ["0", "1", "2"]
    form.put("option dummy_extra_pawns", "99")
    assert turned(form, "option dummy_extra_pawns") == "99"


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
        ("option target", "85", "85"),
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
        ("clock", "soon", "'soon' is no clock: 30 is"),
        ("clock", "9999999h", "seconds are too long; the most is 2592000, a month"),
        ("absence", "long", "A number is needed"),
        ("option target", "many", "A number is needed"),
        ("tries", "0", "1 to 100 tries"),
        ("seat 1", "", "Type human, dummy or the name of a bot"),
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


@pytest.mark.parametrize(
    ("refused", "name"),
    [
        (Refused("BAD_OPTION", "TARGET", option="target=5", target=5, vp=10), "option target"),
        (Refused("BAD_OPTION", "VALUE", option="give_up=x", known="free", rule="R-REORG-3"), "option give_up"),
        (Refused("BAD_OPTION", "EDITION", edition="X", known="standard"), "edition"),
        (Refused("BAD_SEED", "FORM", field="seed", text="|"), "seed"),
        (Refused("BAD_TIMING", "BOTH"), "clock"),
        (Refused("BAD_MISTAKES", tries=101, most=100), "tries"),
        (Refused("UNKNOWN_BOARD", board="x", boards="europe"), "board"),
        (Refused("BAD_SEAT", "NUMBER", seats=2, fewest=3, most=6), "seats"),
        (Refused("DRAINING"), "seats"),
    ],
    ids=str,
)
def test_refusal_is_assigned_to_its_field(refused: Refused, name: str) -> None:
    """A refusal is assigned to a field by its reason and the option that it names, and shown in the language of the session."""
    form = Form(INFO)
    error = ServerRefused(grpc.StatusCode.INVALID_ARGUMENT, refused.reason, str(refused), refused.facts)
    assert form.blame(error) == name
    assert form.wrong == (name, str(refused))
    choose("de")
    assert form.blame(error) == name
    assert form.wrong[1] not in ("", str(refused))
