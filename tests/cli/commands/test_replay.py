"""`vinci replay`: description of a record, and the first line that differs."""

import json
from pathlib import Path

import pytest

from tests.support.cli_runner import vinci

TABLE = ("--players", "dummy,random,dummy", "--board", "tiny", "--target", "25", "--seed", "replay")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the lines of a short game."""
    folder = tmp_path_factory.mktemp("records")
    assert vinci("selfplay", *TABLE, "--records", str(folder)).status == 0
    return (folder / "replay-1.jsonl").read_text(encoding="utf-8").splitlines()


def written(folder: Path, lines: list[str]) -> str:
    """Write these lines to a file; return its path."""
    path = folder / "game.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def test_game_is_described(record: list[str], tmp_path: Path) -> None:
    """A game is described in sentences from the order of play to the ranking."""
    status, text = vinci("replay", written(tmp_path, record))
    assert status == 0
    lines = text.splitlines()
    assert lines[0].startswith("The game begins. Order of play: ")
    assert "The game is over." in lines
    vp = json.loads(record[-1])["result"]["vp"]
    ranking = lines[lines.index("The game is over.") + 1 :]
    assert sorted(line.split(".", 1)[1] for line in ranking) == sorted(
        f" {name} ({seat}): {points} VP"
        for seat, (name, points) in enumerate(zip(["Dummy", "random", "Dummy"], vp, strict=True), 1)
    )


def test_verify_counts_the_checked_draws(record: list[str], tmp_path: Path) -> None:
    """--verify also counts the draws that it checked against the seed."""
    status, text = vinci("replay", written(tmp_path, record), "--verify")
    assert status == 0
    last = text.splitlines()[-1]
    assert last.startswith(f"verified: {len(record)} unchanged lines, ")
    draws = int(last.rpartition(", ")[2].split()[0])
    lines = [json.loads(line) for line in record]
    assert draws == sum(len(line.get("picks", [])) + len(line.get("rolls", [])) for line in lines) > 20


def test_json_has_an_object_for_each_action(record: list[str], tmp_path: Path) -> None:
    """With --json each action is an object with actor, action, events, scores and position."""
    status, text = vinci("replay", written(tmp_path, record), "--json", "--verify")
    assert status == 0
    steps = [json.loads(line) for line in text.splitlines()]
    played = [json.loads(line) for line in record[1:-1]]
    actions = [step for step in steps if step["action"] is not None]
    assert [(step["seat"], step["by"], step["action"]) for step in actions] == [
        (line["seat"], line["by"], line["do"]) for line in played
    ]
    assert actions[-1]["vp"] == json.loads(record[-1])["result"]["vp"]
    assert " over; " in actions[-1]["position"]


def noted(folder: Path, *lines: str) -> Path:
    """Write these lines to the file with the notes of a game; return its path."""
    path = folder / "game.notes.json"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def line_of(number: int, seat: int, **note: object) -> str:
    """Return a line of notes."""
    return json.dumps({"n": number, "seat": seat, "note": note})


def test_notes_stand_before_what_was_done(record: list[str], tmp_path: Path) -> None:
    """In words before the action, in JSON in its object; control characters reach no terminal."""
    path, first = written(tmp_path, record), json.loads(record[1])
    plain = vinci("replay", path).text
    note = {"text": "worth \x1b[31mmost\n", "value": 3.5, "lines": ["x AQU", "hold"]}
    noted(tmp_path, line_of(1, first["seat"], **note))
    status, text = vinci("replay", path)
    assert status == 0
    name = ["dummy", "random", "dummy"][first["seat"] - 1]
    assert text.splitlines()[1:4] == [f"{name} ({first['seat']}) notes: 3.5  worth [31mmost", "  x AQU", "  hold"]
    assert [*text.splitlines()[:1], *text.splitlines()[4:]] == plain.splitlines()
    steps = [json.loads(line) for line in vinci("replay", path, "--json").text.splitlines()]
    assert [step["line"] for step in steps if "note" in step] == [2]
    assert next(step["note"] for step in steps if "note" in step) == note


def test_damaged_notes_are_told_and_stop_no_replay(record: list[str], tmp_path: Path) -> None:
    """Lines that are no notes of the game are counted and left out; a file that cannot be read is named."""
    path, seat = written(tmp_path, record), json.loads(record[1])["seat"]
    wrong = (line_of(1, seat % 3 + 1, text="of another seat"), line_of(9999, 1, text="too late"), '{"n":', "[]")
    file = noted(tmp_path, *wrong, line_of(1, seat, text="kept"))
    status, text = vinci("replay", path)
    assert (status, "notes: kept" in text, "too late" in text, "another" in text) == (0, True, False, False)
    told = f"{file.name}: 4 lines are no notes of this game, and are left out\n"
    assert told in text
    assert told in vinci("replay", path, "--json").text
    assert vinci("replay", path, "--html", str(tmp_path / "game.html")) == (0, told)
    assert str(tmp_path) not in (tmp_path / "game.html").read_text(encoding="utf-8")
    file.write_bytes(b"\xff\n")
    assert f"{file.name}: 1 line is no note of this game, and is left out\n" in vinci("replay", path).text
    file.unlink()
    file.mkdir()
    status, text = vinci("replay", path)
    assert (status, f"{file.name} cannot be read: Is a directory\n" in text) == (0, True)


@pytest.mark.parametrize("number", [2, 9, 20])
def test_changed_line_is_named(record: list[str], tmp_path: Path, number: int) -> None:
    """For a line with a changed actor the replay stops and names the line, counted from 1."""
    line = json.loads(record[number - 1])
    line["seat"] = line["seat"] % 3 + 1
    changed = [*record[: number - 1], json.dumps(line), *record[number:]]
    status, text = vinci("replay", written(tmp_path, changed))
    assert status == 1
    assert f": line {number}: " in text.splitlines()[-1]


@pytest.mark.parametrize("option", ["--verify", "--line", "--json"])
def test_illegal_action_is_told_as_a_sentence(record: list[str], tmp_path: Path, option: str) -> None:
    """The rule, and why, without names of the program's."""
    number = next(place for place, line in enumerate(record) if '"do":"take ' in line)
    changed = json.dumps(json.loads(record[number]) | {"do": "stay"})
    path = written(tmp_path, [*record[:number], changed, *record[number + 1 :]])
    _, text = vinci("replay", path, option)
    assert f"line {number + 1}: 'stay' breaks R-" in text
    assert text.splitlines()[-1].endswith(": Not now: what fits here is take.")


