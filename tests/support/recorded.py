"""Records of games that start from a position."""

from collections.abc import Sequence

from tests.support.rules import act, at
from vinci_rules import notation, position, record
from vinci_rules.chance import FairChance, RecordingChance
from vinci_rules.engine import apply
from vinci_rules.state import State


def recorded(start: str, typed: Sequence[str]) -> list[str]:
    """Return the record of a game from a position, by players; `undo N` takes back, `substitute:` acts for a seat."""
    state = at(start)
    text = position.write(state)
    lines = [record.start_line(state, start=text, seed="review")]
    before: dict[int, State] = {0: state.copy()}
    for number, words in enumerate(typed, start=1):
        by, _, word = words.rpartition(":")
        if word.startswith("undo"):
            state = before[int(word.split()[1])].copy()
            line = record.undo_line(number, state.actor, "player", int(word.split()[1]))
        else:
            drawn = RecordingChance(FairChance("review"))
            action, seat = act(state, word), state.actor
            apply(state, action, drawn)
            notated = notation.write(action, state.board)
            line = record.action_line(number, seat, by or "player", notated, drawn.picks, [])
        before[number] = state.copy()
        lines.append(record.chained(line, lines[-1]["hash"], state))
    return [record.dump(line) for line in lines]
