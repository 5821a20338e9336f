"""A position in the middle of a game, to be drawn where no game is shown."""

from typing import Final

from vinci_codec import states
from vinci_codec.board_map import board_map
from vinci_rules import position

from ..full.lobby.title import Scene
from .loader import names_of

POSITION: Final = (
    "europe; rules standard; round 6; order 1 2 3 4; turn 1 start; "
    "seat 1 vp=52 | MED+POR* reserve=5 LOM=1 NAP=1 MAC=1 HEL=1 THR=1 DAC=1 RUT=1 PON=1 BIT=1; "
    "seat 2 vp=50 | WEA+MOU reserve=13 | - IRL MER WES SVE DEN FLA SAX RHI; "
    "seat 3 vp=47 | AGR*+AGR LAP=5 NOV=4 | - BAV PAN DAL; "
    "seat 4 vp=66 | FOR+HER LUS=2 CAS=2 BAE=1 PYR=1^ AQU=2 ARM=2 NEU=2^ PRO=1 | - FIN LIV MUS VOL; neutral POM POL; "
    "market MIN*+MIL:1 AST+LIV AGR+MES POR*+POR SPE+FOR MED+GAL; fills 13"
)


def scene() -> Scene:
    """Return the position with its board, named in the language of the session."""
    state = position.read(POSITION)
    return Scene(names_of(state.board), board_map(state.board.name), states.state(state))
