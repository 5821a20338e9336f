"""The games of a league on its page: who won, what was forfeited, and links to records and logs."""

from ..play.files import log_file, record_file
from ..results.result import Result
from .contents import Report
from .markup import link, table, text, who


def forfeits(report: Report) -> str:
    """Each forfeit with what is known of it; empty if there were none."""
    rows = [
        (
            f'<span id="{_anchor(game, forfeit.seat)}">{link(record_file(game.key), game.key)}</span>',
            who(game.bots[forfeit.seat]),
            str(forfeit.seat + 1),
            text(forfeit.reason),
            str(forfeit.action),
            link(log_file(game, forfeit.seat), "log"),
            f"<details><summary>position</summary><code>{text(forfeit.position)}</code></details>",
        )
        for game in report.games
        for forfeit in game.forfeits
    ]
    heads = ("Record", "Bot", "Seat", "Why", "Actions before", "stderr", "Then")
    return table(heads, rows, (2, 4)) if rows else ""


def games(report: Report) -> str:
    """Every game with a link to its record; empty if there were none."""
    seats = [f"Seat {seat}" for seat in range(1, report.league.seats + 1)]
    rows = [
        (link(record_file(game.key), game.key), *(_seat(game, seat) for seat in range(len(game.bots))), *_lengths(game))
        for game in report.games
    ]
    heads = ("Record", *seats, "Rounds", "Actions")
    told = '<p class="facts">Below each bot its VP and rank. ✗ is a forfeit, linked to what is known of it.</p>\n'
    return told + table(heads, rows, (len(seats) + 1, len(seats) + 2)) if rows else ""


def _lengths(game: Result) -> tuple[str, str]:
    return str(game.rounds), str(game.actions)


def _seat(game: Result, seat: int) -> str:
    shown = who(game.bots[seat], first=game.ranks[seat] == 1)
    left = "".join(
        f' <a href="#{_anchor(game, seat)}">✗ {text(forfeit.reason)}</a>'
        for forfeit in game.forfeits
        if forfeit.seat == seat
    )
    return f"{shown}<br/><small>{game.vp[seat]} VP, rank {game.ranks[seat]}</small>{left}"


def _anchor(game: Result, seat: int) -> str:
    return f"forfeit-{game.key}-{seat + 1}"
