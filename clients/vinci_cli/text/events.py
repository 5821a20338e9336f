"""Sentences for events, refusals and what else happens at a table, from the messages of the server."""

from collections.abc import Collection, Iterable, Sequence

from vinci.v1 import game_pb2 as pb
from vinci.v1 import lobby_pb2, match_pb2
from vinci_words.sentences import rule

from .i18n import _, plural, titled
from .moves import moves_text
from .names import Catalogue
from .refusals import phrase, worded
from .sentences import sentence, signed


def pawns_text(number: int) -> str:
    """Return a number of pawns in words."""
    return plural("{n} pawn", "{n} pawns", number)


def event(event: pb.Event, names: Catalogue, *, ahead: bool = False) -> str:
    """Describe an event in a sentence; empty for one that only the table shows, or that this client does not know.

    Args:
        event: the event.
        names: names of provinces, seats and traits.
        ahead: whether it would happen, as in a preview.
    """
    kind = event.WhichOneof("kind")
    return sentence(kind, getattr(event, kind), names, ahead=ahead) if kind else ""


def rule_of(event: pb.Event) -> str:
    """Return the id of the rule behind an event."""
    return rule(event.WhichOneof("kind") or "")


def came(who: str) -> str:
    """Say that a player is connected again."""
    return _("{who} is here.").format(who=who)


def went(who: str) -> str:
    """Say that a player is no longer connected."""
    return _("{who} is away.").format(who=who)


def seat_lost(seat: int) -> str:
    """Say that a seat of this terminal now belongs to another one."""
    return _("Seat {seat} is no longer played here: it was handed over or taken away.").format(seat=seat)


def score_lines(scored: pb.Scored, names: Catalogue) -> list[str]:
    """Return a score in its parts, by empire and source."""
    totals: dict[tuple[bool, str], int] = {}
    for item in scored.items:
        key = item.empire == pb.HOLDING_DECLINED, item.source
        totals[key] = totals.get(key, 0) + item.vp
    parts = []
    for (declined, source), vp in totals.items():
        source = names.score_source(source)
        gain = signed(vp)
        parts.append(_("declined {source} {vp}").format(source=source, vp=gain) if declined else f"{source} {gain}")
    return [f"  {', '.join(parts)}"] if parts else []


def ranking(over: pb.GameOver, names: Catalogue) -> list[str]:
    """Return the final table, best first."""
    seats = sorted(range(len(over.ranks)), key=lambda seat: (over.ranks[seat], seat))
    line = _("{rank:>3}. {who}: {vp} VP")
    return [line.format(rank=over.ranks[seat], who=names.seat(seat + 1), vp=over.vp[seat]) for seat in seats]


def short(happened: pb.Event, names: Catalogue) -> str:
    """Return what an event was in fewer words, for narrow windows; empty if there are none."""
    return sentence("conquered_shortly", happened.conquered, names) if happened.HasField("conquered") else ""


def event_lines(happened: pb.Event, names: Catalogue) -> list[str]:
    """Describe an event in full: its sentence if there is one, then the parts of a score or the final table."""
    lines = list(filter(None, [event(happened, names)]))
    if happened.HasField("scored"):
        lines += score_lines(happened.scored, names)
    if happened.HasField("game_over"):
        lines += ranking(happened.game_over, names)
    return lines


def cost(items: Iterable[pb.CostItem], names: Catalogue) -> str:
    """Return a cost in its parts: 5 = terrain 3, pawns there 2."""
    parts = list(items)
    total = max(sum(item.pawns for item in parts), 0)
    texts = [f"{names.cost_source(item.source)} {signed(item.pawns)}" for item in parts]
    return f"{pawns_text(total)} = {', '.join(texts)}" if texts else ""


def held(number: int, provinces: int) -> str:
    """Return that only some of the provinces could be held at the end of the turn."""
    text = _("You could hold only {n} of {m} provinces at the end of the turn: each needs a pawn, and lent ones leave.")
    return text.format(n=number, m=provinces)


