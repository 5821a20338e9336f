"""Recaps: which events they cover, and what they say."""

from vinci.v1 import game_pb2 as pb
from vinci_cli.records.loader import names_of
from vinci_cli.text.recap import Attack, Happened, attacks, happened, lost, own_conquests, sentences, since_last_turn
from vinci_codec import states
from vinci_rules import position
from vinci_rules.board import load_board

NAMES = names_of(load_board("tiny"), ["Ann", "Ben", "Cleo"])


def started(seat: int) -> pb.Event:
    """Return the start of a turn."""
    return pb.Event(turn_started=pb.TurnStarted(seat=seat))


def scored(seat: int, vp: int, total: int) -> pb.Event:
    """Return a score."""
    return pb.Event(scored=pb.Scored(seat=seat, vp=vp, total=total))


def conquered(seat: int, province: str, defender: int = 0, *, declined: bool = False) -> pb.Event:
    """Return a conquest."""
    held = pb.HOLDING_DECLINED if declined else pb.HOLDING_ACTIVE if defender else pb.HOLDING_NOBODY
    return pb.Event(conquered=pb.Conquered(seat=seat, province=province, defender=defender, held=held))


def recent(*events: pb.Event) -> list[Happened]:
    """Return events as they are kept, with attacks from nowhere."""
    return [item for event in events for item in happened(pb.Update(events=[event]), None, NAMES)]


ROUND = recent(
    started(1),
    conquered(1, "ARA"),
    scored(1, 4, 14),
    started(2),
    conquered(2, "ARA", 1),
    conquered(2, "BOS", 1, declined=True),
    conquered(2, "COL", 3),
    scored(2, 5, 15),
    started(3),
    pb.Event(declined=pb.Declined(seat=3)),
    scored(3, 1, 11),
    pb.Event(civilization_taken=pb.CivilizationTaken(seat=3, traits=["WEA", "MIL"])),
    started(1),
    conquered(1, "DOL"),
)


def test_recap_begins_with_the_own_score_and_ends_with_the_own_turn() -> None:
    """The events from the last own score to the start of the own turn count; after that score, all that follow."""
    assert since_last_turn(ROUND, 1) == ROUND[2:12]
    assert since_last_turn(ROUND[:8], 1) == ROUND[2:8]
    assert since_last_turn(ROUND, 2) == ROUND[7:]
    assert since_last_turn(ROUND[:5], 3) == ROUND[:5]
    assert since_last_turn([], 1) == []


def test_recap_tells_losses_the_own_turn_and_others() -> None:
    """Losses come first, by attacker and empire, then the own score, then each other seat in a sentence."""
    assert own_conquests(ROUND, 1) == own_conquests(ROUND[:8], 1) == ["ARA"]
    assert own_conquests(ROUND, 3) == own_conquests([], 1) == []
    assert sentences(since_last_turn(ROUND, 1), 1, NAMES, own_conquests(ROUND, 1)) == [
        (2, "Ben (2) took Arable from you."),
        (2, "Ben (2) took Boscage from your declined empire."),
        (1, "Your last turn took Arable and scored 4 VP."),
        (2, "Ben (2): 3 provinces conquered, 2 of them yours; scored 5 VP and then had 15."),
        (3, "Cleo (3): declined; scored 1 VP and then had 11; took Weapons+Militia."),
    ]
    assert (1, "Your last turn scored 4 VP.") in sentences(since_last_turn(ROUND, 1), 1, NAMES)
    assert lost(ROUND, 2, NAMES) == []
    assert sentences(ROUND[7:8], 1, NAMES)[0] == (1, "You lost nothing.")


def test_attacks_come_from_the_largest_garrison_beside_their_object() -> None:
    """An attack comes from the neighbour with most pawns of the attacker, or from nowhere; own ones are left out."""
    before = states.state(
        position.read("tiny; turn 1 conquer; seat 1 | WEA+MIL ARA=2 COL=5; seat 2 | BAR+CUR; seat 3 | AST+SLA")
    )
    update = pb.Update(events=[conquered(1, "BOS"), conquered(2, "FEN"), started(2)])
    items = happened(update, before, NAMES)
    assert [item.attack for item in items] == [Attack(1, "COL", "BOS"), Attack(2, "", "FEN"), None]
    assert attacks(items, 1) == [Attack(2, "", "FEN")]
