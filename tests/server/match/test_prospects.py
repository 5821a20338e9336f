"""Prospects of the civilizations: what they could take and score on the board."""

from pathlib import Path

from tests.support.line_client import table
from tests.support.server.in_process import refused
from vinci.v1 import match_pb2
from vinci_rules import position
from vinci_server.match.prospects import Prospect, prospects

OWN = "tiny; seat 1 vp=14 | WEA+MIL reserve=4 ARA BOS; seat 2 | BAR+CUR COL=4; seat 3 | AST+SLA DOL=4; neutral -"
DRAFT = "tiny; round 0; seat 1 vp=4; seat 2; seat 3; market AGR+WEA BAR+CUR MOU+MIN FOR+POR LIV+MIL MED+SLA"


def found(text: str) -> list[Prospect]:
    """Return the prospects in a position."""
    return [prospect for prospect in prospects(position.read(text)) if prospect is not None]


def names(text: str, prospect: Prospect) -> list[str]:
    """Return the codes of the provinces of a prospect."""
    board = position.read(text).board
    return [board.codes[province] for province in prospect.provinces]


def test_present_civilization_comes_first_and_goes_on() -> None:
    """The present civilization goes on with its pawns in hand; after a decline its land scores beside the new one."""
    present, *others = found(OWN)
    assert (present.slot, present.pawns, present.declined_vp) == (None, 4, 0)
    assert present.provinces
    assert present.vp == 2 + len(present.provinces)
    assert [other.slot for other in others] == [0, 1, 2, 3, 4, 5]
    assert all(other.vp >= 0 and other.pawns > 4 for other in others)
    assert {other.declined_vp for other in others} <= {0, 1, 2}
    assert max(other.declined_vp for other in others) == 2


def test_only_affordable_civilizations_have_prospects() -> None:
    """In the draft there is no present civilization, and slots that cost too much are missing."""
    slots = [prospect.slot for prospect in found(DRAFT)]
    assert slots == [0, 1, 2]
    first = found(DRAFT)[0]
    assert names(DRAFT, first)
    assert first.vp >= len(first.provinces)


def test_opponents_that_move_before_a_civilization_enters_are_counted() -> None:
    """In the opening draft those earlier in the order, after a decline all but those that forfeited; none before the present."""
    assert [prospect.before for prospect in found(OWN)] == [0, 2, 2, 2, 2, 2, 2]
    assert {prospect.before for prospect in found(DRAFT)} == {0}
    last = DRAFT.replace("round 0;", "round 0; order 3 2 1; turn 1 draft;")
    last = last.replace("seat 2; seat 3;", "seat 2 | AST+REN reserve=9; seat 3 | DIP+SPE reserve=9;")
    assert {prospect.before for prospect in found(last)} == {2}


def test_prospects_count_what_can_be_held_and_what_scores_once() -> None:
    """General lends pawns that leave before the score; Slavery scores a removed pawn in one turn only."""
    lent = "tiny; seat 1 | GEN+MIL reserve=8 ARA BOS; seat 2 | BAR+CUR COL=4; seat 3 | AST+SLA DOL=4; neutral -"
    present = found(lent)[0]
    assert present.anew == 7
    assert len(present.provinces) == 2
    assert present.vp == 3  # for four provinces there are two pawns on the board, and one of those in hand
    slaves = "tiny; seat 1 | SLA+MIL reserve=9 ARA; seat 2 | BAR+CUR COL; seat 3 | AST+WEA DOL; neutral -"
    present = found(slaves)[0]
    assert (present.vp, present.once) == (6, 1)  # the pawn of DOL is removed


def test_prospects_do_not_change_the_position() -> None:
    """The position stays as it is; equal positions have equal prospects."""
    state = position.read(OWN)
    before = position.write(state)
    assert list(prospects(state)) == list(prospects(state))
    assert position.write(state) == before


async def test_server_sends_prospects_unless_advice_is_off(tmp_path: Path) -> None:
    """The answer names the provinces by their codes; a match without suggestions refuses it."""
    request = match_pb2.GetProspectsRequest
    async with table(tmp_path, OWN) as here:
        answer = await here.session.call(here.session.match.GetProspects, request(match_id=here.match_id))
        assert answer.revision == 0
        assert [prospect.slot for prospect in answer.prospects] == [0, 1, 2, 3, 4, 5, 6]
        assert list(answer.prospects[0].provinces) == names(OWN, found(OWN)[0])
    async with table(tmp_path, OWN, no_advice=True) as here:
        error = await refused(here.session.match.GetProspects(request(match_id=here.match_id)))
        assert error.reason == "NO_ADVICE"
