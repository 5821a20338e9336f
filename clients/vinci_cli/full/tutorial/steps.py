"""The steps of the tutorial: texts, wanted actions, and progress.

It knows no rules: the steps fit the start position, and the server says what is legal.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, final

from vinci.v1 import game_pb2, lobby_pb2
from vinci_words import tutorial

from ...text.i18n import _
from ..map.symbols import Signs

LESSON: Final = tutorial.tutorial()
SEAT: Final = LESSON.seat


class TutorialStep(NamedTuple):
    """A step of the tutorial in the language of the session; `title`, `text` and `hint` are shown.

    `wants`, `with_word`, `times`, `also`, `tab` and `province` are those of `vinci_words.tutorial.Step`.
    """

    title: str
    text: str
    wants: str = ""
    with_word: str = ""
    times: int = 1
    also: Sequence[str] = ()
    hint: str = ""
    tab: str = ""
    province: str = ""

    def ends_with(self, notation: str) -> bool:
        """Whether this action completes the step, or a part of it."""
        words = f"{notation} "
        return bool(self.wants) and words.startswith(f"{self.wants} ") and f" {self.with_word}" in words

    def takes(self, notation: str) -> bool:
        """Whether the step allows this action."""
        return self.ends_with(notation) or notation.partition(" ")[0] in (*self.also, *LESSON.always)


@final
class Tutor:
    """Progress through the steps, from updates of the game and the key for the next step."""

    def __init__(self, steps: Sequence[TutorialStep]) -> None:
        self._steps: Final = steps
        self._revision = -1
        self._place = 0
        self._done = 0
        self._past: Final[dict[int, tuple[int, int]]] = {-1: (0, 0)}  # place and actions done, by revision

    @property
    def step(self) -> TutorialStep:
        """The current step."""
        return self._steps[self._place]

    @property
    def number(self) -> int:
        """Number of the current step, from 1."""
        return self._place + 1

    @property
    def count(self) -> int:
        """Number of steps."""
        return len(self._steps)

    @property
    def missing(self) -> int:
        """Actions that the step still needs."""
        return self.step.times - self._done if self.step.wants else 0

    def take(self, update: game_pb2.Update) -> None:
        """Take an update of the game; older ones are ignored."""
        if update.revision <= self._revision:
            return
        self._revision = update.revision
        if update.HasField("undo_to"):
            self._place, self._done = self._past[max(revision for revision in self._past if revision <= update.undo_to)]
        elif update.seat == SEAT:
            self._play(update.notation)
        self._past[update.revision] = self._place, self._done

    def _play(self, notation: str) -> None:
        place = self._wanted()  # a player who acts has read enough
        if self._steps[place].ends_with(notation):
            self._done = self._done + 1 if place == self._place else 1
            self._place = place
            if self._done == self.step.times:
                self._place, self._done = place + 1, 0

    def _wanted(self) -> int:
        """Place of the next step that wants an action; the last step wants none."""
        places = range(self._place, len(self._steps))
        return next((place for place in places if self._steps[place].wants), places[-1])

    def read_on(self) -> bool:
        """Go to the next step after reading; returns whether there is one."""
        if self.step.wants or self.number == self.count:
            return bool(self.step.wants)
        self._place += 1
        return True

    def objection(self, notation: str) -> str:
        """Hint if the step does not allow an action; empty if it does."""
        step = self._steps[self._wanted()]
        return "" if not step.wants or step.takes(notation) else step.hint


def request() -> lobby_pb2.CreateMatchRequest:
    """Request that creates the match of the tutorial."""
    return lobby_pb2.CreateMatchRequest(position=LESSON.position, seed=LESSON.seed, start_when_full=True)


def words_of(action: game_pb2.Action) -> str:
    """An action in notation, as far as steps read it."""
    match action.WhichOneof("kind"):
        case "take":
            return f"take {action.take.slot}"
        case "conquer":
            return f"x {action.conquer.province}"
        case "hold":
            return " ".join(["hold", *(["fort"] if action.hold.forts else [])])
        case "notation":
            return action.notation
        case kind:
            return kind or ""


def steps(its: Signs) -> list[TutorialStep]:
    """Return the steps, in the language of the session, with the signs of the map; the last step is only read."""
    fields = _Fields(its._asdict(), neutral="n")
    shown = []
    for step in LESSON.steps:
        text, hint = (
            " ".join(_(part).format_map(fields) for part in tutorial.parts(whole, "terminal"))
            for whole in (step.text, step.hint)
        )
        shown.append(TutorialStep(**step._asdict() | {"title": _(step.title), "text": text, "hint": hint}))
    return shown


class _Fields(dict[str, str]):
    """The fields of texts: signs by their names, codes of provinces in brackets."""

    def __missing__(self, code: str) -> str:
        return f" ({code})"
