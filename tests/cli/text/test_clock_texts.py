"""One table of typed clocks: the server and the options of the command read them alike, those of the form the server."""

import pytest

from tests.support.full_screen.lobbies import INFO
from vinci.v1 import lobby_pb2
from vinci_cli.exceptions import Misused
from vinci_cli.full.lobby.form import Form
from vinci_cli.text.timing import timing
from vinci_refusals import clock
from vinci_refusals.wording import Refused
from vinci_server.errors import ServiceError
from vinci_server.match.seats.setup import from_request, read_timing

CLOCKS = {
    "": (0, 0, 0),
    "  ": (0, 0, 0),
    "30": (30, 0, 0),
    "90 s": (90, 0, 0),
    " 90S ": (90, 0, 0),
    "2m": (120, 0, 0),
    "2 min": (120, 0, 0),
    "24h": (86_400, 0, 0),
    "720h": (2_592_000, 0, 0),
    "00030": (30, 0, 0),
    "600+15": (0, 600, 15),
    "10m+15s": (0, 600, 15),
    "10m + 15 s": (0, 600, 15),
    "10min+15s": (0, 600, 15),
    "10M+15S": (0, 600, 15),
    "10m+0": (0, 600, 0),
    "1h+1m": (0, 3600, 60),
}
FAULTS = {
    "soon": "CLOCK",
    "10m+": "CLOCK",
    "+5": "CLOCK",
    "5x": "CLOCK",
    "-3": "CLOCK",
    "1.5m": "CLOCK",
    "1m30s": "CLOCK",
    "1 0m": "CLOCK",
    "10m+15s+5s": "CLOCK",
    "\N{ARABIC-INDIC DIGIT THREE}0": "CLOCK",
    "3" * 41: "CLOCK",
    "0": "ZERO",
    "0m+0s": "ZERO",
    "0m+5s": "NO_BANK",
    "9999999": "LONG",
    "9999999h": "LONG",
    "10m+9999999h": "LONG",
    "3" * 40: "LONG",
}


@pytest.mark.parametrize(("text", "seconds"), CLOCKS.items())
def test_clock(text: str, seconds: tuple[int, int, int]) -> None:
    """Each of them reads the same seconds out of a text."""
    assert clock.read(text) == seconds
    read = read_timing(lobby_pb2.Timing(clock=text))
    assert (read.decision, read.bank, read.increment) == seconds
    form = Form(INFO)
    form.type("clock", text)
    assert form.wrong == ("", "")
    made = from_request(form.request(), "").timing
    assert (made.decision, made.bank, made.increment) == seconds
    sent = timing(text, "", None, "")
    assert (sent.decision_seconds, sent.bank_seconds, sent.increment_seconds) == seconds
    assert bool(sent.on_timeout) == any(seconds)
    assert clock.read(clock.written(clock.read(text))) == seconds


@pytest.mark.parametrize(("text", "which"), FAULTS.items())
def test_refused_clock(text: str, which: str) -> None:
    """Each of them refuses a text for the same reason in the same sentence."""
    with pytest.raises(Refused) as refused:
        clock.read(text)
    assert (refused.value.reason, refused.value.facts["which"]) == ("BAD_TIMING", which)
    sentence = str(refused.value)
    with pytest.raises(ServiceError) as failure:
        read_timing(lobby_pb2.Timing(clock=text))
    assert (failure.value.message, failure.value.facts["which"]) == (sentence, which)
    with pytest.raises(Misused) as misused:
        timing(text, "", None, "")
    assert str(misused.value) == f"--clock: {sentence}"
    form = Form(INFO)
    form.type("clock", text)
    with pytest.raises(ServiceError) as failure:
        from_request(form.request(), "")
    assert (failure.value.message, failure.value.facts["field"]) == (sentence, "clock")


def test_clock_is_given_once() -> None:
    """A clock as a text and in seconds contradict each other; a policy needs either."""
    with pytest.raises(ServiceError, match="either as a text or in seconds"):
        read_timing(lobby_pb2.Timing(clock="30", decision_seconds=30))
    with pytest.raises(ServiceError, match="on_timeout needs a clock"):
        read_timing(lobby_pb2.Timing(clock=" ", on_timeout=lobby_pb2.TIMEOUT_POLICY_FORFEIT))
    with pytest.raises(Misused, match="add --clock"):
        timing("", "forfeit", None, "")
