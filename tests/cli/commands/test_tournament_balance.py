"""`vinci tournament balance`: a study is played, reported in all forms, continued, and refused with a reason."""

import csv
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.cli_runner import CommandResult, vinci
from vinci_cli.commands.tournament import balance as command

SHORT = ("--board", "tiny", "--target", "14", "--workers", "2", "--seed", "study")


@pytest.fixture(autouse=True)
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play in threads of this process, to save imports."""
    monkeypatch.setattr(command, "Processes", ThreadPoolExecutor)


def balance(out: Path, *arguments: str) -> CommandResult:
    """Play a short study."""
    return vinci("tournament", "balance", *arguments, *SHORT, "--out", str(out))


def test_a_study_is_reported_in_all_forms(tmp_path: Path) -> None:
    """Effects of traits with intervals, figures of games, wins by place, and the differences to the base."""
    out = tmp_path / "study"
    status, text = balance(out, "--bots", "random", "--change", "BAR=+6", "--seats", "3", "--games", "120")
    assert status == 0, text
    assert text.startswith("BALANCE\n240 of 240 games · complete · 3 seats · bots random · board tiny")
    assert "Barbarians 6 → 12" in text
    assert "TRAITS: Barbarians 6 → 12" in text
    data = json.loads((out / "balance.json").read_text())
    base, changed = data["arms"]
    assert (base["games"], base["blocks"], base["difference"], changed["changed"]) == (120, 40, None, ["BAR"])
    assert sum(base["lengths"].values()) == sum(base["leads"].values()) == 120
    assert sum(win["value"] for win in base["wins"]["3"]) == pytest.approx(1, abs=0.001)
    assert {"rounds", "lead_changes", "lead", "winner_vp"} <= changed["difference"]["figures"]["3"].keys()
    assert {"worth", "margin", "win"} == changed["difference"]["traits"]["BAR"].keys()
    rows = list(csv.DictReader((out / "balance.csv").read_text().splitlines()))
    found = {(row["arm"], row["compared_with_base"], row["kind"], row["outcome"]) for row in rows}
    assert {("standard", "no", "trait", "worth"), ("Barbarians 6 → 12", "yes", "trait", "share")} <= found
    page = (out / "balance.html").read_text()
    for section in ("findings", "games", "seats", "traits", "prices", "changes", "pairs", "values"):
        assert f'<section id="{section}">' in page
    assert "<script" not in page


def test_a_stopped_study_is_continued(tmp_path: Path) -> None:
    """With games missing, `--resume` plays them and gives the same bytes; it does not take other options."""
    out = tmp_path / "study"
    assert balance(out, "--bots", "random", "--editions", "standard,NL", "--seats", "3", "--games", "9").status == 0
    forms = {name: (out / name).read_bytes() for name in ("balance.txt", "balance.json", "balance.csv", "balance.html")}
    results = out / "leagues" / "1-NL-3-seats" / "results.jsonl"
    results.write_text("".join(results.read_text().splitlines(keepends=True)[:4]))
    status, text = vinci("tournament", "balance", "--resume", str(out), "--workers", "2")
    assert status == 0, text
    assert {name: (out / name).read_bytes() for name in forms} == forms
    assert vinci("tournament", "balance", "--resume", str(out), "--csv").text.startswith("arm,compared_with_base,")
    assert (
        "the study in --resume knows this" in vinci("tournament", "balance", "--resume", str(out), "--games", "9").text
    )
    assert vinci("tournament", "verify", str(results.parent)).status == 0


def test_several_numbers_of_seats_and_few_games(tmp_path: Path) -> None:
    """Wins are told for each number of seats; too few games give figures of games, and no effects."""
    out = tmp_path / "study"
    status, text = balance(out, "--bots", "random", "dummy", "--seats", "3,4", "--games", "12")
    assert status == 0, text
    assert "There are too few games for effects, offers and costs of traits" in text
    [base] = json.loads((out / "balance.json").read_text())["arms"]
    assert {seats: len(wins) for seats, wins in base["wins"].items()} == {"3": 3, "4": 4}
    assert '<section id="traits">' not in (out / "balance.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--editions", "UK"), "unknown edition 'UK'; known: standard, FR, NL, DE, WEB"),
        (("--change", "WAE=5"), "unknown trait 'WAE'"),
        (("--change", "WEA=3"), "this is the strength of WEA in the trait table"),
        (("--seats", "four"), "--seats: 'four': give numbers such as 3,4,5,6"),
        (("--seats", "7"), "seats: 7: expected a whole number from 3 to 6"),
        (("--bots", "nobody-here"), "nobody-here"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, arguments: tuple[str, ...], reason: str) -> None:
    """The error names what is wrong and what would be right; nothing is written."""
    status, text = balance(tmp_path / "study", *arguments)
    assert status == 2
    assert reason in " ".join(text.split())
    assert not (tmp_path / "study").exists()
