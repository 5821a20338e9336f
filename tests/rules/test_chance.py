"""Chance: the method of docs/chance.md, computed independently here, and the keys of draws (section 10)."""

import hashlib
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.support.paths import DOCS
from tests.support.rules import at, of_kind, play
from vinci_rules import dummy, position
from vinci_rules.actions import Take
from vinci_rules.board import load_board
from vinci_rules.chance import (
    Chance,
    FairChance,
    FastChance,
    RecordedChance,
    RecordingChance,
    RedrawnChance,
    WrongPick,
    commitment,
    mixed_seed,
    pick_one,
)
from vinci_rules.editions import options
from vinci_rules.engine import apply, default_action, new_game
from vinci_rules.events import CivilizationDrawn, Event
from vinci_rules.state import State
from vinci_rules.traits import KINDS

DOCUMENT = DOCS / "chance.md"
DIE = ("1", "2", "3", "4", "5", "6")
GOLDEN_ROLLS = "664233143556"

Asked = tuple[str, tuple[int, ...], tuple[str, ...]]


class LoggedChance:
    """A source of chance that forwards draws to another one and records the requests."""

    def __init__(self, source: Chance) -> None:
        self.source = source
        self.asked: list[Asked] = []

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """Return the result of the other source."""
        self.asked.append((purpose, key, tuple(candidates)))
        return self.source.pick(purpose, key, candidates)


def by_hand(seed: str, purpose: str, key: Sequence[int], candidates: Sequence[str]) -> str:
    """Compute a pick as docs/chance.md describes it."""
    digests = {}
    for candidate in candidates:
        text = f"{seed}|{purpose}|{'.'.join(str(number) for number in key)}|{candidate}"
        digests[hashlib.sha256(text.encode("utf-8")).hexdigest()] = candidate
    return digests[min(digests)]


# The method


@pytest.mark.parametrize("seed", ["7", "a.b-c_D", "0" * 128])
@pytest.mark.parametrize(
    ("purpose", "key", "candidates"),
    [
        ("first", (), ("1", "2", "3")),
        ("order", (0,), ("1", "2", "3", "4")),
        ("market", (5, 0, 1), ("WEA#1", "WEA#2", "AGR*#1")),
        ("die", (12, 3), DIE),
        ("conquest", (2, 1, 10), ("ALP", "PYR", "SCO")),
        ("redeploy", (2, 1, 4, 0), ("IRL", "NAP")),
    ],
)
def test_the_candidate_with_the_smallest_digest_is_picked(
    seed: str, purpose: str, key: tuple[int, ...], candidates: tuple[str, ...]
) -> None:
    """FairChance picks what SHA-256 of `seed|purpose|key|candidate` says."""
    assert FairChance(seed).pick(purpose, key, candidates) == by_hand(seed, purpose, key, candidates)


def test_a_pick_computed_by_another_program() -> None:
    """`printf '7|die|1.2|4' | sha256sum` gives 0f9e4b34..., and more for the other five: 2f, dc, 53, f8 and ea."""
    assert FairChance("7").pick("die", (1, 2), DIE) == "4"


def test_every_draw_of_a_game_follows_the_documented_method() -> None:
    """Opening, market, dice and ties of a game among dummies follow the method of the document."""
    drawn = RecordingChance(FairChance("game-1"))
    chance = LoggedChance(drawn)
    state = new_game(load_board("europe"), options((True,) * 4), chance)
    while state.phase != "over":
        apply(state, dummy.choose(state, chance), chance)
    assert len(drawn.picks) == len(chance.asked) > 100
    assert drawn.picks == [by_hand("game-1", *asked) for asked in chance.asked]
    assert len({(purpose, key) for purpose, key, _ in chance.asked}) == len(chance.asked), "a place is drawn at twice"
    assert all(len(set(candidates)) == len(candidates) > 1 for _, _, candidates in chance.asked)


