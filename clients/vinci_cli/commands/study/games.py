"""Commands that need no server: games in one process, records, positions.

With `recorded`, the only part of the client that knows rules.
"""

import asyncio
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict

from vinci_bots.builtin import selfplay as bots
from vinci_bots.builtin.policies import POLICIES
from vinci_codec import catalogue as messages
from vinci_codec import events, states
from vinci_codec.board_map import board_map
from vinci_codec.refusals import refusal
from vinci_rules import notation, position, record
from vinci_rules.board import Board, load_board
from vinci_rules.chance import FairChance
from vinci_rules.editions import Setting, options
from vinci_rules.engine import apply, check, explain
from vinci_rules.events import Event
from vinci_rules.state import State

from ...exceptions import Failed, Misused
from ...graphics import board_svg
from ...records.loader import lines_of, load, names_of
from ...text import events as words
from ...text import refusals
from ...text.i18n import _, plural
from ...text.names import Catalogue
from .. import progress


def selfplay(
    players: str,
    games: int,
    seed: str,
    board: str,
    edition: str,
    settings: Mapping[str, Setting],
    *,
    as_json: bool,
    records: Path | None,
) -> None:
    """Play games among policies and print one line for each."""
    names = [name.strip() for name in players.split(",") if name.strip()]
    if unknown := [name for name in names if name not in POLICIES]:
        told = _("unknown player {players}; known: {known}")
        raise Misused(told.format(players=", ".join(unknown), known=", ".join(POLICIES)))
    try:
        rules = options(tuple(name == "dummy" for name in names), edition, **settings)
        FairChance(seed)
        FairChance(f"{seed}-{games}")
        played = bots.games(names, load_board(board), rules, games, seed)
    except ValueError as error:
        raise Misused(refusals.sentence(error)) from None
    labels = [f"{name} ({seat})" for seat, name in enumerate(names, start=1)]
    wins: dict[int, float] = {}
    for game in progress.shown(played, games, _("games")):
        share = 1 / game.ranks.count(1)
        for seat, rank in enumerate(game.ranks, start=1):
            wins[seat] = wins.get(seat, 0) + (share if rank == 1 else 0)
        if records is not None:
            records.mkdir(parents=True, exist_ok=True)
            text = "".join(f"{line}\n" for line in game.lines)
            (records / f"{game.seed}.jsonl").write_text(text, encoding="utf-8")
        if as_json:
            _print(json.dumps(game.summary()))
        else:
            scores = "  ".join(f"{label} {vp}" for label, vp in zip(labels, game.vp, strict=True))
            after = plural("after {n} rounds", "after {n} rounds", game.rounds)
            _print(f"{game.seed}: {scores}  {after}")
    if not as_json:
        table = "  ".join(f"{label} {wins.get(seat, 0) / games:.1%}" for seat, label in enumerate(labels, start=1))
        _print(_("wins: {table}").format(table=table))


def replay(path: Path, *, verify: bool, as_json: bool) -> None:
    """Print a recorded game in words, or as JSON; with `verify` draw everything again. Raises Failed."""
    if as_json:
        _replay_as_json(path)
    else:
        played = load(path)
        game = played.from_start()
        while game.show_next():
            while game.log:
                _print(game.log.popleft().text)
        if played.fault:
            raise Failed(f"{path}: {played.fault}")
        if not game.is_over():
            _print(_("The record ends here; the game does not."))
    if verify:
        _verify(path, as_json=as_json)


def _replay_as_json(path: Path) -> None:
    try:
        for step in record.replay(lines_of(path)):
            _print(json.dumps(_step(step)))
    except record.RecordError as error:
        raise Failed(f"{path}: {error}") from None


def _verify(path: Path, *, as_json: bool) -> None:
    lines = lines_of(path)
    try:
        draws = record.verify_chance(lines)
    except record.RecordError as error:
        raise Failed(f"{path}: {error}") from None
    if not as_json:
        text = _("verified: {lines} lines as they were written, {draws} draws as the seed gives them")
        _print(text.format(lines=len(lines), draws=draws))


