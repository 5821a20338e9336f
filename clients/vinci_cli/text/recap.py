"""Attacks as they are shown, and what has happened since a seat's last turn: in sentences and as arrows."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from vinci.v1 import game_pb2

from .i18n import _
from .names import Catalogue
from .sentences import sentence

LONGEST: Final = 1000
"""Events that are kept for recaps."""


class Attack(NamedTuple):
    """A conquest: the attacker, a province of its from which it may have come (empty for none), and its object."""

    seat: int
    origin: str
    target: str


class Happened(NamedTuple):
    """An event with the revision that it came with, and the attack if it was a conquest."""

    revision: int
    event: game_pb2.Event
    attack: Attack | None = None


def happened(update: game_pb2.Update, before: game_pb2.State | None, names: Catalogue) -> list[Happened]:
    """Return the events of an update, given the position before it."""
    return [Happened(update.revision, event, _attack(event, before, names)) for event in update.events]


def _attack(event: game_pb2.Event, before: game_pb2.State | None, names: Catalogue) -> Attack | None:
    """Return the attack of a conquest: from a mountain (R-CONQ-4), else the largest garrison among the neighbours."""
    if not event.HasField("conquered"):
        return None
    done = event.conquered
    if before is None or done.province not in names.provinces:
        return Attack(done.seat, "", done.province)
    held = {
        code: pawns
        for code, holding, owner, pawns in zip(
            before.provinces, before.holdings, before.owners, before.pawns, strict=True
        )
        if owner == done.seat and holding == game_pb2.HOLDING_ACTIVE
    }
    near = [code for code in names.provinces[done.province].neighbours if code in held]

    def strength(code: str) -> tuple[bool, int]:
        return names.provinces[code].terrain == "mountain", held[code]

    return Attack(done.seat, max(near, key=strength, default=""), done.province)


def since_last_turn(recent: Iterable[Happened], seat: int) -> list[Happened]:
    """Return what happened from the score of a seat's last turn to the beginning of the one that it plays now."""
    events = list(recent)
    kinds = [(item.event.WhichOneof("kind"), item.event) for item in events]
    scores = [place for place, (kind, event) in enumerate(kinds) if kind == "scored" and event.scored.seat == seat]
    starts = [
        place for place, (kind, event) in enumerate(kinds) if kind == "turn_started" and event.turn_started.seat == seat
    ]
    last = scores[-1] if scores else -1
    if not starts or starts[-1] < last:
        return events[max(last, 0) :]
    earlier = [place for place in scores if place < starts[-1]]
    return events[earlier[-1] if earlier else 0 : starts[-1]]


def own_conquests(recent: Iterable[Happened], seat: int) -> list[str]:
    """Return the provinces that a seat conquered in its last turn that is over, in order."""
    events = list(recent)
    scores = [place for place, item in enumerate(events) if item.event.scored.seat == seat]
    starts = [place for place, item in enumerate(events) if item.event.turn_started.seat == seat]
    if starts and scores and starts[-1] > scores[-1]:
        starts.pop()  # that of the turn that it plays now
    turn = events[starts[-1] if starts else 0 : scores[-1]] if scores else []
    return [item.event.conquered.province for item in turn if item.event.conquered.seat == seat]


def goal(target: int) -> str:
    """Return the goal of the game, for the first turn."""
    return _(
        "Your goal: the most VP when somebody reaches {target}. At the end of your turn each province of your empires "
        "scores 1 VP, except mountains; traits add to that."
    ).format(target=target)


def attacks(recent: Iterable[Happened], seat: int) -> list[Attack]:
    """Return the attacks of others, in order."""
    return [item.attack for item in recent if item.attack is not None and item.attack.seat != seat]


def lost(recent: Iterable[Happened], seat: int, names: Catalogue) -> list[tuple[int, str]]:
    """Return for each attacker of a seat a sentence with the provinces that it took."""
    taken: dict[tuple[int, bool], list[str]] = {}
    for item in recent:
        done = item.event.conquered
        if item.event.HasField("conquered") and done.defender == seat != done.seat:
            taken.setdefault((done.seat, done.held == game_pb2.HOLDING_DECLINED), []).append(done.province)
    result = []
    for (attacker, is_declined), codes in taken.items():
        facts = {"seat": attacker, "provinces": codes, "declined": is_declined}
        result.append((attacker, sentence("recap_lost", facts, names)))
    return result


def sentences(
    recent: Sequence[Happened], seat: int, names: Catalogue, conquests: Sequence[str] = ()
) -> list[tuple[int, str]]:
    """Return sentences about what happened, each with its seat: losses, the own last turn, then others as they played.

    `conquests` are the provinces that were conquered in that turn.
    """
    result = lost(recent, seat, names) or [(seat, _("You lost nothing."))]
    for item in recent:
        scored = item.event.scored
        if item.event.HasField("scored") and scored.seat == seat:
            facts = {"provinces": conquests, "vp": scored.vp, "total": scored.total}
            result.append((seat, sentence("recap_turn", facts, names)))
    others: dict[int, list[game_pb2.Event]] = {}
    # Turns are first: a victim may also place survivors before its turn.
    for event in sorted((item.event for item in recent), key=lambda event: not event.HasField("turn_started")):
        other = getattr(getattr(event, event.WhichOneof("kind") or "", None), "seat", 0)
        if other and other != seat:
            others.setdefault(other, []).append(event)
    for other, events in others.items():
        if parts := _parts_of_a_turn(events, seat, names):
            text = _("{who}: {parts}.")
            result.append((other, text.format(who=names.seat(other), parts=_("; ").join(parts))))
    return result


def _parts_of_a_turn(events: Iterable[game_pb2.Event], victim: int, names: Catalogue) -> list[str]:
    """Return what a seat did besides its attacks on one victim, in a few words each."""
    won = [event.conquered.defender for event in events if event.HasField("conquered")]
    from_victim = won.count(victim)
    parts = [sentence("recap_won", {"n": len(won)}, names)] if won else []
    if from_victim:
        parts[0] += sentence("recap_from_you", {"n": from_victim}, names)
    kinds = ((event, event.WhichOneof("kind") or "") for event in events)
    parts += [sentence(f"recap_{kind}", getattr(event, kind), names) for event, kind in kinds if kind]
    return list(filter(None, parts))
