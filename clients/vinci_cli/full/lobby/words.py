"""The lobby in words: matches, seats, clocks, and the options of the rules."""

from collections import Counter
from collections.abc import Collection
from typing import Final

from vinci.v1 import lobby_pb2

from ...connection.seating import open_seats
from ...text import refusals
from ...text.i18n import N_, _, plural, titled
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


OPTIONS: Final = {
    "own_decline_contact": N_("Touching one's own decline"),
    "heritage_conquest": N_("Conquering Heritage provinces"),
    "landless_empire": N_("An empire without land"),
    "landless_entry": N_("Entering without land"),
    "split_empire": N_("An empire that is cut apart"),
    "give_up": N_("Giving up provinces"),
    "galleys_on_entry": N_("Galleys on entry"),
    "forts_by_sea": N_("Forts across the sea"),
    "identical_pair": N_("Two identical traits"),
    "deck": N_("Traits in the bag"),
    "redeployment": N_("Placing survivors"),
    "decline_score": N_("Score in the turn of decline"),
    "dummy_tie": N_("Ties of a dummy"),
    "dummy_preference": N_("What a dummy conquers first"),
    "dummy_spies": N_("Spies of a dummy"),
    "target": N_("VP that end the game"),
    "max_rounds": N_("Most rounds"),
    "dummy_start_vp": N_("VP of a dummy at the start"),
    "dummy_extra_pawns": N_("Additional pawns of a dummy"),
}
"""Names of the options of the rules, in English."""

VALUES: Final = {
    "evacuate": N_("evacuate what is touched"),
    "forbid": N_("forbidden"),
    "allowed": N_("allowed"),
    "forbidden": N_("forbidden"),
    "choice": N_("decline or go on"),
    "auto_decline": N_("declines by itself"),
    "auto_decline_no_pawn": N_("declines when out of pawns"),
    "regroup": N_("pawns come back"),
    "lose": N_("pawns are lost"),
    "lose_at_end": N_("pawns left behind are lost"),
    "only_if_forced": N_("if pawns are missing"),
    "free": N_("as one likes"),
    "forced": N_("required if affordable"),
    "astronomy": N_("with Astronomy"),
    "lasting": N_("lasting traits"),
    "all": N_("all traits"),
    "yes": N_("yes"),
    "no": N_("no"),
    "redraw": N_("drawn again"),
    "keep": N_("kept"),
    "author": N_("the author's"),
    "printed": N_("as printed"),
    "manual": N_("by their owner"),
    "automatic": N_("by the server"),
    "random": N_("by chance"),
    "real_player": N_("against a real player"),
    "value": N_("what is worth most"),
    "formula": N_("by the formula"),
    "always": N_("whenever they save pawns"),
    "tie": N_("at equal costs"),
}
"""Values of options for people, in English."""


def option(name: str) -> str:
    """Name of an option of the rules."""
    return _(OPTIONS.get(name, "")) or name.replace("_", " ")


def value(setting: str) -> str:
    """Value of an option for people."""
    return _(VALUES.get(setting, "")) or setting.replace("_", " ")
