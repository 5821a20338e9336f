"""Fields of a match, by match_fields.toml and options of the rules: described, read of a request, told of a match."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from operator import attrgetter
from typing import Any, Final

from vinci.v1 import game_pb2
from vinci.v1 import lobby_pb2 as pb
from vinci_refusals.clock import Clock, written
from vinci_refusals.wording import Refused
from vinci_rules.board import DEFAULT_BOARD, board_texts
from vinci_rules.data import LocalizedText
from vinci_rules.editions import EDITIONS, LONGEST_SHOWN, NUMBERS, option_kinds, texts

POLICIES: Final = {"substitute": pb.TIMEOUT_POLICY_SUBSTITUTE, "forfeit": pb.TIMEOUT_POLICY_FORFEIT}
RATED: Final = {"no": pb.RATED_NO, "yes": pb.RATED_YES}
VALUES: Final[dict[str, Mapping[str, int]]] = {
    "advice": {"none": True},
    "timeout": POLICIES,
    "start": {"host": False},
    "refused": POLICIES,
    "rated": RATED,
    "sealed": {"yes": True},
    "from_position": {"yes": True},
}
"""Values in messages, by field and code, where they are no texts or numbers."""

_TABLE: Final[dict[str, Any]] = tomllib.loads((files("vinci_codec") / "match_fields.toml").read_text(encoding="utf-8"))
_ROWS: Final[dict[str, dict[str, Any]]] = _TABLE["fields"]
_PATHS: Final[dict[str, str]] = {code: row["path"] for code, row in _ROWS.items() if "path" in row}
_IN_MATCH: Final = {code: attrgetter(path) for code, path in _PATHS.items() if code not in ("clock", "start")}
_CODES: Final[dict[str, dict[int, str]]] = {
    code: {value: name for name, value in values.items()} for code, values in VALUES.items()
}
_USUAL: Final = {"board": DEFAULT_BOARD, "edition": EDITIONS[0], "tries": _ROWS["tries"]["usual"]}


@cache
def described() -> Mapping[str, pb.MatchField]:
    """Return the description of every field by its code, in the order of a form."""
    rules = {field.text.code: field for field in _rules()}
    fields = {}
    for code, row in _ROWS.items():
        field = fields[code] = rules.pop(code) if code in rules else _described(code, row)
        if "group" in row:
            field.group.CopyFrom(_group(row["group"]))
    return fields | rules


def spread(request: pb.CreateMatchRequest) -> pb.CreateMatchRequest:
    """Return a request with rules alone in its settings, and the other fields where a request has them.

    Raises Refused for a setting that is no field, and for a value that its field cannot have.
    """
    result = pb.CreateMatchRequest()
    result.CopyFrom(request)
    fields = {code: field for code, field in described().items() if field.rule or (code in _PATHS and field.group.code)}
    for code, typed in request.options.settings.items():
        if code not in fields:
            raise Refused("BAD_OPTION", "OPTION", option=code, known=", ".join(fields))
        if code not in _PATHS:
            continue
        del result.options.settings[code]
        if text := typed.strip():
            parents, _, name = _PATHS[code].rpartition(".")
            setattr(attrgetter(parents)(result) if parents else result, name, _read(fields[code], text))
    return result


def choices(match: pb.Match) -> dict[str, str]:
    """Return the values of a match by the code of their field, as far as they are not the usual ones."""
    timing = match.timing
    values = dict(match.options.settings)
    values["clock"] = written(Clock(timing.decision_seconds, timing.bank_seconds, timing.increment_seconds))
    for code, get in _IN_MATCH.items():
        value: Any = get(match) if code != "seed" or not match.sealed else ""
        values[code] = _CODES[code].get(value, "") if code in _CODES else str(value or "")
    return {code: value for code, value in values.items() if value and value != _USUAL.get(code)}


def _read(field: pb.MatchField, text: str) -> int | str:
    """Return the value in messages of a typed one."""
    code, values = field.text.code, VALUES.get(field.text.code)
    option = f"{code}={text if len(text) <= LONGEST_SHOWN else f'{text[:LONGEST_SHOWN]}...'}"
    if values is not None:
        if text not in values:
            raise Refused("BAD_OPTION", "CHOICE", option=option, known=", ".join(values))
        return values[text]
    if field.kind not in (pb.MATCH_FIELD_KIND_NUMBER, pb.MATCH_FIELD_KIND_SECONDS):
        return text
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not field.least <= int(text) <= field.most:
        raise Refused("BAD_OPTION", "COUNT", option=option, least=field.least, most=field.most)
    return int(text)


def _described(code: str, row: Mapping[str, Any]) -> pb.MatchField:
    optional = ("least", "most", "proposed", "only_if", "rule", "remote", "always")
    values = [_text(value, names) for value, names in row.get("values", {}).items()]
    return pb.MatchField(
        text=game_pb2.LocalizedText(code=code, names=row["label"], descriptions=row.get("help")),
        kind=pb.MatchFieldKind.Value(f"MATCH_FIELD_KIND_{row['kind'].upper()}"),
        values={"board": _named(board_texts()), "edition": _named(_editions())}.get(code, values),
        **{key: row[key] for key in optional if key in row},
    )


def _rules() -> Iterable[pb.MatchField]:
    labels, values = texts("option"), texts("value")
    for kind in option_kinds():
        yield pb.MatchField(
            text=_message(labels[kind.name]),
            kind=pb.MATCH_FIELD_KIND_CHOICE,
            group=_group("rules"),
            values=[_message(values[value]) for value in kind.values],
            rule=kind.rule,
            by_edition={"" if name == EDITIONS[0] else name: value for name, value in kind.by_edition.items()},
        )
    for name, (least, most, rule) in NUMBERS.items():
        yield pb.MatchField(
            text=_message(labels[name]),
            kind=pb.MATCH_FIELD_KIND_NUMBER,
            group=_group("rules"),
            values=[_text("", _TABLE["usual"]["label"])],
            least=least,
            most=most,
            rule=rule,
        )


def _editions() -> list[LocalizedText]:
    return [texts("edition")[name] for name in EDITIONS]


def _named(values: Iterable[LocalizedText]) -> list[game_pb2.LocalizedText]:
    """Return the texts of boards or editions, the usual one first and without its code."""
    usual = _USUAL.values()
    messages = [_message(text) for text in sorted(values, key=lambda text: text.code not in usual)]
    messages[0].code = ""
    return messages


def _group(code: str) -> game_pb2.LocalizedText:
    return _text(code, _TABLE["groups"][code])


def _text(code: str, names: Mapping[str, str]) -> game_pb2.LocalizedText:
    return game_pb2.LocalizedText(code=code, names=names)


def _message(text: LocalizedText) -> game_pb2.LocalizedText:
    return game_pb2.LocalizedText(code=text.code, names=text.names, descriptions=text.descriptions)
