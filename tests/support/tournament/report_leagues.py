"""Leagues for tests of reports: games played in this process, with invented figures."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from statistics import mean
from typing import Final

from vinci_bots.builtin import selfplay
from vinci_rules.board import load_board
from vinci_rules.editions import options
from vinci_rules.traits import KINDS
from vinci_tournament.definition.league import Conditions
from vinci_tournament.report.contents import Entrant, LeagueSection, Report, VerdictSection
from vinci_tournament.results.result import CivilizationResult, ForfeitResult, Result
from vinci_tournament.stats.values import (
    AttackFigures,
    BotFigures,
    DifferenceFigures,
    Estimate,
    LeagueFigures,
    PairFigures,
    SeatFigures,
    Standings,
    TraitFigures,
)

POSITION: Final = "tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"


def results(names: Sequence[str], blocks: int, seats: int = 3) -> tuple[Result, ...]:
    """Return blocks of games in all rotations with invented civilizations and attacks, about equally many for each bot."""
    made_up = random.Random(1)
    rules = options((False,) * seats, "standard", target=12)
    result = []
    for block in range(blocks):
        line_up = [names[(block + place * (1 + block // len(names))) % len(names)] for place in range(seats)]
        for rotation in range(seats):
            bots = tuple(line_up[rotation:] + line_up[:rotation])
            game = selfplay.play(["random"] * seats, load_board("tiny"), rules, f"league-{block}-{rotation}")
            result.append(_result(block, rotation, bots, game, made_up))
    return tuple(result)


def _result(
    block: int, rotation: int, bots: tuple[str, ...], game: selfplay.SelfplayGame, made_up: random.Random
) -> Result:
    seats = range(len(bots))
    civilizations = tuple(
        CivilizationResult(seat, tuple(sorted(kind.code for kind in made_up.sample(KINDS, 2))), made_up.randint(5, 60))
        for seat in seats
        for _ in range(2)
    )
    attacks = tuple(tuple(0 if a == b else made_up.randint(0, 6) for b in seats) for a in seats)
    return Result(
        block=block,
        rotation=rotation,
        seed=game.seed,
        bots=bots,
        ranks=game.ranks,
        vp=game.vp,
        rounds=game.rounds,
        actions=game.actions,
        forfeits=(),
        civilizations=civilizations,
        attacks=attacks,
        hash=str(game.summary()["hash"]),
    )


def forfeited(result: Result, seat: int, reason: str = "exit") -> Result:
    """Return the game with a forfeit of a seat, which is last then."""
    before = result.ranks[seat]
    ranks = [rank - (rank > before) for rank in result.ranks]
    ranks[seat] = len(ranks)
    return replace(result, ranks=tuple(ranks), forfeits=(*result.forfeits, ForfeitResult(seat, reason, 17, POSITION)))


def figures(games: Sequence[Result]) -> LeagueFigures:
    """Return figures with invented intervals, sorted and rounded like those of a league."""
    without = [game for game in games if not game.forfeits]
    named = KINDS[:6]
    return LeagueFigures(
        standings=_standings(games),
        without_forfeits=_standings(without) if len(without) < len(games) else None,
        traits=tuple(TraitFigures((kind.code,), 9, _around(20 + place, 4)) for place, kind in enumerate(named)),
        trait_pairs=tuple(
            TraitFigures((one.code, other.code), place, _around(15 + place, 6))
            for place, (one, other) in enumerate(zip(KINDS, KINDS[3:24], strict=False))
        ),
        attacks=tuple(
            AttackFigures(one, other, round(sum(_attacks(games, one, other)) / max(len(games), 1), 2))
            for one, other in permutations(_names(games), 2)
        ),
        variance_reduction=2.4,
    )


def _attacks(games: Sequence[Result], one: str, other: str) -> list[int]:
    return [
        game.attacks[game.bots.index(one)][game.bots.index(other)]
        for game in games
        if one in game.bots and other in game.bots
    ]


def _names(games: Sequence[Result]) -> list[str]:
    return sorted({bot for game in games for bot in game.bots})


def _around(value: float, width: float) -> Estimate:
    return Estimate(round(value, 4), round(value - width, 4), round(value + 0.9 * width, 4))


def _standings(games: Sequence[Result]) -> Standings:
    bots = sorted((_bot(games, name) for name in _names(games)), key=lambda one: (-one.rating.value, one.bot))
    pairs = list(combinations(bots, 2))
    return Standings(
        games=len(games),
        blocks=len({game.block for game in games}),
        bots=tuple(bots),
        seats=tuple(_seat(games, seat) for seat in range(len(games[0].bots))) if games else (),
        pairs=tuple(pair for one, other in pairs if (pair := _pair(games, one.bot, other.bot))),
        differences=tuple(
            DifferenceFigures(one.bot, other.bot, _around(one.rating.value - other.rating.value, 90))
            for one, other in pairs
        ),
    )


def _wins(game: Result, seat: int) -> float:
    return (game.ranks[seat] == 1) / game.ranks.count(1)


def _bot(games: Sequence[Result], name: str) -> BotFigures:
    own = [(game, game.bots.index(name)) for game in games if name in game.bots]

    def of(value: Callable[[Result, int], float]) -> float:
        return mean(value(game, seat) for game, seat in own)

    width = 1 / len(own) ** 0.5
    share = of(_wins)
    margin = of(lambda game, seat: game.vp[seat] - max(game.vp[:seat] + game.vp[seat + 1 :]))
    return BotFigures(
        bot=name,
        games=len(own),
        forfeits=sum(forfeit.seat == seat for game, seat in own for forfeit in game.forfeits),
        rating=_around(400 * (share - 0.3), 200 * width),
        win_share=_around(share, 0.6 * width),
        mean_rank=_around(of(lambda game, seat: game.ranks[seat]), width),
        margin=_around(margin, 8 * width),
    )


def _seat(games: Sequence[Result], seat: int) -> SeatFigures:
    share = mean(_wins(game, seat) for game in games)
    return SeatFigures(seat, _around(300 * (share - 0.33), 25), _around(share, 0.05))


def _pair(games: Sequence[Result], one: str, other: str) -> PairFigures | None:
    seats = [
        (game, game.bots.index(one), game.bots.index(other))
        for game in games
        if one in game.bots and other in game.bots
    ]
    if not seats:
        return None
    ahead = mean((game.ranks[a] < game.ranks[b]) + (game.ranks[a] == game.ranks[b]) / 2 for game, a, b in seats)
    width = 0.5 / len(seats) ** 0.5
    difference = mean(game.vp[a] - game.vp[b] for game, a, b in seats)
    return PairFigures(one, other, len(seats), _around(ahead, width), _around(difference, 10 * width))


def _league(names: Sequence[str], blocks: int, seats: int, gates: Sequence[VerdictSection]) -> LeagueSection:
    return LeagueSection(
        name="Spring league",
        format="round robin",
        seats=seats,
        board="tiny",
        edition="standard",
        seed="7",
        blocks=blocks,
        complete=True,
        engine="0.1.0",
        rules_digest="1a2b3c4d" * 8,
        board_digest="9e8d7c6b" * 8,
        bots=tuple(Entrant(name, f"python {name}.py --level 3", "5e6f7a8b" * 8) for name in names),
        conditions=Conditions(clock=60, tries=3, memory=2048, absence=600, analysis=False),
        options={"target": 12},
        gates=tuple(gates),
    )


def report(
    names: Sequence[str],
    blocks: int,
    seats: int = 3,
    forfeits: Sequence[tuple[int, int]] = (),
    gates: Sequence[VerdictSection] = (),
) -> Report:
    """Return the report of a league of these bots; the games at these indices have a forfeit of this seat, from 0."""
    played = list(results(names, blocks, seats))
    for place, seat in forfeits:
        played[place] = forfeited(played[place], seat)
    return Report(_league(names, blocks, seats, gates), figures(played), tuple(played))


def by_hand(*gates: VerdictSection) -> Report:
    """Return a small league with invented, constant results: one forfeit, in game 1-1."""
    names = ("greedy", "dummy", "random")
    vp = ((31, 12, 8), (14, 30, 9), (7, 33, 33), (36, 11, 20), (9, 28, 0), (10, 6, 35))
    played = []
    for place, scores in enumerate(vp):
        block, rotation = divmod(place, 3)
        ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
        game = Result(
            block=block,
            rotation=rotation,
            seed=f"{block}{block}",
            bots=names[rotation:] + names[:rotation],
            ranks=ranks,
            vp=scores,
            rounds=5 + place,
            actions=60 + place,
            forfeits=(),
            civilizations=(CivilizationResult(0, ("MIN", "WEA"), 9), CivilizationResult(1, ("CUR", "SPI"), 7)),
            attacks=((0, 2, 1), (1, 0, 0), (place, 1, 0)),
            hash=f"{place}f" * 32,
        )
        played.append(game)
    played[4] = forfeited(played[4], 2, "clock")
    return Report(_league(names, 2, 3, gates), figures(played), tuple(played))


def empty() -> Report:
    """Return a league before its first game."""
    return Report(_league(("a", "b", "c"), 5, 3, ()), replace(figures(()), variance_reduction=None), ())
