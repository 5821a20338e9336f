"""Checks of each phase and trait with a choice: short games from positions in which the bot must decide."""

import json
from dataclasses import dataclass
from functools import partial
from typing import Final

from vinci.v1.lobby_pb2 import CreateMatchRequest

from .results import Check, Fault
from .tested_bot import TestedBot
from .tested_game import offers


@dataclass(frozen=True, slots=True)
class DecisionCase:
    """A position in which the bot is to act: its name, the decision and its rule, the position, and the bot's seat."""

    name: str
    decides: str
    rule: str
    position: str
    seat: int = 1


TINY: Final = "tiny; rules standard max_rounds=1;"
FREE: Final = "tiny; rules WEB max_rounds=1;"
LOSE: Final = "tiny; rules NL max_rounds=1;"
OTHERS: Final = "seat 2 dummy | BAR+CUR; seat 3 dummy | AST+SLA"

CHOICES: Final = (
    DecisionCase(
        "draft",
        "which civilization to take",
        "R-DRAFT-1",
        f"{TINY} round 0; seat 1; seat 2 dummy; seat 3 dummy",
    ),
    DecisionCase(
        "dear-draft",
        "what to take where most of the market is too dear",
        "R-DRAFT-2",
        f"{TINY} round 0; seat 1 vp=1; seat 2 dummy; seat 3 dummy",
    ),
    DecisionCase(
        "entry",
        "where to enter; nothing else is legal",
        "R-ENTRY-4",
        f"{TINY} seat 1 | MIL+MED reserve=7; {OTHERS}",
    ),
    DecisionCase(
        "stay-out",
        "whether to enter, or to stay off the board with pawns in reserve",
        "R-ENTRY-4",
        f"{FREE} seat 1 | MIL+MED reserve=7; {OTHERS}",
    ),
    DecisionCase(
        "revolution",
        "where to enter, when everywhere is open",
        "R-ENTRY-3",
        f"{TINY} seat 1 | REV+MIL reserve=9; {OTHERS}",
    ),
    DecisionCase(
        "start",
        "whether to decline, abandon a province, conquer, or hold",
        "R-DECL-1 R-MOB-2",
        f"{TINY} seat 1 | WEA+MIL reserve=5 ARA BOS; {OTHERS}",
    ),
    DecisionCase(
        "abandon",
        "whether to abandon another province, conquer, or hold",
        "R-MOB-2",
        f"{TINY} turn 1 abandon; seat 1 | WEA+MIL reserve=4 ARA BOS; {OTHERS}",
    ),
    DecisionCase(
        "empty-reserve",
        "what to do without a pawn in reserve",
        "R-REORG-1",
        f"{TINY} seat 1 | BAR+MIL ARA BOS; seat 2 dummy | WEA+CUR COL=4; seat 3 dummy | AST+SLA",
    ),
    DecisionCase(
        "free-conquest",
        "what to conquer where it costs nothing",
        "R-CONQ-5",
        f"{TINY} turn 1 conquer; seat 1 | WEA+MIL DOL=3; {OTHERS}; neutral -",
    ),
    DecisionCase(
        "landless",
        "whether to go on without land and pawns, or decline",
        "R-LAND-1",
        f"{TINY} seat 1 | WEA+MIL; seat 2 dummy | BAR+CUR ARA=4; seat 3 dummy | AST+SLA",
    ),
    DecisionCase(
        "must-decline",
        "to decline; nothing else is legal",
        "R-LAND-2",
        f"{LOSE} seat 1 must_decline | WEA+MIL; seat 2 dummy | BAR+CUR ARA=4; seat 3 dummy | AST+SLA",
    ),
    DecisionCase(
        "diplomacy",
        "whom to name for peace",
        "R-PEACE-1",
        f"{TINY} seat 1 | DIP+MIL reserve=9 COL BOS; seat 2 dummy | BAR+SPI ARA=4; seat 3 dummy | AST+SLA; neutral -",
    ),
    DecisionCase(
        "second-peace",
        "whom to name besides, with two copies of Diplomacy",
        "R-PEACE-1",
        f"{TINY} turn 1 peace; seat 1 peace=2 | DIP+SPE reserve=9 COL BOS; {OTHERS}; neutral -",
    ),
    DecisionCase(
        "spies",
        "whether to send Spies where pawns do not suffice",
        "R-CONQ-7",
        f"{TINY} turn 1 conquer; seat 1 | SPI+MIL reserve=2 ARA=3; seat 2 dummy | BAR+CUR COL=5;"
        " seat 3 dummy | AST+SLA; neutral BOS FEN",
    ),
    DecisionCase(
        "heritage",
        "whether to conquer a declined province of one's own",
        "R-CONTACT-3",
        f"{TINY} turn 1 conquer; seat 1 | HER+MIL reserve=5 ARA=2 | - COL BOS; {OTHERS}",
    ),
    DecisionCase(
        "astronomy",
        "what to conquer, over the sea too",
        "R-CONQ-4",
        f"{TINY} turn 1 conquer; seat 1 | AST+MIL reserve=5 FEN=2; seat 2 dummy | BAR+CUR; seat 3 dummy | WEA+SLA",
    ),
    DecisionCase(
        "forts",
        "where to put pawns and forts",
        "R-REORG-5",
        f"{TINY} turn 1 conquer; seat 1 | FOR+SPE ARA=3 BOS=2 COL=2; {OTHERS}",
    ),
    DecisionCase(
        "general",
        "what to keep once General's pawns have left",
        "R-REORG-1",
        f"{TINY} turn 1 conquer; seat 1 | GEN+MIL ARA=3 BOS=3 COL=3; {OTHERS}",
    ),
    DecisionCase(
        "split",
        "which part of a split empire to keep",
        "R-REORG-2",
        f"{LOSE} turn 1 conquer; seat 1 | BAR+MIL FEN=4 COL=3; seat 2 dummy | WEA+CUR; seat 3 dummy | AST+SLA",
    ),
    DecisionCase(
        "squeezed",
        "which provinces to give up, with fewer pawns than provinces",
        "R-REORG-3",
        f"{TINY} turn 1 conquer; seat 1 | GEN+MIL ARA=4 BOS=2 COL=1 ERB=1 HAM=1; {OTHERS}",
    ),
    DecisionCase(
        "big-hold",
        "how to spread many pawns over many provinces",
        "R-REORG-1",
        "europe; rules standard max_rounds=1; turn 1 conquer;"
        " seat 1 | BAR+SPE BOH=5 SAX=2 BAV=1 POM=1 POL=1 CAR=1 PAN=1 DEN=1 FLA=1 RHI=1 ALP=1;"
        " seat 2 dummy | WEA+CUR; seat 3 dummy | AST+SLA",
    ),
    DecisionCase(
        "renaissance",
        "whether to decline at the end of the turn, or stay",
        "R-DECL-1",
        f"{TINY} turn 1 renaissance; seat 1 | REN+MIL ARA=9; seat 2 dummy | BAR+SPI DOL=4; seat 3 dummy | AST+SLA",
    ),
    DecisionCase(
        "redeploy",
        "where survivors go, in the turn of another seat",
        "R-REDEP-1",
        f"{TINY} turn 1 redeploy=2; seat 1 dummy | WEA+MIL COL=8; seat 2 survivors=3 | BAR+CUR ERB=2 HAM=1;"
        " seat 3 dummy | AST+SLA",
        seat=2,
    ),
)
"""One position for each phase and trait with a choice."""


async def choose(choice: DecisionCase, bot: TestedBot) -> str:
    """Check that all answers up to the end of the round are legal and in time."""
    request = CreateMatchRequest(position=choice.position)
    played = await bot.play(choice.name, request=request, seat=choice.seat)
    played.must_be_faultless()
    if not played.talk.answers():
        raise Fault("it was asked nothing")
    own = (line["do"] for line in map(json.loads, played.game.lines) if line.get("seat") == choice.seat)
    return f"to {offers(played.talk.decisions()[0])}: {next(own)}"


CHECKS: Final = tuple(
    Check(choice.name, f"answers when asked {choice.decides} ({choice.rule})", partial(choose, choice), "choices")
    for choice in CHOICES
)
