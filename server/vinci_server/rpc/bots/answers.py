"""Plays the answers of bots, and continues without a bot that has answered wrongly too often."""

import asyncio
import time
from collections.abc import Callable
from typing import Final, final

import structlog

from vinci.v1 import bot_pb2 as pb
from vinci_rules.state import Seat

from ...errors import ServiceError
from ...limits import Bucket
from ...match.command_queue import Tasks, command
from ...match.match import Match
from ...match.parsing import parse_actions
from ...match.planning import check_revision
from ...match.time.timekeeper import RETRY_SECONDS
from ...metrics import Metrics
from .connected_bot import BotSeat, ConnectedBot
from .notes import NoteFiles

REFUSING_SECONDS: Final = 0.0001
"""CPU time of an answer that is refused, about. Those that are played are free."""
REFUSED_PER_SECOND: Final = 20.0
"""Refused answers of all streams with one key in a second; after more the next answers are read later."""
REFUSED_AT_ONCE: Final = 200
MOST_IN_VAIN: Final = 1000
"""Refused answers in a row, none of them played, after which the stream of a bot with a key ends."""
LONGEST_MATCH_ID: Final = 64
NO_FAULT: Final = frozenset(
    {"STALE_REVISION", "STORE_FAILED", "PAUSED", "SUBSTITUTED", "NOT_SUBSTITUTED", "MATCH_ENDED"}
)
"""Refusals that cost no try: the match went on, or the server failed, while the answer was under way."""

_log = structlog.get_logger()


@final
class BotAnswers:
    """Plays answers, counts the wrong ones and keeps notes. `send` sends the decision of a match to its bot again."""

    def __init__(self, metrics: Metrics, tasks: Tasks, send: Callable[[Match], None], notes: NoteFiles) -> None:
        self._notes: Final = notes
        self._metrics: Final = metrics
        self._tasks: Final = tasks
        self._send: Final = send
        self._refusals: Final[dict[str, Bucket]] = {}
        """Refused answers that are left to each name with a key."""
        self._spoilt: Final[dict[str, dict[tuple[Seat, str], tuple[int, int]]]] = {}
        """By match, then seat and role: the revision answered wrongly and the tries left, even when the bot is gone."""

    def forget(self, match: Match) -> None:
        """Forget the wrong answers in a match that is over."""
        self._spoilt.pop(match.match_id, None)
        self._notes.forget(match.match_id)

    async def answer(self, bot: ConnectedBot, answer: pb.Answer) -> None:
        """Play a bot's answer and send it the outcome, after others under way.

        Raises ServiceError as `check_reads`, and the last refusal after too many in a row.
        """
        bot.check_reads()
        left = self._refusals.get(bot.name) if bot.has_key else None
        if left is not None:
            if bot.last_refusal is not None and bot.in_vain >= MOST_IN_VAIN:
                raise bot.last_refusal
            if wait := left.wait(0, time.monotonic()):
                await asyncio.sleep(wait)
        if len(answer.match_id) > LONGEST_MATCH_ID:
            answer.match_id = ""
        await bot.under_way.acquire()
        game = bot.games.get((answer.match_id, Seat(answer.seat - 1)))
        if game is None:
            bot.under_way.release()
            self._refuse(bot, answer, ServiceError("NOT_YOUR_SEAT", "BOT"), 0)
            return
        game.match.queue.spawn(self._answer(game, answer))

    async def _answer(self, game: BotSeat, answer: pb.Answer) -> None:
        try:
            await self._play(game, answer)
        finally:
            game.bot.under_way.release()

    async def _play(self, game: BotSeat, answer: pb.Answer) -> None:
        try:
            check_revision(game.match.ledger, answer.revision)
            actions = parse_actions(answer.actions, game.match)
            outcome = await game.match.act(game.seat, game.by, actions, expected_revision=answer.revision)
        except ServiceError as error:
            revision = answer.revision
            stands = error.reason == "STALE_REVISION" and game.sent == game.match.revision
            is_stray = stands and not game.is_late(answer)
            if is_stray:
                # To no decision that was ever sent, while the present one is open: it costs a try of that one, which is
                # sent again, as no new one follows.
                revision = game.sent
            is_fault = is_stray or error.reason not in NO_FAULT
            tries_left = max(self._tries_left(game, revision) - is_fault, 0)
            if is_fault:
                self._spoilt.setdefault(answer.match_id, {})[game.seat, game.by] = revision, tries_left
            self._refuse(game.bot, answer, error, tries_left)
            if is_stray and tries_left:
                game.forget_decision()
                self._send(game.match)
            if is_fault and not tries_left:
                about = {"match": answer.match_id, "seat": answer.seat, "revision": revision}
                _log.warning("bot out of tries", bot=game.bot.name, **about)
                self._tasks.spawn(self._go_on_without(game, revision))
            return
        game.bot.in_vain = 0
        self._notes.keep(game.match.match_id, answer)
        if game.match.is_finished:  # it was forgotten before
            self._notes.forget(game.match.match_id)
        if outcome.refused is not None:
            tries = game.match.ledger.setup.mistakes.tries
            self._refuse(game.bot, answer, outcome.refused, tries, len(outcome.played))

    def _tries_left(self, game: BotSeat, revision: int) -> int:
        spoilt, left = self._spoilt.get(game.match.match_id, {}).get((game.seat, game.by), (-1, 0))
        return left if spoilt == revision else game.match.ledger.setup.mistakes.tries

    def _refuse(
        self, bot: ConnectedBot, answer: pb.Answer, error: ServiceError, tries_left: int, played: int = 0
    ) -> None:
        bot.payer.charge(REFUSING_SECONDS)
        bot.in_vain += 1
        bot.last_refusal = error
        if bot.has_key:
            now = time.monotonic()
            left = self._refusals.setdefault(bot.name, Bucket(REFUSED_PER_SECOND, REFUSED_AT_ONCE, now))
            left.charge(1, now)
        self._metrics.refused(error.reason)
        refused = pb.Refused(
            match_id=answer.match_id,
            seat=answer.seat,
            revision=answer.revision,
            tries_left=tries_left,
            played=played,
            refusal=error.refusal(),
        )
        bot.outgoing.put_nowait(pb.PlayResponse(refused=refused))

    async def _go_on_without(self, game: BotSeat, revision: int) -> None:
        while True:
            try:
                await _out_of_tries(game.match, game.seat, game.by, revision)
                return
            except ServiceError as error:
                if error.reason != "STORE_FAILED":
                    return  # the match cannot be read, which is logged
            await asyncio.sleep(RETRY_SECONDS)


@command
async def _out_of_tries(match: Match, seat: Seat, by: str, revision: int) -> None:
    """Apply the policy for mistakes, for a substitute the default action, unless the match has moved on."""
    ledger, is_substitute = match.ledger, by == "substitute"
    if (ledger.to_act(), ledger.revision, ledger.substituted[seat]) == (seat, revision, is_substitute):
        await match.pass_over(seat, "default" if is_substitute else ledger.setup.mistakes.after, "refused")
