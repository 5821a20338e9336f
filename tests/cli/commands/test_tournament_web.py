"""`vinci tournament run --web`: what its page is told while the league runs and after, and what is refused."""

import http.client
import json
import os
import re
import socket
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog

from tests.support.cli_runner import vinci
from tests.support.processes.vinci_process import until
from tests.support.tournament.small_leagues import league, played
from vinci_cli.commands.progress import Line
from vinci_cli.commands.tournament import play as leagues
from vinci_cli.commands.tournament.progress import Progress
from vinci_cli.commands.tournament.web import WebOptions
from vinci_cli.installation import install_command
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import ScheduledGame, games
from vinci_tournament.live import report as live_report
from vinci_tournament.live.league import LiveLeague
from vinci_tournament.play import runner, worker
from vinci_tournament.play.files import log_file
from vinci_tournament.play.folder import Folder
from vinci_tournament.play.live import PAGE, read_page, write_page
from vinci_tournament.play.remote import Presence
from vinci_tournament.play.worker import GameOutcome
from vinci_tournament.report.build import report_of
from vinci_tournament.report.writing import FILES
from vinci_tournament.results.result import ForfeitResult

LEAGUE = ("--bots", "dummy", "dummy", "dummy", "--board", "tiny", "--target", "12", "--seats", "3", "--games", "6")
SOON = 60.0


