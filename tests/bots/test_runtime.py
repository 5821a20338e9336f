"""Settings of a kit bot: environment variables and command-line options."""

import pytest

from vinci_bots import environment, runtime
from vinci_client.access import SYSTEM, Access


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the bot's variables from the environment."""
    for name in (environment.ADDRESS, environment.SEAT_TOKEN, environment.SEED, environment.CODE):
        monkeypatch.delenv(name, raising=False)


def test_default_settings() -> None:
    """Without options a bot connects to this machine and plays without a limit on games."""
    assert runtime.read("first", []) == runtime.Start("localhost", "first", 1, None, "", "", Access())


def test_command_line_options() -> None:
    """Every option is parsed."""
    typed = ["there:1", "--name", "ada", "--at-once", "4", "--games", "10", "--code", "k3f9-xa2m", "--tls"]
    access = Access("k3f9-xa2m", tls=SYSTEM)
    assert runtime.read("first", typed) == runtime.Start("there:1", "ada", 4, 10, "", "", access)


def test_environment_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat token in the environment is used, and arguments take precedence over the environment."""
    for name, value in {environment.ADDRESS: "here:1", environment.SEAT_TOKEN: "m.x", environment.SEED: "7"}.items():
        monkeypatch.setenv(name, value)
    assert runtime.read("first", []) == runtime.Start("here:1", "first", 1, None, "m.x", "7", Access())
    assert runtime.read("first", ["there"]).address == "there"


def test_code_variable_without_a_join_code_is_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value of the code variable that is not a join code is used as a password."""
    monkeypatch.setenv(environment.CODE, "sesame")
    assert runtime.read("first", []).access == Access(password="sesame")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("--games 0", "invalid positive_number value: '0'"), ("--at-once x", "'x'"), ("--code ö", "printable ASCII")],
)
def test_invalid_options_exit_with_2(typed: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Invalid options exit with status 2 and a message."""
    with pytest.raises(SystemExit) as ended:
        runtime.read("first", typed.split())
    assert ended.value.code == 2
    assert expected in capsys.readouterr().err


async def test_thread_runs_calls_in_order_and_passes_exceptions_on() -> None:
    """The thread runs calls in the order requested and raises their exceptions in the caller."""
    thread, done = runtime.Thread(), list[int]()
    assert await thread.do(max, 1, 2) == 2
    with pytest.raises(ZeroDivisionError):
        await thread.do(divmod, 1, 0)
    for number in range(3):
        await thread.do(done.append, number)
    assert done == [0, 1, 2]
