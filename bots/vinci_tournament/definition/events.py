"""Events of a league after its definition: its start, who withdrew, changed conditions; in the order of their time."""

import json
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from vinci_rules.record import read_json

EventKind: TypeAlias = Literal["started", "connected", "withdrew", "returned", "changed", "voided"]
KINDS: Final = get_args(EventKind)
CHANGEABLE: Final = ("absence", "clock", "blocks")
"""Keys of a league that can be changed while it is played."""


class Event(NamedTuple):
    """An event; the kind decides which fields it has.

    `started`: games count from now on. `connected`: the first connection of a remote bot, from which on its absence
    counts. `withdrew` and `returned`: a bot; the line-ups of the blocks `replaced` are chosen anew, without it or with
    it, and those of a ladder from `block` on; the games `dropped`, of which all players have withdrawn, are not played.
    `changed`: a `key` has another value from `block` on, a new `absence` also in games that began later. `voided`: a
    game that nobody came to; it is played later.

    `time` is in UTC. Nothing depends on it.
    """

    event: EventKind
    time: str = ""
    bot: str = ""
    game: str = ""
    key: str = ""
    before: int | str = ""
    to: int | str = ""
    block: int = 0
    replaced: tuple[int, ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def at(self) -> str:
        """Its time as ` at TIME`; empty if it is unknown."""
        return f" at {self.time}" if self.time else ""

    @property
    def told(self) -> str:
        """The event as a sentence."""
        match self.event:
            case "started":
                return "The league has started."
            case "connected":
                return f"{self.bot} has connected for the first time."
            case "voided":
                return f"Nobody came to game {self.game}; it is played later."
            case "changed" if self.key == "blocks":
                return f"The league has {self.to} blocks instead of {self.before}."
            case "changed":
                earlier = ", and in games of earlier blocks that had not begun," if self.key == "absence" else ""
                return f"From block {self.block} on{earlier} {self.key} is {self.to} instead of {self.before}."
        text = f"{self.bot} {self.event}{self.at}"
        text += f"; {len(self.replaced)} blocks that had not begun have other line-ups" if self.replaced else ""
        if self.dropped:
            text += f"; nobody is left to play {', '.join(self.dropped)}, so these blocks lack rotations of the seats"
        return f"{text}."

    def to_json(self) -> str:
        """Return a line of JSON."""
        given = {name: value for name, value in self._asdict().items() if value != self._field_defaults.get(name)}
        if self.event == "changed":
            given |= {"from": given.pop("before"), "block": self.block}
        return json.dumps(given, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Event":
        """Parse the output of `to_json`. Raises ValueError, KeyError or TypeError for anything else."""
        fields: dict[str, Any] = read_json(text)
        if fields["event"] not in KINDS:
            raise ValueError(f"the event {fields['event']!r} is unknown")
        if fields["event"] == "changed":
            fields["before"] = fields.pop("from")
        event = cls(**fields | {name: tuple(fields.get(name, ())) for name in ("replaced", "dropped")})
        texts = (event.time, event.bot, event.game, event.key, *event.dropped)
        numbers = (event.block, *event.replaced)
        if not all(isinstance(text, str) for text in texts) or not {*map(type, numbers)} <= {int} or min(numbers) < 0:
            raise ValueError("a text is not text, or a block is not a number from 0")
        if event.event in ("connected", "withdrew", "returned") and not event.bot:
            raise ValueError(f"{event.event} names no bot")
        if event.event == "changed" and event.key not in CHANGEABLE:
            raise ValueError(f"{event.key!r} cannot be changed")
        if event.key == "blocks" and type(event.to) is not int:
            raise ValueError("a number of blocks is not a number")
        return event
