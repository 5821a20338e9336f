"""Templates: values are escaped, and unknown names are errors."""

import pytest
from jinja2 import DictLoader, UndefinedError

from vinci_html.pages import environment
from vinci_html.text import printable, short


def show(template: str, **values: object) -> str:
    """Render a template."""
    pages = environment()
    pages.loader = DictLoader({"test": template})
    return pages.get_template("test").render(values)


def test_values_are_escaped_and_printable() -> None:
    """Values are escaped in macros and filters too; spaces and letters of any script stay."""
    template = "{% macro cell(text) %}<td>{{ text }}</td>{% endmacro %}{{ cell(names|join(', ')) }}"
    shown = show(template, names=["<b>", "\"'&", "a\u202eb\x1b[31m", "\u732b\u3000\xa0"])
    assert shown == "<td>&lt;b&gt;, &#34;&#39;&amp;, a\\u202eb\\x1b[31m, \u732b\u3000\xa0</td>"


def test_unknown_name_is_an_error() -> None:
    """A misspelt name in a template does not become an empty cell."""
    with pytest.raises(UndefinedError):
        show("{{ nmae }}", name="a")


def test_texts_are_cut_by_their_width() -> None:
    """Wide characters count twice; escapes are not cut apart from the text around them."""
    assert short("abcdef", 6) == "abcdef"
    assert short("abcdef", 5) == "abcd…"
    assert short("\u732b\u732b\u732b", 5) == "\u732b\u732b…"
    assert printable("a\n\ud800") == "a\\n\\ud800"
