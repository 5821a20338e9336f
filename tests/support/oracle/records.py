"""Comparison of a record of a finished game with an open seed against the oracle, line by line (docs/record.md)."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from .book import TRAITS
from .dummies import choose
from .game import Game
from .offers import offers
from .table import Disagreement, Empire, Seat, expect


def check(lines: Sequence[str], offered: Sequence[set[str]] | None = None) -> Counter[str]:
    """Count the actions, draws and rolls that agree. Raises Disagreement at the first line that does not. `offered` may give the legal actions before each action, which must be exactly those of the oracle.

    What was `offered` before each action can be given; it must be all that the rules allow, and no more.
    """
    parsed = [json.loads(line) for line in lines]
    checked = Counter[str]()
    game: Game | None = None
    previous = ""
    for number, line in enumerate(parsed, start=1):
        try:
            if game is None:
                game = Game(line, line["seed"])
                checked["draws"] += compare(game, line, "picks")
            elif "result" in line:
                expect(number == len(parsed) and line["result"] == result(game), f"the result is {result(game)}")
                checked["results"] += 1
            else:
                if offered is not None:
                    expect(offered[number - 2] == offers(game), f"{offers(game) ^ offered[number - 2]} offered wrongly")
                checked += play(game, number, line)
            content = {key: value for key, value in line.items() if key not in ("hash", "names", "time")}
            after = position(game)
            text = f"{previous}\n{json.dumps(content, sort_keys=True)}\n{after}"
            previous = hashlib.sha256(text.encode()).hexdigest()
            expect(line["hash"] == previous, f"the hash is not that of this line with the position: {after}")
            audit(game)
            if "result" in line and "time" in line:
                times = json.dumps([one.get("time") for one in parsed[1:-1]])
                hashed = hashlib.sha256(f"{previous}\n{times}".encode()).hexdigest()
                expect(line["time"] == hashed, f"the hash of the times is {hashed}")
        except Disagreement as error:
            raise Disagreement(f"line {number}: {error}") from None
    expect(checked["results"] == 1, "no result")
    return checked


def play(game: Game, number: int, line: dict[str, Any]) -> Counter[str]:
    """Play the action of a line; that of a dummy must be the one the oracle chooses."""
    text = line["do"]
    expect((line["n"], line["seat"]) == (number - 1, game.actor), f"seat {game.actor} acts")
    rolls = 0
    if game.seats[game.actor].dummy:
        chosen = choose(game)
        expect(text == chosen, f"the dummy plays {chosen}")
        rolls = compare(game, line, "rolls")
    game.play(text)
    return Counter({text.split()[0]: 1, "rolls": rolls, "draws": compare(game, line, "picks")})


def compare(game: Game, line: dict[str, Any], key: str) -> int:
    """Return the number of new draws, which must be those of the line."""
    drawn, game.drawn = game.drawn, []
    expect(line.get(key, []) == drawn, f"{key} are {drawn}")
    return len(drawn)


def result(game: Game) -> dict[str, Any]:
    """Compare scores, ranks and rounds (R-END-2)."""
    expect(game.phase == "over", "the game is not over")
    vp = [seat.vp for seat in game.seats.values()]
    return {"vp": vp, "ranks": [1 + sum(other > own for other in vp) for own in vp], "rounds": game.round}


def audit(game: Game) -> None:
    """Check that pawns and traits change by rules only, and nothing has two owners."""
    traits = Counter(game.bag)
    held: list[str] = list(game.neutral)
    for pair, _ in game.market:
        traits.update(pair)
    for number, seat in game.seats.items():
        for empire in filter(None, (seat.active, seat.declined)):
            traits.update(empire.traits)
            held += empire.land
        if seat.active is not None:
            pawns = seat.active.reserve + seat.survivors + sum(game.pawns[code] for code in seat.active.land)
            expect(pawns == seat.active.owed, f"seat {number} has {pawns} pawns, not {seat.active.owed}")
        if seat.declined is not None:
            expect(all(game.pawns[code] == 1 for code in seat.declined.land), "a declined province has one pawn")
    full = {code: int(row[game.options["deck"]]) for code, row in TRAITS.items()}
    expect(all(traits[code] == number for code, number in full.items()), "traits are missing")
    expect(len(held) == len(set(held)), "a province is held twice")
    expect(all(code in held for code in game.board.order if game.pawns[code]), "pawns without an owner")


def position(game: Game) -> str:
    """Return the position as text (docs/position.md)."""
    changed = [f"{name}={value}" for name, value in in_order(game)]
    turn = f"turn {game.turn} {game.phase}" + (f"={game.actor}" if game.phase == "redeploy" else "")
    turn += f" spied={game.spied}" if game.spied else ""
    turn += f" eliminated={game.eliminated}" if game.eliminated else ""
    market = ["+".join(pair) + (f":{markers}" if markers else "") for pair, markers in game.market]
    clauses = [
        game.board.name,
        " ".join(["rules", game.edition, *changed]),
        f"round {game.round}" + (" reached" if game.reached else ""),
        "order " + " ".join(map(str, game.order)),
        turn,
        *(written(game, number, seat) for number, seat in game.seats.items()),
        "neutral " + (" ".join(game.board.sorted(game.neutral)) or "-"),
        "market " + " ".join(market),
        f"fills {game.fills}",
    ]
    return "; ".join(clauses)


def in_order(game: Game) -> list[tuple[str, Any]]:
    """Return the changed options in the order of section 12."""
    names = [*game.options, "target", "max_rounds", "dummy_start_vp", "dummy_extra_pawns"]
    return sorted(game.changed.items(), key=lambda one: names.index(one[0]))


def written(game: Game, number: int, seat: Seat) -> str:
    """Return a seat in position notation."""
    words = [f"seat {number}"] + (["dummy"] if seat.dummy else []) + [f"vp={seat.vp}"]
    words += [f"survivors={seat.survivors}"] if seat.survivors else []
    words += ["peace=" + "+".join(map(str, seat.peace))] if seat.peace else []
    words += ["must_decline"] if seat.must_decline else []
    words += ["|", *empire_words(game, seat.active, declined=False)]
    if seat.declined is not None:
        words += ["|", *empire_words(game, seat.declined, declined=True)]
    return " ".join(words)


def empire_words(game: Game, empire: Empire | None, *, declined: bool) -> list[str]:
    """Return an empire in position notation."""
    if empire is None:
        return ["-"]
    words = ["+".join(empire.traits) or "-"] + ([f"reserve={empire.reserve}"] if empire.reserve else [])
    for code in game.board.sorted(empire.land):
        pawns = "" if declined else f"={game.pawns[code]}"
        words += [f"{code}{pawns}^" if code in game.forts else f"{code}{pawns}"]
    return words
