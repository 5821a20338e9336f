"""Changes of results and records of played leagues."""

from collections.abc import Callable, Sequence

from vinci_players.builtin import POLICIES
from vinci_rules.actions import Action
from vinci_rules.chance import Chance, FastChance
from vinci_rules.engine import legal_actions
from vinci_rules.state import State
from vinci_tournament.play.folder import Folder
from vinci_tournament.results.result import Result


def change_result(folder: Folder, key: str, change: Callable[[Result], Result]) -> None:
    """Forge a result."""
    results = folder.results() | {key: change(folder.result(key))}
    (folder.path / "results.jsonl").write_text("".join(f"{result.to_json()}\n" for result in results.values()))


def change_record(folder: Folder, key: str, change: Callable[[list[str]], Sequence[str]]) -> None:
    """Forge a record."""
    text = "".join(f"{line}\n" for line in change(folder.lines(key)))
    (folder.games / f"{key}.jsonl").write_text(text)


def first_legal(state: State, _chance: Chance) -> Action:
    """Play the first legal action, under the name of another bot."""
    actions = legal_actions(state)
    return actions[0] if actions else POLICIES["dummy"](state, FastChance(1))
