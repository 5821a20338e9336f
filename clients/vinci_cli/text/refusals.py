"""What servers refuse, in the language of the session: by the reason and the facts that come with the refusal."""

from collections.abc import Mapping
from typing import Final

from .i18n import _, later

TEXTS: Final = {
    "ALREADY_STARTED": later("the match has started already"),
    "ALREADY_STARTED LEAVE": later("the match has started; to leave it, forfeit"),
    "BAD_ACCESS code": later("this is not the join code of this server"),
    "BAD_ACCESS password": later("this is not the password of this server"),
    "BAD_ACTION ACTION": later("{text!r} is no action; known: {known}"),
    "BAD_ACTION ACTION_NEAR": later("{text!r} is no action; did you mean {near}?"),
    "BAD_ACTION ALONE": later("{word} stands alone; {more!r} is too much"),
    "BAD_ACTION FORM": later("write {form}"),
    "BAD_ACTION FORT": later("fort needs a province: hold ALP=3 PYR=2 fort ALP"),
    "BAD_ACTION NUMBER": later("{text!r} is no number; write {form}"),
    "BAD_ACTION ONLY_PROVINCE": later("{text!r} is a province; to conquer it: x {code}"),
    "BAD_ACTION PAWNS": later("{text!r} is not CODE=PAWNS, like ALP=3"),
    "BAD_ACTION PROVINCE": later("{text!r} is no province of {board}; known: {known}"),
    "BAD_ACTION PROVINCE_NEAR": later("{text!r} is no province of {board}; did you mean {near}?"),
    "BAD_ADDRESS": later("{address!r} is no address; write it like 192.168.1.5, localhost:7654 or [::1]:7654"),
    "BAD_ANSWER MATCH_ID": later(
        "the server sent {value!r} as the id of a match; ids are 1 to 64 of 0-9 and a-z. Do not play there"
    ),
    "BAD_ANSWER TERRAIN": later(
        "the server sent {value!r} as the terrain of {province}; this client knows {known}. It may be older than "
        "the server: pip install --upgrade vinci-server"
    ),
    "BAD_CHAT": later("say something in 1 to {most} printable characters"),
    "BAD_CODE": later("this code is for no seat; it works once, for ten minutes: get a new one"),
    "BAD_CODE SEAT_CHANGED": later("somebody else has the seat since this code was made; get a new one"),
    "BAD_MISTAKES": later("{tries} tries: a bot has at most {most}"),
    "BAD_NAME": later("a name has at most {most} printable characters"),
    "BAD_NAME INVISIBLE": later("a name has a visible letter or digit, and at most {most} accents on each"),
    "BAD_OPTION EDITION": later("unknown edition {edition!r}; known: {known}"),
    "BAD_OPTION LIMIT": later("{option}: this server allows {number} at most"),
    "BAD_OPTION NUMBER": later("{option}: a whole number from {least} to {most} is wanted ({rule})"),
    "BAD_OPTION OPTION": later("unknown option {option}; known: {known}"),
    "BAD_OPTION PAIR": later("{option!r} is not OPTION=VALUE"),
    "BAD_OPTION SEATS": later("{seats} seats: a game has {fewest} to {most}"),
    "BAD_OPTION TARGET": later("target {target}: it must be above the {vp} VP that a seat starts with (R-END-4)"),
    "BAD_OPTION VALUE": later("{option}: known values are {known} ({rule})"),
    "BAD_PROPOSAL GONE": later("a substitute is for a person who is gone; such seats: {seats}"),
    "BAD_PROPOSAL NOBODY_GONE": later("a substitute is for a person who is gone; such seats: none"),
    "BAD_PROPOSAL NOT_PAUSED": later("the match is not paused"),
    "BAD_PROPOSAL NO_SAY": later("seat {seat} has no say now: it is no person's, forfeited or substituted"),
    "BAD_PROPOSAL PAUSED": later("the match is paused already"),
    "BAD_SEAT DUMMIES": later("the seats must be dummies where the position says dummy, and only there"),
    "BAD_SEAT NOBODY": later("nobody has joined seat {seat}"),
    "BAD_SEAT NONE": later("seat {seat}: the match has seats 1 to {seats}"),
    "BAD_SEAT NUMBER": later("{seats} seats: a match has {fewest} to {most}"),
    "BAD_TIMING BOTH": later("a clock has either seconds for each decision, or a bank with an increment"),
    "BAD_TIMING LONG": later("{seconds} seconds: at most {most}, which is a month"),
    "BAD_TIMING NO_BANK": later("an increment needs a bank to be added to"),
    "BAD_TOKEN": later("this token is for no seat of the match"),
    "BAD_TOKEN TAKEN_AWAY": later("seat {seat} was taken away; join it again"),
    "CANNOT_UNDO": later(
        "one's own actions of this turn can be undone until something is drawn or somebody else acts; "
        "revisions that can be gone back to: {revisions}"
    ),
    "CANNOT_UNDO TOO_MANY": later("{number} undos are all that a turn allows"),
    "CANNOT_UNDO NOTHING": later(
        "one's own actions of this turn can be undone until something is drawn or somebody else acts; there "
        "is nothing to undo now"
    ),
    "CODE_AND_PASSWORD": later("a server has a code or a password: leave out one of them"),
    "DRAINING": later("the server is about to restart and takes nobody new; try again in a few minutes"),
    "FUTURE_REVISION": later("the match is at revision {revision}; watch from {next} at most"),
    "GAME_OVER": later("the game is over"),
    "MATCH_ENDED": later("the match was ended: {ended}"),
    "MATCH_ENDED ALREADY": later("the match has ended already"),
    "NEEDS_TLS": later("the server at {address} speaks TLS: its whole join code is needed, or else --tls or --tls-ca"),
    "NOT_STARTED": later("the match has not started yet"),
    "NOT_SUBSTITUTED": later("no substitute plays seat {seat}"),
    "NOT_THE_HOST": later("only the host of the match may do that; its token came with CreateMatch"),
    "NOT_YOUR_SEAT": later("you can forfeit only your own seat, {seat}"),
    "NOT_YOUR_TURN": later("it is the move of seat {seat}"),
    "NO_ACCESS code": later("this server asks for its join code (metadata vinci-access)"),
    "NO_ACCESS password": later("this server asks for its password (metadata vinci-access)"),
    "NO_ANSWER": later("no answer from {address}; is a server running there?"),
    "NO_CERTIFICATES": later("{path} holds no certificates in PEM (-----BEGIN CERTIFICATE-----)"),
    "NO_CODE": later(
        "{code!r} is no join code: these are {short} letters and digits, like k3f9-xa2m, or {long} where the "
        "server speaks TLS"
    ),
    "BAD_KEY": later("the name {name} is protected by a key, and this is not its key; set VINCI_BOT_KEY or --key"),
    "BAD_NAME NO_KEY": later("the name {name} has no key"),
    "NONCES_DUE": later("the match is about to start; try again in some seconds"),
    "NO_OPEN_SEAT": later("every human seat of the match is taken"),
    "NO_PASSWORD": later("a password has at most {most} printable ASCII characters, and no blank at its ends"),
    "NO_REMATCH": later("a rematch is for when the game is over"),
    "NO_REMATCH POSITION": later("a game from a position has no rematch, since seats cannot be exchanged"),
    "BUSY": later("the server is busy and makes no new matches now; try again in {retry_after} seconds"),
    "PAUSED": later("the match is paused; propose to resume it"),
    "SEARCH_FAILED": later("the network cannot be searched: {error}"),
    "SEATS_OPEN": later("nobody sits at seat {seats} yet"),
    "SEAT_TAKEN": later("seat {seat} is taken"),
    "SEAT_TAKEN KEY": later("seat {seat} is for the bot {bot}, whose name is protected by a key"),
    "SEAT_TAKEN BOT": later("seat {seat} belongs to a bot, even while its connection is down; an admin can free it"),
    "SEAT_TAKEN BY": later("seat {seat} is taken by {player}"),
    "SEAT_TAKEN KEPT": later("seat {seat} is kept for a player of the match before"),
    "STALE_REVISION": later("the match is at revision {revision}, the action was meant for {meant}"),
    "SUBSTITUTED": later("a substitute plays this seat; take it back first"),
    "TOO_MANY_ACTIONS": later("{number} actions; send at most {most} at once"),
    "TOO_MANY_CHANGES": later("seat {seat} has changed {number} things besides acting; that is all a match allows"),
    "TOO_MANY_MATCHES": later("{number} matches are open or running: finish some first"),
    "TOO_MUCH_CHAT SEAT": later("seat {seat} has said {most} lines in this match, which keeps no more"),
    "TOO_MUCH_CHAT PLAYERS": later("players have said {most} lines in this match, which keeps no more"),
    "TOO_MUCH_CHAT SPECTATORS": later("spectators have said {most} lines in this match, which keeps no more"),
    "UNKNOWN_BOARD": later("unknown board {board!r}; known: {boards}"),
    "MATCH_UNREADABLE": later("match {match} cannot be read; the log of the server has more"),
    "UNKNOWN_MATCH": later("there is no match {match!r}"),
    "UNREADABLE": later("{path} cannot be read: {why}"),
    "WRONG_SERVER NO_TLS": later(
        "the server at {address} does not use TLS: check the address, and ask whoever runs the server whether "
        "it was started with --tls"
    ),
    "WRONG_SERVER NO_TLS_FOR_CODE": later(
        "the server at {address} does not use TLS, but the join code is of one that does: check the "
        "address and the port, or ask for the current code"
    ),
    "WRONG_SERVER OTHER_CERTIFICATE": later(
        "the server at {address} has another certificate than the one that the join code names: check "
        "the address and ask for the current code, since a new certificate changes it. If both are right, do not "
        "connect: another computer may be answering in place of the server"
    ),
    "WRONG_SERVER UNTRUSTED": later(
        "the certificate of the server at {address} is not trusted here or names another host: "
        "check the address, or name the authority that signed it with --tls-ca"
    ),
}
"""By the reason; where it stands for several things, by the reason and the fact `which`, or what the server `needs`."""

FORMS: Final = (
    later("take N, a slot of the market"),
    later("peace N, a seat"),
    later("forfeit N, a seat"),
    later("abandon CODE, a province"),
    later("x CODE or x CODE spy"),
)
"""How actions are written, in the fact `form`."""


def sentence(error: Exception) -> str:
    """What an error of a server or of the client library says."""
    return worded(getattr(error, "reason", ""), getattr(error, "facts", {}), str(error))


def worded(reason: str, facts: Mapping[str, str], otherwise: str) -> str:
    """The sentence for a reason with its facts; what is to be said `otherwise`, where one of them is not known."""
    told = dict(facts)
    which = told.get("which", "")
    form = told.get("form", "")
    if form in FORMS:
        told["form"] = _(form)
    if "near" in told:
        told["near"] = _(" or ").join(told["near"].split())
    for name in [f"{reason} {which}"] if which else [f"{reason} {told.get('needs')}", reason]:
        if name in TEXTS:
            try:
                return _(TEXTS[name]).format_map(told)
            except KeyError:
                break
    return otherwise
