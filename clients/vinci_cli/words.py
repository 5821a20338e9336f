"""Events and refusals in words. The facts come from the server; only the wording is ours."""

from collections.abc import Collection, Iterable, Sequence

from vinci.v1 import game_pb2 as pb
from vinci.v1 import lobby_pb2, match_pb2

from .catalogue import Catalogue, listed

COST_SOURCES = {
    "terrain": "terrain",
    "pawns": "pawns there",
    "fort": "a fort there",
    "militia": "Militia of its owner",
    "weapons": "your Weapons",
    "mountaineers": "your Mountaineers",
    "galleys": "your Galleys",
    "from_mountain": "from a mountain",
    "from_fort": "from a fort",
    "spies": "Spies: always",
}


def amount(number: int, one: str) -> str:
    """A number and a noun: 1 pawn, 2 pawns."""
    return f"{number} {one}" if number == 1 or one == "VP" else f"{number} {one}s"


def event(event: pb.Event, names: Catalogue) -> str:  # noqa: C901  # one case for each kind of event
    """What happened, as a sentence; empty for what is better seen than told."""
    match event.WhichOneof("kind"):
        case "order_drawn":
            return f"Order of play: {', '.join(names.seat(seat) for seat in event.order_drawn.order)}."
        case "civilization_taken":
            taken = event.civilization_taken
            price = f", paying {taken.paid} VP" if taken.paid else ""
            price += f", receiving {taken.received} VP" if taken.received else ""
            traits = names.civilization(taken.traits)
            return f"{names.seat(taken.seat)} takes {traits} with {amount(taken.pawns, 'pawn')}{price}."
        case "turn_started":
            started = event.turn_started
            more = f", {started.by_medicine} of them new by Medicine" if started.by_medicine else ""
            more += f", {started.by_general} of them lent by General" if started.by_general else ""
            hand = amount(started.reserve, "pawn")
            return f"Round {started.round}: {names.seat(started.seat)} mobilises {hand}{more}."
        case "peace_named":
            named = event.peace_named
            return f"{names.seat(named.seat)} declares peace with {names.seat(named.other)}."
        case "abandoned":
            return f"{names.seat(event.abandoned.seat)} abandons {names.province(event.abandoned.province)}."
        case "conquered":
            return _conquered(event.conquered, names)
        case "evacuated":
            left = names.provinces_text(event.evacuated.provinces)
            return f"{names.seat(event.evacuated.seat)} evacuates its declined empire from {left}."
        case "decline_vanished":
            return f"The declined empire of {names.seat(event.decline_vanished.seat)} is gone."
        case "empire_collapsed":
            return f"The empire of {names.seat(event.empire_collapsed.seat)} collapses and must decline."
        case "reorganised":
            return _reorganised(event.reorganised, names)
        case "scored":
            return f"{names.seat(event.scored.seat)} scores {event.scored.vp} VP and stands at {event.scored.total}."
        case "declined":
            declined = event.declined
            traits = f", {names.civilization(declined.traits)} lasting" if declined.traits else ""
            land = amount(len(declined.provinces), "province")
            return f"{names.seat(declined.seat)} declines with {land}{traits}."
        case "redeployed":
            placed = _pawns(event.redeployed.provinces, event.redeployed.pawns, names)
            return f"{names.seat(event.redeployed.seat)} redeploys {placed}."
        case "survivors_in_reserve":
            back = event.survivors_in_reserve
            return f"{amount(back.pawns, 'pawn')} of {names.seat(back.seat)} survive without land."
        case "target_reached":
            reached = event.target_reached
            return f"{names.seat(reached.seat)} stands at {reached.vp} VP: this round is the last."
        case "seat_forfeited":
            return f"{names.seat(event.seat_forfeited.seat)} leaves the game."
        case "game_over":
            return "The game is over."
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
    return f"{who} is here."


def went(who: str) -> str:
    """Somebody is no longer connected."""
    return f"{who} is away."


def score_lines(scored: pb.Scored) -> list[str]:
    """A score in its parts, by empire and source."""
    totals: dict[tuple[bool, str], int] = {}
    for item in scored.items:
        key = item.empire == pb.HOLDING_DECLINED, item.source
        totals[key] = totals.get(key, 0) + item.vp
    told = [f"{'declined ' if declined else ''}{source} {vp}" for (declined, source), vp in totals.items()]
    return [f"  {', '.join(told)}"] if told else []


