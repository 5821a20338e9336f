"""A review in words, for terminals, replays and pages."""

from collections.abc import Sequence
from typing import Final

from ..text.i18n import _, decimal
from ..text.moves import moves_text
from ..text.names import Catalogue
from ..text.sentences import sentence, signed
from .model import SMALLEST, Figure, GameReview, ReviewedPlayer, ReviewedTurn, TurningPoint

NOTHING: Final = "\N{EN DASH}"


def lost_text(figure: Figure) -> str:
    """Return a figure without its unit, for tables."""
    return f"{_number(figure.mean)} ± {_number(figure.half)}"


def luck_text(figure: Figure) -> str:
    """Return a figure with its sign and without its unit, for tables."""
    return ("+" if figure.mean >= SMALLEST else "") + lost_text(figure)


def _number(value: float) -> str:
    return decimal(f"{_shown(value):.1f}")


def _shown(value: float) -> float:
    return value if abs(value) >= SMALLEST else 0.0


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


def verdict(turn: ReviewedTurn, names: Catalogue) -> str:
    """Return what a turn has lost, in words."""
    if turn.preferred is None:
        return ""
    # in reviews that were kept before the turn played could be the preferred one
    is_better = turn.loss.is_clear and turn.loss.mean < 0
    facts = {
        "choices": turn.choices,
        "same": turn.preferred == turn.played,
        "equal": turn.loss == Figure(0, 0),
        "better": is_better,
        "clear": turn.loss.is_clear,
        "won": turn.wins[turn.seat - 1].mean >= 1.0,
        "mean": _shown(-turn.loss.mean if is_better else turn.loss.mean),
        "half": _shown(turn.loss.half),
    }
    return sentence("verdict", facts, names)


def better_text(turn: ReviewedTurn, names: Catalogue) -> str:
    """Return the turn that the review prefers, as `preferred_text`, with what it is."""
    better = preferred_text(turn, names)
    facts = {"clear": turn.loss.is_clear, "turn": better + reason_text(turn)}
    return sentence("preferred", facts, names) if better else ""


def reason_text(turn: ReviewedTurn) -> str:
    """Return what a clearly better turn would have brought, with a blank before it; else nothing."""
    if turn.now is None or not turn.loss.is_clear or turn.loss.mean < 0:
        return ""
    others = turn.vp_loss.mean - turn.loss.mean
    changes = {"now": turn.now, "own": round(turn.vp_loss.mean), "others": round(others)}
    return sentence("preferred_reason", {name: signed(number) for name, number in changes.items()})


def remark(turn: ReviewedTurn, names: Catalogue) -> str:
    """Return a turn with its verdict and the turn preferred in a line."""
    if turn.by == "dummy":
        luck = turn.luck[turn.seat - 1]
        return _("Review: luck of {who}: {vp} VP").format(who=names.seat(turn.seat), vp=luck_text(luck))
    said = verdict(turn, names)
    if not said:
        return ""
    better = preferred_text(turn, names)
    if not better:
        return _("Review of {who}: {verdict}").format(who=names.seat(turn.seat), verdict=said)
    if turn.loss.is_clear:
        text = _("Review of {who}: {verdict}. Preferred: {turn}")
    else:
        text = _("Review of {who}: {verdict}. As good: {turn}")
    return text.format(who=names.seat(turn.seat), verdict=said, turn=better + reason_text(turn))


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
    facts = {
        "round": turn.round,
        "who": turn.seat,
        "whom": point.seat,
        "before": round(100 * point.before),
        "after": round(100 * point.after),
    }
    return sentence("turning_point", facts, names)


def explanation(review: GameReview) -> str:
    """Return what the figures mean."""
    return sentence("reviewed_by", {"simulations": review.simulations})


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
