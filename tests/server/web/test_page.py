"""The page: its files, how they are cached, and the policy that they are sent with."""

import gzip
from pathlib import Path

import pytest

from tests.support.server.over_http import SCRIPT, Web, page
from vinci_server.web.static import PageMissing, Static


@pytest.mark.parametrize(
    "path", ["/", "/rules", "/tutorial", "/r", "/league", "/players", "/players/person/a%2Fb", "/m/k3f9xa2m"]
)
async def test_places_of_the_page(web: Web, path: str) -> None:
    """Every place shows the page, which is asked for again each time."""
    answer = await web.get(path)
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert SCRIPT.encode() in answer.body
    assert answer.headers["cache-control"] == "no-cache"
    again = await web.get(path, if_none_match=answer.headers["etag"])
    assert (again.status, again.body) == (304, b"")


async def test_assets_are_kept_for_ever(web: Web) -> None:
    """Files with a hash in their name never change; they are compressed for whoever takes that."""
    answer = await web.get(f"/assets/{SCRIPT}")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    packed = await web.get(f"/assets/{SCRIPT}", accept_encoding="gzip, br")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == answer.body


async def test_head_has_no_body(web: Web) -> None:
    """HEAD answers with the headers of GET."""
    answer = await web.request("HEAD", "/")
    assert answer.status == 200
    assert int(answer.headers["content-length"]) > 0


@pytest.mark.parametrize(
    "path", ["/sources.sha256", "/../index.html", "/assets/..%2findex.html", "/m/", "/m/NO", "/assets/", "/nothing"]
)
async def test_nothing_else_is_served(web: Web, path: str) -> None:
    """There is nothing outside of the page, and what the build keeps for itself is not sent."""
    assert (await web.get(path)).status == 404


async def test_browsers_get_the_page_for_an_unknown_address(web: Web) -> None:
    """The page says that there is none, in its own look and with a link to the matches; programs get a line of text."""
    answer = await web.get("/nothing", accept="text/html,*/*;q=0.8")
    assert (answer.status, answer.headers["content-type"]) == (404, (await web.get("/")).headers["content-type"])
    assert answer.body == (await web.get("/")).body
    assert (await web.get("/nothing", accept="*/*")).body == b"there is no such page\n"


async def test_policy_is_strict(web: Web) -> None:
    """No inline script, no frame, no other site; answers to calls are neither kept nor guessed at."""
    for answer in (await web.get("/"), await web.get("/nothing")):
        policy = answer.headers["content-security-policy"].split("; ")
        assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"} <= set(policy)
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    called = await web.call("LobbyService/ListMatches")
    assert (called.headers["x-content-type-options"], called.headers["cache-control"]) == ("nosniff", "no-store")


async def test_only_reading_is_answered(web: Web) -> None:
    """The page is not posted to."""
    answer = await web.request("POST", "/")
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


def test_missing_page_is_named(tmp_path: Path) -> None:
    """Without a page the error names the file that is missing."""
    with pytest.raises(PageMissing, match=r"index\.html; make web builds it"):
        Static(tmp_path)
    Static(page(tmp_path / "page"))


async def test_link_with_its_code(web: Web) -> None:
    """The page gets the link to one of its places with a QR code, at an address that others reach."""
    web.host = "localhost"
    answer = await web.request("POST", "/qr", b'{"path": "/m/k3f9#code=abcd"}', content_type="application/json")
    assert answer.json()["url"] == f"http://192.168.1.5:{web.port}/m/k3f9#code=abcd"
    assert answer.json()["svg"].startswith("<svg ")
    web.host = "10.0.0.7"
    answer = await web.request("POST", "/qr", b'{"path": "/"}', content_type="application/json")
    assert answer.json()["url"] == f"http://10.0.0.7:{web.port}/"


@pytest.mark.parametrize(
    "body", [b"", b"{", b'{"path": 5}', b'{"path": "//evil"}', b'{"path": "x"}', b'"x"', b"[" * 4000]
)
async def test_link_to_nowhere_is_refused(web: Web, body: bytes) -> None:
    """A text that is no path of this server has no QR code."""
    answer = await web.request("POST", "/qr", body, content_type="application/json")
    assert answer.status == 400
    assert '{"path": "/m/ID"}' in answer.json()["message"]
