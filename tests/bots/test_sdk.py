"""The Python bot kit: forms of a bot, its answers, and its behaviour towards a server."""

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
from vinci_bots.seeds import decision_chance, decision_random
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
    """A bot with one method."""

    def choose(self, turn: Turn) -> Action:
        """The conquest worth most."""
        return max(turn.conquests, key=turn.worth, default=turn.advice)


@bot
def second(turn: Turn) -> Answer:
    """Return the advised action as notation; a bot that is a function."""
    return notation.write(turn.advice, turn.board)


class Third(Bot):
    """A bot whose `choose` is asynchronous."""

    async def choose(self, turn: Turn) -> Action:
        """The advice, a little later."""
        await asyncio.sleep(0)
        return turn.advice


@bot
async def fourth(turn: Turn) -> Answer:
    """Return messages after a short wait; a bot that is an asynchronous function."""
    await asyncio.sleep(0)
    return [game_pb2.Action(notation=notation.write(turn.advice, turn.board))]


async def last_turns(session: Session, number: int) -> list[Table]:
    """Create that many matches in which seat 3 has one decision left, `hold HAM=5`."""
    return [await table(session, LAST_TURN) for _ in range(number)]


async def last_turn_of(session: Session, name: str) -> None:
    """Create such a match with a seat for a bot of this name."""
    made = await create(session, HUMAN, HUMAN, bot_seat(name), position=LAST_TURN, start_when_full=True)
    for _ in range(2):
        await session.join(made.match.match_id)


async def game_of(session: Session, *names: str, seed: str = "") -> str:
    """Create a short match on the tiny board among bots of these names; return its id."""
    made = await create(session, *[bot_seat(name) for name in names], options=SHORT, start_when_full=True, seed=seed)
    return made.match.match_id


async def actions_of(session: Session, match_id: str) -> list[tuple[str, str]]:
    """Wait for the end of a match and return the kind of actor and the notation of each action."""
    async for _ in session.watch(match_id):
        pass
    at = Table(session, match_id, "", ())
    return [(line["by"], line["do"]) for line in map(json.loads, await at.record()) if "do" in line]


@pytest.mark.parametrize("kind", [First, second, Third, fourth])
async def test_every_form_of_bot_plays_a_whole_game(database: Path, kind: type[Bot]) -> None:
    """Bots as class or function, synchronous or not, make all decisions of a whole game under their own names."""
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        match_id = await game_of(session, *[kind.__name__.lower()] * 3)
        assert await sdk.play(kind, address(server), at_once=3, games=3) == 3
        assert {by for by, _ in await actions_of(session, match_id)} == {"bot"}


async def test_bot_with_a_seat_token_plays_one_game(database: Path) -> None:
    """With a seat token a bot plays that seat and then ends."""
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        assert await sdk.play(First, address(server), token=at.tokens[2]) == 1
        assert (await at.get()).status == lobby_pb2.MATCH_STATUS_OVER


async def test_list_of_actions_is_one_decision(database: Path) -> None:
    """A returned list of three actions is played in order as one decision."""
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
    ("answer", "expected"),
    [
        (None, "the bot answered None; right is an action of vinci_rules, a text such as 'x ALP'"),
        (7, "the bot answered 7;"),
        ([], r"the bot answered \[\];.* with at least one"),
        (["hold HAM=5", None], r"the bot answered \['hold HAM=5', None\]"),
        ("x NOWHERE", "the bot answered 'x NOWHERE': there is no province 'NOWHERE' on the board tiny.*; right is"),
        (["hold HAM=5"] * 50 + [None], r"the bot answered \['hold HAM=5', .*…; right is"),
        (game_pb2.Action(), "the action is empty"),
        (Take, "the bot answered <class"),
    ],
)
async def test_invalid_answer_raises_an_error(database: Path, answer: object, expected: str) -> None:
    """An invalid answer is not sent; it ends the bot with an error that names valid answers."""

    @bot
    def wrong(_turn: Turn) -> Answer:
        return answer  # type: ignore[return-value]

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        with pytest.raises(NoAction, match=expected):
            await sdk.play(wrong, address(server), token=at.tokens[2])
        assert (await at.get()).revision == 0


