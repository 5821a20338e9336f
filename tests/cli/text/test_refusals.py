"""Sentences for refusals of servers of this and other versions."""

import grpc
import pytest

from vinci.v1 import game_pb2, lobby_pb2
from vinci_cli.records.loader import names_of
from vinci_cli.text import events, i18n, refusals
from vinci_cli.text.i18n import LANGUAGES, choose
from vinci_client.errors import ServerRefused
from vinci_refusals.catalogue import FORMS, NOT_STARTED_IN_TIME
from vinci_refusals.wording import Refused, texts
from vinci_rules import notation
from vinci_rules.board import load_board
from vinci_rules.notation import NotationError
from vinci_server.errors import ServiceError


@pytest.fixture(autouse=True)
def english() -> None:
    """Start each test in English."""
    choose("en")


def received(error: Refused, message: str) -> ServerRefused:
    """Return a refusal as a client receives it."""
    return ServerRefused(grpc.StatusCode.FAILED_PRECONDITION, error.reason, message, error.facts)


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_every_refusal_is_translated(code: str) -> None:
    """All sentences are translated, except forms that are typed literally."""
    choose(code)
    same = {text for text in texts() if i18n._(text) == text}
    assert same <= {FORMS["x"]}


def test_limit_of_an_older_server_is_translated() -> None:
    """An older server sends the same facts with another sentence and without `which`."""
    facts = {"limit": "chat_lines_per_minute", "number": "120", "retry_after": "0.500"}
    error = ServerRefused(grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED", "more than 120 lines", facts)
    choose("fr")
    assert (
        refusals.sentence(error)
        == "votre adresse est limitée à 120 messages de chat par minute\u00a0; attendez 0.500 secondes"
    )


@pytest.mark.parametrize(
    ("reason", "facts", "message"),
    [
        ("BAD_REQUEST_ID", {}, "another seat has used this request_id; use a new UUID"),
        ("STORE_FAILED", {}, "nothing was changed: disk full"),
        ("NONCES_DUE", {"which": "LATER", "seats": "2"}, "wait for the second moon"),
    ],
)
def test_server_sentence_is_shown_without_a_known_variant(reason: str, facts: dict[str, str], message: str) -> None:
    """An older server sends no facts, a later one may send a new variant; its sentence is shown."""
    choose("nl")
    assert refusals.sentence(ServerRefused(grpc.StatusCode.INTERNAL, reason, message, facts)) == message


def test_reason_for_an_ended_match_is_translated() -> None:
    """A server's own reasons for ending a match are translated, those of an admin are shown unchanged."""
    names = names_of(load_board("tiny"))
    ended = ServiceError("MATCH_ENDED", ended=NOT_STARTED_IN_TIME)
    choose("de")
    assert refusals.sentence(received(ended, "")) == "die Partie wurde beendet: sie hat nicht rechtzeitig begonnen"
    lines = events.changes(lobby_pb2.Match(), lobby_pb2.Match(ended=NOT_STARTED_IN_TIME), (), names)
    assert any("sie hat nicht rechtzeitig begonnen" in line for line in lines)
    assert refusals.phrase("Options") == "Options"


def test_refused_action_without_a_rule_is_translated() -> None:
    """Facts beside the sentence allow a translation; an older server sends the sentence only."""
    names = names_of(load_board("tiny"))
    message = ServiceError("BAD_ACTION", "PAWNS", text="alp").refusal()
    choose("nl")
    assert events.refusal(message, names) == "'alp' heeft niet de vorm CODE=PIONNEN, zoals ALP=3"
    earlier = game_pb2.Refusal(reason="BAD_ACTION", facts={"message": "'alp' is not CODE=PAWNS"})
    assert events.refusal(earlier, names) == "'alp' is not CODE=PAWNS"


def test_position_in_a_list_is_named() -> None:
    """The sentence names the position, on the server and translated with its facts."""
    error = ServiceError("BAD_POSITION", "LONG", most=4096).at_position(2)
    assert error.message == "position 2: a position can have at most 4096 characters"
    assert refusals.sentence(received(error, error.message)) == error.message
    choose("fr")
    assert (
        refusals.sentence(received(error, error.message)) == "position 2\u00a0: une position a au plus 4096 caractères"
    )


def test_proposed_provinces_have_their_names() -> None:
    """A refusal that proposes provinces names them in the language of the session, and ends like a sentence."""
    board = load_board("europe")
    with pytest.raises(NotationError) as raised:
        notation.read("x po", board)
    choose("de")
    names = names_of(board)
    expected = (
        "'po' passt auf mehrere Provinzen: POM (Pommern) oder POL (Polen) oder PON (Pontische Steppe); schreib mehr vom "
        "Namen, oder den Code."
    )
    assert refusals.full_sentence(raised.value, names.province).replace("\u00a0", " ") == expected
    with pytest.raises(NotationError) as raised:
        notation.read("x flandes", board)
    choose("en")
    assert refusals.full_sentence(raised.value, names_of(board).province).endswith("did you mean FLA\u00a0(Flanders)?")
