"""A range of blocks of a league, which one of several machines plays."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BlockRange:
    """Blocks from `first` to `last`, both included, counted from 0."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}:{self.last}"

    def __contains__(self, block: int) -> bool:
        return self.first <= block <= self.last

    @property
    def number(self) -> int:
        """The number of blocks."""
        return self.last - self.first + 1


def parse_range(text: str, blocks: int) -> BlockRange:
    """Parse a range such as 0:499 in a league of so many blocks. Raises ValueError."""
    if not (match := re.fullmatch(r"([0-9]{1,9}):([0-9]{1,9})", text)):
        raise ValueError(f"{text!r} is not a range of blocks; write the first and the last one, such as 0:{blocks - 1}")
    wanted = BlockRange(int(match[1]), int(match[2]))
    if not wanted.first <= wanted.last < blocks:
        raise ValueError(f"{text} is not within this league, whose blocks are 0:{blocks - 1}")
    return wanted


def named_ranges(blocks: list[int]) -> str:
    """Name blocks in ascending order as ranges, such as 3, 7:9."""
    ranges: list[BlockRange] = []
    for block in blocks:
        if ranges and ranges[-1].last == block - 1:
            ranges[-1] = BlockRange(ranges[-1].first, block)
        else:
            ranges.append(BlockRange(block, block))
    return ", ".join(str(each) if each.number > 1 else str(each.first) for each in ranges)