@pytest.mark.parametrize("waits", [True, False])
async def test_exception_of_choose_is_raised_to_the_caller(database: Path, waits: bool) -> None:
    """An exception raised by `choose` ends the bot and keeps its traceback."""

    def fail(turn: Turn) -> Answer:
        raise ZeroDivisionError(turn.game.match_id)

    async def fail_later(turn: Turn) -> Answer:
        return fail(turn)

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        with pytest.raises(ZeroDivisionError, match=at.match_id) as caught:
            await sdk.play(bot(fail_later if waits else fail), address(server), token=at.tokens[2])
        assert caught.traceback[-1].name == "fail"


async def test_refused_answer_is_chosen_again_with_the_reason(database: Path) -> None:
    """`turn.refused` holds the refusal of this decision, and the number of tries left."""
    refusals: list[tuple[str, int]] = []

    @bot
    def learner(turn: Turn) -> Answer:
        if turn.refused is None:
            return "x ARA"
        refusals.append((turn.refused.refusal.reason, turn.refused.tries_left))
        return turn.suggestion or turn.advice

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        await sdk.play(learner, address(server), token=at.tokens[2])
        assert refusals == [("OutOfReach", 2)]
        assert '"by":"bot"' in (await at.record())[1]


async def test_each_game_has_its_own_bot_object(database: Path) -> None:
    """Each game has its own bot object, `memory` and seed; its hooks are called once, the last one with the result."""
    events: list[str] = []
    seeds = []

    class Memory(Bot):
        def __init__(self) -> None:
            self.turns = 0

        def on_start(self, game: Game) -> None:
            events.append(f"start {game.seat} of {game.seats}")

        def choose(self, turn: Turn) -> Action:
            self.turns += 1
            turn.game.memory["turns"] = turn.game.memory.get("turns", 0) + 1
            seeds.append(turn.game.seed)
            return turn.suggestion or turn.advice

        def on_end(self, game: Game, ranks: Sequence[int], vp: Sequence[int]) -> None:
            events.append(f"end {self.turns} {game.memory['turns']} {ranks[game.seat - 1]} {len(vp)}")

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        for _ in range(2):
            await last_turn_of(session, "memory")
        assert await sdk.play(Memory, address(server), games=2, seed="7") == 2
    assert events == ["start 3 of 3", "end 1 1 1 3"] * 2
    assert len(set(seeds)) == 2


async def test_synchronous_bot_answers_pings_while_it_thinks(database: Path) -> None:
    """A synchronous bot runs in a thread, so that pings are answered meanwhile: it goes on once the round trip is measured."""
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


async def test_asynchronous_bots_choose_for_several_games_concurrently(database: Path) -> None:
    """No decision is answered before all games have asked for one."""
    asked = asyncio.Barrier(3)

    @bot
    async def patient(turn: Turn) -> Answer:
        await asked.wait()
        return turn.advice

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        for _ in range(3):
            await last_turn_of(session, "patient")
        assert await sdk.play(patient, address(server), at_once=3, games=3) == 3


async def test_synchronous_bots_choose_in_one_thread(database: Path) -> None:
    """All decisions of all games are made in one thread."""
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


async def test_reconnected_bot_draws_the_same_numbers(database: Path) -> None:
    """After a reconnection the same decision has the same draws, from the seed given to the seat."""
    drawn: list[tuple[int, str, float]] = []

    async with serving(database) as (server, session), proxy(server.port) as between, asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)

        @bot
        async def gambler(turn: Turn) -> Answer:
            draw = turn.chance.pick("", (), [str(n) for n in range(10**6)])
            drawn.append((turn.message.revision, draw, turn.random.random()))
            if len(drawn) == 1:
                between.cut()
                await asyncio.sleep(SOON)  # it is stopped: what it thinks about is asked for again
            return turn.suggestion or turn.advice

        assert await sdk.play(gambler, f"127.0.0.1:{between.port}", token=at.tokens[2], seed="abc") == 1
    expected = decision_chance("abc", 0).pick("", (), [str(n) for n in range(10**6)])
    assert drawn == [(0, expected, decision_random("abc", 0).random())] * 2