def test_purposes_are_those_of_the_document() -> None:
    """Games use exactly the purposes in the table of docs/chance.md, with as many numbers in their keys as it says."""
    lengths = {"first": 0, "order": 1, "market": 3, "die": 2, "peace": 3, "conquest": 3, "keep": 3, "defence": 3}
    lengths |= {"fort": 3, "redeploy": 4}
    rows = [line.split("|") for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert [row[1].strip(" `") for row in rows] == list(lengths)
    seen: dict[str, int] = {}
    for game in range(40):
        dummies = (game % 4 > 1, game % 4 > 2, game % 2 == 1, True) if game % 8 else (False,) * 4
        chance = LoggedChance(FairChance(f"purposes-{game}"))
        state = new_game(load_board("tiny" if game % 2 else "europe"), options(dummies), chance)
        while state.phase != "over":
            is_dummy = state.options.dummies[state.actor]
            apply(state, dummy.choose(state, chance) if is_dummy else default_action(state), chance)
        seen |= {purpose: len(key) for purpose, key, _ in chance.asked}
    assert seen == lengths


def test_other_candidates_do_not_change_a_pick() -> None:
    """Removing a candidate that was not picked leaves the pick unchanged."""
    chance = FairChance("7")
    for number in range(50):
        picked = chance.pick("die", (number, 1), DIE)
        for left_out in set(DIE) - {picked}:
            assert chance.pick("die", (number, 1), [one for one in DIE if one != left_out]) == picked


def test_order_of_candidates_does_not_matter() -> None:
    """Only the names of the candidates matter."""
    chance = FairChance("7")
    assert all(chance.pick("die", (n, 1), DIE) == chance.pick("die", (n, 1), DIE[::-1]) for n in range(50))


@pytest.mark.parametrize("chance", [FairChance("uniform"), RedrawnChance(1)], ids=["fair", "redrawn"])
@pytest.mark.parametrize("sides", [2, 6, 45])
def test_draws_are_uniform(sides: int, chance: Chance) -> None:
    """Over 6000 keys chi-square stays within four standard deviations of what a fair draw gives."""
    candidates = [str(side) for side in range(1, sides + 1)]
    counts = Counter(chance.pick("die", (key, 1), candidates) for key in range(6000))
    expected = 6000 / sides
    chi_square = sum((counts[one] - expected) ** 2 / expected for one in candidates)
    freedom = sides - 1
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5


def test_seed_purpose_and_key_all_matter() -> None:
    """Changing any of them changes about five of six rolls."""
    base = [FairChance("7").pick("die", (n, 1), DIE) for n in range(600)]
    others = [
        [FairChance("8").pick("die", (n, 1), DIE) for n in range(600)],
        [FairChance("7").pick("dice", (n, 1), DIE) for n in range(600)],
        [FairChance("7").pick("die", (n, 2), DIE) for n in range(600)],
        [FairChance("7").pick("die", (n, 1, 0), DIE) for n in range(600)],
    ]
    for other in others:
        assert 50 < sum(one == two for one, two in zip(base, other, strict=True)) < 150


@pytest.mark.parametrize("seed", ["", " ", "a b", "a|b", "é", "a" * 129, "a\n", "1;2"])
def test_a_seed_of_another_form_is_refused(seed: str) -> None:
    """Letters, digits, dots, dashes and underscores only, so that a seed cannot hold a separator."""
    with pytest.raises(ValueError, match="seed"):
        FairChance(seed)


def test_single_candidate_needs_no_draw() -> None:
    """A single candidate is taken without a draw, so none is recorded."""
    chance = LoggedChance(FairChance("7"))
    assert pick_one(chance, "keep", (1, 1, 0), ["ALP"]) == "ALP"
    assert chance.asked == []


def test_fast_chance_is_reproducible() -> None:
    """Playouts from one seed are equal, and from another differ."""
    one, same, other = FastChance(1), FastChance(1), FastChance(2)
    picks = [one.pick("die", (), DIE) for _ in range(100)]
    assert picks == [same.pick("die", (), DIE) for _ in range(100)]
    assert picks != [other.pick("die", (), DIE) for _ in range(100)]
    assert set(picks) == set(DIE)


# Recorded draws


def test_recorded_picks_come_back_in_order() -> None:
    """A replay gets what was recorded, whatever the candidates' order."""
    recorded = RecordedChance(["2", "5"])
    assert [recorded.pick("die", (1, 1), DIE), recorded.pick("die", (1, 2), DIE)] == ["2", "5"]
    recorded.finish()


def test_a_recorded_pick_must_fit() -> None:
    """A missing one, one that is no candidate and one left over are refused by name."""
    with pytest.raises(WrongPick, match="die is missing"):
        RecordedChance([]).pick("die", (1, 1), DIE)
    with pytest.raises(WrongPick, match="'7' could not be picked for die"):
        RecordedChance(["7"]).pick("die", (1, 1), DIE)
    with pytest.raises(WrongPick, match="7"):
        RecordedChance(["7"]).finish()


# The market


@pytest.mark.rule("R-SETUP-4")
def test_the_market_is_drawn_from_every_copy_in_the_bag() -> None:
    """The candidates of the first draw are all copies of all traits, each by itself; the second has one less."""
    chance = LoggedChance(FairChance("7"))
    new_game(load_board("tiny"), options((False,) * 3), chance)
    (_, first, candidates), (_, second, then) = [asked for asked in chance.asked if asked[0] == "market"][:2]
    assert (first, second) == ((0, 0, 0), (0, 0, 1))
    copies = [f"{kind.code}#{number + 1}" for kind in KINDS for number in range(kind.in_deck["author"])]
    assert sorted(candidates) == sorted(copies)
    assert {"BAR#1", "BAR#2", "BAR#3", "SPE#1", "WEA#1", "WEA#2", "AGR*#1", "AGR*#2"} < set(candidates)
    assert not {"BAR#4", "SPE#2"} & set(candidates)
    assert len(then) == len(copies) - 1


@pytest.mark.rule("R-SETUP-4")
def test_one_copy_left_is_number_one() -> None:
    """Whichever copy was drawn, the other one is candidate `#1`."""
    state = at("tiny; round 0; seat 1; seat 2; seat 3; market WEA+SPI FOR+GAL GEN+MIL MOU+AST BAR+DIP HER+MED")
    chance = LoggedChance(FairChance("7"))
    play(state, "take 1", chance=chance)
    assert chance.asked[0][1] == (6, 0, 0)
    assert "SPI#1" in chance.asked[0][2]
    assert "SPI#2" not in chance.asked[0][2]
    assert {"BAR#1", "BAR#2", "CUR#2"} < set(chance.asked[0][2])


@pytest.mark.rule("R-SETUP-4")
def test_a_redraw_is_the_next_attempt() -> None:
    """Two identical traits go back and both are drawn again under attempt 1."""

    class Identical:
        def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
            wanted: dict[tuple[int, ...], str] = {
                (0, 0, 0): "WEA#1",
                (0, 0, 1): "WEA#1",
                (0, 1, 0): "WEA#2",
                (0, 1, 1): "SPI#1",
            }
            return wanted.get(key) or FairChance("7").pick(purpose, key, candidates)

    chance = LoggedChance(Identical())
    log: list[Event] = []
    new_game(load_board("tiny"), options((False,) * 3), chance, log)
    assert [key for purpose, key, _ in chance.asked if purpose == "market"][:5] == [
        (0, 0, 0),
        (0, 0, 1),
        (0, 1, 0),
        (0, 1, 1),
        (1, 0, 0),
    ]
    assert len(of_kind(CivilizationDrawn, log)[0].rejected) == 1


@pytest.mark.rule("R-SETUP-4")
def test_with_keep_only_the_second_specialization_is_drawn_again() -> None:
    """Attempt 1 has position 1 only, and its candidates lack the Specialization set aside."""

    class Specialized:
        def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
            wanted: dict[tuple[int, ...], str] = {(0, 0, 0): "SPE#2", (0, 0, 1): "SPE#1"}
            return wanted.get(key) or FairChance("7").pick(purpose, key, candidates)

    chance = LoggedChance(Specialized())
    new_game(load_board("tiny"), options((False,) * 3, "FR"), chance)
    asked = {key: candidates for purpose, key, candidates in chance.asked if purpose == "market"}
    assert list(asked)[:4] == [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 0, 0)]
    assert "SPE#1" in asked[0, 0, 1]
    assert "SPE#1" not in asked[0, 1, 1]
    assert "SPE#1" in asked[1, 0, 0], "the one set aside has returned"


