"""The kit for bots in Python: what a bot is, what it may answer, and how it lives with a server."""

import asyncio
import json
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.network.cuttable_proxy import proxy
from tests.support.server.in_process import HUMAN, LAST_TURN, SOON, Table, address, bot_seat, create, serving, table
from vinci.v1 import game_pb2, lobby_pb2
from vinci_bots import sdk
from vinci_bots.builtin import selfplay
from vinci_bots.builtin.connected import policy_bot
from vinci_bots.sdk import Answer, Bot, Game, NoAction, Turn, bot
from vinci_bots.seeds import decision_chance
from vinci_client.access import Access
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session
from vinci_rules import notation
from vinci_rules.actions import Action, Conquer, Hold, Take
from vinci_rules.board import load_board
from vinci_rules.editions import options
from vinci_rules.engine import check
from vinci_rules.state import Seat

CONQUER = "tiny; turn 1 conquer; seat 1 | MIN+MIL reserve=2 BOS; seat 2 | BAR+CUR ERB=4; seat 3 | AST+SLA; neutral -"
DRAFT = "tiny; rules standard target=20; round 0; seat 1; seat 2; seat 3"
SHORT = game_pb2.Options(settings={"max_rounds": "2"})


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return the path of the database of a test."""
    return tmp_path / "games.db"


class First(Bot):
    """A bot of one method."""

    def choose(self, turn: Turn) -> Action:
        """The conquest worth most."""
        return max(turn.conquests, key=turn.worth, default=turn.advice)


@bot
def second(turn: Turn) -> Answer:
    """A bot that is a function, and answers in notation."""
    return notation.write(turn.advice, turn.board)


class Third(Bot):
    """A bot that waits for something else meanwhile."""

    async def choose(self, turn: Turn) -> Action:
        """The advice, a little later."""
        await asyncio.sleep(0)
        return turn.advice


@bot
async def fourth(turn: Turn) -> Answer:
    """A function that waits, and answers with messages."""
    await asyncio.sleep(0)
    return [game_pb2.Action(notation=notation.write(turn.advice, turn.board))]


async def last_turns(session: Session, number: int) -> list[Table]:
    """So many matches in which seat 3 has one decision left, `hold HAM=5`."""
    return [await table(session, LAST_TURN) for _ in range(number)]


async def last_turn_of(session: Session, name: str) -> None:
    """Such a match with a seat for a bot of this name."""
    made = await create(session, HUMAN, HUMAN, bot_seat(name), position=LAST_TURN, start_when_full=True)
    for _ in range(2):
        await session.join(made.match.match_id)


async def game_of(session: Session, *names: str, seed: str = "") -> str:
    """A short match on the tiny board among bots of these names; its id."""
    made = await create(session, *[bot_seat(name) for name in names], options=SHORT, start_when_full=True, seed=seed)
    return made.match.match_id


async def actions_of(session: Session, match_id: str) -> list[tuple[str, str]]:
    """Wait for the end of a match and return its actions, each with the kind of actor and the notation."""
    async for _ in session.watch(match_id):
        pass
    at = Table(session, match_id, "", ())
    return [(line["by"], line["do"]) for line in map(json.loads, await at.record()) if "do" in line]


@pytest.mark.parametrize("kind", [First, second, Third, fourth])
async def test_a_bot_in_ten_lines_plays_a_game(database: Path, kind: type[Bot]) -> None:
    """Class or function, sync or async: all decisions of a whole game are its own, under its own name."""
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        match_id = await game_of(session, *[kind.__name__.lower()] * 3)
        assert await sdk.play(kind, address(server), at_once=3, games=3) == 3
        assert {by for by, _ in await actions_of(session, match_id)} == {"bot"}


async def test_a_seat_token_is_for_one_game(database: Path) -> None:
    """With a token it plays that seat and then ends."""
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        assert await sdk.play(First, address(server), token=at.tokens[2]) == 1
        assert (await at.get()).status == lobby_pb2.MATCH_STATUS_OVER


async def test_a_whole_turn_in_one_act(database: Path) -> None:
    """A list is played in order: three actions, one decision."""
    asked = []

    @bot
    def whole(turn: Turn) -> Answer:
        asked.append(turn.message.revision)
        return [Conquer(turn.board.index["BOS"]), "x fen", "hold ARA=5 BOS=1 FEN=1"]

    position = "tiny; rules standard max_rounds=1; seat 1 | WEA+MIL reserve=6 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        at = await table(session, position)
        playing = asyncio.create_task(sdk.play(whole, address(server), token=at.tokens[0]))
        async for response in at.watch(0):
            if response.update.revision == 3:
                break
        playing.cancel()
        assert asked == [0]
        assert [line["do"] for line in map(json.loads, (await at.record())[1:])][:2] == ["x BOS", "x FEN"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (None, "the bot answered None; right is an action of vinci_rules, a text such as 'x ALP'"),
        (7, "the bot answered 7;"),
        ([], r"the bot answered \[\];.* with at least one"),
        (["hold HAM=5", None], r"the bot answered \['hold HAM=5', None\]"),
        ("x NOWHERE", "'x NOWHERE'.*no province 'NOWHERE' on the board tiny"),
        (game_pb2.Action(), "the action is empty"),
        (Take, "the bot answered <class"),
    ],
)
async def test_nonsense_ends_the_bot(database: Path, answer: object, told: str) -> None:
    """Check that an invalid answer ends the bot with an error that names valid ones; nothing is sent."""

    @bot
    def wrong(_turn: Turn) -> Answer:
        return answer  # type: ignore[return-value]

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        with pytest.raises(NoAction, match=told):
            await sdk.play(wrong, address(server), token=at.tokens[2])
        assert (await at.get()).revision == 0


@pytest.mark.parametrize("waits", [True, False])
async def test_an_error_of_the_bot_comes_out(database: Path, waits: bool) -> None:
    """Check that an exception raised by `choose` ends the play and keeps the traceback of the bot."""

    def fail(turn: Turn) -> Answer:
        raise ZeroDivisionError(turn.game.match_id)

    async def fail_later(turn: Turn) -> Answer:
        return fail(turn)

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        with pytest.raises(ZeroDivisionError, match=at.match_id) as caught:
            await sdk.play(bot(fail_later if waits else fail), address(server), token=at.tokens[2])
        assert caught.traceback[-1].name == "fail"


async def test_a_refused_answer_is_asked_for_again_and_the_bot_is_told_why(database: Path) -> None:
    """`turn.refused` belongs to the decision that was refused, and says how many tries are left."""
    told: list[tuple[str, int]] = []

    @bot
    def learner(turn: Turn) -> Answer:
        if turn.refused is None:
            return "x ARA"
        told.append((turn.refused.refusal.reason, turn.refused.tries_left))
        return turn.suggestion or turn.advice

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        await sdk.play(learner, address(server), token=at.tokens[2])
        assert told == [("OutOfReach", 2)]
        assert '"by":"bot"' in (await at.record())[1]


async def test_each_game_has_a_bot_of_its_own(database: Path) -> None:
    """`self`, `memory` and seeds are of one game; the hooks are called once for each, the last one with the result."""
    told: list[str] = []
    seeds = []

    class Memory(Bot):
        def __init__(self) -> None:
            self.turns = 0

        def on_start(self, game: Game) -> None:
            told.append(f"start {game.seat} of {game.seats}")

        def choose(self, turn: Turn) -> Action:
            self.turns += 1
            turn.game.memory["turns"] = turn.game.memory.get("turns", 0) + 1
            seeds.append(turn.game.seed)
            return turn.suggestion or turn.advice

        def on_end(self, game: Game, ranks: Sequence[int], vp: Sequence[int]) -> None:
            told.append(f"end {self.turns} {game.memory['turns']} {ranks[game.seat - 1]} {len(vp)}")

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        for _ in range(2):
            await last_turn_of(session, "memory")
        assert await sdk.play(Memory, address(server), games=2, seed="7") == 2
    assert told == ["start 3 of 3", "end 1 1 1 3"] * 2
    assert len(set(seeds)) == 2


async def test_a_bot_that_thinks_long_answers_pings(database: Path) -> None:
    """A sync bot thinks beside the connection: it goes on when the server has measured the way."""
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        ways = (await server.lobby.get(at.match_id)).timekeeper.round_trips
        measured = threading.Event()

        async def measure() -> None:
            while not ways[Seat(2)].seconds:
                await asyncio.sleep(0.01)
            measured.set()

        @bot
        def slow(turn: Turn) -> Answer:
            assert measured.wait(SOON)
            return turn.advice

        _, played = await asyncio.gather(measure(), sdk.play(slow, address(server), token=at.tokens[2]))
        assert played == 1


async def test_async_bots_think_about_several_games_at_once(database: Path) -> None:
    """Nobody answers before all games have asked."""
    asked = asyncio.Barrier(3)

    @bot
    async def patient(turn: Turn) -> Answer:
        await asked.wait()
        return turn.advice

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        for _ in range(3):
            await last_turn_of(session, "patient")
        assert await sdk.play(patient, address(server), at_once=3, games=3) == 3


async def test_sync_bots_think_about_one_thing_at_a_time(database: Path) -> None:
    """All decisions of all games come in one thread."""
    threads, busy = set(), threading.Lock()

    @bot
    def single(turn: Turn) -> Answer:
        assert busy.acquire(blocking=False)
        threads.add(threading.get_ident())
        answer = turn.advice
        busy.release()
        return answer

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        for _ in range(3):
            await game_of(session, *["single"] * 3)
        assert await sdk.play(single, address(server), at_once=9, games=9) == 9
    assert len(threads) == 1
    assert threading.get_ident() not in threads


async def test_chance_is_the_same_after_a_lost_connection(database: Path) -> None:
    """The same seed and decision, the same draws: those of the seed that the seat was given."""
    drawn: list[tuple[int, str]] = []

    async with serving(database) as (server, session), proxy(server.port) as between, asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)

        @bot
        async def gambler(turn: Turn) -> Answer:
            drawn.append((turn.message.revision, turn.chance.pick("", (), [str(n) for n in range(10**6)])))
            if len(drawn) == 1:
                between.cut()
                await asyncio.sleep(SOON)  # it is stopped: what it thinks about is asked for again
            return turn.suggestion or turn.advice

        assert await sdk.play(gambler, f"127.0.0.1:{between.port}", token=at.tokens[2], seed="abc") == 1
    expected = decision_chance("abc", 0).pick("", (), [str(n) for n in range(10**6)])
    assert drawn == [(0, expected)] * 2


async def test_policies_play_through_a_server_as_they_do_in_one_process(database: Path) -> None:
    """With seeds for the game and for each bot, the actions are the same, one by one."""
    seeds = ("a", "b", "c")
    rules = options((False,) * 3, max_rounds=3)
    expected = selfplay.play(["random"] * 3, load_board("tiny"), rules, "7", seeds)
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        settings = game_pb2.Options(settings={"max_rounds": "3"})
        made = await create(session, *[HUMAN] * 3, options=settings, seed="7", start_when_full=True)
        tokens = [(await session.join(made.match.match_id, seat=seat)).seat_token for seat in (1, 2, 3)]
        playing = [
            sdk.play(policy_bot("random"), address(server), token=token, seed=seed)
            for token, seed in zip(tokens, seeds, strict=True)
        ]
        await asyncio.gather(*playing)
        played = await actions_of(session, made.match.match_id)
    lines = [line for line in map(json.loads, expected.lines) if "do" in line]
    assert played == [("bot", line["do"]) for line in lines]
    assert len(played) > 20


async def test_a_bot_whose_seat_is_taken_ends(database: Path) -> None:
    """Another stream with the same token: the first is closed for good, which is no error."""
    told: list[str] = []
    thinking = asyncio.Event()

    @bot
    async def stubborn(_turn: Turn) -> Answer:
        thinking.set()
        await asyncio.sleep(SOON)
        raise AssertionError

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        token = at.tokens[2]
        first = asyncio.create_task(sdk.play(stubborn, address(server), token=token, on_event=told.append))
        await thinking.wait()
        assert await sdk.play(First, address(server), token=token) == 1
        assert await first == 0
    assert told[-1] == "another stream plays seat 3 now. The stream is closed for good."


async def test_a_server_that_is_gone_ends_a_bot_without_patience(database: Path) -> None:
    """Once connected it is the end of the stream; if nobody was ever there, it is an error."""
    told: list[str] = []
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        where = address(server)
        stopping: list[asyncio.Task[None]] = []

        @bot
        async def last(_turn: Turn) -> Answer:
            stopping.append(asyncio.create_task(server.stop()))  # awaited here, gRPC could swallow the cancellation
            await asyncio.sleep(SOON)
            raise AssertionError

        assert await sdk.play(last, where, token=at.tokens[2], patience=0.2, on_event=told.append) == 0
        assert "closed for good" in told[-1]
        await stopping[0]
        with pytest.raises(ServerGone, match=f"no answer from {where}"):
            await sdk.play(First, where, token=at.tokens[2], patience=0.2)


async def test_a_bot_that_is_turned_away_says_why(database: Path) -> None:
    """A wrong token is no closed stream."""
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        with pytest.raises(ServerRefused, match="token"):
            await sdk.play(First, address(server), token=f"{at.match_id}.wrong", access=Access())


def test_a_turn_without_a_server() -> None:
    """Check the queries on a position that need no server, as in tests of a bot."""
    turn = Turn.of(CONQUER)
    code = {turn.board.codes[action.province]: action for action in turn.conquests}
    assert turn.worth(code["COL"]) > turn.worth(code["ARA"])
    assert turn.cost(code["COL"]) == 2
    assert set(turn.conquests) <= set(turn.legal)
    assert isinstance(turn.suggestion, Hold)
    assert check(turn.state, turn.advice) is None
    assert turn.left is None
    assert (turn.game.seat, turn.game.seats) == (1, 3)
    after = turn.after(code["COL"])
    assert after.actor == turn.state.actor
    assert after.empire().provinces >> code["COL"].province & 1
    assert not turn.state.empire().provinces >> code["COL"].province & 1


def test_a_position_belongs_to_whoever_asks() -> None:
    """Check that changes to `turn.state` do not change the turn."""
    turn = Turn.of(CONQUER)
    turn.state.vp[0] = 99
    assert turn.state.vp[0] != 99


def test_a_draft_has_no_suggestion() -> None:
    """Only what cannot be listed is suggested; what is advised is among what is legal."""
    turn = Turn.of(DRAFT)
    assert turn.suggestion is None
    assert turn.conquests == ()
    assert turn.advice in turn.legal


def test_chance_comes_from_the_seed() -> None:
    """Two turns of one seed draw the same, those of another do not."""
    drawn = [Turn.of(DRAFT, seed).chance.pick("", (), [str(n) for n in range(10**6)]) for seed in ("1", "1", "2")]
    assert drawn[0] == drawn[1] != drawn[2]


def test_seconds_that_are_left() -> None:
    """They are of the decision, and pass."""
    message = Turn.of(CONQUER).message
    message.left = 5000
    turn = Turn(Turn.of(CONQUER).game, message)
    assert turn.left is not None
    assert 0 < turn.left < 5


def test_a_bot_without_choose_says_so() -> None:
    """The method is missing, and its name is in the error."""
    with pytest.raises(NotImplementedError, match=r"Bot has no choose\(self, turn\)"):
        Bot().choose(Turn.of(DRAFT))
