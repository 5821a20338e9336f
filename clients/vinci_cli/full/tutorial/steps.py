"""The steps of the tutorial: texts, wanted actions, and progress.

It knows no rules: the steps fit the start position, and the server says what is legal.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, final

from vinci.v1 import game_pb2, lobby_pb2

from ...text.i18n import _
from ..map.symbols import Signs

SEAT: Final = 1
SEED: Final = "tutorial"
POSITION: Final = (
    "europe; rules standard dummy_start_vp=0 dummy_extra_pawns=0; round 0; turn 1 draft; "
    "seat 1; seat 2 dummy; seat 3 dummy; market BAR+CUR AGR*+WEA MOU+MIN FOR+POR LIV+MIL MED+SLA"
)
"""Position of the tutorial: the player chooses before two dummies, which take the first slot and have no advantage."""

ALWAYS: Final = ("redeploy", "forfeit")
"""Actions that every step allows: placing survivors and forfeiting."""


class TutorialStep(NamedTuple):
    """A step of the tutorial.

    Attributes:
        title, text: contents of the box.
        wants: start of the notation of the action that ends the step; empty if it only has to be read.
        with_word: a word that the notation must also contain.
        times: number of such actions that end the step.
        also: starts of other actions that the step allows.
        hint: answer to all other actions.
        tab, province: tab to open and province to select.
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
        return self.ends_with(notation) or notation.partition(" ")[0] in (*self.also, *ALWAYS)


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
    return lobby_pb2.CreateMatchRequest(position=POSITION, seed=SEED, start_when_full=True)


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
    """The tutorial, in the language of the session, with the signs of the map; the last step is only read."""
    signs = its._asdict()
    return [
        TutorialStep(
            _("Welcome"),
            _(
                "This is Europe, and civilizations are about to spread over it, decline, and make room for others. "
                "Each province of your empires earns victory points (VP) turn by turn; whoever has most of them "
                "wins when somebody reaches the target. Two dummies play against you here."
            ),
            tab="map",
        ),
        TutorialStep(
            _("A civilization"),
            _(
                "First everybody chooses a civilization: two traits, and the pawns that they bring. Slot 1 is free; "
                "each civilization that you pass over costs 2 VP, which lie on it for whoever takes it. Choose the "
                "second one: Agriculture makes farmland worth more, even after its decline, and Weapons make each "
                "conquest cheaper. ↓ and Enter, or click it twice."
            ),
            wants="take 2",
            hint=_("For this lesson take the second civilization, Agriculture and Weapons."),
            tab="market",
        ),
        TutorialStep(
            _("The first conquest"),
            _(
                "The dummies have chosen, and it is your turn with 12 pawns. A new civilization enters from the "
                "edge of the board or over a sea. Baetica, BAE, is forest ({forest}), which costs 3; 1 more for the "
                "pawn that defends it (n), and 1 less by Weapons: {cost}3 on the map. All of that is listed before you "
                "act. Enter conquers what is selected."
            ).format(**signs),
            wants="x BAE",
            hint=_("Conquer Baetica first: select BAE with the arrows, Tab or a click, then Enter."),
            tab="map",
            province="BAE",
        ),
        TutorialStep(
            _("Mountains"),
            _(
                "From a province that you hold you go on to its neighbours. The Pyrenees, PYR, are a mountain "
                "({mountain}): it earns nothing, but attacks out of a mountain cost 1 less."
            ).format(**signs),
            wants="x PYR",
            hint=_("Conquer the Pyrenees now: select PYR, then Enter."),
            tab="map",
            province="PYR",
        ),
        TutorialStep(
            _("Farmland"),
            _(
                "Down into Aquitaine, AQU: 2 and 1 for its defender, 1 less from the mountain and 1 less by "
                "Weapons. Agriculture makes this farmland ({farmland}) worth 2 VP a turn instead of 1."
            ).format(**signs),
            wants="x AQU",
            hint=_("Conquer Aquitaine now: select AQU, then Enter."),
            tab="map",
            province="AQU",
        ),
        TutorialStep(
            _("As you like"),
            _(
                "Now two more of your choice. Tab goes through all that you can pay for, with what each costs and "
                "earns: Neustria, NEU, is farmland, too, and Castile, CAS, is cheap from the mountain. u takes an "
                "action back."
            ),
            wants="x",
            times=2,
            hint=_("Conquer another province first: Tab selects one, Enter conquers it."),
            tab="map",
        ),
        TutorialStep(
            _("Holding what you have"),
            _(
                "Go on, or end your conquests with h. Then all your pawns are placed anew: every province needs "
                "one, and more of them make it dear to attack. + and - move pawns, the rest is suggested; Enter is "
                "the end of your turn, and you score."
            ),
            wants="hold",
            also=("x",),
            hint=_("End your conquests: h, then Enter."),
            tab="map",
        ),
        TutorialStep(
            _("Others play"),
            _(
                "You scored for every province but mountains, and twice for farmland. Now each dummy takes its "
                "turn, with arrows on the map; the log, l, tells all of it, and n what it means for you. Whoever takes "
                "a province from you costs you one pawn; you place the others elsewhere."
            ),
        ),
        TutorialStep(
            _("Decline"),
            _(
                "A new turn: one pawn stays in each province, and only the others are in your hand. They are all "
                "that this civilization has, so it will not go much further. d shows what a decline brings: it stays "
                "on the board with a pawn in each province and goes on scoring, Agriculture included, which is of the "
                "lasting kind. Enter declines."
            ),
            wants="decline",
            hint=_("Let this civilization decline now: d, then Enter."),
            tab="map",
        ),
        TutorialStep(
            _("The next civilization"),
            _(
                "Your declined empire has scored, and you choose who comes next. Slot 1 is free, and it is a good "
                "one: Forts, to hold on to what you have, and Ports, each worth 1 VP more."
            ),
            wants="take 1",
            hint=_("For this lesson take the first civilization, Forts and Ports."),
            tab="market",
        ),
        TutorialStep(
            _("A new beginning"),
            _(
                "Enter with the new civilization and conquer two provinces, those with a port best; {port} marks "
                "them. Keep away from your declined empire: where the new one touches it, its provinces are given "
                "up. You are told so before you act."
            ).format(**signs),
            wants="x",
            times=2,
            hint=_("Conquer a province: Tab selects one, Enter conquers it."),
            tab="map",
        ),
        TutorialStep(
            _("A fort"),
            _(
                "Conquer more if you like; then h. While you place your pawns, f builds a fort in the selected "
                "province ({fort}): it costs 1 more to attack for as long as it stands, even in decline. Enter ends "
                "your turn."
            ).format(**signs),
            wants="hold",
            with_word="fort",
            also=("x",),
            hint=_("Build a fort before you end your turn: h, then f on a province, then Enter."),
            tab="map",
        ),
        TutorialStep(
            _("That is the game"),
            _(
                "Both your empires have scored. Spread while it is cheap, decline in time, and choose what fits the "
                "place and the others: that is all there is to it. ? explains whatever is selected, s suggests what "
                "to do. Go on here if you like, or begin a game of your own: a quick game of vinci, level easy."
            ),
        ),
    ]
