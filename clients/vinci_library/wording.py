"""Why an action is refused, in the words of the clients."""

from vinci_cli.records.loader import names_of
from vinci_cli.text import events
from vinci_codec.events import refusal
from vinci_rules.state import State
from vinci_rules.violations import Violation


def why(violation: Violation, state: State) -> str:
    """Return a violation as a sentence, with the rule."""
    return events.refusal(refusal(violation, state.board), names_of(state.board))
