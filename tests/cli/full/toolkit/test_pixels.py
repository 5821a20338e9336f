"""Block characters and their pixels."""

import unicodedata

from vinci_cli.full.toolkit.pixels import GRIDS, HALVES, QUADRANTS, SEXTANTS, block


def test_block_characters_have_their_pixels() -> None:
    """The names in Unicode tell the pixels of sextants from 1 to 6, and quarters by their places."""
    halves = {0b010101: "LEFT HALF BLOCK", 0b101010: "RIGHT HALF BLOCK", 0b111111: "FULL BLOCK"}
    for mask in range(1, 1 << 6):
        digits = "".join(str(place + 1) for place in range(6) if mask >> place & 1)
        assert unicodedata.name(block(mask, SEXTANTS)) == halves.get(mask, f"BLOCK SEXTANT-{digits}")
    quarters = ("UPPER LEFT", "UPPER RIGHT", "LOWER LEFT", "LOWER RIGHT")
    for mask in (1, 2, 4, 8, 6, 9, 7, 11, 13, 14):
        places = " AND ".join(quarter for place, quarter in enumerate(quarters) if mask >> place & 1)
        assert unicodedata.name(block(mask, QUADRANTS)) == f"QUADRANT {places}"
    assert [block(mask, QUADRANTS) for mask in (3, 5, 10, 12)] == ["▀", "▌", "▐", "▄"]
    assert [block(mask, HALVES) for mask in range(4)] == [" ", "▀", "▄", "█"]
    for grid in GRIDS.values():
        assert len({block(mask, grid) for mask in range(1 << grid.across * grid.down)}) == 1 << grid.across * grid.down
