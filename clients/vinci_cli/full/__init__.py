"""The full-screen client: pages drawn as pure functions of what is known, and the terminal that shows them."""

from typing import Final

LEAST_COLUMNS: Final = 80
LEAST_ROWS: Final = 24
"""The smallest window in which a match is shown in full screen."""
