"""Actions of dummies, from section 8 of docs/rules.md alone."""

from .book import copies
from .defence import attack_cost, spread
from .game import Game


def choose(game: Game) -> str:
    """Return the action of the dummy to act in notation; its dice and ties are added to `game.drawn`."""
    if game.phase == "draft":
        return "take 1"
    if game.phase == "redeploy":
        key = [game.round, game.turn, game.actor]
        number = game.seats[game.actor].survivors
        return written("redeploy", game, spread(game, game.empire().land, number, ("redeploy", key)))
    if game.phase == "renaissance":
        empire = game.empire()
        free = sum(game.pawns[code] for code in empire.land) - len(empire.land) + empire.reserve
        return "decline" if declines(game, free) else "stay"
    return start(game) or conquest(game) or hold(game)


def written(word: str, game: Game, pawns: dict[str, int]) -> str:
    """Return an action with placements as text."""
    return " ".join([word, *(f"{code}={pawns[code]}" for code in game.board.order if pawns.get(code))])


def start(game: Game) -> str | None:
    """Decline and peace (R-DUMMY-5, R-DUMMY-6)."""
    seat, empire = game.seats[game.actor], game.empire()
    if game.phase == "start":
        free = empire.reserve - 7 * copies(empire.traits, "general")
        if seat.must_decline or (not copies(empire.traits, "renaissance") and declines(game, free)):
            return "decline"
    if game.phase in ("start", "peace") and len(seat.peace) < copies(empire.traits, "diplomacy"):
        real = [number for number, other in game.seats.items() if not other.dummy and number not in seat.peace]
        if real:
            return "peace " + game.draw("peace", [game.round, game.actor, len(seat.peace)], [str(one) for one in real])
    return None


def declines(game: Game, free: int) -> bool:
    """Return whether the dummy declines, after a roll if one is due (R-DUMMY-5)."""
    empire = game.empire()
    general = copies(empire.traits, "general") > 0
    vp = sum(game.board.worth(empire.traits, code) for code in empire.land)
    if vp >= 10 or not 0 <= free <= (2 if general else 5):
        return False
    roll = int(game.draw("die", [game.round, game.actor], list("123456")))
    return roll - (2 if general else 0) > free


def value(game: Game, province: str) -> int:
    """Return the value of a province to the seat to act (R-DUMMY-3)."""
    empire, declined = game.empire(), game.seats[game.actor].declined
    vp = game.board.worth(empire.traits, province)
    own = False
    if declined is not None:
        own = province in declined.land
        lost = {province} if copies(empire.traits, "heritage") else {province} | game.board.near[province]
        vp -= sum(game.board.worth(declined.traits, code) for code in lost & declined.land)
    return vp + (copies(empire.traits, "slavery") if game.pawns[province] and not own else 0)


def conquest(game: Game) -> str | None:
    """Return the next conquest (R-DUMMY-3, R-DUMMY-6)."""
    empire, declined, board = game.empire(), game.seats[game.actor].declined, game.board
    if not empire.reserve:
        return None
    spies = copies(empire.traits, "spies") > game.spied
    costs = {code: cost for code in board.order if (cost := game.cost(code)) is not None}
    on_ties = game.options["dummy_spies"] == "tie"
    prices = {code: min(cost, 2) if spies and not on_ties else cost for code, cost in costs.items()}
    if on_ties and spies and not game.may_stay_out() and not empire.land and min(prices.values()) > empire.reserve:
        on_ties, prices = False, {code: min(cost, 2) for code, cost in costs.items()}
    choices = [code for code in prices if prices[code] <= empire.reserve]
    if copies(empire.traits, "galleys") and not empire.land:
        choices = [code for code in choices if code in board.open_sea] or choices
    if not choices:
        return None
    ranks = {code: (-value(game, code), prices[code]) for code in choices}
    if game.options["dummy_preference"] == "formula":
        ranks = {code: (prices[code] - 2 * value(game, code), prices[code]) for code in choices}
    choices = [code for code in choices if ranks[code] == min(ranks.values())]
    spies = spies and (not on_ties or len(choices) > 1)
    holders = {code: game.holder(code) for code in choices}
    if copies(empire.traits, "heritage") and declined is not None:
        border = {code for code in choices if board.near[code] & declined.land}
        enemy = {code for code, held in holders.items() if held is not None and held[1] and held[0] != game.actor}
        choices = [code for code in choices if code in border & enemy] or choices
    if game.options["dummy_tie"] == "real_player":
        real = {code for code, held in holders.items() if held is not None and not game.seats[held[0]].dummy}
        choices = [code for code in choices if code in real] or choices
    target = game.draw("conquest", [game.round, game.actor, len(empire.land)], choices)
    return f"x {target}" + (" spy" if spies and costs[target] > 2 else "")


def hold(game: Game) -> str:
    """Reorganise (R-DUMMY-4)."""
    empire, board = game.empire(), game.board
    if not empire.land:
        return "hold"
    number = empire.reserve + sum(game.pawns[code] for code in empire.land) - 7 * copies(empire.traits, "general")
    kept_provinces = set(empire.land)
    if number < len(kept_provinces):
        kept_provinces = set()
        while len(kept_provinces) < number:
            ranks = {
                code: (board.worth(empire.traits, code), attack_cost(game, code))
                for code in empire.land - kept_provinces
            }
            best = [code for code in board.order if ranks.get(code) == max(ranks.values())]
            kept_provinces.add(game.draw("keep", [game.round, game.actor, len(kept_provinces)], best))
    pawns = spread(game, kept_provinces, number - len(kept_provinces), ("defence", [game.round, game.actor]), anew=True)
    text = written("hold", game, {code: 1 + pawns.get(code, 0) for code in kept_provinces})
    forts = built(game, kept_provinces)
    return text + (" fort " + " ".join(board.sorted(forts)) if forts else "")


def built(game: Game, kept: set[str]) -> set[str]:
    """Return the provinces in which forts are built (R-DUMMY-6)."""
    empire, declined, board = game.empire(), game.seats[game.actor].declined, game.board
    own = empire.land | (set() if declined is None else declined.land)
    forts: set[str] = set()
    while len(forts) < copies(empire.traits, "forts") and kept - game.forts - forts:
        ranks = {}
        for code in kept - game.forts - forts:
            others = [near for near in board.near[code] - own if game.pawns[near]]
            ranks[code] = (len(others), sum(value(game, near) for near in others))
        best = [code for code in board.order if ranks.get(code) == max(ranks.values())]
        forts.add(game.draw("fort", [game.round, game.actor, len(forts)], best))
    return forts
