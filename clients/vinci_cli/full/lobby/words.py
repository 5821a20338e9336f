"""The lobby in words: matches, seats, clocks, and the options of the rules."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from vinci.v1 import game_pb2, lobby_pb2

from ...connection.seating import open_seats
from ...text import refusals
from ...text.i18n import _, language, titled
from ...text.names import label as bot
from ...text.names import text_in
from ...text.sentences import sentence
from ...text.tables import Line
from ...text.timing import in_words, mistakes_in_words

MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 86_400


def status(match: lobby_pb2.Match) -> str:
    """Status of a match."""
    facts = {"status": match.status, "open": open_seats(match), "round": match.round, "paused": match.paused}
    return sentence("match_status", facts)


def kind(setup: lobby_pb2.SeatSetup | lobby_pb2.MatchSeat) -> str:
    """Kind of player of a seat."""
    if setup.kind == lobby_pb2.SEAT_KIND_HUMAN:
        return _("person")
    if setup.kind == lobby_pb2.SEAT_KIND_DUMMY:
        return _("dummy")
    return _("computer player {name}").format(name=bot(setup.bot)) if setup.bot else _("any computer player")


def readiness(seat: lobby_pb2.MatchSeat) -> tuple[str, str]:
    """Readiness of a seat, and the style of the text."""
    said = sentence("readiness", seat)
    if seat.kind != lobby_pb2.SEAT_KIND_DUMMY and (not seat.taken or seat.substituted):
        return said, "class:hint"
    is_away = seat.kind == lobby_pb2.SEAT_KIND_HUMAN and not seat.connected
    return said, "class:error" if is_away else ""


def player_text(seat: lobby_pb2.MatchSeat) -> str:
    """Player of a seat in one or two words."""
    if seat.kind == lobby_pb2.SEAT_KIND_DUMMY:
        return _("dummy")
    if seat.taken:
        return bot(seat.player) or _("seat {seat}").format(seat=seat.seat)
    if seat.kind == lobby_pb2.SEAT_KIND_HUMAN:
        return _("(open)")
    return _("({bot})").format(bot=bot(seat.bot) or _("computer player"))


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


def details(match: lobby_pb2.Match, fields: Sequence[lobby_pb2.MatchField], own: Collection[int] = ()) -> list[Line]:
    """All details of a match, one line each; `fields` are those that the server describes."""
    lines: list[Line] = []
    for seat in match.seats:
        is_ready, style = readiness(seat)
        mine = _(" (you)") if seat.seat in own else ""
        vp = _(", {vp} VP").format(vp=match.vp[seat.seat - 1]) if match.vp else ""
        rank = _(", rank {rank}").format(rank=match.ranks[seat.seat - 1]) if match.ranks else ""
        state = "" if seat.seat in own or match.status > lobby_pb2.MATCH_STATUS_RUNNING else f" · {is_ready}"
        name = _("{seat} {who}").format(seat=seat.seat, who=player_text(seat))
        lines.append([(f"class:seat{seat.seat}", name), ("", f"{mine}{vp}{rank}"), (style, state)])
    lines += [[("", text)] for text in (_choices(match, fields) if fields else _by_older_server(match))]
    if match.ended:
        lines.append([("", _("It was ended: {why}.").format(why=refusals.phrase(match.ended)))])
    lines.append([("class:faint", _("Match {id}").format(id=match.match_id))])
    return lines


def _choices(match: lobby_pb2.Match, fields: Sequence[lobby_pb2.MatchField]) -> list[str]:
    """Return what is told of every match in one line, and each other choice in its own."""
    texts = {
        field.text.code: titled(label(field)) + value(field, match.choices.get(field.text.code, "")) for field in fields
    }
    usual = [field.text.code for field in fields if field.always]
    others = [field.text.code for field in fields if field.text.code in match.choices and not field.always]
    return [" · ".join(map(texts.__getitem__, usual)), *map(texts.__getitem__, others)]


def _by_older_server(match: lobby_pb2.Match) -> list[str]:
    rules = _("Rules: {edition}; board: {board}.").format(edition=match.options.edition, board=match.board)
    settings = [f"{name}={value}" for name, value in sorted(match.options.settings.items())]
    return [rules, *settings, *in_words(match.timing), *mistakes_in_words(match.mistakes)]


def fields(info: lobby_pb2.GetServerInfoResponse) -> Sequence[lobby_pb2.MatchField]:
    """Return what can be chosen for a match and is told of one; of an older server seats, board, edition and rules."""
    return info.match_fields or list(_of_older_server(info))


def _of_older_server(info: lobby_pb2.GetServerInfoResponse) -> Iterator[lobby_pb2.MatchField]:
    def text(words: str, code: str = "") -> game_pb2.LocalizedText:
        return game_pb2.LocalizedText(code=code, names={"en": words})

    def choice(code: str, label: str, group: str, values: Sequence[str], rule: str = "") -> lobby_pb2.MatchField:
        texts = [text(_("as usual")), *(text(value, value) for value in values)]
        kind = lobby_pb2.MATCH_FIELD_KIND_CHOICE
        return lobby_pb2.MatchField(text=text(label, code), kind=kind, group=text(group), values=texts, rule=rule)

    seats = lobby_pb2.MatchField(
        text=text(_("How many"), "seats"), kind=lobby_pb2.MATCH_FIELD_KIND_SEATS, least=3, most=6
    )
    seats.group.CopyFrom(text(_("Seats")))
    yield seats
    yield choice("board", _("Board"), _("Game"), info.boards)
    yield choice("edition", _("Edition"), _("Game"), info.editions)
    for option in info.options:
        values = () if option.number else option.values
        field = choice(option.name, option.name.replace("_", " "), _("Single rules"), values, option.rule)
        if option.number:
            field.kind = lobby_pb2.MATCH_FIELD_KIND_NUMBER
            field.least, field.most = map(int, option.values)
        yield field


def label(field: lobby_pb2.MatchField) -> str:
    """Return the name of a field."""
    return text_in(language(), field.text.names, field.text.code)


def value(field: lobby_pb2.MatchField, chosen: str) -> str:
    """Return the text of a value of a field."""
    texts = {text.code: text.names for text in field.values}
    if chosen in texts:
        return text_in(language(), texts[chosen], chosen)
    is_time = field.kind == lobby_pb2.MATCH_FIELD_KIND_SECONDS and chosen.isdecimal()
    shown = short(int(chosen)) if is_time else bot(chosen)
    return text_in(language(), texts.get("*", {}), "{value}").replace("{value}", shown)
