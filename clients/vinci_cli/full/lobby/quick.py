"""New games in few steps: against computer players of a level, or in turn at this terminal."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, TypeAlias

from vinci_players.names import LEVELS

from ...text import opponents
from ...text.i18n import N_, _, plural
from ..toolkit.app import App
from ..toolkit.menu import Menu, MenuItem
from .title import Backdrop, TitlePage

MORE: Final = "options"
"""Result of both pages that leads to the form with all options."""

RIVALS: Final = ("builder", "raider", "hermit")
"""Characters of the opponents in a quick game."""

SEATS: Final = 4
MOST: Final = 6
COMPANION: Final = "normal"
"""Level of the computer players at a table of few people."""

Make: TypeAlias = Callable[[Sequence[str], Sequence[str]], Coroutine[Any, Any, object]]
"""Make a game from words for its seats and names of people; returns the result of the page."""


def rivals(level: str) -> list[str]:
    """Words for the seats of a quick game: a person, and three computer players of a level."""
    return ["human", *(f"{level}:{character}" for character in RIVALS)]


def company(people: int) -> list[str]:
    """Words for the seats of so many people, with computer players up to four seats."""
    return [*["human"] * people, *(f"{COMPANION}:{character}" for character in RIVALS)][: max(people, SEATS)]


def levels(chosen: str) -> Menu:
    """Menu of a quick game."""
    choices = [MenuItem(level, [_(title)]) for level, (title, _about) in LEVELS.items()]
    choices.append(MenuItem(MORE, [_("More options …")]))
    if chosen in LEVELS:
        compared = [_(opponents.COMPARED[chosen])] if chosen in opponents.COMPARED else []
        about = [_(LEVELS[chosen][1]), *compared, _("They are a builder, a raider and a hermit.")]
    else:
        about = [_("Seats, board, clock, editions and single rules.")]
    return _menu(_("quick game"), choices, chosen, _("How strong are your opponents?"), about)


def tables(chosen: str, *, is_at_home: bool) -> Menu:
    """Menu of games with others; those at this terminal only `is_at_home`."""
    numbers = range(2, MOST + 1) if is_at_home else ()
    choices = [MenuItem(f"people {n}", [plural("{n} person here", "{n} people here", n)]) for n in numbers]
    choices += [MenuItem(target, [_(title)]) for target, (title, _about) in ELSEWHERE.items()]
    if is_at_home:
        choices.append(MenuItem(MORE, [_("More options …")]))
    if chosen in ELSEWHERE:
        about = [_(ELSEWHERE[chosen][1])]
    elif chosen.startswith("people "):
        about = [_("You sit at this terminal and play in turn.")]
        added = len(company(n := int(chosen.split()[1]))) - n
        about += [plural("{n} computer player joins you.", "{n} computer players join you.", added)] if added else []
    else:
        about = [_("Seats, board, clock, editions and single rules.")]
    return _menu(_("play with others"), choices, chosen, _("Who plays, and where?"), about)


ELSEWHERE: Final = {
    "network": (N_("Join a table"), N_("Find a server, or name one, and sit down at one of its matches.")),
    "table": (N_("Make a table"), N_("Make a match for others to join, here or on a server that you choose.")),
}
"""Title and explanation of tables with people at other terminals."""


def _menu(title: str, choices: list[MenuItem], chosen: str, question: str, about: list[str]) -> Menu:
    return Menu(
        title,
        choices,
        chosen,
        above=[[("class:hint", question)]],
        detail=[[("", " ".join(about))]],
        keys=[("enter", _("choose")), ("escape", _("back"))],
    )


class QuickPage(TitlePage):
    """Page of a quick game; its result is that of `make`, MORE, Leave, or None to go back."""

    def __init__(self, app: App, backdrop: Backdrop, names: Sequence[str], make: Make) -> None:
        super().__init__(app, backdrop)
        self._names: Final = names
        self._make: Final = make

    def menu(self) -> Menu:
        """The levels."""
        return levels(self.chosen)

    def act(self, target: str) -> None:
        """Make a game at this level."""
        if target == MORE:
            self.app.leave(MORE)
        else:
            self.start(_("Setting up the game …"), self._made(target))

    async def _made(self, level: str) -> None:
        self.app.leave(await self._make(rivals(level), self._names[:1]))


class OthersPage(TitlePage):
    """Page of games with others; its result is that of `make`, a name of ELSEWHERE, MORE, Leave, or None to go back."""

    def __init__(
        self, app: App, backdrop: Backdrop, names: Sequence[str], make: Make, chosen: str, *, is_at_home: bool
    ) -> None:
        super().__init__(app, backdrop, chosen)
        self._names: Final = names
        self._make: Final = make
        self._is_at_home: Final = is_at_home

    def menu(self) -> Menu:
        """The tables."""
        return tables(self.chosen, is_at_home=self._is_at_home)

    def act(self, target: str) -> None:
        """Ask for the names of the people here, or go to the other page."""
        if not target.startswith("people "):
            self.app.leave(target)
            return
        people = int(target.split()[1])
        shown = ", ".join([*self._names, *(_("player {n}").format(n=n) for n in range(1, people + 1))][:people])
        self.ask(_("Your names, with commas: "), lambda text: self._named(people, text), shown)

    def _named(self, people: int, text: str) -> None:
        names = [name.strip() for name in text.split(",") if name.strip()]
        if len(names) == people:
            self.start(_("Setting up the game …"), self._made(people, names))
        else:
            text = plural(
                "Type {n} name, with commas between them.", "Type {n} names, with commas between them.", people
            )
            self.say(text, is_error=True)

    async def _made(self, people: int, names: Sequence[str]) -> None:
        self.app.leave(await self._make(company(people), names))
