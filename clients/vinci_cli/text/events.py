"""Events and refusals in words. The facts come from the server; only the wording is ours."""

from collections.abc import Collection, Iterable, Sequence

from vinci.v1 import game_pb2 as pb
from vinci.v1 import lobby_pb2, match_pb2

from .i18n import _, plural, titled
from .names import Catalogue, listed
from .refusals import phrase, worded


def pawns_text(number: int) -> str:
    """So many pawns."""
    return plural("{n} pawn", "{n} pawns", number)


def event(event: pb.Event, names: Catalogue) -> str:  # noqa: C901  # one case for each kind of event
    """What happened, as a sentence; empty for what is better seen than told."""
    match event.WhichOneof("kind"):
        case "order_drawn":
            order = ", ".join(names.seat(seat) for seat in event.order_drawn.order)
            return _("Order of play: {seats}.").format(seats=order)
        case "civilization_taken":
            return _taken(event.civilization_taken, names)
        case "turn_started":
            return _turn_started(event.turn_started, names)
        case "peace_named":
            named = event.peace_named
            told = _("{who} declares peace with {other}.")
            return told.format(who=names.seat(named.seat), other=names.seat(named.other))
        case "abandoned":
            left = event.abandoned
            told = _("{who} abandons {province}.")
            return told.format(who=names.seat(left.seat), province=names.province_object(left.province))
        case "conquered":
            return _conquered(event.conquered, names)
        case "evacuated":
            emptied = event.evacuated
            told = _("{who} evacuates its declined empire from {provinces}.")
            return told.format(who=names.seat(emptied.seat), provinces=names.provinces_object(emptied.provinces))
        case "decline_vanished":
            return _("The declined empire of {who} is gone.").format(who=names.seat(event.decline_vanished.seat))
        case "empire_collapsed":
            told = _("The empire of {who} collapses and must decline.")
            return told.format(who=names.seat(event.empire_collapsed.seat))
        case "reorganised":
            return _reorganised(event.reorganised, names)
        case "scored":
            scored = event.scored
            told = _("{who} scores {vp} VP and stands at {total}.")
            return told.format(who=names.seat(scored.seat), vp=scored.vp, total=scored.total)
        case "declined":
            return _declined(event.declined, names)
        case "redeployed":
            placed = _pawns(event.redeployed.provinces, event.redeployed.pawns, names)
            told = _("{who} redeploys {pawns}.")
            return told.format(who=names.seat(event.redeployed.seat), pawns=placed)
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
            told = _("{who} stands at {vp} VP: this round is the last.")
            return told.format(who=names.seat(reached.seat), vp=reached.vp)
        case "seat_forfeited":
            return _("{who} leaves the game.").format(who=names.seat(event.seat_forfeited.seat))
        case "game_over":
            return _("The game is over.")
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
    "redeployed": "R-REDEP-1",
    "survivors_in_reserve": "R-REDEP-2",
    "target_reached": "R-END-1",
    "seat_forfeited": "R-FORFEIT-1",
    "game_over": "R-END-2",
}
"""The rule behind each kind of event."""


def rule_of(event: pb.Event) -> str:
    """The id of the rule behind what happened."""
    return RULES.get(event.WhichOneof("kind") or "", "")


def came(who: str) -> str:
    """Somebody is connected again."""
    return _("{who} is here.").format(who=who)


def went(who: str) -> str:
    """Somebody is no longer connected."""
    return _("{who} is away.").format(who=who)


def seat_lost(seat: int) -> str:
    """A seat of this terminal is somebody else's now."""
    return _("Seat {seat} is no longer played here: it was handed over or taken away.").format(seat=seat)


def score_lines(scored: pb.Scored, names: Catalogue) -> list[str]:
    """A score in its parts, by empire and source."""
    totals: dict[tuple[bool, str], int] = {}
    for item in scored.items:
        key = item.empire == pb.HOLDING_DECLINED, item.source
        totals[key] = totals.get(key, 0) + item.vp
    told = []
    for (declined, source), vp in totals.items():
        what = names.score_source(source)
        gain = f"{vp:+d}"
        told.append(_("declined {source} {vp}").format(source=what, vp=gain) if declined else f"{what} {gain}")
    return [f"  {', '.join(told)}"] if told else []


def ranking(over: pb.GameOver, names: Catalogue) -> list[str]:
    """The final table, best first."""
    seats = sorted(range(len(over.ranks)), key=lambda seat: (over.ranks[seat], seat))
    line = _("{rank:>3}. {who}: {vp} VP")
    return [line.format(rank=over.ranks[seat], who=names.seat(seat + 1), vp=over.vp[seat]) for seat in seats]


def told(happened: pb.Event, names: Catalogue) -> list[str]:
    """An event in full: its sentence if there is one, then the parts of a score or the final table."""
    lines = list(filter(None, [event(happened, names)]))
    if happened.HasField("scored"):
        lines += score_lines(happened.scored, names)
    if happened.HasField("game_over"):
        lines += ranking(happened.game_over, names)
    return lines