def ranking(over: pb.GameOver, names: Catalogue) -> list[str]:
    """The final table, best first."""
    seats = sorted(range(len(over.ranks)), key=lambda seat: (over.ranks[seat], seat))
    return [f"{over.ranks[seat]:>3}. {names.seat(seat + 1)}: {over.vp[seat]} VP" for seat in seats]


def told(happened: pb.Event, names: Catalogue) -> list[str]:
    """An event in full: its sentence if there is one, then the parts of a score or the final table."""
    lines = list(filter(None, [event(happened, names)]))
    if happened.HasField("scored"):
        lines += score_lines(happened.scored)
    if happened.HasField("game_over"):
        lines += ranking(happened.game_over, names)
    return lines


def cost(items: Iterable[pb.CostItem]) -> str:
    """A cost in its parts: 5 = terrain 3, pawns there 2."""
    parts = list(items)
    total = max(sum(item.pawns for item in parts), 0)
    told = [f"{COST_SOURCES.get(item.source, item.source)} {item.pawns:+d}" for item in parts]
    return f"{amount(total, 'pawn')} = {', '.join(told)}" if told else ""


def refusal(refusal: pb.Refusal, names: Catalogue) -> str:  # noqa: C901  # one case each
    """Why an action was refused, with the rule."""
    facts = refusal.facts
    place = names.province(facts.get("province", ""))
    rule = f" ({refusal.rule})" if refusal.rule else ""
    match refusal.reason:
        case "NotNow":
            return f"Not now: what fits here is {', '.join(facts['legal'].split())}{rule}."
        case "MustDecline":
            return f"Your empire lost its last province: you must decline{rule}."
        case "NoSuchSlot":
            return f"There is no slot {facts['slot']}; the market has 1 to {facts['slots']}{rule}."
        case "TooExpensive":
            return f"That costs {facts['needed']} VP; you have {facts['available']}{rule}."
        case "NoMorePeace":
            copies = int(facts["copies"])
            if not copies:
                return f"You have no Diplomacy{rule}."
            return f"Diplomacy names {amount(copies, 'opponent')} a turn, and you have{rule}."
        case "NotAnOpponent":
            return f"Peace is for another seat that still plays and is not named yet{rule}."
        case "NotHeld":
            return f"Your active empire does not hold {place}{rule}."
        case "OwnProvince":
            return f"{place} is yours already{rule}."
        case "AtPeace":
            return f"{place} belongs to {names.seat(int(facts['seat']))}, with whom there is peace{rule}."
        case "InContact":
            return f"{place} is, or touches, your declined empire{rule}."
        case "OwnHeritage":
            return f"With Heritage you do not conquer your own declined provinces{rule}."
        case "OutOfReach":
            reachable = facts["reachable"] or "nothing"
            return f"{place} is out of reach; within reach: {reachable}{rule}."
        case "NoSpies":
            used = "You have used your Spies this turn" if int(facts["copies"]) else "You have no Spies"
            return f"{used}{rule}."
        case "NotEnoughPawns":
            return f"{place} costs {facts['needed']}; you have {facts['available']} in hand{rule}."
        case "MustConquer":
            return f"Without land you conquer a first province while you can: {facts['affordable']}{rule}."
        case "WrongNumberOfPawns":
            least, most = facts["least"], facts["most"]
            wanted = most if least == most else f"{least} to {most}"
            return f"You placed {facts['placed']} pawns; place {wanted}{rule}."
        case "WrongPlacement":
            return f"{place} must be named once, with at least one pawn{rule}."
        case "NotConnected":
            return f"The provinces that you keep must be connected; {facts['part']} are{rule}."
        case "WrongNumberOfProvinces":
            return f"With these pawns you keep {facts['needed']} of {facts['part']}, not {facts['kept']}{rule}."
        case "TooManyForts":
            return f"You may build {amount(int(facts['copies']), 'fort')} this turn{rule}."
        case "NoFortHere":
            return f"A fort needs a province that you keep and that has none: not {place}{rule}."
        case "NoSuchSeat":
            return f"There is no seat {facts['seat']} that could leave the game{rule}."
        case "GameIsOver":
            return "The game is over."
    return facts.get("message", refusal.reason) + rule


