"""How a command that was started to play one seat learns which: by its environment, in every language alike.

It opens `BotService.Play` at the address, says `hello` with the seat token, and plays until the game of that seat is
over. Then it ends, with status 0; so it does when the stream is closed for good. What it writes to standard output and
standard error is kept beside the game. Its standard input is never written to; it ends when nobody needs the bot any
more. Whatever the bot started is ended with it.
"""

from typing import Final

ADDRESS: Final = "VINCI_ADDRESS"
"""Where the server is: host and port."""
SEAT_TOKEN: Final = "VINCI_SEAT_TOKEN"
"""The token of the seat to play."""
SEAT: Final = "VINCI_SEAT"
"""The number of that seat, from 1."""
SEED: Final = "VINCI_SEED"
"""What all chance of the bot in this game is to come from, in hexadecimal digits: the same seed, the same play."""
CODE: Final = "VINCI_CODE"
"""The join code or password of the server, if it has one; sent as `vinci-access`."""
ANALYSIS: Final = "VINCI_ANALYSIS"
"""Where the analysis service is, if the bot may ask it."""
KEY: Final = "VINCI_BOT_KEY"
"""The key of the bot's name, if the server protects the name by one; sent as `Hello.key`."""
