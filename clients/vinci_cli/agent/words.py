"""Words for agents: texts that tell people at a terminal what to type tell agents which tool to call."""

from typing import Final

WORDS: Final = {
    "Choose a civilization: take N. market explains the traits, board shows the provinces.": (
        "Choose a civilization: take N. `look` lists them; its parts market and board explain traits and provinces."
    ),
    "Further words: suggest, why, board, market, rules, help.": "`look` lists what is legal.",
    "Place {n} surviving pawn: redeploy PROVINCE=N. suggest proposes a way.": (
        "Place {n} surviving pawn: redeploy, or redeploy PROVINCE=N; `look` lists the provinces."
    ),
    "Place {n} surviving pawns: redeploy PROVINCE=N. suggest proposes a way.": (
        "Place {n} surviving pawns: redeploy, or redeploy PROVINCE=N; `look` lists the provinces."
    ),
    "That leaves the game for good; quit lets it wait. To do so: {word} yes.": (
        "That leaves the game for good; `leave` lets it wait. To do so: `act` with `{word} yes`."
    ),
    "The game is paused; to go on: resume.": "The game is paused; to go on: `act` with `resume`.",
    "To agree: {words}.": "To agree: `act` with `{words}`.",
    "Type back.": "`act` with `back` takes the seat back.",
    "Type it again when the connection is back, nothing is played twice: {error}": (
        "Call it again when the connection is back, nothing is played twice: {error}"
    ),
    "Type resume.": "`act` with `resume` proposes to go on.",
    "Type suggest first.": "Call `suggest` first.",
    "Write the action: why x ALP.": "Name the action, such as `x ALP`.",
    "Write what: say TEXT.": "There is nothing to say.",
    "Your turn: {words}, or {last}. Type help for more.": "Your turn: {words}, or {last}. `look` lists all with costs.",
    "Your turn: {words}. Type help for more.": "Your turn: {words}. `look` lists all with costs.",
    "the match is at revision {revision}, but the action was meant for revision {meant}": (
        "too late: the game has gone on meanwhile, as told before this"
    ),
    "no rule or trait {name!r}. Did you mean {alike}? "
    "Rules: {groups} (vinci rules R-CONQ, vinci rules R-CONQ-3). Traits: {traits}": (
        "no rule or trait {name!r}. Did you mean {alike}? Rules: {groups}, each with numbers. Traits: {traits}"
    ),
    "no rule or trait {name!r}. Rules: {groups} (vinci rules R-CONQ, vinci rules R-CONQ-3). Traits: {traits}": (
        "no rule or trait {name!r}. Rules: {groups}, each with numbers. Traits: {traits}"
    ),
}
"""Texts for agents, by the text of the catalogues in English that they replace."""
