"""Computer players of four levels: fast whole turns by trained weights, and a search among them.

Start with `levels.py`. docs/players.md describes the method, the training and the strength of each level.
"""

from pathlib import Path

from vinci_rules import core

core.choose(Path(__file__).parent, core.FOLDER)