def test_changed_hash_is_named(record: list[str], tmp_path: Path) -> None:
    """A line that is right but for its hash is named."""
    line = json.loads(record[4]) | {"hash": "0" * 64}
    status, text = vinci("replay", written(tmp_path, [*record[:4], json.dumps(line), *record[5:]]))
    assert status == 1
    assert ": line 5: " in text.splitlines()[-1]


def test_changed_result_is_named(record: list[str], tmp_path: Path) -> None:
    """A result with other scores is named."""
    line = json.loads(record[-1])
    line["result"]["vp"][0] += 1
    status, text = vinci("replay", written(tmp_path, [*record[:-1], json.dumps(line)]))
    assert status == 1
    assert f": line {len(record)}: " in text.splitlines()[-1]


@pytest.mark.parametrize("change", ["left out", "twice", "swapped"])
def test_missing_doubled_and_swapped_lines_are_named(record: list[str], tmp_path: Path, change: str) -> None:
    """A missing, doubled or swapped line is named."""
    place = 7
    changed = {
        "left out": record[:place] + record[place + 1 :],
        "twice": record[: place + 1] + record[place:],
        "swapped": [*record[:place], record[place + 1], record[place], *record[place + 2 :]],
    }[change]
    status, text = vinci("replay", written(tmp_path, changed))
    assert status == 1
    wrong = place + 2 if change == "twice" else place + 1
    assert f": line {wrong}: " in text.splitlines()[-1]


