"""Columns of the tables of a report, the same in every form: heads, values, and how a value is written."""

from typing import Any, Final, NamedTuple

from .wording import Form, percent, plain, rating, vp


class Column(NamedTuple):
    """A column of numbers.

    Attributes:
        head: in Markdown and on the page.
        field: of the row, with the number.
        form: how the number is written, if it is an estimate; None for a whole number.
        brief: its head in a terminal.
    """

    head: str
    field: str
    form: Form | None = None
    brief: str = ""

    def of(self, row: object) -> Any:
        """Return the number of a row."""
        return getattr(row, self.field)


WINS: Final = Column("Wins", "win_share", percent, "wins")
RANK: Final = Column("Mean rank", "mean_rank", plain, "rank")
AHEAD: Final = Column("VP ahead", "margin", vp, "margin")
GAMES: Final = Column("Games", "games", None, "games")
FORFEITED: Final = Column("Forfeits", "forfeits", None, "forfeits")
STANDINGS: Final = (Column("Rating", "rating", rating), WINS, RANK, AHEAD, GAMES, FORFEITED)
LINE_UPS: Final = (WINS, RANK, AHEAD, GAMES)
SEATS: Final = (Column("Rating effect", "rating", rating), WINS)
BOTH: Final = Column("Both", "mutual", plain, "both")
BY_BOT: Final = Column("Bot on other", "by_bot", plain, "by first")
BY_OTHER: Final = Column("Other on bot", "by_other", plain, "by second")
MUTUAL_ATTACKS: Final = (BOTH, BY_BOT, BY_OTHER, GAMES)
