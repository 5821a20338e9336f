"""Making a match: the form as a page."""

from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from vinci.v1 import lobby_pb2
from vinci_client.errors import ServerRefused

from ...text.i18n import _, titled
from ...text.tables import Line
from ..toolkit.app import App
from ..toolkit.menu import Menu, MenuItem
from .form import Field, Form
from .page import LobbyPage

MAKE: Final = "make"
MORE: Final = "options"
BASIC_GROUPS: Final = 3
"""Groups of the form that are always shown."""

Make: TypeAlias = Callable[[lobby_pb2.CreateMatchRequest], Coroutine[Any, Any, object]]
"""Create the match; returns the result of the page."""


def making(form: Form, where: str, chosen: str, *, in_full: bool = True) -> Menu:
    """Draw the form as a menu; what few people change is behind a line, unless it is shown `in_full`."""
    choices = [MenuItem(MAKE, [_("Make this match")], "class:title")]
    groups = form.groups()
    fields = [field for group in groups.values() for field in group]
    about, detail = _("The match"), [[("", text)] for text in _summary(form, fields)]
    keys = [("m", _("make the match")), ("escape", _("back"))]
    shown = list(groups)[: None if in_full else BASIC_GROUPS]
    for group, its_fields in groups.items():
        if group not in shown:
            continue
        choices.append(MenuItem("", [group]))
        for field in its_fields:
            is_wrong = field.name == form.wrong[0]
            texts = [f"  {'! ' if is_wrong else ''}{field.label}", field.show(form.value(field.name))]
            choices.append(MenuItem(field.name, texts, "class:error" if is_wrong else "", turns=field.turns))
            if field.name == chosen:
                arrows = [("left", ""), ("right", _("change"))] if field.turns else []
                keys = [*arrows, *([("enter", _("type it"))] if field.read is not None else []), *keys]
                error: list[Line] = [[("class:error", f"! {form.wrong[1]}")]] if is_wrong else []
                about, detail = field.label, [*error, *([("", text)] for text in field.help)]
    if not in_full:
        choices.append(MenuItem(MORE, [_("More options …")], "class:title"))
    if chosen == MORE:
        about, detail = _("More options"), [[("", _("What computer players may do wrong, and every single rule."))]]
    title = _("a match {where}").format(where=where)
    return Menu(title, choices, chosen, about=about, detail=detail if chosen else [], keys=keys)


def _summary(form: Form, fields: Sequence[Field]) -> list[str]:
    """Seats, and values that are not the default, one line each."""
    seats = ", ".join(field.show(form.value(field.name)) for field in fields if field.name.startswith("seat "))
    changed = [field for field in fields if form.values.get(field.name) and field.name != "names"]
    lines = [titled(field.label) + field.show(form.value(field.name)) for field in changed]
    return [_("At the table: {seats}.").format(seats=seats), *(lines or [_("Everything else is as usual.")])]


class MakingPage(LobbyPage):
    """Page of the form; its result is that of `make`, Leave, or None to go back."""

    def __init__(self, app: App, form: Form, where: str, make: Make) -> None:
        super().__init__(app)
        self.form: Final = form
        self.where: Final = where
        self._make: Final = make
        self._in_full = False

    def menu(self) -> Menu:
        """The form."""
        return making(self.form, self.where, self.chosen, in_full=self._in_full)

    def turn(self, target: str, step: int) -> None:
        """Set the next value or the one before."""
        if target not in (MAKE, MORE):
            self.form.turn(target, step)

    def act(self, target: str) -> None:
        """Make the match, type a value, or take the next one."""
        if target == MAKE:
            self.start(_("The match is being made …"), self._made())
            return
        if target == MORE:
            self._in_full = True
            return
        field = self.form.field(target)
        if field.read is None:
            self.turn(target, 1)
        else:
            value = "" if target.startswith("seat ") else self.form.value(target)
            self.ask(titled(field.label), partial(self._typed, target), value)

    def key(self, key: str) -> None:
        """Make the match on `m`."""
        if key == "m":
            self.act(MAKE)

    def failed(self, error: Exception) -> None:
        """Show a refusal at the field that it is about."""
        super().failed(error)
        if isinstance(error, ServerRefused):
            self.chosen = self.form.blame(error)
            self._in_full = True  # it may be about any of them

    async def _made(self) -> None:
        self.app.leave(await self._make(self.form.request()))

    def _typed(self, name: str, text: str) -> None:
        self.form.type(name, text)
        if self.form.wrong[1]:
            self.say(self.form.wrong[1], is_error=True)