def answer(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Return status, headers and body of an answer of the page's server."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=SOON)) as connection:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response.status, response.headers, response.read()


def state(port: int) -> Any:
    """Return what the page is told of the league."""
    return json.loads(answer(port, "/league.json")[2])


def call(port: int, path: str, request: object) -> list[Any]:
    """Return the answers of the page's server to a call."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=SOON)) as connection:
        connection.request("POST", f"/vinci.v1.{path}", json.dumps(request), {"content-type": "application/json"})
        response = connection.getresponse()
        assert response.status == 200, response.read()
        return [json.loads(line) for line in response.read().splitlines()]


@pytest.fixture(autouse=True)
def logs() -> Iterator[None]:
    """Put the configuration of logs back, which the page changes."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@contextmanager
def served(
    league: League, capsys: pytest.CaptureFixture[str], folder: Folder | None = None
) -> Iterator[tuple[LiveLeague, int]]:
    """Serve the page of a league; yield what it shows and the port that the command prints."""
    with WebOptions(0, "").serving(folder or Folder(Path("none")), league) as live:
        assert live is not None
        link = capsys.readouterr().err.strip()
        assert link.startswith("In a browser: http://127.0.0.1:")
        yield live, int(link.removesuffix("/league").rpartition(":")[2])


def test_running_league_tells_standings_and_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is told what is played now, by as many workers as there are, what was played, and the end."""
    monkeypatch.setattr("vinci_tournament.live.league.ASKED_SECONDS", 0.0)
    cup = league("greedy", "greedy", "greedy", games=9)
    folder = Folder(tmp_path / "cup")
    folder.begin(cup)
    may_go_on, has_begun = threading.Event(), threading.Semaphore(0)

    def play(league: League, game: ScheduledGame) -> GameOutcome:
        if game.key not in ("0-0", "0-1"):
            has_begun.release()
            assert may_go_on.wait(SOON)
        return worker.play(league, game)

    with served(cup, capsys, folder) as (live, port):
        seen = threading.Event()

        def watch(running: Any) -> None:
            live.watch(running)
            if {batch[0].key for batch in running} == {"0-2", "1-0"}:
                seen.set()

        arguments = (folder, lambda: ThreadPoolExecutor(2), 2, live.note, play, watch)
        playing = threading.Thread(target=runner.run, args=arguments)
        playing.start()
        try:
            assert has_begun.acquire(timeout=SOON)
            assert has_begun.acquire(timeout=SOON)
            assert seen.wait(SOON)
            until(lambda: state(port)["games"] == 2, "the second game is collected")
            now = state(port)
            link = f"http://127.0.0.1:{port}/league"
            until(lambda: read_page(folder.path) == [link], "the address is stored")
            told = vinci("tournament", "status", str(folder.path)).text.splitlines()
            assert told[:2] == ["league: round-robin, 2 of at most 9 games; running", f"in a browser: {link}"]
            assert json.loads(vinci("tournament", "status", str(folder.path), "--json").text)["page"] == [link]
        finally:
            may_go_on.set()
            playing.join()
        assert (now["games"], now["planned"], now["complete"], now["left"]) == (2, 9, False, [])
        assert [game["games"] for game in now["running"]] == [["0-2"], ["1-0"]]
        assert sorted(now["running"][0]["bots"]) == ["a", "b", "c"]
        assert all(game["seconds"] >= 0 for game in now["running"])
        assert [game["game"] for game in now["latest"]] == ["0-1", "0-0"]
        assert now["history"]["games"] == [1, 2]
        ratings = {bot["bot"]: bot["ratings"] for bot in now["history"]["bots"]}
        assert [bot["bot"] for bot in now["provisional"]] == list(ratings)
        assert all(ratings[bot["bot"]][-1] == round(bot["rating"], 2) for bot in now["provisional"])
        assert now["seconds_left"] > 0
        assert {bot["bot"]: bot["games"] for bot in now["provisional"]} == {"a": 2, "b": 2, "c": 2}
        for bot in now["provisional"]:
            assert bot["skill"] == pytest.approx(bot["rating"] - 3 * bot["uncertainty"])
        live.end()
        over = state(port)
        assert (over["games"], over["planned"], over["complete"], over["running"]) == (9, 9, True, [])
        assert over["seconds_left"] is None
        assert over["history"]["games"] == [*range(1, 10)]
    with pytest.raises(ConnectionRefusedError):
        state(port)
    assert "in a browser" not in vinci("tournament", "status", str(folder.path)).text


def test_bots_that_left_a_ladder_are_told(tmp_path: Path) -> None:
    """They stay in the standings, where the page marks them."""
    ladder = replace(league("random", "random", "random", "dummy", seats=3, format="ladder"), retired=(("b", 3),))
    told = LiveLeague(Folder(tmp_path), ladder).state()
    assert (told["left"], sorted(bot["bot"] for bot in told["provisional"])) == (["b"], ["a", "b", "c", "d"])


def test_page_has_connection_times_and_forfeits_of_each_bot(tmp_path: Path) -> None:
    """As in status; a bot that is started here has no connection, and a dummy no row."""
    cup = league("greedy", "random", "dummy", games=30)
    folder = played(tmp_path / "cup", cup)
    first, second, third, *_ = folder.results().values()
    seat = first.bots.index("b")
    lost = ForfeitResult(seat, "memory", 3, "")
    log = tmp_path / "cup" / log_file(first, seat)
    log.parent.mkdir(exist_ok=True)
    log.write_text("first\nno \x1b[31mroom\n")
    live = LiveLeague(Folder(tmp_path / "cup"), cup)
    live.note([replace(first, forfeits=(lost,)), second], 1)
    live.watch((), [Presence("b", 0, 0, 7.0)])
    greedy, other = live.state()["bots"]
    assert (greedy["bot"], greedy["connection"], greedy["forfeits"]) == ("a", "", None)
    assert 0 < greedy["median_ms"] <= greedy["most_ms"]
    assert (other["bot"], other["connection"], other["away"]) == ("b", "away", 7.0)
    assert other["forfeits"]["reasons"] == {"memory": 1}
    assert (other["forfeits"]["last"]["game"], other["forfeits"]["last"]["said"]) == (first.key, "no [31mroom")
    live.note([third], 1)
    live.watch((), [Presence("b", 0, 0, 7.0)])
    assert live.state()["seconds_left"] is not None
    never = [Presence("b", 0, 0, None, came=False)]
    live.watch((), never)
    assert live.state()["bots"][1]["connection"] == "never"
    assert live.state()["seconds_left"] is None  # all games that are left wait for it
    live.close()


def test_progress_says_for_whom_it_waits_and_how_to_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While games run the rest of the league takes minutes; if all wait for one that never came, it does not."""
    monkeypatch.setattr(Line, "is_due", lambda _self: True)
    cup = league("greedy", "random", "dummy", games=30)
    progress = Progress(cup, None, is_endless=False)
    progress((), 30)
    progress.watch((), [Presence("b", 0, 0, 7.0, came=False)])
    progress.end()
    told = capsys.readouterr().err
    assert f"waits for b, never connected yet; to go on without: vinci tournament withdraw {cup.name} b" in told


def test_records_of_finished_games_are_served_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The latest games are listed, the page asks for their records, and the server replays them; nothing else is served."""
    cup = league("greedy", "random", "dummy", games=30)
    folder = played(tmp_path / "cup", cup)
    results = list(folder.results().values())
    with served(cup, capsys, folder) as (live, port):
        live.note(results[:-1], 1)
        latest = state(port)["latest"]
        assert [game["game"] for game in latest] == [result.key for result in reversed(results[-21:-1])]
        newest = results[-2]
        assert latest[0]["bots"] == list(newest.bots)
        assert (latest[0]["vp"], latest[0]["ranks"]) == (list(newest.vp), list(newest.ranks))
        status, headers, record = answer(port, f"/league/games/{newest.key}.jsonl")
        lines = record.decode().splitlines()
        assert (status, lines) == (200, folder.lines(newest.key))
        assert headers["content-type"] == "text/plain; charset=utf-8"
        assert "script-src 'self'" in headers["content-security-policy"]
        replayed = call(port, "MatchService/ReplayRecord", {"lines": lines})
        assert [seat["player"] for seat in replayed[0]["match"]["seats"]] == list(newest.bots)
        assert len(replayed) == newest.actions + 2
        for name, of in (("GetBoard", {"name": "tiny"}), ("GetBoardMap", {"name": "tiny"}), ("ListTraits", {})):
            assert call(port, f"LobbyService/{name}", of)[0]
        unfinished = results[-1].key
        for path in (f"games/{unfinished}.jsonl", "games/9-9-9.jsonl", "games/../league.json", "league.json", "games/"):
            assert answer(port, f"/league/{path}")[0] == 404, path
        assert answer(port, f"/league/games/{newest.key}")[2][:15].lower() == b"<!doctype html>"
        assert answer(port, f"/league/games/{newest.key}.jsonl", "POST")[0] == 405
        assert answer(port, f"/league/games/{newest.key}.jsonl", Host="evil.example")[0] == 403
        noted = f"games/{newest.key}.notes.json"
        assert answer(port, f"/league/{noted}")[::2] == (200, b"")
        (folder.path / noted).write_text('{"n": 1}\n')
        assert answer(port, f"/league/{noted}")[::2] == (200, b'{"n": 1}\n')
        assert answer(port, f"/league/games/{unfinished}.notes.json")[0] == 404
        (folder.games / f"{newest.key}.jsonl").unlink()
        assert answer(port, f"/league/games/{newest.key}.jsonl")[0] == 404


def test_address_of_a_killed_process_is_not_told(tmp_path: Path) -> None:
    """The file is valid for seconds after the process that wrote it has ended; the next one replaces it."""
    write_page(tmp_path, ["http://127.0.0.1:1/league"])
    assert read_page(tmp_path) == ["http://127.0.0.1:1/league"]
    os.utime(tmp_path / PAGE, (0, 0))
    assert read_page(tmp_path) == []
    live = LiveLeague(Folder(tmp_path), league("dummy", "dummy", "dummy"), ["http://127.0.0.1:2/league"])
    live.watch([])
    assert read_page(tmp_path) == ["http://127.0.0.1:2/league"]
    live.close()
    assert not (tmp_path / PAGE).exists()


def test_report_of_the_games_so_far(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has a policy of its own and links to what is served; it is made anew only after further games and a pause."""
    monkeypatch.setattr(live_report, "RESTS", -1)
    cup = league("greedy", "random", "random", games=30)
    folder = Folder(tmp_path / "cup")
    folder.begin(cup)
    schedule = list(games(cup))

    def play(first: int, end: int) -> None:
        folder.keep([worker.play(cup, game) for game in schedule[first:end]])
        live.note([folder.result(game.key) for game in schedule[first:end]], 0)

    with served(cup, capsys, folder) as (live, port):
        assert answer(port, "/league/report")[::2] == (
            404,
            b"There is no report: no block is complete yet, so there is nothing to report\n",
        )
        assert answer(port, "/league/standings.json")[0] == 404
        play(0, 6)
        status, headers, page = answer(port, "/league/report")
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert page.decode() == FILES["report.html"](report_of(folder))
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "style-src 'unsafe-inline'" in policy
        assert "'unsafe-inline'" not in policy.replace("style-src 'unsafe-inline'", "")
        assert "unsafe-inline" not in answer(port, "/league")[1]["content-security-policy"]
        links = set(re.findall(r'href="([^"#]+)"', page.decode()))
        assert {"games/0-0.jsonl", "report.json", "standings.csv", "games.csv"} <= links
        for link in links:
            assert answer(port, f"/league/{link}")[0] == 200, link
        whole = json.loads(answer(port, "/league/report.json")[2])
        assert whole["league"]["seed"] == ""
        assert json.loads(answer(port, "/league/standings.json")[2]) == whole["figures"]["standings"]
        monkeypatch.setattr(live_report, "RESTS", 1e9)
        play(6, 9)
        last = answer(port, "/league/report")[2]
        assert last.decode() == FILES["report.html"](report_of(folder)) != page.decode()
        play(9, 12)
        assert answer(port, "/league/report")[2] == last
        for path in ("report", "report.json"):
            assert answer(port, f"/league/{path}", "POST")[0] == 405
            assert answer(port, f"/league/{path}", Host="evil.example")[0] == 403
        assert answer(port, "/league/report.txt")[0] == 404
    assert not list(folder.path.glob("report*"))


def test_report_that_is_being_made_stops_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile the page is told of the league; the end of the league ends it."""
    begun = tmp_path / "begun"
    endless = f"import pathlib, time; pathlib.Path({str(begun)!r}).touch(); time.sleep(1000)"
    monkeypatch.setattr("vinci_client.processes.COMMAND", (sys.executable, "-c", endless))
    cup = league("random", "random", "random")
    with ThreadPoolExecutor(1) as pool:
        with served(cup, capsys, Folder(tmp_path)) as (_, port):
            asked = pool.submit(answer, port, "/league/report")
            until(begun.exists, "the report is begun")
            assert state(port)["games"] == 0
        assert asked.result(SOON)[0] == 404


def test_games_that_share_seeds_are_not_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a league begun by an earlier version, a record would tell the draws of the games to come in its block."""
    cup = league("random", "random", "random", games=3)
    folder = played(tmp_path / "cup", cup)
    with served(replace(cup, seeding="block"), capsys, folder) as (live, port):
        live.note(list(folder.results().values())[:1], 2)
        assert (state(port)["games"], state(port)["latest"]) == (1, [])
        assert answer(port, "/league/games/0-0.jsonl")[0] == 404
        assert answer(port, "/league/report")[0] == 404


def test_addresses_of_the_network_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --web-host 0.0.0.0 the links are those for other machines, and a terminal shows the QR code of the first."""
    folder = Folder(tmp_path)
    monkeypatch.setattr("vinci_cli.serve.access.lan_addresses", lambda: ["192.168.1.5", "10.0.0.5"])
    with WebOptions(0, "0.0.0.0").serving(folder, league("dummy", "dummy", "dummy")):
        links = capsys.readouterr().err.splitlines()
    assert [link.rpartition(":")[0] for link in links] == [
        "In a browser: http://192.168.1.5",
        "In a browser: http://10.0.0.5",
    ]
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with WebOptions(0, "0.0.0.0").serving(folder, league("dummy", "dummy", "dummy")):
        assert "█" in capsys.readouterr().err


def test_page_is_protected(capsys: pytest.CaptureFixture[str]) -> None:
    """The page comes with its policy, and only under a name of this machine."""
    with served(league("dummy", "dummy", "dummy"), capsys) as (_, port):
        status, headers, page = answer(port, "/league")
        assert (status, page[:15].lower()) == (200, b"<!doctype html>")
        assert "script-src 'self'" in headers["content-security-policy"]
        status, headers, _ = answer(port, "/")
        assert (status, headers["location"]) == (302, "/league")
        assert answer(port, "/league.json", Host="evil.example")[0] == 403
        assert answer(port, "/league.json", Origin="http://evil.example")[0] == 403
        assert answer(port, "/league.json", "POST")[0] == 405
        assert answer(port, "/vinci.v1.LobbyService/ListMatches")[0] == 404


def test_finished_league_is_shown_and_the_command_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`run` and `resume` with --web end as without it; a finished league is over at once."""
    monkeypatch.setattr(leagues, "Processes", ThreadPoolExecutor)
    out = str(tmp_path / "cup")
    status, text = vinci("tournament", "run", *LEAGUE, "--web", "0", "--out", out)
    assert status == 0, text
    assert "In a browser: http://127.0.0.1:" in text
    shown: list[Any] = []
    end = LiveLeague.end

    def ended(live: LiveLeague) -> None:
        end(live)
        shown.append(live.state())

    monkeypatch.setattr(LiveLeague, "end", ended)
    monkeypatch.setattr("vinci_tournament.live.league.ASKED_SECONDS", 0.0)
    assert vinci("tournament", "resume", out, "--web", "0").status == 0
    assert [(one["games"], one["planned"], one["complete"]) for one in shown] == [(6, 6, True)]


def test_end_is_served_while_a_page_is_open_and_at_a_terminal_until_it_is_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command waits as long as somebody asks for the league; before its end, and when nobody asks, it does not."""
    cup = league("greedy", "random", "dummy", games=3)
    folder = played(tmp_path / "cup", cup)
    seen: list[bool] = []
    with served(cup, capsys, folder) as (live, port):

        def look(_seconds: float) -> None:
            seen.append(state(port)["complete"])
            if len(seen) in (3, 5):
                monkeypatch.setattr("vinci_tournament.live.league.ASKED_SECONDS", -1.0)
            if len(seen) == 5:
                raise KeyboardInterrupt

        monkeypatch.setattr("vinci_tournament.live.league.time.sleep", look)
        state(port)
        live.show_end(until_stopped=False)
        assert seen == []
        live.note(list(folder.results().values()), 0)
        live.end()
        live.show_end(until_stopped=False)
        assert seen == [True] * 3
        live.show_end(until_stopped=False)
        assert len(seen) == 3
        live.show_end(until_stopped=True)
        assert seen == [True] * 5


def test_port_in_use_and_foreign_address_are_named(tmp_path: Path) -> None:
    """Nothing is played if the page cannot be served."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        status, text = vinci("tournament", "run", *LEAGUE, "--web", str(port), "--out", str(tmp_path / "cup"))
    assert status == 1
    assert f"127.0.0.1:{port}" in text
    assert text.endswith("; choose another --web, or 0 for any\n")
    foreign = ("--web", "7654", "--web-host", "203.0.113.1")
    status, text = vinci("tournament", "run", *LEAGUE, *foreign, "--out", str(tmp_path / "cup"))
    assert status == 1
    assert text.endswith("; name one of this machine with --web-host\n")
    assert not (tmp_path / "cup" / "results.jsonl").exists()


def test_missing_packages_and_port_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra packages the command says how to install them; --web-host alone is refused."""
    out = str(tmp_path / "cup")
    status, text = vinci("tournament", "run", *LEAGUE, "--web-host", "0.0.0.0", "--out", out)
    assert (status, "--web 8080" in text) == (2, True)
    for name in ("site", "listening"):
        monkeypatch.delitem(sys.modules, f"vinci_server.web.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    status, text = vinci("tournament", "run", *LEAGUE, "--web", "0", "--out", out)
    assert status == 1
    assert install_command("web") in text
