"""The settings as a page of the title screen."""

from typing import Final

from ... import settings
from ...connection.seating import own_name
from ...settings import SETTINGS, named
from ...text import i18n
from ...text.i18n import _, titled
from ..toolkit.app import App
from ..toolkit.display import current
from ..toolkit.menu import Menu, MenuItem
from .title import Backdrop, TitlePage


def menu(values: dict[str, str], chosen: str) -> Menu:
    """Menu of the settings with these values by name."""
    choices = []
    for setting in SETTINGS:
        value = values[setting.name]
        shown = _(setting.values[value]) if setting.values else value
        choices.append(MenuItem(setting.name, [_(setting.label), shown], turns=bool(setting.values)))
    setting = named(chosen) if chosen else SETTINGS[0]
    change = [("left", ""), ("right", _("change"))] if setting.values else [("enter", _("type it"))]
    return Menu(
        _("settings"),
        choices,
        chosen,
        detail=[[("", _(setting.about))]],
        keys=[*change, ("escape", _("back"))],
    )


class SettingsPage(TitlePage):
    """Page of the settings; each change is saved at once. Its result is Leave, or None to go back."""

    def __init__(self, app: App, backdrop: Backdrop) -> None:
        super().__init__(app, backdrop)
        self._values: Final = {setting.name: settings.get(setting.name) for setting in SETTINGS}
        self._values["name"] = own_name()

    def menu(self) -> Menu:
        """The settings."""
        return menu(self._values, self.chosen)

    def turn(self, target: str, step: int) -> None:
        """Take the next value or the one before."""
        if values := list(named(target).values):
            self._put(target, values[(values.index(self._values[target]) + step) % len(values)])

    def act(self, target: str) -> None:
        """Take the next value, or type one."""
        setting = named(target)
        if setting.values:
            self.turn(target, 1)
        else:
            self.ask(titled(_(setting.label)), lambda text: self._put(target, text), self._values[target])

    def _put(self, name: str, value: str) -> None:
        try:
            settings.put(name, value)
        except OSError as error:
            self.failed(error)
        else:
            settings.give(name, "")  # an option of the command would count more than what is chosen now
            current().prefer(name, value)
            self._values[name] = value if name != "name" else own_name()
            if name == "language":
                i18n.switch(value)
                self.start("", self._backdrop.prepare(self.app))
