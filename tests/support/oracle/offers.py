"""Legal actions, from docs/rules.md alone. Reorganisation and redeployment are one word each."""

from .book import copies
from .game import Game


def offers(game: Game) -> set[str]:
    """Return the legal actions in notation; `hold` and `redeploy` have no placements."""
    seat, phase = game.seats[game.actor], game.phase
    if phase == "draft":
        return {f"take {slot + 1}" for slot in range(6) if 2 * slot <= seat.vp}
    if phase == "renaissance":
        return {"decline", "stay"}
    if phase in ("redeploy", "over"):
        return {"redeploy"} if phase == "redeploy" else set()
    if phase == "start" and seat.must_decline:
        return {"decline"}
    empire = game.empire()
    result = {"decline"} if phase == "start" else set()
    if phase in ("start", "peace") and len(seat.peace) < copies(empire.traits, "diplomacy"):
        result |= {f"peace {other}" for other in game.others(game.actor) if other not in seat.peace}
    if phase != "conquer":
        result |= {f"abandon {code}" for code in empire.land}
    spies = copies(empire.traits, "spies") > game.spied
    for code in game.board.order:
        cost = game.cost(code)
        if cost is not None:
            result |= {f"x {code}"} if cost <= empire.reserve else set()
            result |= {f"x {code} spy"} if spies and empire.reserve >= 2 else set()
    return result | ({"hold"} if empire.land or game.may_stay_out() else set())