def refusal(refusal: pb.Refusal, names: Catalogue) -> str:
    """Return why an action was refused, with the rule."""
    broken = f" ({refusal.rule})" if refusal.rule else ""
    is_violation = refusal.reason[:1].isupper()  # facts of a refusal are texts, those of other sentences are not
    text = sentence(refusal.reason, dict(refusal.facts), names) if is_violation else ""
    if not text:
        return worded(refusal.reason, refusal.facts, refusal.facts.get("message", refusal.reason)) + broken
    return text if refusal.reason == "GameIsOver" else f"{text.removesuffix('.')}{broken}."


# Events at a table besides the game.


def made_by(seat: int, by: str, names: Catalogue, *, is_person: bool) -> str:
    """Say what acted in the place of a seat, which is for a person or not; empty if it acted itself."""
    return sentence("made_by", {"seat": seat, "by": by, "person": is_person}, names)


def spectators(number: int) -> str:
    """Say how many spectators there are now."""
    if not number:
        return _("Nobody is watching any more.")
    return plural("{n} spectator is watching.", "{n} spectators are watching.", number)


def undone(seat: int, taken: Sequence[str], to: int, names: Catalogue) -> str:
    """Describe an undo by the actions `taken` back, or by the revision `to` if they are not known."""
    moves = moves_text(taken, (), names, defence=True) or _("; ").join(taken)
    return sentence("undone", {"seat": seat, "taken": taken, "moves": moves, "revision": to}, names)


def chat_text(line: match_pb2.ChatLine, names: Catalogue) -> str:
    """Return a chat line with the name of its author."""
    who = names.seat(line.seat) if line.seat else _("{who} (looking on)").format(who=line.name)
    return titled(who) + line.text


def proposal(proposed: lobby_pb2.Proposal, own: Collection[int], names: Catalogue) -> str:
    """Describe a proposal: who agreed, who is missing, and for `own` seats how to agree."""
    missing = [seat for seat in proposed.missing if seat != proposed.seat]
    facts = {"kind": proposed.kind, "seat": proposed.seat, "agreed": proposed.agreed, "missing": missing}
    text = sentence("proposal", facts, names)
    typed = {lobby_pb2.PROPOSAL_KIND_PAUSE: "pause", lobby_pb2.PROPOSAL_KIND_RESUME: "resume"}
    words = typed.get(proposed.kind, f"substitute {proposed.seat}")
    return f"{text} {_('To agree: {words}.').format(words=words)}" if set(missing) & set(own) else text


def changes(before: lobby_pb2.Match, after: lobby_pb2.Match, own: Collection[int], names: Catalogue) -> list[str]:
    """Describe what changed: proposals and agreements, substitutes, pauses, and an early end."""
    lines = []
    for old, new in zip(before.seats, after.seats, strict=False):
        if old.substituted != new.substituted:
            facts = {"seat": new.seat, "so": new.substituted, "own": new.seat in own, "several": len(own) > 1}
            lines.append(sentence("substituted", facts, names))
    if before.paused != after.paused:
        lines.append(_("The game is paused; to go on: resume.") if after.paused else _("The game goes on."))
    known = {(proposed.kind, proposed.seat): set(proposed.agreed) for proposed in before.proposals}
    for proposed in after.proposals:
        # Nothing is told of a vote that decides, as its outcome follows. The seat that a substitute is to play need not
        # agree, and a terminal that has agreed for one of its seats agrees for the others in its next calls.
        is_settled = (
            not set(proposed.missing) - {proposed.seat} - (set(own) if set(proposed.agreed) & set(own) else set())
        )
        if set(proposed.agreed) - known.get((proposed.kind, proposed.seat), set()) and not is_settled:
            lines.append(proposal(proposed, own, names))
    if after.ended and not before.ended:
        lines.append(_("The match was ended: {reason}.").format(reason=phrase(after.ended)))
    return lines
