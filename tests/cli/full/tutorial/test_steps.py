"""Steps of the tutorial: they fit its game, and following them leads to its end."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from vinci.v1 import game_pb2, match_pb2
from vinci_cli.full.map.symbols import DRAWN
from vinci_cli.full.tutorial.overlay import standing
from vinci_cli.full.tutorial.steps import SEAT, Tutor, TutorialStep, request, steps, words_of
from vinci_client.session import Session
from vinci_server.app import Server

READ = TutorialStep("read", "…")
TAKE = TutorialStep("take", "…", wants="take 2", hint="the second one")
TWO = TutorialStep("two", "…", wants="x", times=2, hint="conquer")
HOLD = TutorialStep("hold", "…", wants="hold", with_word="fort", also=("x",), hint="with a fort")
ALL = [READ, TAKE, READ, TWO, HOLD, READ]


def played(revision: int, notation: str, seat: int = SEAT) -> game_pb2.Update:
    """Return an update with an action."""
    return game_pb2.Update(revision=revision, seat=seat, notation=notation, by="player")


def after(*notations: str) -> Tutor:
    """Return a tutor that has received these actions of the learner."""
    tutor = Tutor(ALL)
    for revision, notation in enumerate(notations, 1):
        tutor.take(played(revision, notation))
    return tutor


def test_steps_end_by_their_action_or_by_a_key() -> None:
    """A step to read ends by a key, a step to do by the right action, or several of them."""
    tutor = Tutor(ALL)
    assert (tutor.number, tutor.missing) == (1, 0)
    assert tutor.read_on()
    assert (tutor.step, tutor.missing) == (TAKE, 1)
    tutor.read_on()
    assert tutor.step is TAKE
    tutor.take(played(1, "take 2"))
    assert tutor.number == 3
    tutor.read_on()
    tutor.take(played(2, "x ALP"))
    assert (tutor.number, tutor.missing) == (4, 1)
    tutor.take(played(3, "x LOM"))
    assert tutor.number == 5
    tutor.take(played(4, "x NAP"))
    tutor.take(played(5, "hold ALP=1 LOM=1"))
    assert tutor.number == 5
    tutor.take(played(6, "hold ALP=1 LOM=1 fort ALP"))
    assert tutor.number == 6
    assert not tutor.read_on()


def test_action_of_a_later_step_skips_reading_steps() -> None:
    """An action that ends a later step skips reading steps; actions of others and old updates end nothing."""
    tutor = after("take 2")
    assert tutor.number == 3
    tutor.take(played(2, "x ALP", seat=2))
    tutor.take(played(1, "x ALP"))
    assert tutor.number == 3
    tutor.take(played(3, "x ALP"))
    assert (tutor.number, tutor.missing) == (4, 1)


def test_undo_returns_to_the_step_of_the_action() -> None:
    """An undo returns to the step of the undone action."""
    tutor = after("take 2", "x ALP", "x LOM")
    tutor.take(game_pb2.Update(revision=4, undo_to=2))
    assert (tutor.number, tutor.missing) == (4, 1)
    tutor.take(game_pb2.Update(revision=5, undo_to=0))
    assert tutor.number == 1


def test_other_actions_get_the_hint_of_the_step() -> None:
    """Other actions get the hint of the step, redeployments excepted; after the last step all are accepted."""
    tutor = Tutor(ALL)
    assert tutor.objection("take 1") == "the second one"
    assert tutor.objection("take 2") == ""
    assert tutor.objection("redeploy ALP=1") == ""
    assert after("take 2", "x ALP", "x LOM").objection("hold ALP=1") == "with a fort"
    assert after("take 2", "x ALP", "x LOM").objection("x NAP") == ""
    assert after("take 2", "x A", "x B", "hold A=1 fort A").objection("decline") == ""


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (game_pb2.Action(take=game_pb2.Take(slot=2)), "take 2"),
        (game_pb2.Action(conquer=game_pb2.Conquer(province="ALP")), "x ALP"),
        (game_pb2.Action(hold=game_pb2.Hold(forts=["ALP"])), "hold fort"),
        (game_pb2.Action(hold=game_pb2.Hold()), "hold"),
        (game_pb2.Action(decline=game_pb2.Decline()), "decline"),
        (game_pb2.Action(notation="x ALP spy"), "x ALP spy"),
    ],
)
def test_actions_by_keys_match_typed_ones(action: game_pb2.Action, words: str) -> None:
    """Actions by keys are compared in the same notation as typed ones."""
    assert words_of(action) == words


@pytest.fixture
async def session(tmp_path: Path) -> AsyncIterator[Session]:
    """Open a session with a server."""
    server = await Server.start("127.0.0.1", 0, tmp_path / "server.db")
    async with Session(f"127.0.0.1:{server.port}") as session:
        yield session
    await server.stop()


async def test_steps_are_legal_in_the_game_of_the_tutorial(session: Session) -> None:
    """Each step is legal at its time and at the price in its text; the texts tell the first VP and the target."""
    match = (await session.create(request())).match
    joined = await session.join(match.match_id, "Ann", SEAT)
    tutor = Tutor(steps(DRAWN))
    costs = {}
    detail = match_pb2.WatchRequest(state=True, legal=True)
    async for response in session.watch(match.match_id, joined.seat_token, from_revision=0, detail=detail):
        if not response.HasField("update"):
            continue
        update = response.update
        if update.revision == 0:
            begun = update.state.seats[SEAT - 1].vp
        tutor.take(update)
        while not tutor.step.wants and tutor.read_on():
            pass
        if tutor.number == tutor.count and update.state.seat_to_act == SEAT:
            break
        if update.state.seat_to_act != SEAT:
            continue
        step, legal = tutor.step, update.legal
        action = game_pb2.Action(notation=step.wants)
        if legal.HasField("redeploy"):
            action = game_pb2.Action(redeploy=legal.redeploy.suggestion)
        elif step.wants == "x":
            action = game_pb2.Action(conquer=game_pb2.Conquer(province=legal.conquer[0]))
        elif step.wants == "hold":
            action = game_pb2.Action(hold=legal.hold.suggestion)
            if step.with_word:
                action.hold.forts[:] = [next(iter(action.hold.provinces))]
        if step.province:
            costs[step.province] = dict(zip(legal.conquer, legal.cost, strict=True))[step.province]
        if step.wants == "take 1":
            assert list(update.state.market[0].traits) == ["FOR", "POR"]
        assert tutor.objection(words_of(action)) == ""
        answer = await session.act(match.match_id, joined.seat_token, [action], update.revision)
        assert not answer.HasField("refusal"), answer.refusal
    assert tutor.number == tutor.count
    vp = [seat.vp for seat in update.state.seats]
    assert vp[SEAT - 1] > 5 + max(vp[SEAT:])  # although the conquests were not chosen well
    assert costs == {"BAE": 3, "PYR": 2, "AQU": 1}
    first, draft, *_others, last = steps(DRAWN)
    assert f"reaches {update.state.target}" in first.text
    assert f"reaches {update.state.target} VP" in last.text
    assert f"begin with {begun} VP" in draft.text


@pytest.mark.parametrize(
    ("vp", "expected"),
    [
        ((9, 20, 12), "You are ahead with 20 VP; the others have 12, 9."),
        ((20, 20, 12), "You share the lead with 20 VP; the others have 20, 12."),
        ((21, 20, 12), "You have 20 VP, the others 21, 12."),
    ],
)
def test_scores_say_who_is_ahead(vp: tuple[int, ...], expected: str) -> None:
    """The pupil is ahead, ties, or is behind."""
    ordered = list(vp)
    ordered[SEAT - 1], ordered[1] = ordered[1], ordered[SEAT - 1]
    assert standing(ordered) == expected
