"""Records of games on this machine, the newest first."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from vinci_client.printable import printable

from ...text.i18n import _
from ..toolkit.app import App
from ..toolkit.menu import Menu, MenuItem
from . import words
from .lobby import ToReplay
from .page import LobbyPage

MOST: Final = 200


class RecordEntry(NamedTuple):
    """A record: file, age in seconds, names of the players, and scores, none if the game was not over."""

    path: Path
    age: float
    names: Sequence[str]
    vp: Sequence[int] = ()


def recorded(folder: Path) -> list[RecordEntry]:
    """The newest records in a folder; other files are left out."""
    now = time.time()
    files = sorted(folder.glob("*.jsonl"), key=lambda path: -path.stat().st_mtime)[:MOST]
    return [record for path in files if (record := _read(path, now - path.stat().st_mtime)) is not None]


def _read(path: Path, age: float) -> RecordEntry | None:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        first: dict[str, Any] = json.loads(lines[0])
        last: dict[str, Any] = json.loads(lines[-1])
        names = first.get("names") or first["seats"]
        vp = [int(vp) for vp in last.get("result", {}).get("vp", ())]
        return RecordEntry(path, age, [printable(str(name)) for name in names], vp)
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return None


def records(entries: Sequence[RecordEntry], chosen: str) -> Menu:
    """Menu of the records."""
    choices = []
    for record in entries:
        scores = [f" {vp}" for vp in record.vp] or [""] * len(record.names)
        players = ", ".join(name + vp for name, vp in zip(record.names, scores, strict=False))
        choices.append(MenuItem(f"file {record.path}", [record.path.stem, players, words.age(record.age)]))
    choices.append(MenuItem("other", [_("Another file …")]))
    return Menu(
        _("replay a record"),
        choices,
        chosen,
        heads=[_("match"), _("who, with VP"), _("age")],
        about=_("About it"),
        detail=[[("", _("Type the path of a record.") if chosen == "other" else chosen.removeprefix("file "))]],
        keys=[("enter", _("see it again")), ("escape", _("back"))],
    )


class RecordsPage(LobbyPage):
    """Page of the records; its result is ToReplay, Leave, or None to go back."""

    def __init__(self, app: App, entries: Sequence[RecordEntry]) -> None:
        super().__init__(app)
        self._entries: Final = entries

    def menu(self) -> Menu:
        """The records."""
        return records(self._entries, self.chosen)

    def act(self, target: str) -> None:
        """Replay the chosen record, or ask for a file."""
        if target == "other":
            self.ask(_("File: "), self._typed)
        else:
            self.app.leave(ToReplay(Path(target.removeprefix("file "))))

    def _typed(self, text: str) -> None:
        path = Path(text).expanduser()
        if path.is_file():
            self.app.leave(ToReplay(path))
        elif text:
            self.say(_("There is no file {path}.").format(path=path), is_error=True)
