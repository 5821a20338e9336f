"""Computer players as the command knows them: the levels and characters of the players, with words in every language."""

import pytest

from vinci_bots.builtin.policies import KNOWN, is_policy
from vinci_cli.connection import opponents
from vinci_cli.text import characters, i18n
from vinci_players.characters import CHARACTERS
from vinci_players.levels import LEVELS, MOST_MILLISECONDS, MOST_SIMULATIONS

WORDS = (
    *KNOWN,
    *(f"hard:{character}" for character in CHARACTERS),
    *(
        "easy:hermit",
        "expert:2000",
        "expert:2000:raider",
        "expert@500ms:raider",
        "hard:1",
        f"hard:{MOST_SIMULATIONS}",
    ),
    *(
        "easy:3",
        "easy@3ms",
        "normal:3",
        "normal@3ms",
        "hard:0",
        f"hard:{MOST_SIMULATIONS + 1}",
        "hard@0ms",
        f"hard@{MOST_MILLISECONDS + 1}ms",
    ),
    *(
        "hard:",
        "hard@",
        "hard@3s",
        "hard:raidr",
        "hard:raider:30",
        "hard:raider:hermit",
        "harder",
        "Hard",
        "greedy:3",
        "",
    ),
)


def test_levels_and_characters_are_those_of_the_players() -> None:
    """The command cannot import the players where it lists them, so their names stand twice."""
    assert tuple(opponents.LEVELS) == tuple(LEVELS)
    assert tuple(characters.CHARACTERS) == tuple(CHARACTERS)
    assert {"dummy", *opponents.BOTS} == set(KNOWN)


@pytest.mark.parametrize("word", WORDS)
def test_the_command_starts_what_the_players_know(word: str) -> None:
    """A word is a bot of the command if it is a policy; one that begins with a level is refused with its reason."""
    assert opponents.is_bot(word) == (is_policy(word) and word != "dummy")
    begins = word.replace("@", ":").partition(":")[0] in LEVELS
    assert bool(opponents.fault(word)) == (begins and not is_policy(word))


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_opponents_are_described_in_every_language(language: str) -> None:
    """Levels and characters have names and sentences; a budget changes neither."""
    i18n.choose(language)
    level, character = opponents.about("hard:raider")
    assert opponents.about("hard:30:raider") == [level, character]
    assert opponents.about("hard@5ms") == [level]
    assert len(opponents.about("dummy")) == len(opponents.about("easy")) == 1
    assert opponents.about("human") == opponents.about("my-bot") == []
    assert len({characters.label(f"hard:{name}") for name in CHARACTERS}) == len(CHARACTERS)
    assert characters.label("hard:30:raider").startswith("hard:30 ")
    if language == "de":
        assert characters.label("hard:raider") == "hard Räuber"