async def test_policies_play_alike_at_a_server_and_in_process(database: Path) -> None:
    """With given seeds for game and bots, a game at a server has the same actions as one in this process."""
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


async def test_bot_ends_when_another_stream_takes_its_seat(database: Path) -> None:
    """A second stream with the same token closes the first one for good, which is not an error."""
    events: list[str] = []
    thinking = asyncio.Event()

    @bot
    async def stubborn(_turn: Turn) -> Answer:
        thinking.set()
        await asyncio.sleep(SOON)
        raise AssertionError

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        token = at.tokens[2]
        first = asyncio.create_task(sdk.play(stubborn, address(server), token=token, on_event=events.append))
        await thinking.wait()
        assert await sdk.play(First, address(server), token=token) == 1
        assert await first == 0
    assert events[-1] == "another stream plays seat 3 now. The stream is closed for good."


async def test_bot_without_patience_ends_when_its_server_stops(database: Path) -> None:
    """A lost server ends a connected bot normally; a bot that never connected fails."""
    events: list[str] = []
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        where = address(server)
        stopping: list[asyncio.Task[None]] = []

        @bot
        async def last(_turn: Turn) -> Answer:
            stopping.append(asyncio.create_task(server.stop()))  # awaited here, gRPC could swallow the cancellation
            await asyncio.sleep(SOON)
            raise AssertionError

        assert await sdk.play(last, where, token=at.tokens[2], patience=0.2, on_event=events.append) == 0
        assert "closed for good" in events[-1]
        await stopping[0]
        with pytest.raises(ServerGone, match=f"no answer from {where}"):
            await sdk.play(First, where, token=at.tokens[2], patience=0.2)


async def test_bot_with_a_wrong_token_raises_the_refusal(database: Path) -> None:
    """A wrong token raises ServerRefused instead of ending the bot normally."""
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        (at,) = await last_turns(session, 1)
        with pytest.raises(ServerRefused, match="token"):
            await sdk.play(First, address(server), token=f"{at.match_id}.wrong", access=Access())


def test_turn_can_be_made_without_a_server() -> None:
    """`Turn.of` makes a turn from a position, with all its queries, as tests of a bot need it."""
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


def test_changes_to_a_returned_state_do_not_change_the_turn() -> None:
    """`turn.state` returns a copy."""
    turn = Turn.of(CONQUER)
    turn.state.vp[0] = 99
    assert turn.state.vp[0] != 99


def test_draft_has_advice_but_no_suggestion() -> None:
    """`suggestion` exists only for open decisions; `advice` is always a legal action."""
    turn = Turn.of(DRAFT)
    assert turn.suggestion is None
    assert turn.conquests == ()
    assert turn.advice in turn.legal


def test_chance_of_a_turn_follows_from_its_seed() -> None:
    """Turns with equal seeds draw the same, turns with different seeds do not."""
    drawn = [Turn.of(DRAFT, seed).chance.pick("", (), [str(n) for n in range(10**6)]) for seed in ("1", "1", "2")]
    assert drawn[0] == drawn[1] != drawn[2]


def test_random_numbers_of_a_turn_are_one_generator_apart_from_its_chance() -> None:
    """They go on with each use, do not change what `chance` draws, and differ between seeds and revisions."""
    turn = Turn.of(DRAFT)
    numbers = [turn.random.getrandbits(64) for _ in range(9)]
    assert len({*numbers, decision_random("2", 0).getrandbits(64), decision_random("1", 1).getrandbits(64)}) == 11
    assert turn.random.choice(turn.legal) in turn.legal
    names = [str(n) for n in range(10**6)]
    assert turn.chance.pick("", (), names) == Turn.of(DRAFT).chance.pick("", (), names)


def test_turn_has_the_seconds_left_for_the_decision() -> None:
    """`turn.left` counts down the seconds left for the decision."""
    message = Turn.of(CONQUER).message
    message.left = 5000
    turn = Turn(Turn.of(CONQUER).game, message)
    assert turn.left is not None
    assert 0 < turn.left < 5


def test_bot_without_choose_raises_not_implemented() -> None:
    """The error names the missing method `choose`."""
    with pytest.raises(NotImplementedError, match=r"Bot has no choose\(self, turn\)"):
        Bot().choose(Turn.of(DRAFT))