def show_replay(path: Path) -> None:
    """See a recorded game again in full screen. A record that breaks off is shown so far, then it is a failure."""
    from ...full.replay.review import look_back
    from ...full.ui import filled

    played = load(path)

    async def show() -> None:
        async with filled() as face:
            await look_back(face.app, played, path.with_suffix(".html"), summary=False)

    with suppress(EOFError, asyncio.CancelledError):  # the terminal is gone, or it was told to end
        asyncio.run(show())
    if played.fault:
        raise Failed(f"{path}: {played.fault}")


def write_page(path: Path, html: Path) -> None:
    """Write a recorded game as one HTML page. A record that breaks off is written so far, then it is a failure."""
    from ...graphics import html_report

    played = load(path)
    try:
        html_report.save(html, played)
    except OSError as error:
        raise Failed(_("{path} cannot be written: {why}").format(path=html, why=error.strerror)) from None
    if played.fault:
        raise Failed(f"{path}: {played.fault}")


def analyze(text: str, actions: Sequence[str], *, legal: bool, as_json: bool) -> None:
    """What can be done in a position, or what actions do there."""
    try:
        state = position.read(text)
    except position.PositionError as error:
        if as_json:
            _print(json.dumps({"faults": error.faults}))
        raise impossible(error) from None
    names = names_of(state.board)
    answer: dict[str, Any] = {"position": position.write(state)}
    if actions:
        answer |= _play(state, actions, names, as_json=as_json)
    if legal or not actions:
        answer["legal"] = MessageToDict(states.legal(state), preserving_proto_field_name=True)
        if not as_json:
            _print(json.dumps(answer["legal"], indent=1))
    if as_json:
        _print(json.dumps(answer))
    elif actions and "violation" not in answer:
        _print(answer["position"])
    if "error" in answer:
        raise Misused(answer["error"])
    if "violation" in answer:
        sys.exit(1)


def _play(state: State, texts: Sequence[str], names: Catalogue, *, as_json: bool) -> dict[str, Any]:
    chance = FairChance("analysis")
    steps: list[dict[str, Any]] = []
    for text in texts:
        try:
            action = notation.read(text, state.board)
        except notation.NotationError as error:
            why = refusals.sentence(error)
            return {"steps": steps, "error": f"{text!r}: {why}", "position": position.write(state)}
        parts = explain(state, action)
        violation = check(state, action)
        if violation is not None:
            message = refusal(violation, state.board)
            facts = {"action": text, "rule": message.rule, "reason": message.reason, "facts": dict(message.facts)}
            if not as_json:
                _print(f"{text}: {words.refusal(message, names)}")
            return {"steps": steps, "violation": facts | {"cost": dict(parts)}, "position": position.write(state)}
        happened: list[Event] = []
        apply(state, action, chance, happened)
        steps.append(
            {
                "action": notation.write(action, state.board),
                "cost": dict(parts),
                "events": [_event(event, state.board) for event in happened],
            }
        )
        if not as_json:
            for event in happened:
                _print_lines(words.told(events.event(event, state.board), names))
    return {"steps": steps, "position": position.write(state)}


def _step(step: record.Step) -> dict[str, Any]:
    action = None if step.action is None else notation.write(step.action, step.state.board)
    return {
        "line": step.line,
        "seat": None if step.seat is None else step.seat + 1,
        "by": step.by,
        "action": action,
        "events": [_event(event, step.state.board) for event in step.events],
        "vp": list(step.state.vp),
        "position": position.write(step.state),
    }


def _event(event: Event, board: Board) -> dict[str, Any]:
    message = events.event(event, board)
    found: dict[str, Any] = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return found


def draw(file: Path, board: str, text: str) -> None:
    """Draw a position, or without one an empty board, as an SVG file."""
    try:
        state = position.read(text) if text else None
        shown = load_board(board) if state is None else state.board
    except position.PositionError as error:
        raise impossible(error) from None
    except ValueError as error:
        raise Misused(str(error)) from None
    told = None if state is None else states.state(state)
    picture = board_svg.svg(board_map(shown.name), messages.board(shown), told, names_of(shown))
    file.write_text(picture, encoding="utf-8")


def impossible(error: position.PositionError) -> Misused:
    """The fault of a position, as a command tells it."""
    faults = "\n".join(f"  {fault}" for fault in error.faults)
    return Misused(f"{_('impossible position:')}\n{faults}")


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        _print(line)


def _print(text: str) -> None:
    print(text, flush=True)  # noqa: T201  # this is its work
