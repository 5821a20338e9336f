"""The lobby in words: matches, seats, clocks, and the options of the rules."""

from collections import Counter
from collections.abc import Collection
from typing import Final

from vinci.v1 import lobby_pb2

from ...connection.seating import open_seats
from ...text import refusals
from ...text.i18n import _, plural, titled
from ...text.names import label
from ...text.tables import Line
from ...text.timing import mistakes_in_words

MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 86_400


def status(match: lobby_pb2.Match) -> str:
    """Status of a match."""
    if match.status == lobby_pb2.MATCH_STATUS_OPEN:
        return plural("{n} seat open", "{n} seats open", open_seats(match)) if open_seats(match) else _("full")
    if match.status == lobby_pb2.MATCH_STATUS_RUNNING:
        where = _("round {n}").format(n=match.round) if match.round else _("opening draft")
        return _("{where}, paused").format(where=where) if match.paused else where
    return _("ended") if match.status == lobby_pb2.MATCH_STATUS_ENDED else _("over")


def kind(setup: lobby_pb2.SeatSetup | lobby_pb2.MatchSeat) -> str:
    """Kind of player of a seat."""
    if setup.kind == lobby_pb2.SEAT_KIND_HUMAN:
        return _("person")
    if setup.kind == lobby_pb2.SEAT_KIND_DUMMY:
        return _("dummy")
    return _("bot {name}").format(name=label(setup.bot)) if setup.bot else _("any bot")


def readiness(seat: lobby_pb2.MatchSeat) -> tuple[str, str]:
    """Readiness of a seat, and the style of the text."""
    if seat.kind == lobby_pb2.SEAT_KIND_DUMMY:
        return _("ready"), ""
    if not seat.taken:
        return _("open") if seat.kind == lobby_pb2.SEAT_KIND_HUMAN else _("waits for the bot"), "class:hint"
    if seat.substituted:
        return _("a substitute plays"), "class:hint"
    if seat.connected:
        return _("ready"), ""
    return (_("is away"), "class:error") if seat.kind == lobby_pb2.SEAT_KIND_HUMAN else (_("comes at the start"), "")


def player_text(seat: lobby_pb2.MatchSeat) -> str:
    """Player of a seat in one or two words."""
    if seat.kind == lobby_pb2.SEAT_KIND_DUMMY:
        return _("dummy")
    if seat.taken:
        return label(seat.player) or _("seat {seat}").format(seat=seat.seat)
    return _("(open)") if seat.kind == lobby_pb2.SEAT_KIND_HUMAN else _("({bot})").format(bot=kind(seat))


def seats(match: lobby_pb2.Match) -> str:
    """Players of a match in one line."""
    return ", ".join(player_text(seat) for seat in match.seats)


def opponents(match: lobby_pb2.Match, own: Collection[int]) -> str:
    """Players of the other seats in one line, those of one name counted."""
    names = Counter(player_text(seat) for seat in match.seats if seat.seat not in own)
    times = "\N{MULTIPLICATION SIGN}"
    return ", ".join(name if number == 1 else f"{name} {times}{number}" for name, number in names.items())


def clock(timing: lobby_pb2.Timing) -> str:
    """The clock in a few words."""
    if timing.decision_seconds:
        return _("{time} a decision").format(time=short(timing.decision_seconds))
    if timing.bank_seconds:
        bank = short(timing.bank_seconds)
        more = short(timing.increment_seconds)
        return _("{time} + {more}").format(time=bank, more=more) if timing.increment_seconds else bank
    return _("no clock")


def short(seconds: int) -> str:
    """Seconds in the largest units that fit: 30 s, 10 min, 1 h 30 min."""
    parts = []
    for size, form in ((DAY, _("{n} d")), (HOUR, _("{n} h")), (MINUTE, _("{n} min")), (1, _("{n} s"))):
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(form.format(n=number))
    return " ".join(parts) or _("{n} s").format(n=0)


