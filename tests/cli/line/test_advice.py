"""Suggestions with reasons in the line client."""

import re
from pathlib import Path

import pytest

from tests.support.cli_runner import BORDER
from tests.support.line_client import table
from vinci_cli.line import client

NAMES = ("Ann", "Bob", "Cleo")
LAST = "tiny; rules standard max_rounds=2; round 2; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
"""The last round, in which seat 1 can conquer or decline for nothing."""


async def test_suggest_and_why_give_reasons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`suggest` tells plan, result and decline, `why` compares; `ok` plays the first action of the plan."""
    monkeypatch.setattr(client, "THINKING_SECONDS", 0.0)
    async with table(tmp_path, LAST, NAMES, advice_workers=1) as here:
        _, suggested, why, _, again = (await here.sits(1, "suggest", "why decline", "ok", "suggest")).answers()
    lines = suggested.splitlines()
    assert lines[0] == "Thinking …"
    told = re.fullmatch(r"Suggestion: conquer (.+) \((x \w+)\)", lines[1])
    assert told
    assert lines[2].startswith(f"The whole turn: conquer {told[1]}")
    assert "At the end of the game you would have about " in suggested
    assert "VP worse than\ngoing on." in suggested or "VP worse than going on." in suggested
    assert "± is the error of the mean of 200 simulations;" in " ".join(suggested.split())
    compared = " ".join(why.split())
    assert f"instead of “conquer {told[1]} ({told[2]})” changes your VP at the end of the game by -" in compared
    assert "your result against the best opponent by -" in compared
    assert "declining now" not in again  # the turn has begun


async def test_nothing_is_suggested_in_a_match_without_advice(tmp_path: Path) -> None:
    """`suggest` is refused in words; `why` tells costs as before and asks for no comparison."""
    async with table(tmp_path, BORDER, NAMES, advice_workers=1, no_advice=True) as here:
        _, suggested, why = (await here.sits(1, "suggest", "why x COL")).answers()
    assert suggested == "This match was made without suggestions."
    assert why.splitlines()[-1] == "Your empires are worth 2 VP now, 3 then."