def cost(items: Iterable[pb.CostItem], names: Catalogue) -> str:
    """A cost in its parts: 5 = terrain 3, pawns there 2."""
    parts = list(items)
    total = max(sum(item.pawns for item in parts), 0)
    told = [f"{names.cost_source(item.source)} {item.pawns:+d}" for item in parts]
    return f"{pawns_text(total)} = {', '.join(told)}" if told else ""


def refusal(refusal: pb.Refusal, names: Catalogue) -> str:
    """Why an action was refused, with the rule."""
    rule = f" ({refusal.rule})" if refusal.rule else ""
    told = _refusal(refusal, names)
    if not told:
        return worded(refusal.reason, refusal.facts, refusal.facts.get("message", refusal.reason)) + rule
    return told if refusal.reason == "GameIsOver" else f"{told.removesuffix('.')}{rule}."


def _refusal(refusal: pb.Refusal, names: Catalogue) -> str:  # noqa: C901  # one case each
    """The sentence; empty for what this client does not know."""
    facts = refusal.facts
    place = names.province_object(facts.get("province", ""))
    match refusal.reason:
        case "NotNow":
            return _("Not now: what fits here is {words}.").format(words=", ".join(facts["legal"].split()))
        case "MustDecline":
            return _("Your empire lost its last province: you must decline.")
        case "NoSuchSlot":
            return _("There is no slot {slot}; the market has 1 to {slots}.").format(**facts)
        case "TooExpensive":
            return _("That costs {needed} VP; you have {available}.").format(**facts)
        case "NoMorePeace":
            copies = int(facts["copies"])
            if not copies:
                return _("You have no Diplomacy.")
            return plural(
                "Diplomacy names {n} opponent a turn, and you have.",
                "Diplomacy names {n} opponents a turn, and you have.",
                copies,
            )
        case "NotAnOpponent":
            return _("Peace is for another seat that still plays and is not named yet.")
        case "NotHeld":
            return _("Your active empire does not hold {province}.").format(province=place)
        case "OwnProvince":
            return _("You hold {province} already.").format(province=place)
        case "AtPeace":
            told = _("There is peace with {who}, who holds {province}.")
            return told.format(province=place, who=names.seat(int(facts["seat"])))
        case "InContact":
            return _("Your declined empire holds or touches {province}.").format(province=place)
        case "OwnHeritage":
            return _("With Heritage you do not conquer your own declined provinces.")
        case "OutOfReach":
            told = _("You cannot reach {province}; within reach: {codes}.")
            return told.format(province=place, codes=facts["reachable"] or _("nothing"))
        case "NoSpies":
            used = bool(int(facts["copies"]))
            return _("You have used your Spies this turn.") if used else _("You have no Spies.")
        case "NotEnoughPawns":
            told = _("Conquering {province} costs {needed}; you have {available} in hand.")
            return told.format(province=place, needed=facts["needed"], available=facts["available"])
        case "MustConquer":
            told = _("Without land you conquer a first province while you can: {codes}.")
            return told.format(codes=facts["affordable"])
        case "WrongNumberOfPawns":
            if facts["least"] == facts["most"]:
                return _("You placed {placed} pawns; place {most}.").format(**facts)
            return _("You placed {placed} pawns; place {least} to {most}.").format(**facts)
        case "WrongPlacement":
            return _("Name {province} once, with at least one pawn.").format(province=place)
        case "NotConnected":
            return _("The provinces that you keep must be connected; {part} are.").format(**facts)
        case "WrongNumberOfProvinces":
            return _("With these pawns you keep {needed} of {part}, not {kept}.").format(**facts)
        case "TooManyForts":
            copies = int(facts["copies"])
            return plural("You may build {n} fort this turn.", "You may build {n} forts this turn.", copies)
        case "NoFortHere":
            told = _("A fort needs a province that you keep and that has none: not {province}.")
            return told.format(province=place)
        case "NoSuchSeat":
            return _("There is no seat {seat} that could leave the game.").format(**facts)
        case "GameIsOver":
            return _("The game is over.")
    return ""


