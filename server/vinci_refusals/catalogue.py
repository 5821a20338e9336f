"""Every reason for which a server, the rules or the client library refuse something, with its sentences.

A reason may have several sentences, one a variant. The fact `which` gives the variant, or else the fact `needs` or
`limit`. Names in braces are facts of the refusal. A published reason or variant keeps its meaning; new ones are added.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Reason(NamedTuple):
    """A reason for which something is refused."""

    status: str
    """Name of the gRPC status; empty for what the client library refuses by itself."""
    texts: Mapping[str, str]
    """Sentences by variant; that of the variant "" has no fact `which`."""
    retry_seconds: float
    """Time after which the call can be repeated unchanged, if no fact `retry_after` gives it; 0 for never."""


_RETRY_SECONDS: Final = {"SHUTTING_DOWN": 1.0, "STORE_FAILED": 1.0, "SLOW_WATCHER": 1.0}

_BY_STATUS: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = {
    "INVALID_ARGUMENT": {
        "MALFORMED": {
            "BYTES": "the bytes cannot be read as a message of this call",
            "JSON": "the JSON cannot be read as a message of this call: {error}",
            "NO_MESSAGE": "the call ended without a message",
            "LATE": "no message came within {seconds} seconds",
            "NO_HELLO": "the first message of a bot must be hello",
            "AFTER_HELLO": "after hello, a bot may send only answer, pong, take_seats and set_games",
        },
        "BAD_ACTION": {
            "NONE": "the request has no action; send at least one",
            "EMPTY": "the action is empty; set one of its kinds",
            "LISTS": "{provinces} provinces and {pawns} numbers of pawns: both lists must have the same length",
            "LONG": "an action can have at most {most} bytes",
            "ACTION": "{text!r} is not an action; the actions are: {known}",
            "ACTION_NEAR": "{text!r} is not an action; did you mean {near}?",
            "ALONE": "nothing may follow {word}; leave out {more!r}",
            "FORM": "write {form}",
            "FORT": "name a province after fort: hold ALP=3 PYR=2 fort ALP",
            "NUMBER": "{text!r} is not a number; write {form}",
            "ONLY_PROVINCE": "{text!r} is a province; to conquer it, write x {code}",
            "PAWNS": "{text!r} is not of the form CODE=PAWNS, like ALP=3",
            "PROVINCE": "there is no province {text!r} on the board {board}; write its code or its name, like {code}",
            "PROVINCE_FITS": "{text!r} fits more than one province: {near}; write more of the name, or the code",
            "PROVINCE_NEAR": "there is no province {text!r} on the board {board}; did you mean {near}?",
        },
        "BAD_REQUEST_ID": {
            "FORM": "request_id must be a UUID, new for each request",
            "SHORT": "a request_id that is answered with a token needs at least {least} characters",
            "OTHER_SEAT": "another seat has already used this request_id; use a new UUID",
            "OTHER_CALL": "an earlier request of another kind ({call}) has used this request_id; use a new UUID",
            "OTHER_MATCH": "this request_id leads to the id of another match; use a new UUID",
        },
        "BAD_NAME": {
            "": "a name can have at most {most} characters, all printable",
            "INVISIBLE": "a name needs a visible letter or digit, and at most {most} accents on each",
            "ALIKE": "the name {name!r} looks like {other!r}; choose another",
            "KEPT": "the name {name!r} is kept for seats and computer players; choose another",
            "HELLO": "hello must give the name of the bot",
            "FOR_KEY": "give the name of the bot that the key is for",
            "NO_KEY": "the name {name!r} has no key",
        },
        "BAD_SEAT": {
            "KIND": "every seat needs a kind: human, dummy or bot",
            "NUMBER": "a match has {fewest} to {most} seats, not {seats}",
            "NONE": "there is no seat {seat}; the match has seats 1 to {seats}",
            "NOBODY": "nobody has joined seat {seat}",
            "DUMMIES": "seats must be dummies where the position has dummies, and only there",
        },
        "BAD_OPTION": {
            "SEATS": "a game has {fewest} to {most} seats, not {seats}",
            "EDITION": "unknown edition {edition!r}; known: {known}",
            "OPTION": "unknown option {option}; known: {known}",
            "VALUE": "{option}: possible values are {known} ({rule})",
            "NUMBER": "{option}: give a whole number from {least} to {most} ({rule})",
            "TARGET": "target {target}: it must be above the {vp} VP that a seat starts with (R-END-4)",
            "LIMIT": "{option}: this server allows at most {number}",
            "MANY": "send at most {most} options",
            "PAIR": "{option!r} is not of the form OPTION=VALUE",
        },
        "BAD_POSITION": {
            "": "the position is impossible: {faults}",
            "LONG": "a position can have at most {most} characters",
        },
        "BAD_ANALYSIS": {
            "POSITIONS": "send 1 to {most} positions, not {number}",
            "PLAYOUTS": "ask for at most {most} playouts, not {number}",
            "MILLISECONDS": "ask for at most {most} milliseconds, not {number}",
            "POLICY": "there is no policy {number}; policies are 0 to {most}",
        },
        "BAD_SEED": {
            "FORM": "{field} {text!r}: use 1 to 128 letters, digits, dots, dashes or underscores",
            "NONCE": "a nonce can have at most {most} ASCII characters, none of them |",
            "SALT": "only a sealed seed has a salt: send seed, sealed and salt, or no salt",
            "OPENING": "opening_seed needs a chosen seed and the usual start, without a position",
        },
        "BAD_NONCE": {
            "HASH": "nonce_hash must be a SHA-256 in 64 lower-case hexadecimal digits",
            "BOTH": "send either a nonce or its hash; after a hash, the nonce follows by RevealNonce",
            "NEITHER": "send the nonce of the seat, or the hash of a new one",
            "OTHER": "the SHA-256 of this nonce is not the nonce_hash of the seat",
        },
        "BAD_RECORD": {"": "line {line} of the record is wrong: {error}"},
        "BAD_TIMING": {
            "BOTH": "a clock has either seconds for each decision, or a bank with an increment",
            "CLOCK": (
                "{text!r} is no clock: 30 is 30 seconds a decision, "
                "10m+15s (or 600+15) ten minutes and 15 seconds more each turn"
            ),
            "LONG": "{seconds} seconds are too long; the most is {most}, a month",
            "NO_BANK": "an increment needs a bank",
            "NO_CLOCK": "on_timeout needs a clock: set decision_seconds or bank_seconds",
            "POLICY": "there is no on_timeout {number}; its values are 1 to {most}",
            "TWICE": "give the clock either as a text or in seconds",
            "ZERO": "a clock needs a second at least; leave it out for no clock",
        },
        "BAD_MISTAKES": {
            "": "a bot can have at most {most} tries, not {tries}",
            "POLICY": "there is no value {number} of after; its values are 1 to {most}",
        },
        "BAD_PROPOSAL": {
            "KIND": "a proposal needs a kind: pause, resume or substitute",
            "NO_SAY": "seat {seat} cannot vote: only people who still play for themselves can",
            "PAUSED": "the match is already paused",
            "NOT_PAUSED": "the match is not paused",
            "GONE": "only an absent person can get a substitute; absent now: {seats}",
            "NOBODY_GONE": "only an absent person can get a substitute, and nobody is absent",
        },
        "BAD_CHAT": {"": "a chat line has 1 to {most} printable characters"},
        "BAD_REASON": {"": "give a reason of 1 to {most} printable characters; all players see it"},
        "BAD_PATH": {
            "": "{path!r} must be the full path of a new file, in a folder that exists on the server's machine",
        },
        "BAD_PAGE_TOKEN": {"": "page_token must be the next_page_token of an earlier page"},
        "UNKNOWN_BOARD": {"": "unknown board {board!r}; known: {boards}"},
    },
    "NOT_FOUND": {
        "UNKNOWN_MATCH": {"": "there is no match {match!r}"},
    },
    "UNAUTHENTICATED": {
        "NO_ACCESS": {
            "code": "this server requires its join code, which its host has",
            "password": "this server requires its password, which its host has",
        },
        "BAD_ACCESS": {
            "code": "this is not the join code of this server",
            "password": "this is not the password of this server",
        },
        "NO_TOKEN": {"": "this call needs a token in its metadata, as authorization: Bearer TOKEN"},
        "BAD_TOKEN": {
            "": "this token does not belong to a seat of the match",
            "TAKEN_AWAY": "seat {seat} was taken away from you; join it again",
            "TOO_MANY": "a bot can have at most {most} seat tokens, not {number}",
            "NONE": "take_seats needs seat tokens",
            "LISTEN": "no bot listens with this token; call Listen again, and send the token that it gives",
        },
        "TOKEN_CHANGED": {
            "": "the token of seat {seat} is no longer valid",
            "STREAM": "the token of this stream is no longer valid",
        },
        "BAD_CODE": {
            "": "this code is not valid; a code works once and for ten minutes: ask for a new one",
            "SEAT_CHANGED": "somebody else took the seat after this code was made; ask for a new one",
        },
        "BAD_KEY": {
            "": "the name {name} is protected by a key, and this is not its key; set VINCI_BOT_KEY or --key",
            "NONE": "the name {name} is protected by a key; send it in hello (VINCI_BOT_KEY or --key)",
            "UNINVITED": "only invited bots play in this league, and {name} is none; ask its organiser for a key",
        },
    },
    "PERMISSION_DENIED": {
        "NOT_YOUR_SEAT": {
            "": "you can forfeit only your own seat, {seat}",
            "BOT": "this bot does not play that seat",
            "LATER": "this bot does not have that seat now; it may get it later",
        },
        "PLAY_ONLY": {"": "this is the code for entrants of a league; with it, bots can only play"},
        "NOT_THE_HOST": {"": "only the host of the match may do this; the host token came with CreateMatch"},
        "NOT_THE_ADMIN": {
            "": "this is not the admin token of the server; it is in the file {file} beside the database",
        },
    },
    "FAILED_PRECONDITION": {
        "ILLEGAL_ACTION": {},  # worded from the rule that is broken: vinci_rules.violations
        "NOT_YOUR_TURN": {"": "it is the turn of seat {seat}"},
        "NOT_STARTED": {
            "": "the match has not started yet",
            "NOBODY": "nobody can act: the match has not started yet",
        },
        "ALREADY_STARTED": {
            "": "the match has already started",
            "LEAVE": "the match has started; to leave it now, forfeit",
        },
        "GAME_OVER": {
            "": "the game is over",
            "NOBODY": "nobody can act: the game is over",
        },
        "MATCH_ENDED": {
            "": "the match was ended: {ended}",
            "ALREADY": "the match has already ended",
        },
        "SEAT_TAKEN": {
            "": "seat {seat} is taken",
            "BY": "seat {seat} is taken by {player}",
            "BOT": "seat {seat} belongs to a bot, even while the bot is disconnected; an admin can free it",
            "KEY": "seat {seat} is for the bot {bot}, whose name is protected by a key",
            "KEPT": "seat {seat} is reserved for a player of the previous match",
            "OWN": "this stream already plays seat {seat} of match {match}",
            "STREAM": "another stream plays seat {seat} now",
        },
        "NO_OPEN_SEAT": {"": "all seats for people are taken"},
        "SEATS_OPEN": {"": "the match cannot start while seats are open: {seats}"},
        "NONCES_DUE": {
            "": "the match is about to start, so its seats cannot change now; try again in a few seconds",
            "NONCE": "nonces are still missing from seat {seats}; try again in a few seconds",
            "HASH": "hashes of new nonces are still missing from seat {seats}; try again in a few seconds",
            "REVEALED": "nonces are being revealed, so a hash cannot be replaced now",
        },
        "NONCE_NOT_DUE": {
            "EARLY": "it is too early for the nonce: keep it secret until nonces_due of the match lists the seat",
            "NEVER": "this seat has no nonce: only people in a match with a secret seed have one",
        },
        "NO_ADVICE": {"": "this match was made without suggestions"},
        "PAUSED": {"": "the match is paused; propose to resume it"},
        "SUBSTITUTED": {"": "a substitute plays this seat; take it back first"},
        "NOT_SUBSTITUTED": {
            "": "no substitute plays seat {seat}",
            "BACK": "the player of seat {seat} is back",
        },
        "CANNOT_UNDO": {
            "": "you can undo your own actions of this turn until something is drawn or another seat acts; revisions "
            "that you can return to: {revisions}",
            "NOTHING": "you can undo your own actions of this turn until something is drawn or another seat acts; "
            "there is nothing to undo now",
            "TOO_MANY": "a turn allows at most {number} undos",
        },
        "NO_REMATCH": {
            "": "a rematch is possible only when the game is over",
            "POSITION": "a game that began from a position has no rematch, because its seats cannot be exchanged",
        },
        "HISTORY_UNREADABLE": {
            "": "the revisions before {revision} cannot be replayed by this server: {error} (the match began with "
            "rules {then}, these are {now}); watch from revision {revision}",
        },
        "MATCH_UNREADABLE": {"": "match {match} cannot be read; see the server's log"},
        "DATABASE_DAMAGED": {
            "": "the database of this server is damaged, so it takes no new matches or players; its host has to "
            "restore a backup",
            "MATCH": "the database of this server is damaged where it keeps match {match}: nothing was changed, and "
            "the match cannot go on until the host of the server restores a backup",
        },
        "DRAINING": {
            "": "the server is about to restart and takes no new matches or players; try again in a few minutes",
        },
    },
    "ABORTED": {
        "STALE_REVISION": {"": "the match is at revision {revision}, but the action was meant for revision {meant}"},
    },
    "OUT_OF_RANGE": {
        "FUTURE_REVISION": {"": "the match is at revision {revision}; watch from revision {next} or earlier"},
    },
    "RESOURCE_EXHAUSTED": {
        "TOO_MANY_ACTIONS": {"": "send at most {most} actions at once, not {number}"},
        "TOO_MANY_CHANGES": {
            "": "seat {seat} has been changed {number} times, the most that a match allows; it can still act",
        },
        "TOO_MUCH_CHAT": {
            "SEAT": "seat {seat} has written {most} chat lines, the most that a match keeps",
            "SPECTATORS": "spectators have written {most} chat lines, the most that a match keeps",
        },
        "TOO_MANY_MATCHES": {
            "matches": "{number} matches are open or running on this server; finish some first",
            "open_matches_per_peer": "{number} matches made from your address are waiting for players; start or end "
            "some first",
        },
        "TOO_MANY_STREAMS": {
            "streams": "{number} streams are open on this server; close some first",
            "streams_per_peer": "{number} streams are open from your address; close some first",
            "waiting_calls_per_peer": "{number} calls from your address wait for their first message; send it "
            "together with the call",
        },
        "BUSY": {"": "the server is overloaded and makes no new matches now; try again in {retry_after} seconds"},
        "RATE_LIMITED": {
            limit: f"your address is limited to {{number}} {what}; wait {{retry_after}} seconds"
            for limit, what in (
                ("calls_per_second", "calls a second"),
                ("bytes_per_second", "bytes a second"),
                ("cpu_milliseconds_per_second", "milliseconds of computing a second"),
                ("matches_per_minute", "new matches and changes of seats a minute"),
                ("chat_lines_per_minute", "chat lines a minute"),
                ("analysis_seconds_per_minute", "seconds of analysis a minute"),
                ("wrong_codes_per_minute", "wrong codes or passwords a minute"),
            )
        },
        "SLOW_WATCHER": {
            "STREAM": "this stream was read too slowly; watch again from the next revision",
            "BOT": "the bot reads too slowly: more than {most} messages are waiting for it",
        },
    },
    "INTERNAL": {
        "STORE_FAILED": {
            "CHANGE": "nothing was changed: {error}",
            "READ": "the database cannot be read: {error}",
            "MATCH": "the match was not made: {error}",
            "BACKUP": "the backup failed: {error}",
        },
        "INTERNAL": {"": "internal error; see the server's log"},
    },
    "UNAVAILABLE": {
        "SHUTTING_DOWN": {
            "": "the server is stopping; connect again later",
            "STREAM": "the server is stopping; watch again later, from the next revision",
        },
    },
    "": {
        "BAD_ADDRESS": {"": "{address!r} is not an address; write it like 192.168.1.5, localhost:7654 or [::1]:7654"},
        "BAD_ANSWER": {
            "MATCH_ID": "the server sent {value!r} as the id of a match; an id has 1 to 64 characters of 0-9 and a-z. "
            "Do not play there",
            "TERRAIN": "the server sent {value!r} as the terrain of {province}; this client knows {known}. It may be "
            "older than the server: pip install --upgrade vinci-server",
        },
        "BAD_LIMIT": {
            "NUMBER": "{setting!r} is not NAME=NUMBER with a whole number from 1 on, like {name}=50",
            "UNKNOWN": "there is no limit {name!r}; known: {known}",
        },
        "CODE_AND_PASSWORD": {"": "a server has either a code or a password: leave out one of them"},
        "NEEDS_TLS": {"": "the server at {address} uses TLS: give its whole join code, or --tls or --tls-ca"},
        "NO_ANSWER": {"": "no answer from {address}; is a server running there?"},
        "NO_CERTIFICATES": {"": "{path} contains no certificates in PEM (-----BEGIN CERTIFICATE-----)"},
        "NO_CODE": {
            "": "{code!r} is not a join code: it has {short} letters and digits, like k3f9-xa2m, or {long} where the "
            "server uses TLS",
        },
        "NO_PASSWORD": {"": "a password has at most {most} printable ASCII characters, and no blank at either end"},
        "SEARCH_FAILED": {"": "the network cannot be searched: {error}"},
        "UNREADABLE": {"": "{path} cannot be read: {why}"},
        "WRONG_SERVER": {
            "NO_TLS": "the server at {address} does not use TLS: check the address, and ask whoever runs the server "
            "whether it was started with --tls",
            "NO_TLS_FOR_CODE": "the server at {address} does not use TLS, but the join code is of one that does: "
            "check the address and the port, or ask for the current code",
            "OTHER_CERTIFICATE": "the server at {address} has another certificate than the one that the join code "
            "names: check the address and ask for the current code, since a new certificate changes it. If both are "
            "right, do not connect: another computer may be answering in place of the server",
            "UNTRUSTED": "the certificate of the server at {address} is not trusted here or names another host: check "
            "the address, or name the authority that signed it with --tls-ca",
        },
    },
}

REASONS: Final[Mapping[str, Reason]] = {
    name: Reason(status, texts, _RETRY_SECONDS.get(name, 0.0))
    for status, reasons in _BY_STATUS.items()
    for name, texts in reasons.items()
}
"""By name. A client that does not know a reason goes by its status."""

FORMS: Final[Mapping[str, str]] = {
    "take": "take N, a slot of the market",
    "peace": "peace N, a seat",
    "forfeit": "forfeit N, a seat",
    "abandon": "abandon CODE, a province",
    "x": "x CODE or x CODE spy",
}
"""Forms of actions by their first word: values of the fact `form`."""
NOT_STARTED_IN_TIME: Final = "it did not start in time"
"""Reason why a server ends an unstarted match: a value of the fact `ended`."""
PHRASES: Final = (*FORMS.values(), NOT_STARTED_IN_TIME)
"""Values of facts that are translated."""
OR: Final = " or "
"""Between the words of the fact `near`."""
AT_POSITION: Final = "position {place}: {sentence}"
"""A refusal of one of several positions, with the fact `place`, from 1."""