def test_verify_finds_draws_from_another_seed(tmp_path: Path) -> None:
    """A record with right hashes whose draws do not follow from the seed replays but is not verified."""
    for seed in ("one", "two"):
        vinci("selfplay", "--board", "tiny", "--target", "25", "--seed", seed, "--records", str(tmp_path))
    lines = (tmp_path / "one-1.jsonl").read_text(encoding="utf-8").splitlines()
    forged = json.loads(lines[0]) | {"seed": "two-1"}
    status, text = vinci("replay", written(tmp_path, [json.dumps(forged), *lines[1:]]), "--verify")
    assert status == 1
    assert ": line 1: " in text.splitlines()[-1]


def test_file_truncated_within_a_line(record: list[str], tmp_path: Path) -> None:
    """A file truncated within a line is replayed up to it, and the line is named."""
    path = tmp_path / "cut.jsonl"
    text = "\n".join(record)
    cut = text[: len("\n".join(record[:10])) + 30]
    path.write_text(cut, encoding="utf-8")
    status, output = vinci("replay", str(path))
    assert status == 1
    assert ": line 11: not valid JSON" in output.splitlines()[-1]
    assert output.startswith("The game begins. Order of play: ")


def test_file_truncated_between_lines(record: list[str], tmp_path: Path) -> None:
    """A record without its end is replayed and reported as incomplete."""
    path = written(tmp_path, record[:10])
    status, text = vinci("replay", path)
    assert status == 0
    assert text.splitlines()[-1] == "The record ends here; the game does not."
    assert vinci("replay", path, "--verify").status == 0
    assert "The record ends here" not in vinci("replay", written(tmp_path, record)).text


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "empty"),
        (b"hello\n", "line 1: not valid JSON"),
        (b"\xff\xfe", "cannot be read"),
        (b"[]\n", "line 1"),
        (b"{}\n", "line 1"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, expected: str) -> None:
    """Files that are not records are refused with the reason."""
    path = tmp_path / "other"
    path.write_bytes(content)
    status, text = vinci("replay", str(path))
    assert status == 1
    assert expected in text
    assert str(path) in text


def test_missing_file_is_named(tmp_path: Path) -> None:
    """A missing file, or a folder, is named."""
    for path in (tmp_path / "none.jsonl", tmp_path):
        status, text = vinci("replay", str(path))
        assert status == 1
        assert f"{path} cannot be read" in text


def test_control_characters_in_names_are_escaped(record: list[str], tmp_path: Path) -> None:
    """Names are not hashed, so a record can have any; control characters are not printed."""
    first = json.loads(record[0]) | {"names": ["\x1b[2JAnn\x07", "Ben\u202e", "Cleo"]}
    _status, text = vinci("replay", written(tmp_path, [json.dumps(first), *record[1:]]))
    assert "[2JAnn (1)" in text
    assert not set("\x1b\x07\u202e") & set(text)


def test_deeply_nested_line_is_refused_by_every_command(record: list[str], tmp_path: Path) -> None:
    """Every command that reads records names a line that is nested too deeply, without printing its contents raw."""
    deep = written(tmp_path, [*record[:2], "[" * 100_000])
    for command in (("replay", deep), ("replay", deep, "--verify"), ("replay", deep, "--json")):
        status, text = vinci(*command)
        assert (status, text.splitlines()[-1]) == (1, f"Error: {deep}: line 3: not valid JSON: it is nested too deeply")
    status, text = vinci("import", written(tmp_path, ["[" * 100_000]), "--db", str(tmp_path / "new.db"))
    assert (status, text) == (1, f"Error: {tmp_path / 'game.jsonl'}, line 1: not valid JSON: it is nested too deeply\n")
    status, text = vinci(
        "replay", written(tmp_path, [record[0], '{"n": 1, "seat": 1, "do": "\\u001b]0;x\\u0007\\u202e"}'])
    )
    assert status == 1
    assert text.splitlines()[-1].isprintable()
