"""A review in words, for terminals, replays and pages."""

from collections.abc import Sequence
from typing import Final

from ..text.i18n import _, decimal, plural
from ..text.moves import moves_text
from ..text.names import Catalogue
from .model import Figure, GameReview, ReviewedPlayer, ReviewedTurn, TurningPoint

SMALLEST: Final = 0.05
"""Figures below are shown as 0."""

NOTHING: Final = "\N{EN DASH}"


def vp_text(figure: Figure) -> str:
    """Return a figure with its interval, such as `4.2 ± 1.5 VP`."""
    return _("{mean} ± {half} VP").format(mean=_number(figure.mean), half=_number(figure.half))


def lost_text(figure: Figure) -> str:
    """Return a figure without its unit, for tables."""
    return f"{_number(figure.mean)} ± {_number(figure.half)}"


def luck_text(figure: Figure) -> str:
    """Return a figure with its sign and without its unit, for tables."""
    return ("+" if figure.mean >= SMALLEST else "") + lost_text(figure)


def _number(value: float) -> str:
    return decimal(f"{value if abs(value) >= SMALLEST else 0:.1f}")


def accuracy_text(player: ReviewedPlayer) -> str:
    """Return the accuracy of a player with its range; a dash without turns that count."""
    if player.accuracy is None:
        return NOTHING
    value, low, high = (f"{number:.0f}" for number in player.accuracy)
    return value if low == high else f"{value} ({low}{NOTHING}{high})"


def played_text(turn: ReviewedTurn, names: Catalogue) -> str:
    """Return the turn that was played."""
    return moves_text(*turn.played, names, defence=_differ_in_defence(turn, names))


def preferred_text(turn: ReviewedTurn, names: Catalogue) -> str:
    """Return the turn that the review prefers; empty if it was played, is clearly worse, or none was searched."""
    if turn.preferred is None or turn.preferred == turn.played or (turn.loss.is_clear and turn.loss.mean < 0):
        return ""
    return moves_text(*turn.preferred, names, defence=_differ_in_defence(turn, names))


def _differ_in_defence(turn: ReviewedTurn, names: Catalogue) -> bool:
    """Return whether only the defence tells the turn played from the one preferred."""
    return (
        turn.preferred is not None
        and turn.preferred != turn.played
        and moves_text(*turn.preferred, names) == moves_text(*turn.played, names)
    )


def verdict(turn: ReviewedTurn) -> str:
    """Return what a turn has lost, in words."""
    if turn.preferred is None:
        return ""
    if turn.choices == 1:
        return _("no choice")
    if turn.preferred == turn.played:
        return _("the preferred turn")
    if turn.loss == Figure(0, 0):
        return _("as good as the preferred turn")
    if not turn.loss.is_clear:
        return _("no clear difference: {vp}").format(vp=vp_text(turn.loss))
    if turn.loss.mean < 0:  # in reviews that were kept before the turn played could be the preferred one
        return _("better by {vp}").format(vp=vp_text(Figure(-turn.loss.mean, turn.loss.half)))
    return _("loses {vp}").format(vp=vp_text(turn.loss))


def remark(turn: ReviewedTurn, names: Catalogue) -> str:
    """Return a turn with its verdict and the turn preferred in a line."""
    if turn.by == "dummy":
        luck = turn.luck[turn.seat - 1]
        return _("Review: luck of {who}: {vp} VP").format(who=names.seat(turn.seat), vp=luck_text(luck))
    said = verdict(turn)
    if not said:
        return ""
    better = preferred_text(turn, names)
    if not better:
        return _("Review of {who}: {verdict}").format(who=names.seat(turn.seat), verdict=said)
    if turn.loss.is_clear:
        text = _("Review of {who}: {verdict}. Preferred: {turn}")
    else:
        text = _("Review of {who}: {verdict}. As good: {turn}")
    return text.format(who=names.seat(turn.seat), verdict=said, turn=better)


def remark_at(review: GameReview | None, revision: int, names: Catalogue) -> str:
    """Return the remark on the turn in which a revision was made; empty without one."""
    turn = None if review is None else review.turn_at(revision)
    return "" if turn is None else remark(turn, names)


def chances_title() -> str:
    """Return the title of the chart of chances."""
    return _("Chance of the first place in percent, after each round")


def points_title() -> str:
    """Return the title of the turning points, which says how they are ordered."""
    return _("Turning points, the greatest change first")


def point_text(point: TurningPoint, review: GameReview, names: Catalogue) -> str:
    """Return a turning point in a sentence."""
    turn = review.turns[point.turn]
    when = _("round {round}").format(round=turn.round) if turn.round else _("draft")
    text = _("{when}, turn of {who}: the chance of {whom} goes from {before} to {after} %")
    return text.format(
        when=when,
        who=names.seat(turn.seat),
        whom=names.seat(point.seat),
        before=round(100 * point.before),
        after=round(100 * point.after),
    )


def explanation(review: GameReview) -> str:
    """Return what the figures mean."""
    text = _(
        "A turn is compared with the one that a search prefers, both by {simulations} to the end of the game. What it "
        "loses is VP ahead of the best opponent, with an interval of 95 %, and never less than 0; draws and dummies do "
        "not count for it. Accuracy is 100 without losses, and 37 if a turn loses 10 VP on average."
    )
    return text.format(simulations=plural("{n} simulation", "{n} simulations", review.simulations))


def heads(review: GameReview) -> Sequence[str]:
    """Return the heads of the table of players."""
    luck = [_("Luck with dummies")] if review.has_dummies else []
    return [_("Seat"), _("Accuracy"), _("Mistakes"), _("VP lost"), _("Luck of draws"), *luck]


def cells(player: ReviewedPlayer, review: GameReview) -> Sequence[str]:
    """Return the cells of a player in this table, after the seat."""
    of_turns = _("{n} of {turns}").format(n=player.mistakes, turns=player.turns) if player.turns else NOTHING
    lost = lost_text(player.loss) if player.turns else NOTHING
    luck = [luck_text(player.dummies)] if review.has_dummies else []
    return [accuracy_text(player), of_turns, lost, luck_text(player.draws), *luck]