def age(seconds: float) -> str:
    """Rough age in one unit."""
    whole = max(int(seconds), 0)
    for size in (DAY, HOUR, MINUTE):
        if whole >= size:
            return short(whole // size * size)
    return _("new")


def rules_in_short(match: lobby_pb2.Match, default_board: str) -> str:
    """Edition, board and options that differ from the default."""
    words = [match.options.edition] if match.options.edition not in ("", "standard") else []
    words += [match.board] if match.board != default_board else []
    words += [f"{name}={value}" for name, value in sorted(match.options.settings.items())]
    return ", ".join(words) or _("standard")


def details(match: lobby_pb2.Match, own: Collection[int] = ()) -> list[Line]:
    """All details of a match, one line each."""
    lines: list[Line] = []
    for seat in match.seats:
        is_ready, style = readiness(seat)
        mine = _(" (you)") if seat.seat in own else ""
        vp = _(", {vp} VP").format(vp=match.vp[seat.seat - 1]) if match.vp else ""
        rank = _(", rank {rank}").format(rank=match.ranks[seat.seat - 1]) if match.ranks else ""
        state = "" if seat.seat in own or match.status > lobby_pb2.MATCH_STATUS_RUNNING else f" · {is_ready}"
        name = _("{seat} {who}").format(seat=seat.seat, who=player_text(seat))
        lines.append([(f"class:seat{seat.seat}", name), ("", f"{mine}{vp}{rank}"), (style, state)])
    rules = _("Rules: {edition}; board: {board}.").format(edition=match.options.edition, board=match.board)
    lines.append([("", rules)])
    lines += [[("", titled(option(name)) + value(setting))] for name, setting in sorted(match.options.settings.items())]
    lines.append([("", _("Clock: {clock}.").format(clock=clock(match.timing)))])
    if match.timing.absence_seconds:
        away = short(match.timing.absence_seconds)
        lines.append([("", _("A substitute plays for whoever is away for {time}.").format(time=away))])
    lines += [[("", text)] for text in mistakes_in_words(match.mistakes)]
    if match.no_advice:
        lines.append([("", _("No suggestions in this match."))])
    if match.sealed:
        lines.append([("", _("Sealed seed: the creator of the match chose it; all others see it after the game."))])
    elif match.seed:
        lines.append([("", _("Open game, seed {seed}.").format(seed=match.seed))])
    if match.from_position:
        lines.append([("", _("It began from a position."))])
    if match.ended:
        lines.append([("", _("It was ended: {why}.").format(why=refusals.phrase(match.ended)))])
    lines.append([("class:faint", _("Match {id}").format(id=match.match_id))])
    return lines


def option(name: str) -> str:
    """Name of an option of the rules."""
    return {
        "own_decline_contact": _("Touching one's own decline"),
        "heritage_conquest": _("Conquering Heritage provinces"),
        "landless_empire": _("An empire without land"),
        "landless_entry": _("Entering without land"),
        "split_empire": _("An empire that is cut apart"),
        "give_up": _("Giving up provinces"),
        "galleys_on_entry": _("Galleys on entry"),
        "forts_by_sea": _("Forts across the sea"),
        "identical_pair": _("Two identical traits"),
        "deck": _("Traits in the bag"),
        "redeployment": _("Placing survivors"),
        "decline_score": _("Score in the turn of decline"),
        "dummy_tie": _("Ties of a dummy"),
        "dummy_preference": _("What a dummy conquers first"),
        "dummy_spies": _("Spies of a dummy"),
        "target": _("VP that end the game"),
        "max_rounds": _("Most rounds"),
        "dummy_start_vp": _("VP of a dummy at the start"),
        "dummy_extra_pawns": _("Additional pawns of a dummy"),
    }.get(name, name.replace("_", " "))


def value(setting: str) -> str:
    """Value of an option for people."""
    return {
        "evacuate": _("evacuate what is touched"),
        "forbid": _("forbidden"),
        "allowed": _("allowed"),
        "forbidden": _("forbidden"),
        "choice": _("decline or go on"),
        "auto_decline": _("declines by itself"),
        "auto_decline_no_pawn": _("declines when out of pawns"),
        "regroup": _("pawns come back"),
        "lose": _("pawns are lost"),
        "lose_at_end": _("pawns left behind are lost"),
        "only_if_forced": _("if pawns are missing"),
        "free": _("as one likes"),
        "forced": _("required if affordable"),
        "astronomy": _("with Astronomy"),
        "lasting": _("lasting traits"),
        "all": _("all traits"),
        "yes": _("yes"),
        "no": _("no"),
        "redraw": _("drawn again"),
        "keep": _("kept"),
        "author": _("the author's"),
        "printed": _("as printed"),
        "manual": _("by their owner"),
        "automatic": _("by the server"),
        "random": _("by chance"),
        "real_player": _("against a real player"),
        "value": _("what is worth most"),
        "formula": _("by the formula"),
        "always": _("whenever they save pawns"),
        "tie": _("at equal costs"),
    }.get(setting, setting.replace("_", " "))
