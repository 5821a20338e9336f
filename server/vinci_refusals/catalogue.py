"""Every reason for which a server, the rules or the client library refuse something, and how to word it.

A reason may have several sentences. The fact `which` says which of them is meant, or else the fact `needs` or `limit`.
Names in braces are facts of the refusal. A published reason or variant keeps its meaning; new ones are added.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple


class Reason(NamedTuple):
    """Why something is refused."""

    status: str
    """Name of the gRPC status; empty for what the client library refuses by itself."""
    texts: Mapping[str, str]
    """Sentences by variant; that of the variant "" has no fact `which`."""
    retry_seconds: float = 0.0
    """Time after which the call can be repeated unchanged, if no fact `retry_after` gives it; 0 for never."""


INVALID: Final = "INVALID_ARGUMENT"
UNAUTHENTICATED: Final = "UNAUTHENTICATED"
DENIED: Final = "PERMISSION_DENIED"
PRECONDITION: Final = "FAILED_PRECONDITION"
EXHAUSTED: Final = "RESOURCE_EXHAUSTED"

REASONS: Final[Mapping[str, Reason]] = {
    # Requests that cannot be meant.
    "MALFORMED": Reason(
        INVALID,
        {
            "BYTES": "the bytes are no message of this call",
            "NO_MESSAGE": "the call ended without a message",
            "LATE": "no message came within {seconds} seconds",
            "NO_HELLO": "the first message of a bot must be hello",
            "AFTER_HELLO": "after hello a bot sends answers, pongs, take_seats and set_games only",
        },
    ),
    "BAD_ACTION": Reason(
        INVALID,
        {
            "NONE": "no action; send at least one",
            "EMPTY": "the action is empty: set one of its kinds",
            "LISTS": "{provinces} provinces, but {pawns} numbers of pawns: they are parallel lists",
            "LONG": "an action has at most {most} bytes",
            "ACTION": "{text!r} is no action; known: {known}",
            "ACTION_NEAR": "{text!r} is no action; did you mean {near}?",
            "ALONE": "{word} stands alone; {more!r} is too much",
            "FORM": "write {form}",
            "FORT": "fort needs a province: hold ALP=3 PYR=2 fort ALP",
            "NUMBER": "{text!r} is no number; write {form}",
            "ONLY_PROVINCE": "{text!r} is a province; to conquer it: x {code}",
            "PAWNS": "{text!r} is not CODE=PAWNS, like ALP=3",
            "PROVINCE": "{text!r} is no province of {board}; known: {known}",
            "PROVINCE_NEAR": "{text!r} is no province of {board}; did you mean {near}?",
        },
    ),
    "BAD_REQUEST_ID": Reason(
        INVALID,
        {
            "FORM": "request_id must be a UUID, new for each request",
            "SHORT": "request_id stands for a token: {least} characters or more",
            "OTHER_SEAT": "another seat has used this request_id; use a new UUID",
            "OTHER_CALL": "an {call} has used this request_id; use a new UUID",
            "OTHER_MATCH": "another match has the id that this request_id leads to; use a new UUID",
        },
    ),
    "BAD_NAME": Reason(
        INVALID,
        {
            "": "a name has at most {most} printable characters",
            "INVISIBLE": "a name has a visible letter or digit, and at most {most} accents on each",
            "HELLO": "hello needs the name of the bot",
            "FOR_KEY": "a key needs the name of a bot",
            "NO_KEY": "the name {name!r} has no key",
        },
    ),
    "BAD_SEAT": Reason(
        INVALID,
        {
            "KIND": "every seat needs a kind: human, dummy or bot",
            "NUMBER": "{seats} seats: a match has {fewest} to {most}",
            "NONE": "seat {seat}: the match has seats 1 to {seats}",
            "NOBODY": "nobody has joined seat {seat}",
            "DUMMIES": "the seats must be dummies where the position says dummy, and only there",
        },
    ),
    "BAD_OPTION": Reason(
        INVALID,
        {
            "SEATS": "{seats} seats: a game has {fewest} to {most}",
            "EDITION": "unknown edition {edition!r}; known: {known}",
            "OPTION": "unknown option {option}; known: {known}",
            "VALUE": "{option}: known values are {known} ({rule})",
            "NUMBER": "{option}: a whole number from {least} to {most} is wanted ({rule})",
            "TARGET": "target {target}: it must be above the {vp} VP that a seat starts with (R-END-4)",
            "LIMIT": "{option}: this server allows {number} at most",
            "MANY": "more than {most} options",
            "PAIR": "{option!r} is not OPTION=VALUE",
        },
    ),
    "BAD_POSITION": Reason(
        INVALID,
        {
            "": "the position is impossible: {faults}",
            "LONG": "a position has at most {most} characters",
        },
    ),
    "BAD_ANALYSIS": Reason(
        INVALID,
        {
            "POSITIONS": "{number} positions: send 1 to {most}",
            "PLAYOUTS": "{number} playouts: {most} at most",
            "MILLISECONDS": "{number} milliseconds: {most} at most",
            "POLICY": "policy {number}: known are 0 to {most}",
        },
    ),
    "BAD_SEED": Reason(
        INVALID,
        {
            "FORM": "{field} {text!r}: 1 to 128 letters, digits, dots, dashes or underscores are wanted",
            "NONCE": "a nonce has at most {most} ASCII characters without |",
            "SALT": "a salt is for a sealed seed: send seed, sealed and salt, or no salt",
            "OPENING": "an opening seed is for games with a chosen seed that start as usual",
        },
    ),
    "BAD_NONCE": Reason(
        INVALID,
        {
            "HASH": "nonce_hash must be a SHA-256 in 64 lower-case hexadecimal digits",
            "BOTH": "send a nonce or its hash, not both: the nonce follows by RevealNonce",
            "NEITHER": "send the nonce of the seat, or the hash of a new one",
            "OTHER": "the SHA-256 of this nonce is not nonce_hash of the seat",
        },
    ),
    "BAD_TIMING": Reason(
        INVALID,
        {
            "BOTH": "a clock has either seconds for each decision, or a bank with an increment",
            "LONG": "{seconds} seconds: at most {most}, which is a month",
            "NO_BANK": "an increment needs a bank to be added to",
            "NO_CLOCK": "on_timeout without a clock: set decision_seconds or bank_seconds",
            "POLICY": "on_timeout {number}: known are 1 to {most}",
        },
    ),
    "BAD_MISTAKES": Reason(
        INVALID,
        {
            "": "{tries} tries: a bot has at most {most}",
            "POLICY": "after {number}: known are 1 to {most}",
        },
    ),
    "BAD_PROPOSAL": Reason(
        INVALID,
        {
            "KIND": "a proposal needs a kind: pause, resume or substitute",
            "NO_SAY": "seat {seat} has no say now: it is no person's, forfeited or substituted",
            "PAUSED": "the match is paused already",
            "NOT_PAUSED": "the match is not paused",
            "GONE": "a substitute is for a person who is gone; such seats: {seats}",
            "NOBODY_GONE": "a substitute is for a person who is gone; such seats: none",
        },
    ),
    "BAD_CHAT": Reason(INVALID, {"": "say something in 1 to {most} printable characters"}),
    "BAD_REASON": Reason(INVALID, {"": "say why, in 1 to {most} printable characters; all are told"}),
    "BAD_PATH": Reason(
        INVALID,
        {
            "": "{path!r} must be the full path of a file that does not exist, in a folder of the server's machine"
            " that does"
        },
    ),
    "BAD_PAGE_TOKEN": Reason(INVALID, {"": "page_token must be the next_page_token of the page before"}),
    "UNKNOWN_BOARD": Reason(INVALID, {"": "unknown board {board!r}; known: {boards}"}),
    "UNKNOWN_MATCH": Reason("NOT_FOUND", {"": "there is no match {match!r}"}),
    # Who may do what.
    "NO_ACCESS": Reason(
        UNAUTHENTICATED,
        {
            "code": "this server asks for its join code (metadata vinci-access)",
            "password": "this server asks for its password (metadata vinci-access)",
        },
    ),
    "BAD_ACCESS": Reason(
        UNAUTHENTICATED,
        {
            "code": "this is not the join code of this server",
            "password": "this is not the password of this server",
        },
    ),
    "NO_TOKEN": Reason(UNAUTHENTICATED, {"": "this call needs a token in its metadata: authorization: Bearer TOKEN"}),
    "BAD_TOKEN": Reason(
        UNAUTHENTICATED,
        {
            "": "this token is for no seat of the match",
            "TAKEN_AWAY": "seat {seat} was taken away; join it again",
            "TOO_MANY": "{number} seat tokens: a bot has at most {most}",
            "NONE": "take_seats without a token; send those of the seats",
        },
    ),
    "TOKEN_CHANGED": Reason(
        UNAUTHENTICATED,
        {
            "": "the token of seat {seat} is worth nothing any more",
            "STREAM": "the stream ends; watch again from the next revision",
        },
    ),
    "BAD_CODE": Reason(
        UNAUTHENTICATED,
        {
            "": "this code is for no seat; it works once, for ten minutes: get a new one",
            "SEAT_CHANGED": "somebody else has the seat since this code was made; get a new one",
        },
    ),
    "BAD_KEY": Reason(
        UNAUTHENTICATED,
        {
            "": "the name {name} is protected by a key: this is not its key (VINCI_BOT_KEY for bots of the kit)",
            "NONE": "the name {name} is protected by a key: send its key in hello (VINCI_BOT_KEY for bots of the kit)",
        },
    ),
    "NOT_YOUR_SEAT": Reason(
        DENIED,
        {
            "": "you can forfeit only your own seat, {seat}",
            "BOT": "this bot does not play that seat",
            "LATER": "this seat is not the bot's now; perhaps it is given to it later",
        },
    ),
    "NOT_THE_HOST": Reason(DENIED, {"": "only the host of the match may do that; its token came with CreateMatch"}),
    "NOT_THE_ADMIN": Reason(
        DENIED, {"": "not the admin token of this server; it is in the file {file} beside its database"}
    ),
    # What does not go now.
    "ILLEGAL_ACTION": Reason(PRECONDITION, {"": "{action} breaks {rule}: {violation}"}),
    "NOT_YOUR_TURN": Reason(PRECONDITION, {"": "it is the move of seat {seat}"}),
    "NOT_STARTED": Reason(
        PRECONDITION,
        {"": "the match has not started yet", "NOBODY": "nobody is to act in this match"},
    ),
    "ALREADY_STARTED": Reason(
        PRECONDITION,
        {
            "": "the match has started already",
            "LEAVE": "the match has started; to leave it, forfeit",
        },
    ),
    "GAME_OVER": Reason(
        PRECONDITION,
        {"": "the game is over", "NOBODY": "nobody is to act in this position"},
    ),
    "MATCH_ENDED": Reason(
        PRECONDITION,
        {"": "the match was ended: {ended}", "ALREADY": "the match has ended already"},
    ),
    "SEAT_TAKEN": Reason(
        PRECONDITION,
        {
            "": "seat {seat} is taken",
            "BY": "seat {seat} is taken by {player}",
            "BOT": "seat {seat} belongs to a bot, even while its connection is down; an admin can free it",
            "KEY": "seat {seat} is for the bot {bot}, whose name is protected by a key: it comes by Play",
            "KEPT": "seat {seat} is kept for a player of the match before",
            "OWN": "this stream plays seat {seat} of match {match} already",
            "STREAM": "another stream plays seat {seat} now",
        },
    ),
    "NO_OPEN_SEAT": Reason(PRECONDITION, {"": "every human seat of the match is taken"}),
    "SEATS_OPEN": Reason(PRECONDITION, {"": "nobody sits at seat {seats} yet"}),
    "NONCES_DUE": Reason(
        PRECONDITION,
        {
            "": "the match is about to start; its seats cannot be changed now",
            "NONCE": "the nonce is due from seat {seats}; wait some seconds",
            "HASH": "the hash of a new nonce is due from seat {seats}; wait some seconds",
            "REVEALED": "nonces are being revealed; a hash cannot be replaced now",
        },
    ),
    "NONCE_NOT_DUE": Reason(
        PRECONDITION,
        {
            "EARLY": "no nonce is due yet: keep it secret until nonces_due of the match lists the seat",
            "NEVER": "only a person's seat in a match with a secret seed has a nonce",
        },
    ),
    "PAUSED": Reason(PRECONDITION, {"": "the match is paused; propose to resume it"}),
    "SUBSTITUTED": Reason(PRECONDITION, {"": "a substitute plays this seat; take it back first"}),
    "NOT_SUBSTITUTED": Reason(
        PRECONDITION,
        {"": "no substitute plays seat {seat}", "BACK": "the player of seat {seat} is back"},
    ),
    "CANNOT_UNDO": Reason(
        PRECONDITION,
        {
            "": "one's own actions of this turn can be undone until something is drawn or somebody else acts; "
            "revisions that can be gone back to: {revisions}",
            "NOTHING": "one's own actions of this turn can be undone until something is drawn or somebody else acts; "
            "there is nothing to undo now",
            "TOO_MANY": "{number} undos are all that a turn allows",
        },
    ),
    "NO_REMATCH": Reason(
        PRECONDITION,
        {
            "": "a rematch is for when the game is over",
            "POSITION": "a game from a position has no rematch, since seats cannot be exchanged",
        },
    ),
    "HISTORY_UNREADABLE": Reason(
        PRECONDITION,
        {
            "": "revisions before {revision} cannot be told, since replaying leads elsewhere: {error} (the match began"
            " with rules {then}, these are {now}); watch from revision {revision}"
        },
    ),
    "MATCH_UNREADABLE": Reason(PRECONDITION, {"": "match {match} cannot be read; the server's log has more"}),
    "DRAINING": Reason(
        PRECONDITION, {"": "the server is about to restart and takes nobody new; try again in a few minutes"}
    ),
    "STALE_REVISION": Reason("ABORTED", {"": "the match is at revision {revision}, the action was meant for {meant}"}),
    "FUTURE_REVISION": Reason("OUT_OF_RANGE", {"": "the match is at revision {revision}; watch from {next} at most"}),
    # Too much of something.
    "TOO_MANY_ACTIONS": Reason(EXHAUSTED, {"": "{number} actions; send at most {most} at once"}),
    "TOO_MANY_CHANGES": Reason(
        EXHAUSTED, {"": "seat {seat} has changed {number} things besides acting; that is all a match allows"}
    ),
    "TOO_MUCH_CHAT": Reason(
        EXHAUSTED,
        {
            "SEAT": "seat {seat} has said {most} lines in this match, which keeps no more",
            "SPECTATORS": "spectators have said {most} lines in this match, which keeps no more",
        },
    ),
    "TOO_MANY_MATCHES": Reason(
        EXHAUSTED,
        {
            "matches": "{number} matches are open or running: finish some first",
            "open_matches_per_peer": "{number} matches that this host has made wait for players: start or finish some"
            " first",
        },
    ),
    "TOO_MANY_STREAMS": Reason(
        EXHAUSTED,
        {
            "streams": "{number} streams are open on this server: end some first",
            "streams_per_peer": "{number} streams are open from one host: end some first",
            "waiting_calls_per_peer": "{number} calls of one host wait for their first message: send it with each call",
        },
    ),
    "BUSY": Reason(
        EXHAUSTED, {"": "the server is busy and makes no new matches now; try again in {retry_after} seconds"}
    ),
    "RATE_LIMITED": Reason(
        EXHAUSTED,
        {
            limit: f"more than {{number}} {what} from one host; wait {{retry_after}} seconds"
            for limit, what in (
                ("calls_per_second", "calls a second"),
                ("bytes_per_second", "bytes a second"),
                ("cpu_milliseconds_per_second", "milliseconds of computing a second"),
                ("matches_per_minute", "new matches and seats left or set up a minute"),
                ("chat_lines_per_minute", "lines of chat a minute"),
                ("analysis_seconds_per_minute", "seconds of analysis a minute"),
                ("wrong_codes_per_minute", "wrong codes or passwords a minute"),
            )
        },
    ),
    "SLOW_WATCHER": Reason(
        EXHAUSTED,
        {
            "STREAM": "the stream ends; watch again from the next revision",
            "BOT": "more than {most} messages wait to be read by the bot",
        },
        1.0,
    ),
    # Faults of the server, and its end.
    "STORE_FAILED": Reason(
        "INTERNAL",
        {
            "CHANGE": "nothing was changed: {error}",
            "READ": "it cannot be read: {error}",
            "MATCH": "the match was not made: {error}",
            "BACKUP": "there is no backup: {error}",
        },
        1.0,
    ),
    "INTERNAL": Reason("INTERNAL", {"": "internal error; the server's log has more"}),
    "SHUTTING_DOWN": Reason(
        "UNAVAILABLE",
        {
            "": "the server is stopping; connect again later",
            "STREAM": "the stream ends; watch again from the next revision",
        },
        1.0,
    ),
}
"""By name. A client that does not know a reason goes by its status."""

FORMS: Final[Mapping[str, str]] = {
    "take": "take N, a slot of the market",
    "peace": "peace N, a seat",
    "forfeit": "forfeit N, a seat",
    "abandon": "abandon CODE, a province",
    "x": "x CODE or x CODE spy",
}
"""How actions are written, by their first word: values of the fact `form`."""
OR: Final = " or "
"""Between the words of the fact `near`."""


class Refused(Exception):
    """Something is refused for one of REASONS; `facts` are for programs, the text is the sentence in English."""

    def __init__(self, reason: str, which: str = "", message: str = "", /, **facts: object) -> None:
        self.reason: Final = reason
        self.facts = ({"which": which} if which else {}) | {name: str(value) for name, value in facts.items()}
        super().__init__(message or sentence(reason, self.facts) or reason)


def sentence(reason: str, facts: Mapping[str, str], translate: Callable[[str], str] = str) -> str:
    """Word a refusal.

    Args:
        reason: A name in REASONS, or one that is not known here.
        facts: All that came with the refusal.
        translate: Translates the sentence, FORMS and OR from English.

    Returns:
        The sentence; empty if the reason, its variant or a fact in the sentence is unknown.
    """
    texts = REASONS[reason].texts if reason in REASONS else {}
    which = facts.get("which", "")
    text = texts.get(which or facts.get("needs") or facts.get("limit", ""), "" if which else texts.get("", ""))
    named = dict(facts)
    if facts.get("form") in FORMS.values():
        named["form"] = translate(facts["form"])
    if "near" in facts:
        named["near"] = translate(OR).join(facts["near"].split())
    try:
        return translate(text).format_map(named) if text else ""
    except KeyError:
        return ""
