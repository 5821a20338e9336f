"""`vinci selfplay`: games among policies in one process."""

import json
from pathlib import Path
from typing import Any

import click

from vinci_bots.builtin.selfplay import games as play_games
from vinci_bots.builtin.selfplay import mean_ms
from vinci_players.builtin import KNOWN, is_policy
from vinci_rules.board import DEFAULT_BOARD, load_board
from vinci_rules.chance import FairChance
from vinci_rules.editions import options as rules_of

from ...connection.match_request import EDITION, settings
from ...exceptions import Misused
from ...text import refusals
from ...text.i18n import _, plural
from ...text.opponents import fault
from .. import progress
from ..base import Command, option
from ..options import json_option, path_option, rules_options


@click.command(
    cls=Command,
    epilog="""
    vinci selfplay --players greedy,dummy,dummy,dummy --games 200 --seed 1
    vinci selfplay --players hard:raider,expert:2000,greedy,dummy --games 20 --seed 1 --json
    """,
)
@option(
    "--players", default="dummy,dummy,dummy,dummy", help="dummy, easy, normal, hard, expert, greedy or random each."
)
@option("--games", least=1, default=1, help="How many games.")
@option("--seed", default="1", help="Game n uses the seed SEED-n.")
@rules_options
@path_option("--records", help="Folder for a record of each game.")
@json_option
def selfplay(
    players: str, games: int, seed: str, board: str, records: Path | None, as_json: bool, edition: str, **rules: Any
) -> None:
    """Play games of built-in bots in one process, without a server: the quickest way to many games.

    The same seed gives the same games on every machine. Bots of your own: `vinci match` plays one game, `vinci
    tournament run` many with ratings and intervals.
    """
    names = [name.strip() for name in players.split(",") if name.strip()]
    for wrong in filter(None, map(fault, names)):
        raise Misused(wrong)
    if unknown := [name for name in names if not is_policy(name)]:
        text = _("unknown player {players}; known: {known}")
        raise Misused(text.format(players=", ".join(unknown), known=", ".join(KNOWN)))
    chosen = settings(rules["options"], rules["target"])
    try:
        options = rules_of(tuple(name == "dummy" for name in names), edition or EDITION, **chosen)
        FairChance(seed)
        FairChance(f"{seed}-{games}")
        played = play_games(names, load_board(board or DEFAULT_BOARD), options, games, seed, times_dummies=True)
    except ValueError as error:
        raise Misused(refusals.sentence(error)) from None
    labels = [f"{name} ({seat})" for seat, name in enumerate(names, start=1)]
    wins = [0.0] * len(names)
    thought: list[list[float]] = [[] for _name in names]
    for game in progress.shown(played, games, _("games")):
        for all_of_seat, own in zip(thought, game.thought, strict=True):
            all_of_seat.extend(own)
        for seat, rank in enumerate(game.ranks):
            wins[seat] += 1 / game.ranks.count(1) if rank == 1 else 0
        if records is not None:
            records.mkdir(parents=True, exist_ok=True)
            text = "".join(f"{line}\n" for line in game.lines)
            (records / f"{game.seed}.jsonl").write_text(text, encoding="utf-8")
        if as_json:
            times = [round(mean_ms(own), 3) for own in game.thought]
            click.echo(json.dumps(game.summary() | {"cpu_ms_per_decision": times}))
        else:
            scores = "  ".join(f"{label} {vp}" for label, vp in zip(labels, game.vp, strict=True))
            after = plural("after {n} rounds", "after {n} rounds", game.rounds)
            click.echo(f"{game.seed}: {scores}  {after}")
    if not as_json:
        table = "  ".join(f"{label} {share / games:.1%}" for label, share in zip(labels, wins, strict=True))
        click.echo(_("wins: {table}").format(table=table))
        costs = "  ".join(f"{label} {mean_ms(own):.2f} ms" for label, own in zip(labels, thought, strict=True))
        click.echo(_("CPU time per decision: {table}").format(table=costs))
