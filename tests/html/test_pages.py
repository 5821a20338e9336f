"""Templates: what they show is escaped, and what they do not know is an error."""

import pytest
from jinja2 import DictLoader, UndefinedError

from vinci_html.pages import environment
from vinci_html.text import printable, short


def show(template: str, **values: object) -> str:
    """Render a template of this text."""
    pages = environment()
    pages.loader = DictLoader({"test": template})
    return pages.get_template("test").render(values)


def test_values_are_escaped_and_printable() -> None:
    """Also where macros and filters pass them on; blanks and letters of any script stay as they are."""
    template = "{% macro cell(text) %}<td>{{ text }}</td>{% endmacro %}{{ cell(names|join(', ')) }}"
    shown = show(template, names=["<b>", "\"'&", "a\u202eb\x1b[31m", "\u732b\u3000\xa0"])
    assert shown == "<td>&lt;b&gt;, &#34;&#39;&amp;, a\\u202eb\\x1b[31m, \u732b\u3000\xa0</td>"


def test_an_unknown_name_is_an_error() -> None:
    """A typing error in a template does not become an empty cell."""
    with pytest.raises(UndefinedError):
        show("{{ nmae }}", name="a")


def test_texts_are_cut_by_their_width() -> None:
    """Wide letters count twice; escapes are not cut apart from the text around them."""
    assert short("abcdef", 6) == "abcdef"
    assert short("abcdef", 5) == "abcd…"
    assert short("\u732b\u732b\u732b", 5) == "\u732b\u732b…"
    assert printable("a\n\ud800") == "a\\n\\ud800"
