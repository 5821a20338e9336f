"""The tools of `vinci mcp`."""

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from typing import Any, Final, ParamSpec, final

from vinci.v1 import lobby_pb2, match_pb2
from vinci_client import discovery, processes
from vinci_client.access import Access
from vinci_client.errors import ServerGone
from vinci_client.session import Session
from vinci_players.names import level_of
from vinci_refusals.wording import Refused

from ..connection.match_request import KINDS, match_request
from ..connection.seating import open_seats
from ..exceptions import Failed
from ..full.toolkit.picture import png
from ..game.commands import BY_WORD, is_action, parts
from ..game.interface import SeatedMatch
from ..game.loading import board_map, catalogue_of
from ..graphics import board_svg
from ..text import i18n
from ..text.manual import UnknownRule, rule
from ..text.refusals import sentence
from . import own_seats
from .seat import AgentSeat
from .words import WORDS

P = ParamSpec("P")

INSTRUCTIONS: Final = """Play the board game Vinci, or look on. Begin with `matches`, then `create` or `join`. While you
play: `look` lists what you can do and what it costs, `act` plays, `wait` waits for the others. Actions are written
`take 2`, `x ALP` (conquer the Alps), `hold ALP=2 PYR=1` (end the turn: place all pawns, at least one in each province),
`decline`, `redeploy ALP=1`, `stay`, `peace 3`, `abandon ALP`. `suggest` gives an action in words, and in brackets as it
is written; `act` with `ok` plays it. A refusal says what would be legal. `rule` explains a rule or a trait. Other
players may be people: do not keep them waiting."""
MARK: Final = " (agent)"
"""End of the name of every agent, so that people know."""
LONGEST_WAIT: Final = 300
PARTS: Final = ("legal", "board", "scores", "market", "clock", "log", "help")
"""Parts of the game to look at; other words would be played."""
PICTURE: Final = (1200, 2400)
"""Width and height in pixels within which a board is drawn."""
SIMULATIONS: Final = 100
"""Of a review, a quarter of the usual ones: programs wait for a tool for a minute or a few."""
LONGEST_NAME: Final = 24
MOST_AGENTS: Final = 100
"""Agents at one process; their names come from those who connect."""
NAME: Final = ContextVar("NAME", default="")
"""Name of the agent that calls, from the address by which it has connected."""


def _answered(tool: Callable[P, Awaitable[Any]]) -> Callable[P, Awaitable[Any]]:
    """Return a tool that answers with the text of a refusal, as an error of the protocol, in the words for agents."""

    @wraps(tool)
    async def run(*args: P.args, **kwargs: P.kwargs) -> Any:
        i18n.reword(WORDS)
        try:
            return await tool(*args, **kwargs)
        except ServerGone as error:
            said = f"{sentence(error)} `matches` tries again; `join` returns to your seat."
        except (Refused, Failed, UnknownRule) as error:
            said = sentence(error)
        types = import_module("mcp.types")
        return types.CallToolResult(content=[types.TextContent(type="text", text=said)], is_error=True)

    return run


