"""What servers refuse, in the language of the session: by the reason and the facts that come with the refusal."""

from collections.abc import Mapping
from typing import Final

from .i18n import N_, _

TEXTS: Final = {
    "ALREADY_STARTED": N_("the match has started already"),
    "ALREADY_STARTED LEAVE": N_("the match has started; to leave it, forfeit"),
    "BAD_ACCESS code": N_("this is not the join code of this server"),
    "BAD_ACCESS password": N_("this is not the password of this server"),
    "BAD_ACTION ACTION": N_("{text!r} is no action; known: {known}"),
    "BAD_ACTION ACTION_NEAR": N_("{text!r} is no action; did you mean {near}?"),
    "BAD_ACTION ALONE": N_("{word} stands alone; {more!r} is too much"),
    "BAD_ACTION FORM": N_("write {form}"),
    "BAD_ACTION FORT": N_("fort needs a province: hold ALP=3 PYR=2 fort ALP"),
    "BAD_ACTION NUMBER": N_("{text!r} is no number; write {form}"),
    "BAD_ACTION ONLY_PROVINCE": N_("{text!r} is a province; to conquer it: x {code}"),
    "BAD_ACTION PAWNS": N_("{text!r} is not CODE=PAWNS, like ALP=3"),
    "BAD_ACTION PROVINCE": N_("{text!r} is no province of {board}; known: {known}"),
    "BAD_ACTION PROVINCE_NEAR": N_("{text!r} is no province of {board}; did you mean {near}?"),
    "BAD_ADDRESS": N_("{address!r} is no address; write it like 192.168.1.5, localhost:7654 or [::1]:7654"),
    "BAD_ANSWER MATCH_ID": N_(
        "the server sent {value!r} as the id of a match; ids are 1 to 64 of 0-9 and a-z. Do not play there"
    ),
    "BAD_ANSWER TERRAIN": N_(
        "the server sent {value!r} as the terrain of {province}; this client knows {known}. It may be older than "
        "the server: pip install --upgrade vinci-server"
    ),
    "BAD_CHAT": N_("say something in 1 to {most} printable characters"),
    "BAD_CODE": N_("this code is for no seat; it works once, for ten minutes: get a new one"),
    "BAD_CODE SEAT_CHANGED": N_("somebody else has the seat since this code was made; get a new one"),
    "BAD_MISTAKES": N_("{tries} tries: a bot has at most {most}"),
    "BAD_NAME": N_("a name has at most {most} printable characters"),
    "BAD_NAME INVISIBLE": N_("a name has a visible letter or digit, and at most {most} accents on each"),
    "BAD_OPTION EDITION": N_("unknown edition {edition!r}; known: {known}"),
    "BAD_OPTION LIMIT": N_("{option}: this server allows {number} at most"),
    "BAD_OPTION NUMBER": N_("{option}: a whole number from {least} to {most} is wanted ({rule})"),
    "BAD_OPTION OPTION": N_("unknown option {option}; known: {known}"),
    "BAD_OPTION PAIR": N_("{option!r} is not OPTION=VALUE"),
    "BAD_OPTION SEATS": N_("{seats} seats: a game has {fewest} to {most}"),
    "BAD_OPTION TARGET": N_("target {target}: it must be above the {vp} VP that a seat starts with (R-END-4)"),
    "BAD_OPTION VALUE": N_("{option}: known values are {known} ({rule})"),
    "BAD_PROPOSAL GONE": N_("a substitute is for a person who is gone; such seats: {seats}"),
    "BAD_PROPOSAL NOBODY_GONE": N_("a substitute is for a person who is gone; such seats: none"),
    "BAD_PROPOSAL NOT_PAUSED": N_("the match is not paused"),
    "BAD_PROPOSAL NO_SAY": N_("seat {seat} has no say now: it is no person's, forfeited or substituted"),
    "BAD_PROPOSAL PAUSED": N_("the match is paused already"),
    "BAD_SEAT DUMMIES": N_("the seats must be dummies where the position says dummy, and only there"),
    "BAD_SEAT NOBODY": N_("nobody has joined seat {seat}"),
    "BAD_SEAT NONE": N_("seat {seat}: the match has seats 1 to {seats}"),
    "BAD_SEAT NUMBER": N_("{seats} seats: a match has {fewest} to {most}"),
    "BAD_TIMING BOTH": N_("a clock has either seconds for each decision, or a bank with an increment"),
    "BAD_TIMING LONG": N_("{seconds} seconds: at most {most}, which is a month"),
    "BAD_TIMING NO_BANK": N_("an increment needs a bank to be added to"),
    "BAD_TOKEN": N_("this token is for no seat of the match"),
    "BAD_TOKEN TAKEN_AWAY": N_("seat {seat} was taken away; join it again"),
    "CANNOT_UNDO": N_(
        "one's own actions of this turn can be undone until something is drawn or somebody else acts; "
        "revisions that can be gone back to: {revisions}"
    ),
    "CANNOT_UNDO TOO_MANY": N_("{number} undos are all that a turn allows"),
    "CANNOT_UNDO NOTHING": N_(
        "one's own actions of this turn can be undone until something is drawn or somebody else acts; there "
        "is nothing to undo now"
    ),
    "CODE_AND_PASSWORD": N_("a server has a code or a password: leave out one of them"),
    "DRAINING": N_("the server is about to restart and takes nobody new; try again in a few minutes"),
    "FUTURE_REVISION": N_("the match is at revision {revision}; watch from {next} at most"),
    "GAME_OVER": N_("the game is over"),
    "MATCH_ENDED": N_("the match was ended: {ended}"),
    "MATCH_ENDED ALREADY": N_("the match has ended already"),
    "NEEDS_TLS": N_("the server at {address} speaks TLS: its whole join code is needed, or else --tls or --tls-ca"),
    "NOT_STARTED": N_("the match has not started yet"),
    "NOT_SUBSTITUTED": N_("no substitute plays seat {seat}"),
    "NOT_THE_HOST": N_("only the host of the match may do that; its token came with CreateMatch"),
    "NOT_YOUR_SEAT": N_("you can forfeit only your own seat, {seat}"),
    "NOT_YOUR_TURN": N_("it is the move of seat {seat}"),
    "NO_ACCESS code": N_("this server asks for its join code (metadata vinci-access)"),
    "NO_ACCESS password": N_("this server asks for its password (metadata vinci-access)"),
    "NO_ANSWER": N_("no answer from {address}; is a server running there?"),
    "NO_CERTIFICATES": N_("{path} holds no certificates in PEM (-----BEGIN CERTIFICATE-----)"),
    "NO_CODE": N_(
        "{code!r} is no join code: these are {short} letters and digits, like k3f9-xa2m, or {long} where the "
        "server speaks TLS"
    ),
    "BAD_KEY": N_("the name {name} is protected by a key, and this is not its key; set VINCI_BOT_KEY or --key"),
    "BAD_NAME NO_KEY": N_("the name {name} has no key"),
    "NONCES_DUE": N_("the match is about to start; try again in some seconds"),
    "NO_OPEN_SEAT": N_("every human seat of the match is taken"),
    "NO_PASSWORD": N_("a password has at most {most} printable ASCII characters, and no blank at its ends"),
    "NO_REMATCH": N_("a rematch is for when the game is over"),
    "NO_REMATCH POSITION": N_("a game from a position has no rematch, since seats cannot be exchanged"),
    "BUSY": N_("the server is busy and makes no new matches now; try again in {retry_after} seconds"),
    "PAUSED": N_("the match is paused; propose to resume it"),
    "SEARCH_FAILED": N_("the network cannot be searched: {error}"),
    "SEATS_OPEN": N_("nobody sits at seat {seats} yet"),
    "SEAT_TAKEN": N_("seat {seat} is taken"),
    "SEAT_TAKEN KEY": N_("seat {seat} is for the bot {bot}, whose name is protected by a key"),
    "SEAT_TAKEN BOT": N_("seat {seat} belongs to a bot, even while its connection is down; an admin can free it"),
    "SEAT_TAKEN BY": N_("seat {seat} is taken by {player}"),
    "SEAT_TAKEN KEPT": N_("seat {seat} is kept for a player of the match before"),
    "STALE_REVISION": N_("the match is at revision {revision}, the action was meant for {meant}"),
    "SUBSTITUTED": N_("a substitute plays this seat; take it back first"),
    "TOO_MANY_ACTIONS": N_("{number} actions; send at most {most} at once"),
    "TOO_MANY_CHANGES": N_("seat {seat} has changed {number} things besides acting; that is all a match allows"),
    "TOO_MANY_MATCHES": N_("{number} matches are open or running: finish some first"),
    "TOO_MUCH_CHAT SEAT": N_("seat {seat} has said {most} lines in this match, which keeps no more"),
    "TOO_MUCH_CHAT PLAYERS": N_("players have said {most} lines in this match, which keeps no more"),
    "TOO_MUCH_CHAT SPECTATORS": N_("spectators have said {most} lines in this match, which keeps no more"),
    "UNKNOWN_BOARD": N_("unknown board {board!r}; known: {boards}"),
    "MATCH_UNREADABLE": N_("match {match} cannot be read; the log of the server has more"),
    "UNKNOWN_MATCH": N_("there is no match {match!r}"),
    "UNREADABLE": N_("{path} cannot be read: {why}"),
    "WRONG_SERVER NO_TLS": N_(
        "the server at {address} does not use TLS: check the address, and ask whoever runs the server whether "
        "it was started with --tls"
    ),
    "WRONG_SERVER NO_TLS_FOR_CODE": N_(
        "the server at {address} does not use TLS, but the join code is of one that does: check the "
        "address and the port, or ask for the current code"
    ),
    "WRONG_SERVER OTHER_CERTIFICATE": N_(
        "the server at {address} has another certificate than the one that the join code names: check "
        "the address and ask for the current code, since a new certificate changes it. If both are right, do not "
        "connect: another computer may be answering in place of the server"
    ),
    "WRONG_SERVER UNTRUSTED": N_(
        "the certificate of the server at {address} is not trusted here or names another host: "
        "check the address, or name the authority that signed it with --tls-ca"
    ),
}
"""By the reason; where it stands for several things, by the reason and the fact `which`, or what the server `needs`."""

FORMS: Final = (
    N_("take N, a slot of the market"),
    N_("peace N, a seat"),
    N_("forfeit N, a seat"),
    N_("abandon CODE, a province"),
    N_("x CODE or x CODE spy"),
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
