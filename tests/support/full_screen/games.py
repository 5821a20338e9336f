"""Client matches made from positions, for the full screen."""

from typing import Final

from tests.support.paths import DATA
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_cli.full.table.ui_state import Plan
from vinci_cli.full.table.update import placing
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.game.typed import Preview
from vinci_cli.records.loader import names_of
from vinci_codec import states
from vinci_codec.catalogue import board_map
from vinci_rules import position

PHASES: Final = ("draft", "start", "peace", "abandon", "conquer", "renaissance", "redeploy", "over")
SIZES: Final = ((80, 24), (120, 36), (160, 50), (300, 90))
"""Windows: the smallest, one just wide enough for panes beside the map, a large one, and the largest."""

PLAYERS: Final = ("Ann", "Bartholomew the Second", "黄河清", "D", "Élodie", "Ferdinand von und zu")

HAPPENED: Final = (
    game_pb2.Event(turn_started=game_pb2.TurnStarted(seat=4, round=8, reserve=9, by_medicine=1)),
    game_pb2.Event(
        conquered=game_pb2.Conquered(
            seat=4, province="SAX", cost=4, held=game_pb2.HOLDING_ACTIVE, defender=2, survivors=2
        )
    ),
    game_pb2.Event(evacuated=game_pb2.Evacuated(seat=4, provinces=["LOM"])),
    game_pb2.Event(scored=game_pb2.Scored(seat=4, vp=7, total=38)),
)


def text_of(seats: int, phase: str) -> str:
    """Return a crowded position of a phase as text."""
    return (DATA / "screens" / f"{seats}-seats-{phase}.txt").read_text(encoding="utf-8").splitlines()[0]


SAID: Final = ("hello everybody", "good luck, and may the best of us win this game of ours")


def game(text: str, *, clocks: bool = False, chat: tuple[str, str] = SAID) -> ClientMatch:
    """Return a match at this position as the seat to act sees it, with entries in log and chat."""
    state = position.read(text)
    seats = [seat + 1 for seat in state.seats()]
    own = state.actor + 1 if state.phase != "over" else 1
    kinds = [lobby_pb2.SEAT_KIND_DUMMY if seat == 3 else lobby_pb2.SEAT_KIND_HUMAN for seat in seats]
    match = lobby_pb2.Match(
        status=lobby_pb2.MATCH_STATUS_RUNNING,
        ranks=[1 + sum(other > vp for other in state.vp) for vp in state.vp] if state.phase == "over" else [],
        seats=[
            lobby_pb2.MatchSeat(seat=seat, kind=kind, player=PLAYERS[seat - 1], taken=True, connected=True)
            for seat, kind in zip(seats, kinds, strict=True)
        ],
    )
    if clocks:
        match.timing.bank_seconds = 600
    result = ClientMatch(names_of(state.board), board_map(state.board.name), match, {own: "token"})
    if clocks:
        left = [(seat * 61 + 40) * 1000 for seat in seats]
        result.clocks = type(result.clocks)(match.timing, now=lambda: 0.0)
        result.clocks.take(match_pb2.Clocks(left=left, running=own))
    legal = states.legal(state) if state.phase != "over" else game_pb2.Legal()
    update = game_pb2.Update(revision=57, events=HAPPENED, state=states.state(state), legal=legal)
    result.take(match_pb2.WatchResponse(update=update))
    result.show_next()
    for number, (seat, words) in enumerate(zip((2, own), chat, strict=True), 1):
        line = match_pb2.ChatLine(number=number, seat=seat, name=PLAYERS[seat - 1], text=words)
        result.take(match_pb2.WatchResponse(chat=line))
    return result


def conquest(game: ClientMatch) -> Preview:
    """Return a preview of conquering the Alps: two cost items, an evacuation and an empire that is split."""
    own = game.seat
    return Preview(
        "x ALP",
        [game_pb2.CostItem(source="terrain", pawns=3), game_pb2.CostItem(source="pawns", pawns=2)],
        [
            game_pb2.Event(
                conquered=game_pb2.Conquered(
                    seat=own, province="ALP", cost=5, held=game_pb2.HOLDING_ACTIVE, defender=1, survivors=1
                )
            ),
            game_pb2.Event(evacuated=game_pb2.Evacuated(seat=own, provinces=["LOM"])),
        ],
        (13, 15),
        [["NEU", "ARM", "ALP"], ["IRL"]],
    )


def refused() -> Preview:
    """Return the preview of a conquest that is refused for lack of pawns."""
    facts = {"province": "ALP", "needed": "5", "available": "3"}
    return Preview("", refusal=game_pb2.Refusal(rule="R-CONQ-3", reason="NotEnoughPawns", facts=facts))


def plan(game: ClientMatch) -> Plan:
    """Return the placement suggested by the server, with a pawn taken from the first province."""
    result = placing.suggested("redeploy" if game.legal.HasField("redeploy") else "hold", game.legal)
    return placing.add(result, game.legal, next(iter(result.pawns)), -1)
