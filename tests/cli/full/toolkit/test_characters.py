"""Characters of the client that a common font of terminals has."""

import unicodedata
from pathlib import Path

import vinci_cli
from tests.support.paths import DATA

CLIENT = Path(vinci_cli.__file__).parent


def in_font() -> set[str]:
    """Return the characters of DejaVu Sans Mono 2.37, plain and bold, from ranges of their numbers."""
    result = {chr(number) for number in range(32, 127)}
    for word in (DATA / "dejavu-sans-mono.txt").read_text(encoding="ascii").split():
        first, _dash, last = word.partition("-")
        result |= {chr(number) for number in range(int(first, 16), int(last or first, 16) + 1)}
    return result


def test_every_character_is_in_a_common_font() -> None:
    """No source or translation of the client has a character that DejaVu Sans Mono lacks."""
    known = in_font() | {"\n"}
    files = [*CLIENT.rglob("*.py"), *CLIENT.rglob("*.po")]
    assert len(files) > 200
    for path in files:
        unknown = set(path.read_text(encoding="utf-8")) - known
        assert not unknown, (path.name, [unicodedata.name(letter, hex(ord(letter))) for letter in unknown])
    assert not known & {"\N{THREE DOT PUNCTUATION}", "\N{BRAILLE PATTERN DOTS-1}"}