# Keys are places


def fills(state: State, chance: Chance, *actions: str) -> list[str]:
    """The civilizations drawn while these actions are played."""
    events = of_kind(CivilizationDrawn, play(state, *actions, chance=chance))
    return [" ".join(map(str, event.traits)) for event in events]


def test_games_with_one_seed_draw_alike_although_a_seat_plays_differently() -> None:
    """Taking another slot changes neither the bag nor the key of a fill, so the draws stay equal; another seed changes them."""
    board, settled = load_board("europe"), options((False,) * 4)
    start = new_game(board, settled, FairChance("7"))
    one = fills(start.copy(), FairChance("7"), "take 1", "take 1", "take 1", "take 1")
    assert one == fills(start.copy(), FairChance("7"), "take 4", "take 2", "take 1", "take 5")
    assert one != fills(start.copy(), FairChance("8"), "take 1", "take 1", "take 1", "take 1")


def test_a_fill_keeps_its_draw_when_the_bag_lost_something_else() -> None:
    """With other traits out the same fill draws the same traits, unless one that was drawn is out itself."""
    text = "tiny; round 0; seat 1; seat 2; seat 3; market WEA+SPI FOR+GAL GEN+MIL {} BAR+DIP HER+MED; fills 9"
    drawn = {
        other: fills(at(text.format(other)), FairChance("3"), "take 1")
        for other in ("MOU+AST", "REV+MES", "POR+SLA", "LIV+POR", "AGR+CUR")
    }
    assert drawn["MOU+AST"] == drawn["REV+MES"] == drawn["POR+SLA"] == drawn["LIV+POR"] != drawn["AGR+CUR"]


