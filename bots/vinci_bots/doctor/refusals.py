"""Checks in which an answer comes to nothing: illegal, unreadable, too late, or once too often.

A good bot gives no such answers. So the doctor puts them in place of what the bot answered, or holds its answer back.
"""

import asyncio
from collections.abc import AsyncIterator
from math import inf
from typing import Final, final

from vinci.v1 import lobby_pb2, match_pb2
from vinci.v1.bot_pb2 import PlayRequest, PlayResponse, Refused
from vinci.v1.game_pb2 import Action, Refusal

from .relay import Tampering
from .results import Fault
from .tested_bot import TestedBot
from .tested_game import TestedGame

ILLEGAL: Final = [Action(notation="stay")]
"""Action that is never legal in a draft, the first decision."""
UNREADABLE: Final = [Action(notation="hocus pocus")]
LATE_SECONDS: Final = 2
UNKNOWN: Final = PlayResponse.FromString(b"\xa2\x06\x05later")
"""Message with an unknown field (100), as from a later version."""
FOREIGN: Final = PlayResponse(
    refused=Refused(match_id="elsewhere", seat=1, tries_left=2, refusal=Refusal(reason="NOT_YOUR_SEAT"))
)
"""Refusal of an answer that the bot never gave."""


@final
class _Spoilt(Tampering):
    """Replace the first answers to the first decision."""

    def __init__(self, actions: list[Action], times: float) -> None:
        self._actions: Final = actions
        self._left = times
        self._spoilt: int | None = None

    async def up(self, answer: PlayRequest) -> AsyncIterator[PlayRequest]:
        if self._left and self._spoilt in (None, answer.answer.revision):
            self._left -= 1
            self._spoilt = answer.answer.revision
            altered = PlayRequest()
            altered.CopyFrom(answer)
            del altered.answer.actions[:]
            altered.answer.actions.extend(self._actions)
            yield altered
        else:
            yield answer


@final
class _Late(Tampering):
    """Delay the first answer until the default action was played instead."""

    def __init__(self) -> None:
        self._held = False
        self._too_late: Final = asyncio.Event()

    async def up(self, answer: PlayRequest) -> AsyncIterator[PlayRequest]:
        if not self._held:
            self._held = True
            await self._too_late.wait()
        yield answer

    def see(self, message: match_pb2.WatchResponse) -> None:
        if message.update.by == "default":
            self._too_late.set()


@final
class _Strange(Tampering):
    """Add messages of unknown kinds to each response."""

    async def down(self, response: PlayResponse) -> AsyncIterator[PlayResponse]:
        yield UNKNOWN
        yield response
        if response.HasField("decision"):
            yield FOREIGN


async def illegal(bot: TestedBot) -> str:
    """Check that the bot answers again after an illegal answer."""
    return _answered_again(await bot.play("illegal", _Spoilt(ILLEGAL, 1)))


async def nonsense(bot: TestedBot) -> str:
    """Check that the bot answers again after an unreadable answer."""
    return _answered_again(await bot.play("nonsense", _Spoilt(UNREADABLE, 1)))


async def tries(bot: TestedBot) -> str:
    """Check that the bot goes on after its last try was refused and the default action played."""
    return _went_on(await bot.play("tries", _Spoilt(ILLEGAL, inf)))


async def late(bot: TestedBot) -> str:
    """Check that the bot goes on after a late answer and does not repeat it."""
    tampering, late = _Late(), lobby_pb2.TIMEOUT_POLICY_DEFAULT_ACTION
    return _went_on(await bot.play("late", tampering, seconds=LATE_SECONDS, late=late))


async def unknown(bot: TestedBot) -> str:
    """Check that the bot ignores unknown messages."""
    played = await bot.play("unknown", _Strange())
    played.must_be_played()
    for refused in played.talk.refusals():
        if refused.match_id != FOREIGN.refused.match_id:
            raise Fault(
                f"it answered once more ({refused.refusal.reason}) when the answer of another game was refused: "
                "match_id and seat tell whose a message is"
            )
    return "passed over"


def _answered_again(played: TestedGame) -> str:
    played.must_be_played()
    _must_not_insist(played)
    first = played.talk.refusals()[0]
    answers = sum(answer.revision == first.revision for answer in played.talk.answers())
    if answers < 2:
        raise Fault("it did not answer again: a refused decision stands as long as tries_left is above 0")
    return f"refused once, answered again with tries_left {first.tries_left}"


def _went_on(played: TestedGame) -> str:
    played.must_be_played()
    _must_not_insist(played)
    refusals = played.talk.refusals()
    if not refusals:
        raise Fault("it answered nothing")
    later = [answer for answer in played.talk.answers() if answer.revision > refusals[0].revision]
    if not later:
        raise Fault("it answered nothing any more: the next decision comes when it is its turn again")
    return f"{len(later)} answers afterwards"


def _must_not_insist(played: TestedGame) -> None:
    """Raise Fault if the bot answered a decision that a refusal had closed."""
    settled: dict[int, str] = {}
    for message in played.talk.messages:
        match message.WhichOneof("kind"), message:
            case "refused", PlayResponse(refused=refused):
                if not refused.tries_left or refused.refusal.reason == "STALE_REVISION":
                    settled[refused.revision] = refused.refusal.reason if refused.tries_left else "tries_left 0"
            case "answer", PlayRequest(answer=answer) if answer.revision in settled:
                why = settled[answer.revision]
                raise Fault(f"it answered once more after {why}: it has to wait for the next decision")
