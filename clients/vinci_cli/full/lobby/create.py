"""Making a match: the form as a page."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, TypeAlias

from vinci.v1 import lobby_pb2
from vinci_client.errors import ServerRefused

from ...text.i18n import _, titled
from ...text.tables import Line
from ..toolkit.app import App
from ..toolkit.menu import Menu, MenuItem
from . import form as lobby_form
from .form import Form
from .page import LobbyPage

MAKE: Final = "make"

Make: TypeAlias = Callable[[lobby_pb2.CreateMatchRequest], Coroutine[Any, Any, object]]
"""Makes the match; what the page is left with."""


def making(form: Form, where: str, chosen: str) -> Menu:
    """What is seen of the form."""
    choices = [MenuItem(MAKE, [_("Make this match")], "class:title")]
    for group, names in lobby_form.fields(form).items():
        choices.append(MenuItem("", [lobby_form.group(group)]))
        for name in names:
            is_wrong = name == form.wrong[0]
            mark = "! " if is_wrong else ""
            text = [f"  {mark}{lobby_form.label(name)}", lobby_form.shown(form, name)]
            turns = len(lobby_form.values(form, name)) > 1
            choices.append(MenuItem(name, text, "class:error" if is_wrong else "", turns=turns))
    detail: list[Line] = []
    keys = [("m", _("make the match")), ("escape", _("back"))]
    if chosen == MAKE:
        detail = [[("", text)] for text in _summary(form)]
    elif chosen:
        can_be_typed = lobby_form.can_be_typed(form, chosen)
        arrows = [("left", ""), ("right", _("change"))] if len(lobby_form.values(form, chosen)) > 1 else []
        keys = [*arrows, *([("enter", _("type it"))] if can_be_typed else []), *keys]
        if chosen == form.wrong[0]:
            detail.append([("class:error", f"! {form.wrong[1]}")])
        detail += [[("", text)] for text in lobby_form.explained(form, chosen) if text]
    return Menu(
        _("a match {where}").format(where=where),
        choices,
        chosen,
        about=lobby_form.label(chosen) if chosen not in ("", MAKE) else _("The match"),
        detail=detail,
        keys=keys,
    )


def _summary(form: Form) -> list[str]:
    """What is unlike the usual, a line each."""
    names = [name for group in lobby_form.fields(form).values() for name in group]
    seats = ", ".join(lobby_form.shown(form, name) for name in names if name.startswith("seat "))
    changed = [name for name in names if form.values.get(name) and name != "names"]
    lines = [titled(lobby_form.label(name)) + lobby_form.shown(form, name) for name in changed]
    return [_("At the table: {seats}.").format(seats=seats), *(lines or [_("Everything else is as usual.")])]


class MakingPage(LobbyPage):
    """Left with what `make` returns, with Leave, or with None to go back."""

    def __init__(self, app: App, form: Form, where: str, make: Make) -> None:
        super().__init__(app)
        self.form: Final = form
        self.where: Final = where
        self._make: Final = make

    def menu(self) -> Menu:
        """The form."""
        return making(self.form, self.where, self.chosen)

    def turn(self, target: str, step: int) -> None:
        """Another value."""
        if target != MAKE:
            lobby_form.turn(self.form, target, step)

    def act(self, target: str) -> None:
        """Make the match, type a value, or take the next one."""
        if target == MAKE:
            self.start(_("The match is being made …"), self._made())
        elif lobby_form.can_be_typed(self.form, target):
            prompt = titled(lobby_form.label(target))
            value = "" if target.startswith("seat ") else self.form.value(target)
            self.app.type(prompt, partial(self._typed, target), text=value)
        else:
            self.turn(target, 1)

    def key(self, key: str) -> None:
        """`m` makes the match from anywhere."""
        if key == "m":
            self.act(MAKE)

    def failed(self, error: Exception) -> None:
        """A refusal is shown at the field that it is about."""
        super().failed(error)
        if isinstance(error, ServerRefused):
            self.chosen = lobby_form.blame(self.form, error)

    async def _made(self) -> None:
        self.app.leave(await self._make(lobby_form.request(self.form)))

    def _typed(self, name: str, text: str | None) -> None:
        if text is None:
            return
        lobby_form.typed(self.form, name, text)
        if self.form.wrong[1]:
            self.say(self.form.wrong[1], is_error=True)
