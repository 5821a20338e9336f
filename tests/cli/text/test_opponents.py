"""Computer players in words, in every language."""

import pytest

from vinci_cli.text import i18n, names, opponents
from vinci_players.names import CHARACTERS


@pytest.mark.parametrize(
    ("word", "reason"),
    [("hard:raidr", "'hard:raidr': es gibt keinen Charakter raidr"), ("hard:30", ""), ("mine:3", "")],
)
def test_a_wrong_level_is_refused_in_the_language(word: str, reason: str) -> None:
    """The reasons of the parser are translated; other words are for the caller to judge."""
    i18n.choose("de")
    assert opponents.fault(word).startswith(reason)
    assert bool(opponents.fault(word)) == bool(reason)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_opponents_are_described_in_every_language(language: str) -> None:
    """Levels and characters have names and sentences; a budget changes neither."""
    i18n.choose(language)
    level, character = opponents.about("hard:raider")
    assert opponents.about("hard:30:raider") == [level, character]
    assert opponents.about("hard@5ms") == [level]
    assert len(opponents.about("dummy")) == len(opponents.about("easy")) == 1
    assert opponents.about("human") == opponents.about("my-bot") == []
    assert len({names.label(f"hard:{name}") for name in CHARACTERS}) == len(CHARACTERS)
    assert "hard:30" in names.label("hard:30:raider")
    if language == "de":
        assert [names.label(word) for word in ("hard:raider", "hard@5ms:raider", "easy", "my-bot:raider")] == [
            "Räuber Schwer",
            "Räuber hard@5ms",
            "Leicht",
            "my-bot:raider",
        ]
