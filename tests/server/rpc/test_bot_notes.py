"""Notes of bots at a server: kept in a file where there is a folder for them, within bounds, and sent to nobody."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import os
import shutil
from collections import namedtuple
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.server.in_process import EASY, HUMAN, bot_seat, bot_stream, create, join
from vinci.v1 import bot_pb2, match_pb2
from vinci.v1.game_pb2 import Action
from vinci_client.session import Session
from vinci_codec import notes
from vinci_server.app import Server
from vinci_server.rpc.bots.notes import LEFT_FREE, MOST_OF_SEAT, NoteFiles
from vinci_server.storage.store import StoreError

SECRET = "I fear for the Alps"


def answer(text: str, revision: int = 0, seat: int = 1) -> bot_pb2.Answer:
    """Return an answer with a note."""
    return bot_pb2.Answer(seat=seat, revision=revision, note=bot_pb2.Note(text=text))


def noted(decision: bot_pb2.Decision, *texts: str) -> bot_pb2.PlayRequest:
    """Return an answer to a decision with a note that nobody but its author may see."""
    own = answer(f"{SECRET} {texts[0]}", decision.revision)
    own.match_id = decision.match_id
    own.actions.extend(Action(notation=text) for text in texts)
    return bot_pb2.PlayRequest(answer=own)


def kept(folder: Path, match_id: str = "m") -> list[notes.NotedDecision]:
    """Return the notes in the file of a match."""
    return [notes.read(line) for line in (folder / f"{match_id}.notes.json").read_bytes().splitlines()]


@pytest.fixture
async def server(database: Path, tmp_path: Path) -> AsyncIterator[Server]:
    """Start a server that keeps notes in a new folder."""
    server = await Server.start("127.0.0.1", 0, database, notes=tmp_path / "new" / "notes")
    yield server
    await server.stop()


async def test_notes_of_played_answers_are_kept_and_no_watcher_gets_them(
    server: Server, session: Session, tmp_path: Path
) -> None:
    made = await create(session, bot_seat("ada"), HUMAN, HUMAN, position=EASY, start_when_full=True)
    match_id = made.match.match_id
    async with bot_stream(server) as ada:
        await ada.hello("ada", games=1)
        for _ in range(2):
            await join(session, match_id)
        await ada.next()
        decision = await ada.decision()
        await ada.send(noted(decision, "x GOR"))
        assert (await ada.next()).HasField("refused")
        await ada.send(noted(decision, "x FEN", "x BOS"))
        await ada.send(noted(await ada.decision(), "x COL"))
        await ada.decision()
    seen = b""
    async with asyncio.timeout(20):
        async for message in session.watch(match_id, from_revision=0):
            seen += message.SerializeToString()
            if message.update.revision == 3:
                break
    record = await session.call(session.match.GetRecord, match_pb2.GetRecordRequest(match_id=match_id))
    assert b"x COL" in record.SerializeToString()
    assert SECRET.encode() not in seen + record.SerializeToString()
    folder = tmp_path / "new" / "notes"
    found = kept(folder, match_id)
    assert [(one.number, one.seat, one.note.text) for one in found] == [
        (1, 1, f"{SECRET} x FEN"),
        (3, 1, f"{SECRET} x COL"),
    ]
    if os.name == "posix":
        assert [path.stat().st_mode & 0o077 for path in (folder, *folder.iterdir())] == [0, 0]


def test_a_seat_notes_so_much_in_a_game_and_takes_nothing_from_others(tmp_path: Path) -> None:
    files = NoteFiles(tmp_path)
    for revision in range(2000):
        files.keep("m", answer("\x00" * 500, revision))
    size = (tmp_path / "m.notes.json").stat().st_size
    assert MOST_OF_SEAT * 0.98 < size <= MOST_OF_SEAT
    files.keep("m", answer("mine", 2000, seat=2))
    assert kept(tmp_path)[-1].note.text == "mine"
    files.forget("m")
    files.keep("m", answer("another game", 2001))
    assert kept(tmp_path)[-1].note.text == "another game"


def test_nothing_is_kept_without_a_folder_or_a_note_or_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    NoteFiles(None).keep("m", answer("text"))
    NoteFiles(tmp_path).keep("m", bot_pb2.Answer(seat=1, note=bot_pb2.Note()))
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage(2**40, 2**40 - LEFT_FREE + 1, LEFT_FREE - 1))
    NoteFiles(tmp_path).keep("m", answer("text"))
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_stops_no_game_and_no_folder_stops_the_server(tmp_path: Path) -> None:
    files = NoteFiles(tmp_path)
    (tmp_path / "m.notes.json").mkdir()
    for _ in range(2):
        files.keep("m", answer("text"))
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot hold the notes of bots"):
        NoteFiles(tmp_path / "file" / "notes")
