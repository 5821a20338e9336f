"""Records: writing, replaying, and finding what was changed (docs/record.md)."""

import hashlib
import json
import pickle
import re
from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.paths import DATA, DOCS
from vinci_rules import ENGINE_VERSION, dummy, notation, position, record
from vinci_rules.board import load_board
from vinci_rules.chance import Chance, FairChance, RecordedChance, RecordingChance, commitment, mixed_seed
from vinci_rules.editions import options
from vinci_rules.engine import apply, default_action, legal_actions, new_game, open_decision, ranks
from vinci_rules.events import Event, GameOver
from vinci_rules.record import RecordError
from vinci_rules.state import Seat, State

DOCUMENT = (DOCS / "record.md").read_text(encoding="utf-8")
DUMMIES = (False, True, True, True)
SEED, SALT, NONCES = "seed-1", "salt-1", ["n1", "", "n3", "n4"]


class Game:
    """A played game: its record, and for each line the events and the position after it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.events: list[list[Event]] = []
        self.positions: list[str] = []
        self.hash = ""

    def note(self, line: record.Line, events: list[Event], state: State) -> None:
        """Add a line with its hash."""
        self.hash = line["hash"]
        self.lines.append(record.dump(line))
        self.events.append(events)
        self.positions.append(position.write(state))

    def play(self, state: State, chance: Chance, reveal: dict[str, Any] | None = None, forfeit_at: int = 0) -> None:
        """Play to the end and write every line: dummies choose, players play random legal actions."""
        number, times = 0, list[float | None]()
        while state.phase != "over":
            number += 1
            rolls, picks, events = RecordingChance(chance), RecordingChance(chance), list[Event]()
            seat, by = state.actor, "dummy" if state.options.dummies[state.actor] else "player"
            if number == forfeit_at:
                seat, by, action = Seat(0), "clock", notation.read("forfeit 1", state.board)
            elif by == "dummy":
                action = dummy.choose(state, rolls)
            else:
                choices = [*legal_actions(state), default_action(state)]
                action = choices[number % len(choices)]
            text = notation.write(action, state.board)
            apply(state, action, picks, events)
            line = record.action_line(number, seat, by, text, picks.picks, rolls.picks, time=1000.0 + number)
            times.append(line["time"])
            self.note(record.chained(line, self.hash, state), events, state)
        self.note(record.result_line(self.hash, state, reveal, times), [], state)


@cache
def open_game(edition: str = "standard", board: str = "tiny", forfeit_at: int = 0) -> Game:
    """A short game of one player and three dummies with a chosen seed."""
    game, chance, events = Game(), FairChance("7"), list[Event]()
    drawn = RecordingChance(chance)
    state = new_game(load_board(board), options(DUMMIES, edition, target=40, dummy_start_vp=12), drawn, events)
    game.note(record.start_line(state, drawn.picks, seed="7", names=["Ada", "B", "C", "D"]), events, state)
    game.play(state, chance, forfeit_at=forfeit_at)
    return game


@cache
def secret_game() -> Game:
    """The same with a secret seed, which the last line reveals."""
    game, chance, events = Game(), FairChance(mixed_seed(SEED, SALT, NONCES)), list[Event]()
    drawn = RecordingChance(chance)
    state = new_game(load_board("tiny"), options(DUMMIES, target=40), drawn, events)
    game.note(record.start_line(state, drawn.picks, commitment=commitment(SEED, SALT)), events, state)
    game.play(state, chance, {"seed": SEED, "salt": SALT, "nonces": NONCES})
    return game


@cache
def sealed_game() -> Game:
    """The same with a chosen seed that is secret until the last line reveals it."""
    game, chance, events = Game(), FairChance(SEED), list[Event]()
    drawn = RecordingChance(chance)
    state = new_game(load_board("tiny"), options(DUMMIES, target=40), drawn, events)
    game.note(record.start_line(state, drawn.picks, commitment=commitment(SEED, SALT), sealed=True), events, state)
    game.play(state, chance, {"seed": SEED, "salt": SALT})
    return game


START = (
    "tiny; rules FR target=30; round 2; "
    "seat 1 | WEA+MIL reserve=9 ARA BOS; seat 2 dummy | BAR+CUR COL=4; seat 3 | AST+DIP"
)


@cache
def game_from_position() -> Game:
    """A game that starts from a position."""
    game, chance = Game(), FairChance("7")
    state = position.read(START)
    game.note(record.start_line(state, start=START, names=["Ada", "Bot", "Cyd"]), [], state)
    game.play(state, chance)
    return game


def parsed(lines: list[str]) -> list[dict[str, Any]]:
    """Return the lines as objects."""
    return [json.loads(line) for line in lines]


def wrong_line(lines: list[str]) -> int:
    """Return the line that a replay names; fail if it replays to the end."""
    with pytest.raises(RecordError) as error:
        list(record.replay(lines))
    assert str(error.value).startswith(f"line {error.value.line}: ")
    return error.value.line


# Replaying


@pytest.mark.parametrize("edition", ["standard", "NL", "DE"])
def test_a_record_replays_to_every_event_and_score(edition: str) -> None:
    """Line by line the events, the positions and the scores are those of the game."""
    game = open_game(edition)
    assert len(game.lines) > 50
    count = 0
    for place, step in enumerate(record.replay(game.lines)):
        assert step.line == place + 1
        assert step.events == game.events[place]
        assert position.write(step.state) == game.positions[place]
        count += 1
    assert count == len(game.lines)
    assert isinstance(game.events[-2][-1], GameOver)


def test_steps_have_seat_author_and_action() -> None:
    """Seat, author and action of every line, none for the first and the last one."""
    lines = parsed(open_game().lines)
    steps = [(step.seat, step.by, step.action) for step in record.replay(open_game().lines)]
    assert steps[0] == steps[-1] == (None, "", None)
    board = load_board("tiny")
    for line, (seat, by, action) in zip(lines[1:-1], steps[1:-1], strict=True):
        assert seat is not None
        assert action is not None
        assert (line["seat"], line["by"], line["do"]) == (seat + 1, by, notation.write(action, board))


def test_replay_of_a_growing_record() -> None:
    """A record that is still growing replays as far as it goes."""
    lines = open_game().lines[:9]
    assert [step.line for step in record.replay(iter(lines))] == list(range(1, 10))


def test_a_forfeit_is_replayed_for_the_seat_that_forfeits() -> None:
    """The line of a forfeit may belong to a seat that is not to move."""
    game = open_game(forfeit_at=20)
    line = json.loads(game.lines[20])
    assert (line["do"], line["by"]) == ("forfeit 1", "clock")
    assert [step.events for step in record.replay(game.lines)] == game.events


def test_the_order_of_keys_does_not_matter() -> None:
    """The keys of a line are sorted before it is hashed."""
    lines = [json.dumps(dict(reversed(list(line.items()))), indent=None) for line in parsed(open_game().lines)]
    assert lines != open_game().lines
    assert len(list(record.replay(lines))) == len(lines)


# The lines


def test_lines_have_the_keys_of_the_document() -> None:
    """Every key written is in the table of docs/record.md, in the line that it names."""
    table: dict[str, str] = {}
    for row in re.findall(r"^\| (`.*) \| (.*) \| .* \|$", DOCUMENT, re.MULTILINE):
        table |= dict.fromkeys(re.findall(r"`(\w+)`", row[0]), row[1])
    assert {"vinci", "engine", "board", "digest", "picks", "rolls", "result", "reveal", "hash", "commitment"} <= set(
        table
    )
    for lines in (open_game().lines, secret_game().lines, game_from_position().lines):
        first, *actions, last = parsed(lines)
        assert all(table[key] in ("first", "first, action", "all") for key in first)
        assert all(table[key] in ("action", "first, action", "action, last", "all") for line in actions for key in line)
        assert all(table[key] in ("last", "action, last", "all") for key in last)


def test_first_line_states_setup_and_first_draws() -> None:
    """Format, version, board, edition with changes, seats, names, seed and the first draws."""
    first = json.loads(open_game("NL").lines[0])
    assert (first["vinci"], first["engine"], first["board"]) == (1, ENGINE_VERSION, "tiny")
    assert first["digest"] == load_board("tiny").digest
    assert (first["edition"], first["options"]) == ("NL", {"target": 40, "dummy_start_vp": 12})
    assert first["seats"] == ["player", "dummy", "dummy", "dummy"]
    assert (first["names"], first["seed"]) == (["Ada", "B", "C", "D"], "7")
    assert len(first["picks"]) >= 3 + 12
    assert "commitment" not in first
    assert "options" not in record.start_line(new_game(load_board("tiny"), options(DUMMIES), FairChance("1")), [])


def test_actions_are_numbered_from_one() -> None:
    """Each with its seat, its author and the action as notation writes it."""
    lines = parsed(open_game().lines)[1:-1]
    assert [line["n"] for line in lines] == list(range(1, len(lines) + 1))
    assert {line["by"] for line in lines} == {"player", "dummy"}
    assert all((line["by"] == "dummy") == DUMMIES[line["seat"] - 1] for line in lines)
    assert any("rolls" in line for line in lines)
    assert not any("rolls" in line for line in lines if line["by"] == "player")


def test_the_last_line_holds_the_result() -> None:
    """Scores, ranks and rounds, and the reveal of a secret game only."""
    *_, step = record.replay(open_game().lines)
    last = json.loads(open_game().lines[-1])
    assert last["result"] == {"vp": step.state.vp, "ranks": list(ranks(step.state)), "rounds": step.state.round}
    assert "reveal" not in last
    assert json.loads(secret_game().lines[-1])["reveal"] == {"seed": SEED, "salt": SALT, "nonces": NONCES}


def test_hashes_follow_the_document() -> None:
    """SHA-256 of the hash before, the line with sorted keys and without hash, names and time, and the position."""
    game, previous = open_game(), ""
    for line, after in zip(parsed(game.lines), game.positions, strict=True):
        content = {key: value for key, value in line.items() if key not in ("hash", "names", "time")}
        text = f"{previous}\n{json.dumps(content, sort_keys=True)}\n{after}"
        previous = line["hash"]
        assert previous == hashlib.sha256(text.encode("utf-8")).hexdigest()


def without_times(lines: list[str]) -> list[str]:
    """Return the record as it is without times, as of games in one process."""
    return [record.dump({key: value for key, value in line.items() if key != "time"}) for line in parsed(lines)]


def test_the_hash_of_the_times_follows_the_document() -> None:
    """SHA-256 of the last hash and the times of all lines but the first and the last, as JSON."""
    *lines, last = parsed(open_game().lines)
    text = f"{last['hash']}\n{json.dumps([line['time'] for line in lines[1:]])}"
    assert last["time"] == hashlib.sha256(text.encode("utf-8")).hexdigest()


def test_times_do_not_change_the_hashes_of_the_game() -> None:
    """The last hash identifies the game at whatever time it is played; without times the last line has no hash of them."""
    plain = without_times(open_game().lines)
    assert record.last_hash(plain) == record.last_hash(open_game().lines)
    assert len(list(record.replay(plain))) == len(plain)
    *_, step = record.replay(plain)
    assert "time" not in record.result_line("", step.state, None, [None, None])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.text() | st.sampled_from(record.UNHASHED), VALUES))
def test_any_line_is_encoded_as_by_json(line: record.Line) -> None:
    """Texts and numbers are encoded without its encoder; the bytes and hashes of records must not change."""
    assert record.dump(line) == json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    content = {key: value for key, value in line.items() if key not in ("hash", "names", "time")}
    text = f"before\n{json.dumps(content, sort_keys=True)}\nafter"
    assert record.hashed(line, "before", "after") == hashlib.sha256(text.encode()).hexdigest()


# Changes

Change = Callable[[dict[str, Any]], dict[str, Any] | None]


def changing(key: str, value: Callable[[Any], Any]) -> Change:
    """Return a change of one key, for lines that have it."""
    return lambda line: line | {key: value(line[key])} if key in line else None


CHANGES: dict[str, Change] = {
    "hash": changing("hash", lambda text: ("0" if text[0] != "0" else "1") + text[1:]),
    "no hash": lambda line: {key: value for key, value in line.items() if key != "hash"},
    "by": changing("by", lambda by: "player" if by == "dummy" else "dummy"),
    "another author": changing("by", lambda by: "clock"),
    "seat": changing("seat", lambda seat: seat % 4 + 1),
    "number": changing("n", lambda number: number + 1),
    "do": changing("do", lambda do: "decline" if do != "decline" else "stay"),
    "spelling": changing("do", lambda do: do.upper() + " "),
    "no action": changing("do", lambda do: "dance"),
    "action of another kind": changing("do", lambda do: 7),
    "picks": changing("picks", lambda picks: picks[1:]),
    "picks in another order": changing("picks", lambda picks: picks[::-1]),
    "another pick": changing("picks", lambda picks: [*picks[:-1], "BAR#3" if picks[-1] != "BAR#3" else "BAR#1"]),
    "one pick more": lambda line: line | {"picks": [*line.get("picks", []), "BAR#1"]} if "result" not in line else None,
    "rolls": changing("rolls", lambda rolls: [*rolls, "6"]),
    "no rolls": changing("rolls", lambda rolls: []),
    "one key more": lambda line: line | {"comment": "nice"},
    "vp": changing("result", lambda result: result | {"vp": [result["vp"][0] + 1, *result["vp"][1:]]}),
    "ranks": changing("result", lambda result: result | {"ranks": result["ranks"][::-1]}),
    "rounds": changing("result", lambda result: result | {"rounds": result["rounds"] + 1}),
    "result of another kind": changing("result", lambda result: 3),
    "edition": changing("edition", lambda edition: "WEB"),
    "options": changing("options", lambda settings: settings | {"target": 41}),
    "unknown option": changing("options", lambda settings: settings | {"colour": "red"}),
    "seats": changing("seats", lambda seats: [*seats[1:], seats[0]]),
    "seed": changing("seed", lambda seed: "8"),
    "engine": changing("engine", lambda engine: "0.0.9"),
    "digest": changing("digest", lambda digest: digest[::-1]),
    "board": changing("board", lambda board: "europe"),
    "no board": changing("board", lambda board: "asia"),
    "format": changing("vinci", lambda number: 2),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changed_line_is_named(change: str) -> None:
    """A replay stops at a changed line."""
    lines, changed = open_game().lines, 0
    for place, line in enumerate(parsed(lines)):
        other = CHANGES[change](line)
        if other is None or other == line:
            continue
        if change == "picks in another order" and len(set(line["picks"])) == 1:
            continue
        assert wrong_line([*lines[:place], record.dump(other), *lines[place + 1 :]]) == place + 1
        changed += 1
    assert changed


def timed(line: dict[str, Any], time: object) -> str:
    """Return a line with another time."""
    return record.dump(line | {"time": time})


FORGED_TIMES: dict[str, Callable[[list[str]], list[str]]] = {
    "a millisecond later": lambda lines: [lines[0], timed(json.loads(lines[1]), 1001.001), *lines[2:]],
    "one missing": lambda lines: [lines[0], *without_times(lines[1:2]), *lines[2:]],
    "one of no kind": lambda lines: [lines[0], timed(json.loads(lines[1]), ["x"]), *lines[2:]],
    "two exchanged": lambda lines: [
        *lines[:4], timed(json.loads(lines[4]), 1005.0), timed(json.loads(lines[5]), 1004.0), *lines[6:],
    ],
    "the last one": lambda lines: [*lines[:-2], timed(json.loads(lines[-2]), 7), lines[-1]],
    "all missing": lambda lines: [*without_times(lines[:-1]), lines[-1]],
    "another hash": lambda lines: [*lines[:-1], timed(json.loads(lines[-1]), "0" * 64)],
    "no hash": lambda lines: [*lines[:-1], timed(json.loads(lines[-1]), None)],
}  # fmt: skip


@pytest.mark.parametrize("forge", FORGED_TIMES)
def test_changed_times_are_found(forge: str) -> None:
    """Line by line every other hash fits, so the last line is named."""
    forged = FORGED_TIMES[forge](open_game().lines)
    for check in (record.replay, record.verified):
        with pytest.raises(RecordError, match=r"a time was changed") as error:
            list(check(forged))
        assert error.value.line == len(forged)


def test_an_older_record_with_times_is_verified() -> None:
    """A server of version 0.2 wrote it, without a hash of its times, which cannot be checked then."""
    lines = (DATA / "record-times.jsonl").read_text(encoding="utf-8").splitlines()
    assert all("time" in line for line in parsed(lines)[1:-1])
    assert "time" not in json.loads(lines[-1])
    assert record.verify_chance(lines) > 20
    assert record.verify_chance([lines[0], timed(json.loads(lines[1]), 1.5), *lines[2:]]) > 20


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "null", '"take 1"', "{}", '{"hash": "x"}'])
def test_invalid_line_is_named(text: str) -> None:
    """Any other content in place of a line is named."""
    lines = open_game().lines
    for place in range(len(lines)):
        assert wrong_line([*lines[:place], text, *lines[place + 1 :]]) == place + 1


def test_a_byte_order_mark_is_named() -> None:
    """Editors may write one; the error says how to save the file."""
    lines = open_game().lines
    with pytest.raises(RecordError, match="line 1: not valid JSON: it begins with a byte order mark; save it as UTF-8"):
        list(record.replay(["\ufeff" + lines[0], *lines[1:]]))


def test_a_deleted_line_is_named() -> None:
    """The line that took its place does not fit; a missing end is only a record that goes on."""
    lines = open_game().lines
    for place in range(len(lines) - 1):
        assert wrong_line(lines[:place] + lines[place + 1 :]) == place + 1


def test_swapped_lines_are_named() -> None:
    """The first of the two swapped lines is named."""
    lines = open_game().lines
    for place in range(len(lines) - 1):
        swapped = [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]
        assert wrong_line(swapped) == place + 1


def test_a_doubled_line_is_named() -> None:
    """The second copy does not follow the first."""
    lines = open_game().lines
    for place in range(len(lines)):
        assert wrong_line([*lines[: place + 1], *lines[place:]]) == place + 2


def test_a_line_of_another_game_is_named() -> None:
    """The lines of a game with the same seed and another edition do not fit."""
    lines, other = open_game().lines, open_game("NL").lines
    assert wrong_line([lines[0], *other[1:]]) == 2


def test_a_result_before_the_end_is_named() -> None:
    """A game that is not over has none."""
    lines = open_game().lines
    assert wrong_line([*lines[:9], lines[-1]]) == 10


def test_result_is_the_last_line() -> None:
    """The result is the last line."""
    lines = open_game().lines
    assert wrong_line([*lines, lines[-2]]) == len(lines) + 1


def test_an_empty_record_is_refused() -> None:
    """There is no first line."""
    assert wrong_line([]) == 1


@pytest.mark.parametrize("key", ["names", "time"])
def test_names_and_times_can_be_removed(key: str) -> None:
    """Names and times are not hashed, so a record without them replays."""
    lines = [
        record.dump({name: value for name, value in line.items() if name != key}) for line in parsed(open_game().lines)
    ]
    assert lines != open_game().lines
    assert len(list(record.replay(lines))) == len(lines)


# Verifying


@pytest.mark.parametrize("edition", ["standard", "FR", "NL", "DE", "WEB"])
def test_unchanged_record_is_verified(edition: str) -> None:
    """All draws, rolls and actions of dummies follow from the seed, and all of them are counted."""
    lines = open_game(edition).lines
    drawn = sum(len(line.get("picks", [])) + len(line.get("rolls", [])) for line in parsed(lines))
    assert record.verify_chance(lines) == drawn > 50


def test_checked_steps_are_those_of_the_replay_without_events_of_actions() -> None:
    """Each step also has the position before it, which stays while the replay continues."""
    game = open_game()
    for steps in (list(record.replay(game.lines)), list(record.verified(game.lines))):
        befores = [position.write(step.before) for step in steps]
        assert befores == [game.positions[0], *game.positions[:-1]]
        assert [step.line for step in steps] == list(range(1, len(game.lines) + 1))
    for step, checked in zip(record.replay(game.lines), record.verified(game.lines), strict=True):
        assert checked == (step._replace(events=[]) if step.action else step)


def test_draws_after_an_undo_are_verified() -> None:
    """The action after an undo is checked in the position to which it returns."""
    game, state = Game(), position.read(START)
    game.note(record.start_line(state, start=START, seed="7"), [], state)
    others = [action for action in legal_actions(state) if notation.write(action, state.board).startswith("x ")]
    for number, action in ((1, others[0]), (3, others[1])):
        after = state.copy()
        apply(after, action, FairChance("7"))
        text = notation.write(action, state.board)
        line = record.action_line(number, state.actor, "player", text, [], [])
        game.note(record.chained(line, game.hash, after), [], after)
        if number == 1:
            game.note(record.chained(record.undo_line(2, state.actor, "player", 0), game.hash, state), [], state)
    steps = list(record.verified(game.lines))
    assert [position.write(step.before) for step in steps] == [game.positions[place] for place in (0, 0, 1, 2)]
    assert record.verify_chance(game.lines) == 0


@pytest.mark.parametrize("place", [0, 1, 30])
def test_steps_before_a_wrong_draw_are_checked(place: int) -> None:
    """Steps are yielded up to the line whose draws or hash are wrong."""
    lines = open_game().lines
    line = json.loads(lines[place])
    steps = record.verified([*lines[:place], record.dump(line | {"picks": ["?"]}), *lines[place + 1 :]])
    assert [step.line for step in islice(steps, place)] == list(range(1, place + 1))
    with pytest.raises(RecordError, match=f"^line {place + 1}: "):
        next(steps)


def rewritten(lines: list[str], place: int, line: dict[str, Any]) -> list[str]:
    """Forge a record: change one line and recompute all hashes up to the first line that no longer fits."""
    objects = [*parsed(lines[:place]), line, *parsed(lines[place + 1 :])]
    first, result, previous = objects[0], list[str](), ""
    if "position" in first:
        state = position.read(first["position"])
    else:
        dummies = tuple(seat == "dummy" for seat in first["seats"])
        settled = options(dummies, first["edition"], **first.get("options", {}))
        state = new_game(load_board(first["board"]), settled, RecordedChance(first["picks"]))
    for number, one in enumerate(objects):
        if "do" in one:
            try:
                apply(state, notation.read(one["do"], state.board), RecordedChance(one.get("picks", [])))
            except ValueError:
                assert number > place, "the changed line itself must fit"
                break
        if "result" in one:
            one.pop("time", None)  # as older records and those of games in one process
        forged = record.chained(one, previous, state)
        previous = forged["hash"]
        result.append(record.dump(forged))
    return result


def unverified(lines: list[str]) -> tuple[int, str]:
    """Return the line whose draws or dummy action differ from the seed, and the reason; the record itself must replay."""
    list(record.replay(lines))
    with pytest.raises(RecordError) as error:
        record.verify_chance(lines)
    return error.value.line, str(error.value)


def test_a_draw_that_differs_from_the_seed_is_named() -> None:
    """A civilization drawn otherwise, with all hashes made anew, is found by drawing again."""
    lines = open_game().lines
    for place, line in enumerate(parsed(lines)):
        if place in (0, 1, 30) or (place > 30 and "picks" in line):
            picks = line.get("picks", [])
            if not picks:
                continue
            other = "REV#1" if not picks[-1].startswith("REV") else "HER#1"
            forged = rewritten(lines[: place + 1], place, line | {"picks": [*picks[:-1], other]})
            number, reason = unverified(forged)
            assert number == place + 1
            assert "picks" in reason
            assert other in reason


def test_another_action_of_a_dummy_is_named() -> None:
    """The error names the action that the dummy would have played."""
    lines = open_game().lines
    place = next(n for n, line in enumerate(parsed(lines)) if line.get("by") == "dummy" and line["do"].startswith("x "))
    line = json.loads(lines[place])
    state = position.read(open_game().positions[place - 1])
    others = [notation.write(action, state.board) for action in legal_actions(state)]
    other = next(one for one in others if one.startswith("x ") and one != line["do"])
    number, reason = unverified(rewritten(lines[: place + 1], place, line | {"do": other}))
    assert number == place + 1
    assert f"the dummy plays '{line['do']}' with this seed, not '{other}'" in reason


def test_a_roll_that_differs_from_the_seed_is_named() -> None:
    """A die or a tie noted otherwise is found, even if it leads to the same action."""
    lines = open_game().lines
    places = [n for n, line in enumerate(parsed(lines)) if "rolls" in line]
    for place in (places[0], places[-1]):
        line = json.loads(lines[place])
        number, reason = unverified(rewritten(lines[: place + 1], place, line | {"rolls": [*line["rolls"][:-1], "9"]}))
        assert number == place + 1
        assert "rolls" in reason


def test_another_seed_is_found_in_the_first_line() -> None:
    """With a forged seed the first draws do not fit."""
    lines = open_game().lines
    number, reason = unverified(rewritten(lines[:1], 0, json.loads(lines[0]) | {"seed": "8"}))
    assert (number, "picks" in reason) == (1, True)


def test_a_seed_of_another_form_is_named() -> None:
    """An invalid seed is an error of the line that holds it."""
    number, reason = unverified(rewritten(open_game().lines[:1], 0, json.loads(open_game().lines[0]) | {"seed": "a|b"}))
    assert (number, "seed" in reason) == (1, True)


def test_a_changed_record_is_not_verified() -> None:
    """Verification of a record that does not replay names the same line."""
    lines = open_game().lines
    changed = record.dump(json.loads(lines[10]) | {"by": "clock"})
    with pytest.raises(RecordError) as error:
        record.verify_chance([*lines[:10], changed, *lines[11:]])
    assert error.value.line == 11


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("one pick more", "BAR#1 recorded, but nothing was drawn"),
        ("digest", "board tiny has changed since"),
        ("vp", "the result is"),
        ("ranks", "the result is"),
        ("rounds", "the result is"),
        ("seat", "acts, but it is the move of seat"),
    ],
)
def test_rule_violations_with_recomputed_hashes_are_named(change: str, reason: str) -> None:
    """Picks, board, result and seats are compared with the game, not only hashed."""
    lines, changed = open_game().lines, 0
    for place, line in enumerate(parsed(lines)):
        other = CHANGES[change](line)
        if other is not None and place in (0, 1, 5, len(lines) - 1):
            forged = rewritten(lines, place, other)
            with pytest.raises(RecordError, match=f"^line {place + 1}: .*{reason}"):
                list(record.replay(forged))
            changed += 1
    assert changed


# From a position


def test_a_record_from_a_position_replays() -> None:
    """The record starts with the position instead of board, options and draws."""
    game = game_from_position()
    first = json.loads(game.lines[0])
    assert first["position"] == START
    assert not {"board", "edition", "seats", "picks", "seed"} & set(first)
    assert [step.events for step in record.replay(game.lines)] == game.events
    assert [position.write(step.state) for step in record.replay(game.lines)] == game.positions


@pytest.mark.parametrize(
    ("text", "reason"),
    [(START.replace("ARA", "ALP"), "line 1: .*'ALP' is not CODE=PAWNS"), (7, "line 1"), ([], "line 1")],
)
def test_a_wrong_position_is_named(text: object, reason: str) -> None:
    """The fault is that of the position, also where no text stands in its place."""
    line = json.loads(game_from_position().lines[0]) | {"position": text}
    with pytest.raises(RecordError, match=reason):
        list(record.replay([record.dump(line)]))


def test_a_record_from_a_position_with_a_seed_is_verified() -> None:
    """The draws after the position follow from the seed; there is none for the position itself."""
    lines = game_from_position().lines
    with pytest.raises(RecordError, match="line 1: no seed, and no commitment to one"):
        record.verify_chance(lines)
    seeded = rewritten(lines, 0, json.loads(lines[0]) | {"seed": "7"})
    assert len(seeded) == len(lines)
    drawn = sum(len(line.get("picks", [])) + len(line.get("rolls", [])) for line in parsed(lines))
    assert record.verify_chance(seeded) == drawn > 3


# Secret seeds


def test_a_secret_game_is_verified_when_it_is_over() -> None:
    """The revealed seed, salt and nonces give the draws, and the commitment holds."""
    lines = secret_game().lines
    first = json.loads(lines[0])
    assert first["commitment"] == hashlib.sha256(f"{SEED}|{SALT}".encode()).hexdigest()
    assert "seed" not in first
    drawn = sum(len(line.get("picks", [])) + len(line.get("rolls", [])) for line in parsed(lines))
    assert record.verify_chance(lines) == drawn


def test_a_secret_game_cannot_be_verified_before_its_end() -> None:
    """Without the last lines the seed is not known, but the record replays."""
    lines = secret_game().lines[:-2]
    assert len(list(record.replay(lines))) == len(lines)
    with pytest.raises(RecordError, match=f"line {len(lines)}: no seed: it is revealed when the game is over"):
        record.verify_chance(lines)


def test_a_sealed_game_is_verified_by_its_seed_alone() -> None:
    """The seed that was committed to gives the draws without nonces; another one is named, and so are its draws."""
    lines = sealed_game().lines
    first = json.loads(lines[0])
    assert (first["sealed"], "seed" in first) == (True, False)
    drawn = sum(len(line.get("picks", [])) + len(line.get("rolls", [])) for line in parsed(lines))
    assert record.verify_chance(lines) == drawn
    last = json.loads(lines[-1])
    number, output = unverified(rewritten(lines, len(lines) - 1, last | {"reveal": {"seed": "other", "salt": SALT}}))
    assert (number, "not the one committed to" in output) == (len(lines), True)
    other = rewritten(lines, 0, first | {"commitment": commitment("other", SALT)})
    number, output = unverified(rewritten(other, len(lines) - 1, last | {"reveal": {"seed": "other", "salt": SALT}}))
    assert (number, "picks" in output) == (1, True)


@pytest.mark.parametrize(
    ("reveal", "reason"),
    [
        ({"seed": "other", "salt": SALT, "nonces": NONCES}, "not the one committed to in line 1"),
        ({"seed": SEED, "salt": "other", "nonces": NONCES}, "not the one committed to in line 1"),
    ],
)
def test_a_seed_that_was_not_committed_to_is_named(reveal: dict[str, Any], reason: str) -> None:
    """Seed and salt must have the commitment of the first line."""
    lines = secret_game().lines
    forged = rewritten(lines, len(lines) - 1, json.loads(lines[-1]) | {"reveal": reveal})
    number, output = unverified(forged)
    assert number == len(lines)
    assert reason in output


@pytest.mark.parametrize(
    ("game", "first", "reveal", "reason"),
    [
        (secret_game, {"opening_seed": "1"}, {}, "line 1: opening_seed in a game whose seed was not chosen"),
        (secret_game, {"seed": "1"}, {}, "line 1: both a seed and a commitment"),
        (sealed_game, {}, {"nonces": NONCES}, "nonces in a sealed game"),
        (sealed_game, {"nonce_hashes": [""]}, {}, "nonces in a sealed game"),
    ],
)
def test_seeds_and_nonces_that_do_not_go_together_are_refused(
    game: Callable[[], Game], first: dict[str, Any], reveal: dict[str, Any], reason: str
) -> None:
    """Otherwise a server could choose draws after it knows the nonces, or list nonces that it does not use."""
    lines = [json.loads(line) for line in game().lines]
    lines[0] |= first
    lines[-1]["reveal"] |= reveal
    with pytest.raises(RecordError, match=reason):
        record.verify_chance([record.dump(line) for line in lines])


def with_hashes(hashes: object) -> list[str]:
    """The secret game with hashes of nonces in its first line."""
    lines = secret_game().lines
    return rewritten(lines, 0, json.loads(lines[0]) | {"nonce_hashes": hashes})


def test_the_nonces_revealed_must_have_the_hashes_of_the_first_line() -> None:
    """SHA-256 of each nonce, an empty text for a seat without one; records from before the hashes have none."""
    hashes = [hashlib.sha256(nonce.encode()).hexdigest() if nonce else "" for nonce in NONCES]
    assert record.verify_chance(with_hashes(hashes)) == record.verify_chance(secret_game().lines)
    for wrong in ([*hashes[:3], hashes[0]], hashes[:3], ["", *hashes[1:]], [*hashes, ""], [], 7):
        number, output = unverified(with_hashes(wrong))
        assert (number, "hashes are in line 1" in output) == (len(secret_game().lines), True), wrong


@pytest.mark.parametrize("nonces", [["n1", "", "n3", "other"], ["", "n1", "n3", "n4"], ["n1", "", "n3"]])
def test_other_nonces_give_other_draws(nonces: list[str]) -> None:
    """The draws of the first line do not follow from them."""
    lines = secret_game().lines
    reveal = {"seed": SEED, "salt": SALT, "nonces": nonces}
    number, reason = unverified(rewritten(lines, len(lines) - 1, json.loads(lines[-1]) | {"reveal": reveal}))
    assert (number, "picks" in reason) == (1, True)


@pytest.mark.parametrize(
    "reveal", [{"seed": SEED}, {}, {"seed": SEED, "salt": SALT}, {"seed": SEED, "salt": SALT, "nonces": 7}, "seed"]
)
def test_an_incomplete_reveal_is_named(reveal: object) -> None:
    """A reveal that lacks something is a fault of the last line."""
    lines = secret_game().lines
    forged = rewritten(lines, len(lines) - 1, json.loads(lines[-1]) | {"reveal": reveal})
    number, _ = unverified(forged)
    assert number == len(lines)


def test_the_games_of_these_tests_are_varied() -> None:
    """The games end, players and dummies decline, and some decision is open."""
    assert open_decision(position.read(START)) == "hold"
    done = {json.loads(line).get("do", "").split(" ")[0] for line in open_game(board="europe").lines}
    assert {"take", "x", "hold", "decline", "abandon"} <= done


def test_a_game_that_is_over_without_its_result_is_not_whole() -> None:
    """For a truncated record the error names the line after the last one."""
    lines = secret_game().lines[:-1]
    with pytest.raises(RecordError, match=f"line {len(lines) + 1}: the game is over, but the line with the result"):
        list(record.replay(lines))


def test_an_illegal_action_is_named_with_rule() -> None:
    """The error has the facts for those who word it, and its text no name of the program's."""
    lines = [*secret_game().lines]
    number = next(place for place, line in enumerate(lines) if '"do":"x ' in line)
    changed = json.loads(lines[number]) | {"do": "take 9"}
    with pytest.raises(RecordError, match=f"line {number + 1}: 'take 9' breaks R-[A-Z]+-[0-9]$") as refused:
        list(record.replay([*lines[:number], record.dump(changed)]))
    assert refused.value.broken is not None
    received = pickle.loads(pickle.dumps(refused.value))  # by whoever has another process replay it
    assert (str(received), received.line) == (str(refused.value), number + 1)
    assert repr(received.broken) == repr(refused.value.broken)
    with pytest.raises(RecordError, match=f"line {number + 1}: do is 5"):
        list(record.replay([*lines[:number], record.dump(changed | {"do": 5})]))
