"""Names as people type them, compared by server and clients."""

import unicodedata


def folded(text: str) -> str:
    """Return the letters and digits of a text, in lower case and without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if sign.isalnum())