def _taken(taken: pb.CivilizationTaken, names: Catalogue) -> str:
    price = _(", paying {vp} VP").format(vp=taken.paid) if taken.paid else ""
    price += _(", receiving {vp} VP").format(vp=taken.received) if taken.received else ""
    return _("{who} takes {traits} with {pawns}{price}.").format(
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


def _declined(declined: pb.Declined, names: Catalogue) -> str:
    land = plural("{n} province", "{n} provinces", len(declined.provinces))
    if not declined.traits:
        return _("{who} declines with {provinces}.").format(who=names.seat(declined.seat), provinces=land)
    told = _("{who} declines with {provinces}, {traits} lasting.")
    return told.format(who=names.seat(declined.seat), provinces=land, traits=names.civilization(declined.traits))


def _conquered(conquered: pb.Conquered, names: Catalogue) -> str:
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
    return _("{who} conquers {province} for {pawns}{more}.").format(
        who=names.seat(conquered.seat),
        province=names.province_object(conquered.province),
        pawns=pawns_text(conquered.cost),
        more=more,
    )


def _reorganised(done: pb.Reorganised, names: Catalogue) -> str:
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
    held = _pawns(done.provinces, done.pawns, names) or _("nothing")
    return _("{who} holds {pawns}{more}.").format(who=names.seat(done.seat), pawns=held, more=more)


def _pawns(codes: Sequence[str], pawns: Sequence[int], names: Catalogue) -> str:
    return ", ".join(f"{names.province(code)} {number}" for code, number in zip(codes, pawns, strict=True))


# What happens at a table besides the game.


def made_by(seat: int, by: str, names: Catalogue, *, is_person: bool) -> str:
    """Who acted in the place of a seat, at which a person is to sit or not; empty if it acted itself."""
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


def undone(seat: int, taken: Sequence[str], to: int, names: Catalogue) -> str:
    """What was taken back; `taken` are the actions as far as they are known, else the revision tells."""
    if not taken:
        return _("{who} takes back: what came after revision {revision}.").format(who=names.seat(seat), revision=to)
    return _("{who} takes back: {actions}.").format(who=names.seat(seat), actions="; ".join(taken))


def said(line: match_pb2.ChatLine, names: Catalogue) -> str:
    """A line of the chat with who said it."""
    who = names.seat(line.seat) if line.seat else _("{who} (looking on)").format(who=line.name)
    return titled(who) + line.text


def proposal(proposed: lobby_pb2.Proposal, own: Collection[int], names: Catalogue) -> str:
    """What is proposed, who agreed and who is missing, and for `own` seats how to agree."""
    missing = [seat for seat in proposed.missing if seat != proposed.seat]
    agreed = len(proposed.agreed)
    fields = {
        "who": listed([names.seat(seat) for seat in proposed.agreed]),
        "missing": listed([names.seat(seat) for seat in missing]),
    }
    if proposed.kind == lobby_pb2.PROPOSAL_KIND_PAUSE:
        typed = "pause"
        told = plural(
            "{who} proposes a pause; missing: {missing}.",
            "{who} propose a pause; missing: {missing}.",
            agreed,
            **fields,
        )
    elif proposed.kind == lobby_pb2.PROPOSAL_KIND_RESUME:
        typed = "resume"
        told = plural(
            "{who} proposes going on; missing: {missing}.",
            "{who} propose going on; missing: {missing}.",
            agreed,
            **fields,
        )
    else:
        typed = f"substitute {proposed.seat}"
        told = plural(
            "{who} proposes a substitute for {whom}; missing: {missing}.",
            "{who} propose a substitute for {whom}; missing: {missing}.",
            agreed,
            whom=names.seat(proposed.seat),
            **fields,
        )
    return f"{told} {_('To agree: {words}.').format(words=typed)}" if set(missing) & set(own) else told


def changes(before: lobby_pb2.Match, after: lobby_pb2.Match, own: Collection[int], names: Catalogue) -> list[str]:
    """What people agreed upon or propose, and who is substituted, as far as it was otherwise before."""
    lines = []
    for old, new in zip(before.seats, after.seats, strict=False):
        if old.substituted != new.substituted:
            lines.append(_substituted(new.seat, own, names, is_so=new.substituted))
    if before.paused != after.paused:
        lines.append(_("The game is paused; to go on: resume.") if after.paused else _("The game goes on."))
    known = {(one.kind, one.seat): set(one.agreed) for one in before.proposals}
    for one in after.proposals:
        is_settled = not set(one.missing) - {one.seat} - (set(own) if set(one.agreed) & set(own) else set())
        if set(one.agreed) - known.get((one.kind, one.seat), set()) and not is_settled:
            lines.append(proposal(one, own, names))
    if after.ended and not before.ended:
        lines.append(_("The match was ended: {reason}.").format(reason=phrase(after.ended)))
    return lines


def _substituted(seat: int, own: Collection[int], names: Catalogue, *, is_so: bool) -> str:
    """A substitute plays for a seat now, or no longer does."""
    who = names.seat(seat)
    if seat not in own:
        told = _("A substitute plays for {who} now.") if is_so else _("{who} plays again.")
    elif len(own) > 1:
        told = (
            _("A substitute plays for {who} now; back takes the seat back.")
            if is_so
            else _("No substitute plays for {who} any more.")
        )
    elif is_so:
        told = _("A substitute plays for you now; back takes the seat back.")
    else:
        told = _("No substitute plays for you any more.")
    return told.format(who=who)
