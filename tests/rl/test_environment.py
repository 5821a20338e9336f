"""The environments for learners, by the tests of PettingZoo and Gymnasium, and by the records of their games."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import vinci
from tests.support.paths import DOCS
from vinci_rl import Actions, SingleSeatEnv, VinciEnv, env, trajectory
from vinci_rl.environment import rewards
from vinci_rules import record
from vinci_rules.state import Seat

PAGE = (DOCS / "learning.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
EDITIONS = ("standard", "FR", "NL", "DE", "WEB")


def played(made: VinciEnv, seed: int) -> Iterator[int]:
    """Play a game of random actions; yield each of them before it is played."""
    made.reset(seed=seed)
    random = np.random.default_rng(seed)
    while not made.game.is_over:
        number = int(random.choice(np.flatnonzero(made.mask())))
        yield number
        made.step(number)


@pytest.mark.filterwarnings("ignore::UserWarning")  # observations are dictionaries, as the mask needs
@pytest.mark.parametrize("make", [VinciEnv, env])
def test_pettingzoo_accepts_it(make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The tests of the interface, of seeds and of rendering."""
    api_test(make(seats=3, board="tiny"), num_cycles=200)
    seed_test(lambda: make(seats=3, board="tiny"), num_cycles=200)
    render_test(lambda render_mode: make(board="tiny", render_mode=render_mode), {"svg": lambda it: it[:4] == "<svg"})


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: re.findall(r"import (\w+)", program)[-1])
def test_programs_of_the_page_run(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each program of docs/learning.md runs by itself as it is printed."""
    if "pyspiel" in program:
        pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
    monkeypatch.chdir(tmp_path)
    made = VinciEnv(board="tiny", target=20)
    assert [*played(made, 1)]
    made.game.save("game.jsonl")
    exec(program, {})


def test_page_shows_the_checkers_that_it_passes() -> None:
    """One of its programs calls the three."""
    (program,) = [found for found in PROGRAMS if "check_env" in found]
    assert re.findall(r"^(\w+)\(", program, re.MULTILINE) == ["api_test", "seed_test", "check_env"]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("seat", [None, 0, 2])
def test_gymnasium_accepts_the_seat_among_players(seat: int | None) -> None:
    """The checker plays actions whether they are legal or not."""
    check_env(SingleSeatEnv(("random", "greedy"), seat=seat, board="tiny", target=30))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_every_game_is_a_record_and_every_record_a_trajectory(seats: int, edition: str) -> None:
    """The record is legal, its trajectory consists of legal steps, and those lead to the same record."""
    made = VinciEnv(seats, edition=edition, target=40)
    number = sum(1 for _ in played(made, seats))
    lines = made.game.record()
    assert record.verify_chance(lines) > 0
    again, steps = VinciEnv(seats, edition=edition, target=40), 0
    again.reset(options={"seed": made.game.seed})
    for decision in trajectory(lines):
        assert decision.action_mask[decision.action]
        seen = again.observe(f"seat_{decision.seat}")
        assert np.array_equal(seen["observation"], decision.observation)
        assert np.array_equal(seen["action_mask"], decision.action_mask)
        assert decision.reward == made.rewards[f"seat_{decision.seat}"]
        again.step(decision.action)
        steps += 1
    assert again.game.record() == lines
    assert steps <= number + len(made.game.actions)  # a placement can be taken apart in several ways


@pytest.mark.parametrize("names", [("greedy", "normal", "hard:20"), ("normal", "dummy", "dummy")])
def test_records_of_players_are_trajectories(names: tuple[str, ...]) -> None:
    """Placements of good players too, with forts; dummies decide by their rules, and are left out."""
    game = vinci.new_game(3, dummies=names.count("dummy"), seed="p", target=60)
    while game.seat is not None:
        game.play(vinci.players[names[game.seat]](game))
    decisions = list(trajectory(game.record(), reward="margin"))
    assert all(decision.action_mask[decision.action] for decision in decisions)
    assert {decision.seat for decision in decisions} == {seat for seat, name in enumerate(names) if name != "dummy"}
    assert {decision.reward for decision in decisions} == {
        reward for seat, reward in enumerate(rewards(game, "margin")) if names[seat] != "dummy"
    }


def test_placements_reach_all_that_is_legal() -> None:
    """Each step of the mask can be completed, and every listed action is in it, over whole games."""
    made = VinciEnv(3, board="tiny", target=60)
    kinds = set()
    for number in played(made, 5):
        name = made.actions.names[number]
        kinds.add(name.split()[0])
        if not made._placement.has_begun:
            mine = {made.actions.names[place] for place in np.flatnonzero(made.mask())}
            listed = set(map(made.game.write, vinci.Position(made.game.state).legal_actions()))
            assert {text for text in listed if not text.startswith(("hold", "redeploy"))} <= mine
    assert {"take", "x", "pawn", "decline"} <= kinds


def test_observation_is_seen_from_each_seat() -> None:
    """Seats are counted from the observer; the board is the same for all."""
    made = VinciEnv(3, board="tiny")
    for _ in zip(range(60), played(made, 1), strict=False):
        pass
    state, seats = made.game.state, 3
    for seat in range(seats):
        parts = made.layout.split(made.observe(f"seat_{seat}")["observation"])
        assert parts["seats"][0][0] == np.float32(state.vp[seat] / 100)
        assert parts["seats"][1][0] == np.float32(state.vp[(seat + 1) % seats] / 100)
        planes = [made.layout.planes.index(f"{kind} of seat 0") for kind in ("active", "declined")]
        assert parts["provinces"][:, planes].sum() == state.provinces_of(Seat(seat)).bit_count()
        assert np.allclose(parts["provinces"][:, made.layout.planes.index("pawns")] * 10, state.garrison)
        assert made.observe(f"seat_{seat}")["action_mask"].any() == (seat == state.actor)
    assert len(made.layout.planes) == parts["provinces"].shape[1]


@pytest.mark.parametrize(
    ("ranks", "worth"), [((1, 2, 3), [1.0, 0.0, -1.0]), ((1, 1, 3), [0.5, 0.5, -1.0]), ((1, 1, 1), [0.0, 0.0, 0.0])]
)
def test_reward_by_rank_sums_to_nothing(ranks: tuple[int, ...], worth: list[float]) -> None:
    """Seats that share a rank share the rewards of their places."""

    class Over:
        scores = ranks

    Over.ranks = ranks  # type: ignore[attr-defined]
    assert rewards(Over(), "rank") == worth  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: VinciEnv(7), "7"),
        (lambda: VinciEnv(reward="win"), "it can be rank or margin"),  # type: ignore[arg-type]
        (lambda: VinciEnv(render_mode="rgb_array"), "it can be human, ansi, svg"),
        (lambda: VinciEnv(targte=3), "targte"),
        (lambda: SingleSeatEnv(("random", "esay")), "there is no player 'esay'"),
        (lambda: SingleSeatEnv(seat=3), "it can be 0 to 2"),
        (lambda: list(trajectory(vinci.new_game(3, board="tiny").record())), "is not over"),
    ],
)
def test_mistakes_are_refused(call: Any, error: str) -> None:
    """The error says what would be right."""
    with pytest.raises((ValueError, KeyError), match=error):
        call()


def test_illegal_action_is_refused_and_ends_an_episode() -> None:
    """The environment of all seats names the legal ones and goes on; that of one seat ends with -1."""
    made = VinciEnv(3, board="tiny")
    made.reset(seed=1)
    before = str(made.game)
    with pytest.raises(ValueError, match=r"x .* is not legal for seat_.; legal are: take 1, "):
        made.step(made.actions.conquer)
    assert str(made.game) == before
    single = SingleSeatEnv(board="tiny")
    single.reset(seed=1)
    _, reward, is_over, _, info = single.step(np.int64(single.inner.actions.stay))
    assert (reward, is_over, info) == (-1.0, True, {"illegal": "stay"})


def test_names_of_actions_are_their_notation() -> None:
    """Those that are no steps of placements can be read as actions."""
    made = VinciEnv(3, board="tiny")
    made.reset(seed=1)
    actions: Actions = made.actions
    assert len(actions.names) == actions.size == len(set(actions.names))
    for number, name in enumerate(actions.names):
        if (action := actions.action(number)) is not None:
            assert (made.game.write(action), actions.number(action)) == (name, number)
