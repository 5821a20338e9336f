"""Prints one line a figure: `name value unit reference ratio target ok|short`; a figure's group can be named."""

import platform
import sys

from . import abuse, analysis, bots, club, league, library, players, rl, rules, screen, server, web

GROUPS = {
    "rules": rules.figures,
    "library": library.figures,
    "rl": rl.figures,
    "bots": bots.figures,
    "players": players.figures,
    "server": server.figures,
    "screen": screen.figures,
    "league": league.figures,
    "analysis": analysis.figures,
    "web": web.figures,
    "club": club.figures,
    "abuse": abuse.figures,
}


def main() -> int:
    """0, or 2 for an unknown group. A figure that falls short is a figure, not an error."""
    wanted = sys.argv[1:] or list(GROUPS)
    if unknown := [name for name in wanted if name not in GROUPS]:
        print(f"unknown group {', '.join(unknown)}; known: {', '.join(GROUPS)}", file=sys.stderr)
        return 2
    print(f"# {platform.python_implementation()} {platform.python_version()}, {platform.machine()}", file=sys.stderr)
    for name in wanted:
        for figure in GROUPS[name]():
            print(figure, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
