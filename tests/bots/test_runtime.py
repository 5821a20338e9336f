"""Settings of a bot of the kit: environment variables and command-line options."""

import pytest

from vinci_bots import environment, runtime
from vinci_client.access import SYSTEM, Access


@pytest.fixture(autouse=True)
def nothing_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the bot's variables from the environment."""
    for name in (environment.ADDRESS, environment.SEAT_TOKEN, environment.SEED, environment.CODE):
        monkeypatch.delenv(name, raising=False)


def test_by_hand_it_is_for_ever_at_this_machine() -> None:
    """Check the defaults without any option: this machine, and no limit on games."""
    assert runtime.read("first", []) == runtime.Start("localhost", "first", 1, None, "", "", Access())


def test_what_is_typed() -> None:
    """Check that every option is parsed."""
    typed = ["there:1", "--name", "ada", "--at-once", "4", "--games", "10", "--code", "k3f9-xa2m", "--tls"]
    access = Access("k3f9-xa2m", tls=SYSTEM)
    assert runtime.read("first", typed) == runtime.Start("there:1", "ada", 4, 10, "", "", access)


def test_what_the_environment_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a seat token in the environment is used, and arguments take precedence over the environment."""
    for name, value in {environment.ADDRESS: "here:1", environment.SEAT_TOKEN: "m.x", environment.SEED: "7"}.items():
        monkeypatch.setenv(name, value)
    assert runtime.read("first", []) == runtime.Start("here:1", "first", 1, None, "m.x", "7", Access())
    assert runtime.read("first", ["there"]).address == "there"


def test_a_code_that_is_none_is_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a code variable that is not a join code is read as a password."""
    monkeypatch.setenv(environment.CODE, "sesame")
    assert runtime.read("first", []).access == Access(password="sesame")


@pytest.mark.parametrize(
    ("typed", "told"),
    [("--games 0", "invalid positive_number value: '0'"), ("--at-once x", "'x'"), ("--code ö", "printable ASCII")],
)
def test_what_makes_no_sense(typed: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Check that invalid options exit with status 2 and a message."""
    with pytest.raises(SystemExit) as ended:
        runtime.read("first", typed.split())
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


async def test_the_thread_does_one_thing_after_the_other_and_raises_what_is_raised() -> None:
    """In the order in which it was asked."""
    thread, done = runtime.Thread(), list[int]()
    assert await thread.do(max, 1, 2) == 2
    with pytest.raises(ZeroDivisionError):
        await thread.do(divmod, 1, 0)
    for number in range(3):
        await thread.do(done.append, number)
    assert done == [0, 1, 2]
