"""Environment variables for bots in any language: the contract of a command that is started to play one seat.

The bot opens `BotService.Play` at the address, sends `hello` with the seat token, and plays until the game of that seat
is over or the stream is closed for good. Then it exits with status 0. Its standard output and standard error are kept
beside the game. Its standard input gets no data and is closed when the bot is no longer needed. Processes that the bot
started are ended with it.

A remote bot, which comes by itself and is given seats by its name, has the name, its key and the number of games
instead of a seat.
"""

from typing import Final

ADDRESS: Final = "VINCI_ADDRESS"
"""Host and port of the server."""
SEAT_TOKEN: Final = "VINCI_SEAT_TOKEN"
"""The token of the seat to play."""
SEAT: Final = "VINCI_SEAT"
"""The number of that seat, from 1."""
SEED: Final = "VINCI_SEED"
"""Seed of all random choices of the bot in this game, in hexadecimal digits; equal seeds must give equal play."""
CODE: Final = "VINCI_CODE"
"""The join code or password of the server, if it has one; sent as `vinci-access`."""
ANALYSIS: Final = "VINCI_ANALYSIS"
"""Host and port of the analysis service, if the bot may use it."""
PROCESS: Final = "VINCI_PROCESS"
"""A random mark of a process started here, by which its children are found; a bot leaves it as it is."""
KEY: Final = "VINCI_BOT_KEY"
"""The key of the bot's name, if the server protects the name by one; sent as `Hello.key`."""
NAME: Final = "VINCI_BOT_NAME"
"""The name under which a remote bot plays; sent as `Hello.name`."""
GAMES: Final = "VINCI_BOT_GAMES"
"""The number of games that a remote bot plays at once; sent as `Hello.games`."""
