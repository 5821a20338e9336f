"""The documentation site works without the network: the checks of its build find what loads from elsewhere and dead links."""

from pathlib import Path

import pytest

from tests.support.paths import DOCS
from tools.check_links import misnamed
from tools.site_hooks import dead_links, loaded_from_elsewhere, on_post_page


@pytest.mark.parametrize(
    "part",
    [
        '<script src="https://unpkg.com/mermaid@11/dist/mermaid.min.js"></script>',
        "<script defer src=//unpkg.com/x.js></script>",
        '<link rel="stylesheet" href="https://fonts.googleapis.com/css?family=Roboto">',
        '<link href="https://fonts.gstatic.com" rel="preconnect" crossorigin>',
        '<img alt="" src="http://example.org/x.png">',
        '<image xlink:href="https://example.org/x.png"/>',
        "@import 'https://example.org/x.css';",
        "@font-face{src:url(https://example.org/x.woff2)}",
        '<pre class="mermaid"><code>sequenceDiagram</code></pre>',
    ],
)
def test_check_finds_what_is_loaded_from_elsewhere(part: str) -> None:
    """Scripts, styles, fonts, pictures of other servers, and diagrams that the theme draws with a script of another server."""
    assert len(loaded_from_elsewhere(f"<p>before</p>{part}<p>after</p>")) == 1


@pytest.mark.parametrize(
    "part",
    [
        '<a href="https://github.com/vinci-server/vinci-server">source</a>',
        '<link rel="canonical" href="https://vinci-server.github.io/vinci-server/bots.html">',
        '<script src="assets/javascripts/bundle.js"></script><img src="pictures/x.svg">',
        "<code>&lt;script src=&quot;https://example.org/x.js&quot;&gt;</code>",
        '<svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/></svg>',
    ],
)
def test_check_allows_links_and_own_files(part: str) -> None:
    """Links to other sites, the address of the page itself, files of the site and names of formats."""
    assert loaded_from_elsewhere(part) == []


def test_theme_finds_no_link_by_which_it_asks_github() -> None:
    """The link to the repository loses the mark with which the script of the theme asks GitHub for stars and forks."""
    assert on_post_page('<a href="x" class="md-source" data-md-component="source">') == '<a href="x" class="md-source">'


@pytest.mark.parametrize("name", ["play", "bot", "league"])
def test_entrances_are_read_in_five_minutes(name: str) -> None:
    """220 words a minute, and something to look at."""
    text = (DOCS / "site" / f"{name}.md").read_text(encoding="utf-8")
    assert len(text.split()) <= 1100
    assert "](../pictures/" in text


def test_check_finds_dead_links(tmp_path: Path) -> None:
    """Links to files that are not in the site, and no others: to places, other sites, files and folders."""
    (tmp_path / "a file.html").touch()
    page = tmp_path / "page.html"
    alive = (
        "#top",
        "a%20file.html#top",
        "a%20file.html?q=1",
        ".",
        "https://example.org/x",
        "mailto:a@example.org",
        "/x",
    )
    dead = ("server.toml", "../nowhere/vinci.service", "gone.html#top")
    page.write_text("".join(f'<a class="x" href="{link}">x</a>' for link in (*alive, *dead)), encoding="utf-8")
    assert dead_links(page) == ["../nowhere/vinci.service", "gone.html", "server.toml"]


def test_check_finds_pages_that_sources_name_and_that_do_not_exist(tmp_path: Path) -> None:
    """Pages that were renamed, and headings that are on another page by now."""
    source, folder = tmp_path / "a.proto", "docs"
    names = ("rules.md", "limits.md#rates", "gone.md", "rules.md#rates")
    source.write_text("".join(f"// see {folder}/{name}.\n" for name in names), encoding="utf-8")
    assert [fault.partition("no ")[2] for fault in misnamed(source)] == [f"{folder}/{name}" for name in names[2:]]
