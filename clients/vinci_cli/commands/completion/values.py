"""Values that options and arguments can have, for completion: names of the data, saved seats, and files."""

import json
import os
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

import click
from click.shell_completion import CompletionItem

from vinci_players.names import BOTS, CHARACTERS, is_bot

from ... import home
from ...text.i18n import language

PLAYERS: Final = ("human", "dummy", *BOTS)
VERBS: Final = ("take", "x", "hold", "abandon", "peace", "decline", "stay", "redeploy")

Values: TypeAlias = Iterable[str | tuple[str, str]]
"""Values that begin with what was typed or not; a description can stand beside each."""


def values_of(command: str, name: str, context: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return the values of a parameter that begin with what was typed; ask the shell for files where any is possible.

    `name` is that of an option, with its dashes, or of an argument.
    """
    of_files = FILES.get(f"{command} {name}") or FILES.get(name)
    if of_files is not None:
        completions: list[str] = [path for path in of_files(incomplete) if path.startswith(incomplete)]
        return [CompletionItem(path) for path in completions] or [CompletionItem(incomplete, type="file")]
    of_names = NAMES.get(f"{command} {name}") or NAMES.get(name)
    items = (
        value if isinstance(value, tuple) else (value, None)
        for value in (of_names(context, incomplete) if of_names else ())
    )
    return [CompletionItem(value, help=text) for value, text in items if value.startswith(incomplete)]


def _boards(_context: click.Context, _incomplete: str) -> Values:
    from vinci_rules.board import board_names

    return board_names()


def _editions(_context: click.Context, _incomplete: str) -> Values:
    from vinci_rules.editions import EDITIONS

    return EDITIONS


def _options(_context: click.Context, _incomplete: str) -> Values:
    from vinci_rules.editions import option_kinds

    return [f"{kind.name}={value}" for kind in option_kinds() for value in kind.values]


def _players(_context: click.Context, incomplete: str) -> Values:
    """Return players between commas: those that stand there already, then each that can be the next."""
    before, comma, word = incomplete.rpartition(",")
    return [before + comma + player for player in (*PLAYERS, *_characters(word), *_in_folder(word, ".py"))]


def _bots(_context: click.Context, incomplete: str) -> Values:
    return (*PLAYERS[1:], *_characters(incomplete), *_in_folder(incomplete, ".py"))


def _characters(word: str) -> list[str]:
    """Return the characters of a level with or without a budget, if one with its colon is being typed."""
    before, colon, _character = word.rpartition(":")
    return [f"{before}:{character}" for character in CHARACTERS] if colon and is_bot(before) else []


def _rules(_context: click.Context, _incomplete: str) -> Values:
    from ...text import manual

    return (*manual.rules_by_id().items(), *manual.traits_by_name().items())


def _action(context: click.Context, incomplete: str) -> Values:
    """Return actions: their verbs, and after these the provinces of the board of `--position`."""
    from vinci_rules.board import DEFAULT_BOARD, board_names, load_board

    before, blank, word = incomplete.rpartition(" ")
    if not before.strip() or before.endswith(";"):
        return [before + blank + verb for verb in VERBS]
    named = str(context.params.get("position") or "").partition(";")[0].strip()
    board = load_board(named if named in board_names() else DEFAULT_BOARD)
    named_here = {code: names[language()] for code, names in zip(board.codes, board.names, strict=True)}
    typed = (code if code.startswith(word.upper()) else name.replace(" ", "-") for code, name in named_here.items())
    return [(f"{before}{blank}{text}", name) for text, name in zip(typed, named_here.values(), strict=True)]


def _seats() -> list[tuple[str, str]]:
    """Return server or database, and match, of each saved seat, the latest first.

    The file is read without `connection.saved_seats`, which would import gRPC.
    """
    try:
        entries = json.loads((home.folder() / "seats.json").read_text(encoding="utf-8"))
        return [(str(entry["where"]), str(entry["match_id"])) for entry in reversed(entries)]
    except (OSError, ValueError, TypeError, KeyError):
        return []


def _servers(_context: click.Context, _incomplete: str) -> Values:
    return dict.fromkeys(["localhost", *(where for where, _match in _seats() if not os.path.isabs(where))])


def _matches(_context: click.Context, _incomplete: str) -> Values:
    return [(match, where) for where, match in _seats()]


def _in_folder(incomplete: str, *suffixes: str) -> list[str]:
    """Return the files with such a suffix in the folder of a path that is being typed, as they are typed."""
    folder = incomplete[: len(incomplete) - len(os.path.basename(incomplete))]
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        return []
    return [folder + name for name in names if name.endswith(suffixes)]


def _leagues(incomplete: str) -> list[str]:
    """Return the folders with a league beside a path that is being typed."""
    return [path for path in _in_folder(incomplete, "") if os.path.isfile(os.path.join(path, "league.json"))]


def _records(incomplete: str) -> list[str]:
    return _in_folder(incomplete, ".jsonl")


NAMES: Final[dict[str, Callable[[click.Context, str], Values]]] = {
    "--action": _action,
    "--against": _bots,
    "--board": _boards,
    "--bots": _bots,
    "--create": _players,
    "--edition": _editions,
    "--gate": _bots,
    "--gauntlet": _bots,
    "--match": _matches,
    "--option": _options,
    "--players": _players,
    "--server": _servers,
    "--substitute": _bots,
    "address": _servers,
    "match_id": _matches,
    "match_ids": _matches,
    "rules name": _rules,
}
"""Names that a parameter can have, by its own name; after that of a command where several commands have it."""

FILES: Final[dict[str, Callable[[str], list[str]]]] = {
    "check command": lambda incomplete: _in_folder(incomplete, ".py"),
    "import file": _records,
    "path": _leagues,
    "replay file": _records,
    "run file": lambda incomplete: _in_folder(incomplete, ".py", ".toml"),
    "--config": lambda incomplete: _in_folder(incomplete, ".toml"),
    **dict.fromkeys(
        (
            *("--animate", "--db", "--html", "--junit", "--markdown", "--out", "--password-file", "--position"),
            *("--records", "--ssh-keys", "--svg", "--tls-ca", "--tls-cert", "--tls-key", "backup file", "new folder"),
        ),
        lambda _incomplete: [],
    ),
}
"""Files that a parameter can name, those proposed first; if there are none, the shell completes any file."""