def _conquered(conquered: pb.Conquered, names: Catalogue) -> str:
    province = names.province(conquered.province)
    by = " by Spies" if conquered.spies else ""
    from_whom = ""
    if conquered.held == pb.HOLDING_NEUTRAL:
        from_whom = ", removing a neutral pawn"
    elif conquered.defender:
        what = "the declined empire of " if conquered.held == pb.HOLDING_DECLINED else ""
        from_whom = f" from {what}{names.seat(conquered.defender)}"
        if conquered.survivors:
            from_whom += f", {conquered.survivors} survive"
    fort = ", razing a fort" if conquered.fort else ""
    cost = amount(conquered.cost, "pawn")
    return f"{names.seat(conquered.seat)} conquers {province} for {cost}{by}{from_whom}{fort}."


def _reorganised(done: pb.Reorganised, names: Catalogue) -> str:
    held = _pawns(done.provinces, done.pawns, names) or "nothing"
    forts = f", building {listed([f'a fort in {names.province(code)}' for code in done.forts])}" if done.forts else ""
    given_up = f", giving up {names.provinces_text(done.given_up)}" if done.given_up else ""
    lost = f", losing {amount(done.lost, 'pawn')}" if done.lost else ""
    return f"{names.seat(done.seat)} holds {held}{forts}{given_up}{lost}."


def _pawns(codes: Sequence[str], pawns: Sequence[int], names: Catalogue) -> str:
    return ", ".join(f"{names.province(code)} {number}" for code, number in zip(codes, pawns, strict=True))


# What happens at a table besides the game.


def made_by(seat: int, by: str, names: Catalogue, *, is_person: bool) -> str:
    """Who acted in the place of a seat, at which a person is to sit or not; empty if it acted itself."""
    who = names.seat(seat)
    match by:
        case "substitute":
            return f"A substitute plays for {who}."
        case "clock":
            return f"Time is up for {who}."
        case "default":
            return f"{f'Time is up for {who}: the' if is_person else f'For {who} the'} default action is played."
    return ""


def undone(seat: int, taken: Sequence[str], to: int, names: Catalogue) -> str:
    """What was taken back; `taken` are the actions as far as they are known, else the revision tells."""
    what = "; ".join(taken) if taken else f"what came after revision {to}"
    return f"{names.seat(seat)} takes back: {what}."


def said(line: match_pb2.ChatLine, names: Catalogue) -> str:
    """A line of the chat with who said it."""
    who = names.seat(line.seat) if line.seat else f"{line.name} (looking on)"
    return f"{who}: {line.text}"


def proposal(proposed: lobby_pb2.Proposal, own: Collection[int], names: Catalogue) -> str:
    """What is proposed, who agreed and who is missing, and for `own` seats how to agree."""
    what, typed = {
        lobby_pb2.PROPOSAL_KIND_PAUSE: ("a pause", "pause"),
        lobby_pb2.PROPOSAL_KIND_RESUME: ("going on", "resume"),
    }.get(proposed.kind, (f"a substitute for {names.seat(proposed.seat)}", f"substitute {proposed.seat}"))
    agreed = listed([names.seat(seat) for seat in proposed.agreed])
    missing = [seat for seat in proposed.missing if seat != proposed.seat]
    verb = "proposes" if len(proposed.agreed) == 1 else "propose"
    told = f"{agreed} {verb} {what}; missing: {listed([names.seat(seat) for seat in missing])}."
    return f"{told} To agree: {typed}." if set(missing) & set(own) else told


def changes(before: lobby_pb2.Match, after: lobby_pb2.Match, own: Collection[int], names: Catalogue) -> list[str]:
    """What people agreed upon or propose, and who is substituted, as far as it was otherwise before."""
    lines = []
    for old, new in zip(before.seats, after.seats, strict=False):
        if old.substituted == new.substituted:
            continue
        if new.seat in own:
            yours = names.seat(new.seat) if len(own) > 1 else "you"
            lines.append(
                f"A substitute plays for {yours} now; back takes the seat back."
                if new.substituted
                else f"No substitute plays for {yours} any more."
            )
        else:
            who = names.seat(new.seat)
            lines.append(f"A substitute plays for {who} now." if new.substituted else f"{who} plays again.")
    if before.paused != after.paused:
        lines.append("The game is paused; to go on: resume." if after.paused else "The game goes on.")
    known = {(one.kind, one.seat): set(one.agreed) for one in before.proposals}
    for one in after.proposals:
        is_settled = not set(one.missing) - {one.seat} - (set(own) if set(one.agreed) & set(own) else set())
        if set(one.agreed) - known.get((one.kind, one.seat), set()) and not is_settled:
            lines.append(proposal(one, own, names))
    if after.ended and not before.ended:
        lines.append(f"The match was ended: {after.ended}.")
    return lines
