"""Reader of `tutorial.toml`: match and steps of the tutorial, and hints for a first game, shared by the clients.

The terminal reads them here, the page in a copy. Nothing here knows rules: the steps fit the position, and the server
says what is legal. A text is a list of parts that are joined by blanks; a part is a text, or a table with the text for
each client, `terminal` and `page`. Fields in it: signs of the map by name, `{BAE}` for the code of a province in
brackets where a client shows codes, else nothing.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple, TypeAlias

Client: TypeAlias = Literal["terminal", "page"]
Part: TypeAlias = str | Mapping[str, str]


class Step(NamedTuple):
    """A step of the tutorial.

    Attributes:
        title: heading in English.
        text: parts of what it says.
        wants: start of the notation of the action that ends the step; empty if it only has to be read.
        with_word: a word that the notation must also contain.
        times: number of such actions that end the step.
        also: starts of other actions that the step allows.
        hint: parts of the answer to all other actions.
        tab, province: tab of the terminal to open and province to select.
    """

    title: str
    text: tuple[Part, ...]
    wants: str = ""
    with_word: str = ""
    times: int = 1
    also: tuple[str, ...] = ()
    hint: tuple[Part, ...] = ()
    tab: str = ""
    province: str = ""


class Tutorial(NamedTuple):
    """The file as a whole.

    Attributes:
        seat: of the player.
        seed, position: of the match.
        always: starts of actions that every step allows.
        steps: in their order; the last one is only read.
        hints: in English, by what is to be decided or seen.
    """

    seat: int
    seed: str
    position: str
    always: tuple[str, ...]
    steps: tuple[Step, ...]
    hints: Mapping[str, str]


@cache
def tutorial() -> Tutorial:
    """Return the tutorial."""
    read: dict[str, Any] = tomllib.loads((files("vinci_words") / "tutorial.toml").read_text(encoding="utf-8"))
    return Tutorial(**_tuples({**read, "steps": [Step(**_tuples(step)) for step in read["steps"]]}))


def parts(text: tuple[Part, ...], client: Client) -> list[str]:
    """Return the parts of a text that a client says, in English."""
    return [part if isinstance(part, str) else part[client] for part in text]


def texts() -> Iterator[str]:
    """Yield all texts that are translated."""
    for step in tutorial().steps:
        yield step.title
        for part in (*step.text, *step.hint):
            yield from (part,) if isinstance(part, str) else part.values()
    yield from tutorial().hints.values()


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