@final
class AgentTools:
    """The tools, for one agent at one server. Each returns text, or raises Failed or Refused with it."""

    def __init__(self, address: str, access: Access, name: str) -> None:
        self._session: Final = Session(address, access)
        self._name: Final = name[: LONGEST_NAME - len(MARK)] + MARK
        self._seat: AgentSeat | None = None
        self._tokens: Final[dict[str, tuple[int, str]]] = {}
        """Seat and token of each match in which the agent sat."""

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Keep the connection open while the agent is there."""
        async with self._session:
            try:
                yield
            finally:
                if self._seat is not None:
                    await self._seat.leave()

    async def servers(self) -> str:
        """List the servers of Vinci on this network, and the one that is used."""
        found = [f"{server.address}  {server.name}" for server in await discovery.find()]
        return "\n".join([f"In use: {self._session.address}", *found])

    async def matches(self) -> str:
        """List the matches of the server: id, state, and who plays."""
        answer = await self._session.call(self._session.lobby.ListMatches, lobby_pb2.ListMatchesRequest(page_size=30))
        states = {lobby_pb2.MATCH_STATUS_OPEN: "open", lobby_pb2.MATCH_STATUS_RUNNING: "running"}
        lines = [
            f"{match.match_id}  {states.get(match.status, 'over')}  {', '.join(map(_who, match.seats))}"
            + (f"  ({open_seats(match)} seats are open)" if open_seats(match) else "")
            for match in answer.matches
        ]
        return "\n".join(lines) or "There are no matches; `create` makes one."

    async def create(
        self, players: list[str], board: str = "", edition: str = "", target: int = 0, seed: str = ""
    ) -> str:
        """Make a match and sit down.

        Args:
            players: the seats, 3 to 6: "human" (the first one is you), "dummy", or the name of a computer player.
            board: the board; the usual one without.
            edition: standard, FR, NL, DE or WEB.
            target: VP that end the game; as in the edition without.
            seed: a seed for a game that can be played again.
        """
        if "human" not in players:
            raise Failed('one of the players must be "human": that seat is yours')
        info = await self._session.call(self._session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())
        for player in players:
            if player not in (*KINDS, *info.bots) and level_of(player) not in info.bots:
                there = f"there are {', '.join(info.bots)}" if info.bots else "it was started without --bots"
                raise Failed(f"this server has no computer player {player!r}; {there}, human and dummy")
        request = match_request(",".join(players), board=board, edition=edition, seed=seed, target=target or None)
        return await self.join((await self._session.create(request)).match.match_id)

    async def join(self, match_id: str, seat: int = 0) -> str:
        """Take a seat in a match, the first open one by default, or return to your own."""
        own = self._tokens.get(match_id) or await self._left_behind(match_id)
        if own is None:
            joined = await self._session.join(match_id, self._name, seat)
            own = joined.seat, joined.seat_token
            own_seats.save(self._session.address, self._name, match_id, own)
        self._tokens[match_id] = own
        number, token = own
        return await self._sit(match_id, {number: token})

    async def _left_behind(self, match_id: str) -> tuple[int, str] | None:
        """Return the seat that an earlier process of this name had, with its token, if nobody plays it now."""
        kept = own_seats.find(self._session.address, self._name, match_id)
        if kept is None or (await self._session.get(match_id)).seats[kept[0] - 1].connected:
            return None  # another process of this name may be at the table
        return kept

    async def watch(self, match_id: str) -> str:
        """Look on at a match."""
        return await self._sit(match_id, {})

    async def _sit(self, match_id: str, seats: dict[int, str]) -> str:
        left = ""
        if self._seat is not None:
            table = self._seat.table
            if table.seats and not self._seat.is_over:
                left = f"You have left the table of match {table.match.match_id}; `join` returns to it.\n"
            await self._seat.leave()
        match = await self._session.get(match_id)
        table = SeatedMatch(self._session, match, await catalogue_of(self._session, match), seats, own_name=self._name)
        self._seat = AgentSeat(table)
        seated = f"You sit at seat {next(iter(seats))} of match {match_id}." if seats else f"You watch {match_id}."
        return f"{left}{seated}\n{await self._seat.wait(2)}"

    def _here(self) -> AgentSeat:
        if self._seat is None:
            raise Failed("you sit at no table; `matches` lists them, `create` makes one, `join` takes a seat")
        return self._seat

    def _seated(self) -> AgentSeat:
        seat = self._here()
        if not seat.table.seats:
            raise Failed("you only look on here; `join` takes a seat")
        return seat

    async def _typed(self, text: str, at: AgentSeat | None = None) -> str:
        """Type a line, at the own seat or a table that is watched; a refusal of it is raised."""
        seat = at or self._seated()
        said = await seat.type(text)
        if seat.is_refused:
            raise Failed(said)
        return said

    async def look(self, part: str = "legal") -> str:
        """Show a part of the game.

        Args:
            part: legal (each action as it is written, with its cost), board, scores, market, clock, log (what you were
                told) or help.
        """
        if part not in PARTS:
            raise Failed(f"there is no part {part!r}; there are {', '.join(PARTS)}")
        seat = self._here()
        if part == "help":
            return INSTRUCTIONS
        if part == "log":
            return seat.log
        said = await seat.type(part)
        return f"{said}\n{seat.legal()}".strip() if part == "legal" else said

    async def why(self, action: str) -> str:
        """Tell what an action costs, in its parts, what it scores, and what is against it; it is not played."""
        return await self._seated().type(f"why {action}")

    async def act(self, actions: list[str] | str) -> str:
        """Play actions in notation, one after another, up to the first that is refused, which says what is legal.

        Of `hold` and `redeploy` without provinces the suggested placement is played.

        Args:
            actions: the actions, such as ["x ALP", "hold"]; as one text with semicolons between them, too.
        """
        seat, said = self._seated(), list[str]()
        lines = [part for line in ([actions] if isinstance(actions, str) else actions) for part in parts(line)]
        if not lines:
            raise Failed("there is no action to play; `look` lists those that are legal")
        for action in lines:
            before, was_over = seat.revision, seat.is_over
            said.append(await seat.type(action))
            idle = seat.revision == before and not seat.is_over and is_action(action)
            if was_over or idle or seat.is_refused:
                said.append(f"Not played: {action}.")
                if seat.is_asked:
                    is_typed = action.split()[0].lower() in BY_WORD  # a word such as resign, and no notation
                    said += ["It is your move."] if is_typed else ["It is your move. Legal:", seat.legal(action)]
                raise Failed("\n".join(said))
        then = "It is your move." if seat.is_asked else "" if seat.is_over else "`wait` waits for the others."
        return "\n".join([*said, then]).strip()

    async def undo(self) -> str:
        """Take back your last action of this turn."""
        return await self._typed("undo")

    async def wait(self, seconds: float = 60) -> str:
        """Wait until you have something to decide, and tell what happened; at most 300 seconds."""
        seat = self._here()
        said = await seat.wait(max(0.0, min(seconds, LONGEST_WAIT)))
        return f"{said}\nIt is your move." if seat.is_asked else said

    async def suggest(self) -> str:
        """Ask for the best action found, with reasons, if the match allows it."""
        return await self._typed("suggest")

    async def say(self, text: str) -> str:
        """Write to the others at the table."""
        return await self._typed(f"say {text}", self._here())

    async def rule(self, name: str) -> str:
        """Explain a rule or a trait, such as R-CONQ-3 or Weapons."""
        return rule(name)

    async def picture(self) -> Any:
        """Draw the board as it is now."""
        table = self._here().table
        detail = match_pb2.WatchRequest(state=True)
        token = next(iter(table.seats.values()), "")
        async for response in self._session.watch(table.match.match_id, token, detail=detail):
            if response.HasField("update"):
                shapes = await board_map(self._session, table.match)
                state = response.update.state
                svg = await asyncio.to_thread(board_svg.svg, shapes, table.names.board, state, table.names)
                return await asyncio.to_thread(_image, svg)
        return "The match has not started."

    async def record(self, match_id: str, file: str) -> str:
        """Save the record of a match to a file."""
        lines = (
            await self._session.call(self._session.match.GetRecord, match_pb2.GetRecordRequest(match_id=match_id))
        ).lines
        try:
            Path(file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        except OSError as error:
            raise Failed(f"{file} cannot be written: {error.strerror}") from None
        return f"{file}: {len(lines)} lines. `replay` tells it, `review` looks for mistakes."

    async def replay(self, file: str) -> str:
        """Tell a recorded game from its file."""
        return await _command("replay", "--line", file)

    async def review(self, file: str, seat: int = 0, simulations: int = SIMULATIONS) -> str:
        """Look for mistakes, turning points and luck in a recorded game. It takes minutes: less of one seat.

        Args:
            file: the record.
            seat: the seat whose turns are judged, from 1; all of them without.
            simulations: of each turn, from 20 on; four times as many give half the intervals and take longer.
        """
        words = ["--simulations", str(simulations), *(["--seat", str(seat)] if seat else [])]
        return await _command("review", file, "--with-stdin", *words)

    async def leave(self) -> str:
        """Leave the table; the seat is kept, and `join` returns to it."""
        seat, self._seat = self._here(), None
        await seat.leave()
        return "You have left the table."


@final
class Agents:
    """The tools of all agents that use one process: each has a name, and a seat of its own."""

    TOOLS: Final = (
        "servers", "matches", "create", "join", "watch", "look", "why", "act", "undo", "wait", "suggest", "say",
        "rule", "picture", "record", "replay", "review", "leave",
    )  # fmt: skip

    def __init__(self, address: str, access: Access, name: str) -> None:
        """`name` is that of an agent whose address has none."""
        self._new: Final = partial(AgentTools, address, access)
        self._usual: Final = name
        self._known: Final = {name: self._new(name)}
        self._open: Final = AsyncExitStack()

    @asynccontextmanager
    async def opened(self, _server: Any = None) -> AsyncIterator[None]:
        """Keep the connections of all agents open."""
        async with self._open:
            await self._open.enter_async_context(self._known[self._usual].opened())
            yield

    def all(self) -> Sequence[Callable[..., Awaitable[Any]]]:
        """Return the tools, each for the agent that calls it; their docstrings are what an agent reads."""
        return [_answered(self._of_caller(getattr(self._known[self._usual], name))) for name in self.TOOLS]

    def _of_caller(self, tool: Callable[P, Awaitable[Any]]) -> Callable[P, Awaitable[Any]]:
        @wraps(tool)
        async def run(*args: P.args, **kwargs: P.kwargs) -> Any:
            return await getattr(await self._caller(), tool.__name__)(*args, **kwargs)

        return run

    async def _caller(self) -> AgentTools:
        name = NAME.get() or self._usual
        if name not in self._known:
            if len(self._known) >= MOST_AGENTS:
                raise Failed(f"{MOST_AGENTS} agents are here already")
            self._known[name] = self._new(name)
            await self._open.enter_async_context(self._known[name].opened())
        return self._known[name]


def _who(seat: lobby_pb2.MatchSeat) -> str:
    if seat.kind == lobby_pb2.SEAT_KIND_DUMMY:
        return "dummy"
    return seat.player or (f"bot {seat.bot}" if seat.bot else "open")


def _image(svg: str) -> Any:
    """Return a drawing as an image of the protocol; as SVG text without the extra `picture`."""
    try:
        drawn = png(svg, *PICTURE)
    except ImportError:
        return svg
    return import_module("mcp.types").ImageContent(
        type="image", data=base64.b64encode(drawn).decode(), mime_type="image/png"
    )


async def _command(*words: str) -> str:
    """Return what a command of ours writes."""
    running = await asyncio.create_subprocess_exec(
        *processes.COMMAND, *words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT, env={**processes.environment(), "VINCI_LANG": "en"},
    )  # fmt: skip
    assert running.stdin is not None
    assert running.stdout is not None
    try:
        said = (await running.stdout.read()).decode(errors="replace").strip()
        failed = await running.wait()
    finally:
        running.stdin.close()  # with it the command ends if nobody waits for it any more
    if failed:
        raise Failed(said)
    return said
