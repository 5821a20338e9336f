"""The row on top: round, seat to act, clock, connection."""

from typing import Final

from vinci.v1 import game_pb2

from ....game.client_match import ClientMatch
from ....text import refusals
from ....text.i18n import N_, _, plural
from ...toolkit.text import Row, Segment, across, spaced

WIDE: Final = 100
"""Columns in which there is room for the name of the game and the revision."""


def status(game: ClientMatch, columns: int) -> Row:
    """The row on top; a lost connection is told in words."""
    if not game.connected:
        text = _("!! Connection lost, trying again. The board is as of revision {n}.").format(n=max(game.revision, 0))
        banner = Segment(f" {text} ", "class:error class:selected")
        return spaced([banner], [Segment(f"{round_of(game)} ")] if columns >= WIDE else [], columns)
    name = [Segment(" Vinci ", "class:title")] if columns >= WIDE else []
    left = [*name, Segment(f" {round_of(game)} "), Segment("│ ", "class:frame"), *_now(game)]
    right = [*_clock(game), *_state(game, with_revision=columns >= WIDE)]
    spectators = _spectators(game)
    has_room = across([*left, *spectators, *right]) < columns
    return spaced(left, [*(spectators if has_room else []), *right], columns)


def round_of(game: ClientMatch) -> str:
    """The round and the target."""
    state = game.state
    if state is None:
        return _("not started")
    if state.last_round:
        return _("round {n}, the last").format(n=state.round)
    if not state.round:
        return _("opening draft, to {target} VP").format(target=state.target)
    return _("round {n}, to {target} VP").format(n=state.round, target=state.target)


def _now(game: ClientMatch) -> Row:
    if game.waiting:
        return [
            Segment(
                plural(
                    "Showing what others did, {n} more · space skips",
                    "Showing what others did, {n} more · space skips",
                    len(game.waiting),
                ),
                "class:hint",
                "key  ",
            )
        ]
    mover = game.state.seat_to_act if game.state is not None else 0
    return [Segment(whose_move(game), f"class:seat{mover}" if mover else "class:hint")]


def _clock(game: ClientMatch) -> Row:
    """The clock that runs, marked when time is short."""
    face = game.clocks.face(game.clocks.running)
    if not face:
        return []
    is_low = game.clocks.left(game.clocks.running) < game.clocks.low
    return [Segment(f"{face}! " if is_low else f"{face}  ", "class:error" if is_low else "class:title")]


def _state(game: ClientMatch, *, with_revision: bool) -> Row:
    if game.state is None:
        return [Segment(_("connected") + " ", "class:faint")]
    revision = " · " + _("revision {n}").format(n=game.revision) if with_revision else ""
    state = _("replay") if game.replayed else f"● {_('live')}"
    return [Segment(f"{state}{revision} ", "class:faint")]


def _spectators(game: ClientMatch) -> Row:
    """The number of spectators, besides the one at this terminal. The log tells it too."""
    others = game.match.spectators - (not game.seats)
    if others <= 0 or game.replayed:
        return []
    return [Segment(plural("{n} spectator", "{n} spectators", others) + " · ", "class:faint")]


OWN_TASKS: Final = {
    game_pb2.PHASE_DRAFT: N_("Your move: take a civilization."),
    game_pb2.PHASE_START: N_("Your move: conquer, or decline."),
    game_pb2.PHASE_PEACE: N_("Your move: conquer, or hold."),
    game_pb2.PHASE_ABANDON: N_("Your move: conquer, or hold."),
    game_pb2.PHASE_CONQUER: N_("Your move: conquer, or hold."),
    game_pb2.PHASE_RENAISSANCE: N_("Your move: decline, or stay."),
    game_pb2.PHASE_REDEPLOY: N_("Your move: place your surviving pawns."),
}
"""The task of the only seat of this terminal by phase."""

TASKS: Final = {
    game_pb2.PHASE_DRAFT: N_("{who} is to take a civilization."),
    game_pb2.PHASE_PEACE: N_("{who} is conquering."),
    game_pb2.PHASE_ABANDON: N_("{who} is conquering."),
    game_pb2.PHASE_CONQUER: N_("{who} is conquering."),
    game_pb2.PHASE_RENAISSANCE: N_("{who} is to decline or stay."),
    game_pb2.PHASE_REDEPLOY: N_("{who} is to place surviving pawns."),
}
"""The task of any other seat by phase."""


def whose_move(game: ClientMatch) -> str:
    """The seat to act and its task, as a sentence."""
    if not game.connected:
        return _("The connection is lost: what happens now is not known here.")
    if game.waiting:
        return _("What others did is being shown.")
    if game.match.ended:
        return _("The match was ended: {reason}.").format(reason=refusals.phrase(game.match.ended))
    if game.state is None:
        return _("Waiting for the game to start.")
    if game.match.paused:
        return _("The game is paused.")
    seat, phase = game.state.seat_to_act, game.state.phase
    if phase == game_pb2.PHASE_OVER:
        return outcome(game)
    if seat in game.seats and game.match.seats[seat - 1].substituted:
        return _("A substitute plays for {who}.").format(who=game.names.seat(seat))
    if game.thinks():
        return _("{who} is thinking.").format(who=game.names.seat(seat))
    if list(game.seats) == [seat]:
        return _(OWN_TASKS.get(phase, N_("Your move.")))
    return _(TASKS.get(phase, N_("{who} is to move."))).format(who=game.names.seat(seat))


def outcome(game: ClientMatch) -> str:
    """Tell who won a game that is over, and by how much."""
    ranks = list(game.match.ranks)
    first = [seat for seat, rank in enumerate(ranks, 1) if rank == 1]
    if game.state is None or len(first) != 1 or len(ranks) == 1:
        return _("The game is over.")
    winner = first[0]
    second = min((seat for seat in range(1, len(ranks) + 1) if seat != winner), key=lambda seat: ranks[seat - 1])
    ahead = game.state.seats[winner - 1].vp - game.state.seats[second - 1].vp
    text = (
        _("You win, {vp} VP ahead of {second}!")
        if list(game.seats) == [winner]
        else _("{who} wins, {vp} VP ahead of {second}.")
    )
    return text.format(who=game.names.seat(winner), vp=ahead, second=game.names.whom(second))
