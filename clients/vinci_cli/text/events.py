"""Sentences for events, refusals and what else happens at a table, from the messages of the server."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, TypeAlias

from vinci.v1 import game_pb2 as pb
from vinci.v1 import lobby_pb2, match_pb2

from .i18n import N_, _, plural, titled
from .names import Catalogue, listed
from .refusals import phrase, worded

Say: TypeAlias = Callable[[str], str]
"""Translates a sentence, and may word it otherwise."""


def pawns_text(number: int) -> str:
    """Return a number of pawns in words."""
    return plural("{n} pawn", "{n} pawns", number)


def event(event: pb.Event, names: Catalogue, say: Say = _) -> str:  # noqa: C901  # one case for each kind of event
    """Describe an event in a sentence, worded by `say`; empty for an event that only the table shows."""
    match event.WhichOneof("kind"):
        case "order_drawn":
            order = ", ".join(names.seat(seat) for seat in event.order_drawn.order)
            return _("Order of play: {seats}.").format(seats=order)
        case "civilization_taken":
            return _taken(event.civilization_taken, names, say)
        case "turn_started":
            return _turn_started(event.turn_started, names)
        case "peace_named":
            named = event.peace_named
            text = say(N_("{who} declares peace with {other}."))
            return text.format(who=names.seat(named.seat), other=names.seat(named.other))
        case "abandoned":
            left = event.abandoned
            text = say(N_("{who} abandons {province}."))
            return text.format(who=names.seat(left.seat), province=names.province_object(left.province))
        case "conquered":
            return _conquered(event.conquered, names, say)
        case "evacuated":
            emptied = event.evacuated
            text = say(N_("{who} evacuates its declined empire from {provinces}."))
            return text.format(who=names.seat(emptied.seat), provinces=names.provinces_object(emptied.provinces))
        case "decline_vanished":
            return say(N_("The declined empire of {who} is gone.")).format(who=names.seat(event.decline_vanished.seat))
        case "empire_collapsed":
            text = say(N_("The empire of {who} collapses and must decline."))
            return text.format(who=names.seat(event.empire_collapsed.seat))
        case "reorganised":
            return _reorganised(event.reorganised, names, say)
        case "scored":
            scored = event.scored
            text = say(N_("{who} scores {vp} VP and stands at {total}."))
            return text.format(who=names.seat(scored.seat), vp=scored.vp, total=scored.total)
        case "declined":
            return _declined(event.declined, names, say)
        case "stayed":
            return say(N_("{who} does not decline.")).format(who=names.seat(event.stayed.seat))
        case "redeployed":
            placed = _pawns(event.redeployed.provinces, event.redeployed.pawns, names)
            text = say(N_("{who} redeploys {pawns}."))
            return text.format(who=names.seat(event.redeployed.seat), pawns=placed)
        case "survivors_in_reserve":
            back = event.survivors_in_reserve
            return plural(
                "{n} pawn of {who} survives without land.",
                "{n} pawns of {who} survive without land.",
                back.pawns,
                who=names.seat(back.seat),
            )
        case "target_reached":
            reached = event.target_reached
            text = say(N_("{who} stands at {vp} VP: this round is the last."))
            return text.format(who=names.seat(reached.seat), vp=reached.vp)
        case "seat_forfeited":
            return say(N_("{who} leaves the game.")).format(who=names.seat(event.seat_forfeited.seat))
        case "game_over":
            return say(N_("The game is over."))
    return ""


RULES = {
    "order_drawn": "R-SETUP-5",
    "civilization_drawn": "R-SETUP-4",
    "civilization_taken": "R-DRAFT-1",
    "turn_started": "R-MOB-1",
    "peace_named": "R-PEACE-1",
    "abandoned": "R-MOB-2",
    "conquered": "R-CONQ-6",
    "evacuated": "R-CONTACT-1",
    "decline_vanished": "R-DECL-2",
    "empire_collapsed": "R-LAND-2",
    "reorganised": "R-REORG-1",
    "scored": "R-SCORE-1",
    "declined": "R-DECL-3",
    "stayed": "R-DECL-1",
    "redeployed": "R-REDEP-1",
    "survivors_in_reserve": "R-REDEP-2",
    "target_reached": "R-END-1",
    "seat_forfeited": "R-FORFEIT-1",
    "game_over": "R-END-2",
}
"""The rule behind each kind of event."""


def rule_of(event: pb.Event) -> str:
    """Return the id of the rule behind an event."""
    return RULES.get(event.WhichOneof("kind") or "", "")


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
        gain = f"{vp:+d}"
        parts.append(_("declined {source} {vp}").format(source=source, vp=gain) if declined else f"{source} {gain}")
    return [f"  {', '.join(parts)}"] if parts else []


def ranking(over: pb.GameOver, names: Catalogue) -> list[str]:
    """Return the final table, best first."""
    seats = sorted(range(len(over.ranks)), key=lambda seat: (over.ranks[seat], seat))
    line = _("{rank:>3}. {who}: {vp} VP")
    return [line.format(rank=over.ranks[seat], who=names.seat(seat + 1), vp=over.vp[seat]) for seat in seats]


def short(happened: pb.Event, names: Catalogue) -> str:
    """Return what an event was in fewer words, for narrow windows; empty if there are none."""
    if not happened.HasField("conquered"):
        return ""
    done = happened.conquered
    loser = _(" from {who}").format(who=names.seat(done.defender)) if done.defender else ""
    return _("{who} conquers {province}{loser}.").format(
        who=names.seat(done.seat), province=names.province_object(done.province), loser=loser
    )


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
    texts = [f"{names.cost_source(item.source)} {item.pawns:+d}" for item in parts]
    return f"{pawns_text(total)} = {', '.join(texts)}" if texts else ""


REFUSALS: Final = {
    "NotNow": N_("Not now: what fits here is {words}."),
    "MustDecline": N_("Your empire lost its last province: you must decline."),
    "NoSuchSlot": N_("There is no slot {slot}; the market has 1 to {slots}."),
    "TooExpensive": N_("That costs {needed} VP; you have {available}."),
    "NoMorePeace": N_("You have no Diplomacy."),
    "NotAnOpponent": N_("Peace is for another seat that still plays and is not named yet."),
    "NotHeld": N_("Your active empire does not hold {province}."),
    "OwnProvince": N_("You hold {province} already."),
    "AtPeace": N_("There is peace with {who}, who holds {province}."),
    "InContact": N_("Your declined empire holds or touches {province}."),
    "OwnHeritage": N_("With Heritage you do not conquer your own declined provinces."),
    "OutOfReach": N_("You cannot reach {province}; within reach: {codes}."),
    "NoSpies": N_("You have no Spies."),
    "NotEnoughPawns": N_("Conquering {province} costs {needed}; you have {available} in hand."),
    "MustConquer": N_("Without land you conquer a first province while you can: {codes}."),
    "WrongNumberOfPawns": N_("You placed {placed} pawns; place {least} to {most}."),
    "WrongPlacement": N_("Name {province} once, with at least one pawn."),
    "NotConnected": N_("The provinces that you keep must be connected; {part} are."),
    "WrongNumberOfProvinces": N_("With these pawns you keep {needed} of {part}, not {kept}."),
    "NoFortHere": N_("A fort needs a province that you keep and that has none: not {province}."),
    "NoSuchSeat": N_("There is no seat {seat} that could leave the game."),
    "GameIsOver": N_("The game is over."),
}
"""The sentence for each reason, with the facts of the refusal and the fields of `_refusal`."""


def refusal(refusal: pb.Refusal, names: Catalogue) -> str:
    """Return why an action was refused, with the rule."""
    rule = f" ({refusal.rule})" if refusal.rule else ""
    text = _refusal(refusal, names)
    if not text:
        return worded(refusal.reason, refusal.facts, refusal.facts.get("message", refusal.reason)) + rule
    return text if refusal.reason == "GameIsOver" else f"{text.removesuffix('.')}{rule}."


def _refusal(refusal: pb.Refusal, names: Catalogue) -> str:
    """Return the sentence; empty for a reason that this client does not know."""
    facts = dict(refusal.facts)
    has_copies = facts.get("copies", "0") != "0"
    match refusal.reason:
        case "NoMorePeace" if has_copies:
            return plural(
                "Diplomacy names {n} opponent a turn, and you have.",
                "Diplomacy names {n} opponents a turn, and you have.",
                int(facts["copies"]),
            )
        case "NoSpies" if has_copies:
            return _("You have used your Spies this turn.")
        case "TooManyForts":
            return plural(
                "You may build {n} fort this turn.", "You may build {n} forts this turn.", int(facts["copies"])
            )
        case "WrongNumberOfPawns" if facts["least"] == facts["most"]:
            return _("You placed {placed} pawns; place {most}.").format(**facts)
    if refusal.reason not in REFUSALS:
        return ""
    fields = {
        "province": names.province_object(facts.get("province", "")),
        "words": ", ".join(facts.get("legal", "").split()),
        "codes": facts.get("reachable") or facts.get("affordable") or _("nothing"),
        "who": names.seat(int(facts.get("seat", 0))),
    }
    return _(REFUSALS[refusal.reason]).format(**facts | fields)


def _taken(taken: pb.CivilizationTaken, names: Catalogue, say: Say) -> str:
    price = _(", paying {vp} VP").format(vp=taken.paid) if taken.paid else ""
    price += _(", receiving {vp} VP").format(vp=taken.received) if taken.received else ""
    return say(N_("{who} takes {traits} with {pawns}{price}.")).format(
        who=names.seat(taken.seat), traits=names.civilization(taken.traits), pawns=pawns_text(taken.pawns), price=price
    )


def _turn_started(started: pb.TurnStarted, names: Catalogue) -> str:
    more = ""
    if started.by_medicine:
        more += plural(", {n} of them new by Medicine", ", {n} of them new by Medicine", started.by_medicine)
    if started.by_general:
        more += plural(", {n} of them lent by General", ", {n} of them lent by General", started.by_general)
    return _("Round {round}: {who} mobilises {pawns}{more}.").format(
        round=started.round, who=names.seat(started.seat), pawns=pawns_text(started.reserve), more=more
    )


def _declined(declined: pb.Declined, names: Catalogue, say: Say) -> str:
    land = plural("{n} province", "{n} provinces", len(declined.provinces))
    if not declined.traits:
        return say(N_("{who} declines with {provinces}.")).format(who=names.seat(declined.seat), provinces=land)
    text = say(N_("{who} declines with {provinces}, {traits} lasting."))
    return text.format(who=names.seat(declined.seat), provinces=land, traits=names.civilization(declined.traits))


def _conquered(conquered: pb.Conquered, names: Catalogue, say: Say) -> str:
    more = _(" by Spies") if conquered.spies else ""
    if conquered.held == pb.HOLDING_NEUTRAL:
        more += _(", removing a neutral pawn")
    elif conquered.defender:
        is_declined = conquered.held == pb.HOLDING_DECLINED
        whose = _(" from the declined empire of {who}") if is_declined else _(" from {who}")
        more += whose.format(who=names.seat(conquered.defender))
        if conquered.survivors:
            more += plural(", {n} survives", ", {n} survive", conquered.survivors)
    more += _(", razing a fort") if conquered.fort else ""
    return say(N_("{who} conquers {province} for {pawns}{more}.")).format(
        who=names.seat(conquered.seat),
        province=names.province_object(conquered.province),
        pawns=pawns_text(conquered.cost),
        more=more,
    )


def _reorganised(done: pb.Reorganised, names: Catalogue, say: Say) -> str:
    more = ""
    if done.forts:
        built = names.provinces_object(done.forts)
        more += plural(
            ", building a fort in {provinces}", ", building forts in {provinces}", len(done.forts), provinces=built
        )
    if done.given_up:
        more += _(", giving up {provinces}").format(provinces=names.provinces_object(done.given_up))
    if done.lost:
        more += _(", losing {pawns}").format(pawns=pawns_text(done.lost))
    placed = _pawns(done.provinces, done.pawns, names) or _("nothing")
    return say(N_("{who} holds {pawns}{more}.")).format(who=names.seat(done.seat), pawns=placed, more=more)


def _pawns(codes: Sequence[str], pawns: Sequence[int], names: Catalogue) -> str:
    return ", ".join(f"{names.province(code)} {number}" for code, number in zip(codes, pawns, strict=True))


# Events at a table besides the game.


def made_by(seat: int, by: str, names: Catalogue, *, is_person: bool) -> str:
    """Say what acted in the place of a seat, which is for a person or not; empty if it acted itself."""
    who = names.seat(seat)
    match by:
        case "substitute":
            return _("A substitute plays for {who}.").format(who=who)
        case "clock":
            return _("Time is up for {who}.").format(who=who)
        case "refused":
            return _("Too many answers of {who} were refused.").format(who=who)
        case "default" if is_person:
            return _("Time is up for {who}: the default action is played.").format(who=who)
        case "default":
            return _("For {who} the default action is played.").format(who=who)
    return ""


def spectators(number: int) -> str:
    """Say how many spectators there are now."""
    if not number:
        return _("Nobody is watching any more.")
    return plural("{n} spectator is watching.", "{n} spectators are watching.", number)


def undone(seat: int, taken: Sequence[str], to: int, names: Catalogue) -> str:
    """Describe an undo by the actions `taken` back, or by the revision `to` if they are not known."""
    if not taken:
        return _("{who} takes back: what came after revision {revision}.").format(who=names.seat(seat), revision=to)
    return _("{who} takes back: {actions}.").format(who=names.seat(seat), actions="; ".join(taken))


def chat_text(line: match_pb2.ChatLine, names: Catalogue) -> str:
    """Return a chat line with the name of its author."""
    who = names.seat(line.seat) if line.seat else _("{who} (looking on)").format(who=line.name)
    return titled(who) + line.text


def proposal(proposed: lobby_pb2.Proposal, own: Collection[int], names: Catalogue) -> str:
    """Describe a proposal: who agreed, who is missing, and for `own` seats how to agree."""
    missing = [seat for seat in proposed.missing if seat != proposed.seat]
    agreed = len(proposed.agreed)
    fields = {
        "who": listed([names.seat(seat) for seat in proposed.agreed]),
        "missing": listed([names.seat(seat) for seat in missing]),
    }
    if proposed.kind == lobby_pb2.PROPOSAL_KIND_PAUSE:
        typed = "pause"
        text = plural(
            "{who} proposes a pause; missing: {missing}.",
            "{who} propose a pause; missing: {missing}.",
            agreed,
            **fields,
        )
    elif proposed.kind == lobby_pb2.PROPOSAL_KIND_RESUME:
        typed = "resume"
        text = plural(
            "{who} proposes going on; missing: {missing}.",
            "{who} propose going on; missing: {missing}.",
            agreed,
            **fields,
        )
    else:
        typed = f"substitute {proposed.seat}"
        text = plural(
            "{who} proposes a substitute for {whom}; missing: {missing}.",
            "{who} propose a substitute for {whom}; missing: {missing}.",
            agreed,
            whom=names.seat(proposed.seat),
            **fields,
        )
    return f"{text} {_('To agree: {words}.').format(words=typed)}" if set(missing) & set(own) else text


def changes(before: lobby_pb2.Match, after: lobby_pb2.Match, own: Collection[int], names: Catalogue) -> list[str]:
    """Describe what changed: proposals and agreements, substitutes, pauses, and an early end."""
    lines = []
    for old, new in zip(before.seats, after.seats, strict=False):
        if old.substituted != new.substituted:
            lines.append(_substituted(new.seat, own, names, is_so=new.substituted))
    if before.paused != after.paused:
        lines.append(_("The game is paused; to go on: resume.") if after.paused else _("The game goes on."))
    known = {(proposed.kind, proposed.seat): set(proposed.agreed) for proposed in before.proposals}
    for proposed in after.proposals:
        is_settled = (
            not set(proposed.missing) - {proposed.seat} - (set(own) if set(proposed.agreed) & set(own) else set())
        )
        if set(proposed.agreed) - known.get((proposed.kind, proposed.seat), set()) and not is_settled:
            lines.append(proposal(proposed, own, names))
    if after.ended and not before.ended:
        lines.append(_("The match was ended: {reason}.").format(reason=phrase(after.ended)))
    return lines


def _substituted(seat: int, own: Collection[int], names: Catalogue, *, is_so: bool) -> str:
    """Say that a substitute plays for a seat now, or no longer does."""
    who = names.seat(seat)
    if seat not in own:
        text = _("A substitute plays for {who} now.") if is_so else _("{who} plays again.")
    elif len(own) > 1:
        text = (
            _("A substitute plays for {who} now; back takes the seat back.")
            if is_so
            else _("No substitute plays for {who} any more.")
        )
    elif is_so:
        text = _("A substitute plays for you now; back takes the seat back.")
    else:
        text = _("No substitute plays for you any more.")
    return text.format(who=who)
