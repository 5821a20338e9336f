"""`vinci dataset`: games among computer players as a table of decisions."""

import os
import sys
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from vinci_bots.builtin import dataset as tables
from vinci_players.builtin import KNOWN, is_policy
from vinci_rules.board import DEFAULT_BOARD, load_board
from vinci_rules.chance import FairChance
from vinci_rules.editions import FEWEST_SEATS, MOST_SEATS
from vinci_tournament.play.worker_pool import pool_of

from ...connection.connect import INTERRUPTED, stop_in_order
from ...connection.match_request import EDITION, settings
from ...exceptions import Failed, Misused
from ...text import refusals
from ...text.i18n import _
from ...text.opponents import fault
from .. import progress
from ..base import Command, option
from ..options import path_option, rules_options
from ..tournament.group import workers_option


@click.command(
    cls=Command,
    epilog="""
    vinci dataset --players normal,hard --games 10000 --out games.parquet
    vinci dataset --players hard --seats 3 --games 100 --seed 7 --edition FR --out french.parquet
    """,
)
@option("--players", default="normal,hard", help="Computer players, which take the seats in turns.")
@option("--seats", least=FEWEST_SEATS, most=MOST_SEATS, default=4, help="Number of seats.")
@option("--games", least=1, default=100, help="How many games.")
@option("--seed", default="1", help="Game n uses the seed SEED-n.")
@rules_options
@path_option("--out", "path", required=True, help="The file to write, a table in Parquet.")
@workers_option
def dataset(
    players: str,
    seats: int,
    games: int,
    seed: str,
    board: str,
    path: Path,
    edition: str,
    workers: int | None,
    **rules: Any,
) -> None:
    """Play games of computer players and write each decision with its position and the end of its game.

    The same seed gives the same table on every machine.
    """
    names = [name.strip() for name in players.split(",") if name.strip()]
    for wrong in filter(None, map(fault, names)):
        raise Misused(wrong)
    if not names or (unknown := [name for name in names if not is_policy(name)]):
        text = _("unknown player {players}; known: {known}")
        raise Misused(text.format(players=", ".join(unknown) if names else "''", known=", ".join(KNOWN)))
    chosen = settings(rules["options"], rules["target"])
    number = min(workers or os.cpu_count() or 1, games)
    decisions = 0
    stop_in_order()
    try:
        FairChance(f"{seed}-{games}")
        ground = load_board(board or DEFAULT_BOARD)
        with pool_of(number) as pool:
            spread: tables.Spread = pool.in_order if pool else map
            table = tables.write(path, names, seats, games, seed, ground, edition or EDITION, spread, **chosen)
            with closing(table) as written:
                for count in progress.shown(written, games, _("games")):
                    decisions = count
    except KeyboardInterrupt:
        click.echo(_("Interrupted; {path} was not written.").format(path=path), err=True)
        sys.exit(INTERRUPTED)
    except BrokenProcessPool:
        text = _("a worker process was ended from outside, so there is no table; --workers 1 starts none")
        raise Failed(text) from None
    except ValueError as error:
        raise Misused(refusals.sentence(error)) from None
    except OSError as error:
        raise Failed(f"{path}: {error.strerror or error}") from None
    click.echo(_("{path}: {decisions} decisions, {games} games").format(path=path, decisions=decisions, games=games))