@pytest.mark.rule("R-DUMMY-5")
def test_dice_depend_on_round_and_seat_only() -> None:
    """The die of a seat's turn is the same however many draws were made earlier."""
    text = "tiny; round 4; turn 1 start; seat 1 dummy | BAR+MED{} {}; seat 2 | GEN+CUR; seat 3 | AST+SLA"
    chances = LoggedChance(FairChance("7")), LoggedChance(FairChance("7"))
    dummy.choose(at(text.format("", "ARA")), chances[0])
    dummy.choose(at(text.format(" reserve=5", "FEN HAM")), chances[1])
    assert chances[0].asked[0] == chances[1].asked[0] == ("die", (4, 1), DIE)


# Secret seeds


def test_commitment_is_the_digest_of_seed_and_salt() -> None:
    """SHA-256(`seed|salt`) in hexadecimal."""
    assert commitment("s3cret", "5a17") == hashlib.sha256(b"s3cret|5a17").hexdigest()


def test_mixed_seed_takes_the_nonces_in_seat_order() -> None:
    """SHA-256(`seed|salt|nonce|nonce`), an empty text for a seat that gave none."""
    assert mixed_seed("s", "t", ["a", "", "c"]) == hashlib.sha256(b"s|t|a||c").hexdigest()
    assert mixed_seed("s", "t", []) == hashlib.sha256(b"s|t").hexdigest()
    assert mixed_seed("s", "t", ["a", "b"]) != mixed_seed("s", "t", ["b", "a"])


def test_a_mixed_seed_can_be_drawn_from() -> None:
    """In hexadecimal it has the form of a seed."""
    seed = mixed_seed("s", "t", ["a", "b", "c"])
    assert FairChance(seed).pick("die", (1, 1), DIE) == by_hand(seed, "die", (1, 1), DIE)


def test_a_redrawn_chance_depends_on_future_and_place_alone() -> None:
    """Not on the draws before, nor on the process; another future draws otherwise."""
    places = [("die", (number, 1)) for number in range(600)]
    forwards = [RedrawnChance(7).pick(purpose, key, DIE) for purpose, key in places]
    chance = RedrawnChance(7)
    assert [chance.pick(purpose, key, DIE) for purpose, key in reversed(places)] == forwards[::-1]
    assert "".join(forwards[:12]) == GOLDEN_ROLLS
    for other in (RedrawnChance(8), FairChance("7")):
        same = sum(other.pick(purpose, key, DIE) == roll for (purpose, key), roll in zip(places, forwards, strict=True))
        assert 50 < same < 150


def test_only_draws_to_come_are_hidden() -> None:
    """A seat sees the whole state in the text of the position; in a redrawn future only new civilizations are others."""
    secret = FairChance("secret")
    state = new_game(load_board("europe"), options((False, False, True, False), max_rounds=8), secret)
    futures = set()
    while state.phase != "over":
        seen = position.read(position.write(state))
        assert seen == state
        action = default_action(state)
        real, redrawn = state.copy(), seen
        apply(real, action, secret)
        apply(redrawn, action, RedrawnChance(state.round))
        if isinstance(action, Take):
            assert real.market[:-1] == redrawn.market[:-1]
            futures.add(real.market[-1] == redrawn.market[-1])
            redrawn.market, redrawn.bag = real.market, real.bag
        assert redrawn == real
        state = real
    assert False in futures
